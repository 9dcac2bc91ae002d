//! Plays one conversation with a support agent and prints what became of every call.
//!
//! `cargo run -p examples --bin support_agent`

#![allow(clippy::print_stdout, reason = "a program that prints a story")]

use std::iter::zip;

use examples::support::{
    conversation::{self, Failed, Step},
    recording::{QUESTION, REPLIES},
};
use serde_json::Value;
use tool_gate::OutcomeKind;

/// How many characters of an answer are printed. What a model is told of a call that went wrong is printed whole.
const WIDTH: usize = 100;

fn main() -> Result<(), Failed> {
    let conversation = pollster::block_on(conversation::recorded())?;
    println!("A customer asks: {QUESTION}");
    for (number, (step, recorded)) in zip(1.., zip(&conversation.steps, &REPLIES)) {
        println!("\n{number:>2}. {}", recorded.caption);
        print_step(step)?;
    }
    Ok(())
}

/// Prints a reply block by block, each call with its answer: the answers stand in the calls' order.
fn print_step(step: &Step) -> serde_json::Result<()> {
    let reply: Value = serde_json::from_str(step.reply)?;
    let mut answers = step.settled.blocks().iter();
    for block in reply["content"].as_array().into_iter().flatten() {
        if let Some(text) = block["text"].as_str() {
            print_line("says", text);
        }
        if let Some(name) = block["name"].as_str() {
            print_line("calls", &format!("{name} {}", block["input"]));
            if let Some(answer) = answers.next() {
                let shown = match answer.kind() {
                    OutcomeKind::Completed => shortened(answer.text()),
                    _ => answer.text().to_owned(),
                };
                print_line(&answer.kind().to_string(), &shown);
            }
        }
    }
    Ok(())
}

fn print_line(label: &str, text: &str) {
    println!("    {label:<10} {text}");
}

fn shortened(text: &str) -> String {
    let mut shown: String = text.chars().take(WIDTH).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}
