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

fn main() -> Result<(), Failed> {
    let conversation = pollster::block_on(conversation::recorded())?;
    println!("customer   {QUESTION}");
    for (number, (step, recorded)) in zip(1.., zip(&conversation.steps, &REPLIES)) {
        println!("\n{number:>2}  {}", recorded.caption);
        print_step(step)?;
    }
    Ok(())
}

fn print_step(step: &Step) -> serde_json::Result<()> {
    let reply: Value = serde_json::from_str(step.reply)?;
    let content = reply["content"].as_array().into_iter().flatten();
    let mut answers = step.settled.blocks().iter();
    for block in content {
        match (block["text"].as_str(), block["name"].as_str()) {
            (Some(text), _) => println!("    says       {text}"),
            (_, Some(name)) => {
                println!("    calls      {name} {}", block["input"]);
                if let Some(answer) = answers.next() {
                    println!("    {:<10} {}", answer.kind().to_string(), answer.text());
                }
            }
            _ => {}
        }
    }
    Ok(())
}
