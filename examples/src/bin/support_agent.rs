//! Plays one conversation with a support agent and prints what became of every call.
//!
//! `cargo run -p examples --bin support_agent`

#![allow(clippy::print_stdout, reason = "a program that prints a story")]

use std::iter::zip;

use examples::support::{
    conversation::{self, Failed},
    recording::{QUESTION, REPLIES},
};
use tool_gate::{OutcomeKind, Settled};

/// How many characters of an answer are printed. What a model is told of a call that went wrong is printed whole.
const WIDTH: usize = 100;

fn main() -> Result<(), Failed> {
    let conversation = pollster::block_on(conversation::recorded())?;
    println!("A customer asks: {QUESTION}");
    for (number, (step, recorded)) in zip(1.., zip(&conversation.steps, &REPLIES)) {
        println!("\n{number:>2}. {}", recorded.caption);
        print_step(step);
    }
    Ok(())
}

/// Prints what the model says, then its calls, each with its answer.
fn print_step(step: &Settled) {
    for text in said(step) {
        print_line("says", &text);
    }
    for (call, answer) in zip(step.calls(), step.blocks()) {
        print_line("calls", &format!("{} {}", call.name(), call.arguments().text()));
        let shown = match answer.kind() {
            OutcomeKind::Completed => shortened(answer.text()),
            _ => answer.text().to_owned(),
        };
        print_line(answer.kind().as_str(), &shown);
    }
}

/// The text blocks of the assistant's turn.
fn said(step: &Settled) -> Vec<String> {
    let turn = step.messages().swap_remove(0);
    let blocks = turn["content"].as_array().into_iter().flatten();
    blocks.filter_map(|block| block["text"].as_str().map(str::to_owned)).collect()
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
