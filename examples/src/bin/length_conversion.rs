//! Makes proposals to a length converter and prints the verdict on each.
//!
//! `cargo run -p examples --bin length_conversion`

#![allow(clippy::print_stdout, reason = "a program that prints a story")]

use std::error::Error;

use examples::length::{self, PROPOSALS};

fn main() -> Result<(), Box<dyn Error>> {
    let offer = length::offer()?;
    for proposal in &PROPOSALS {
        let settled = pollster::block_on(length::settle(&offer, proposal.text))?;
        println!("{}\n    proposed   {}", proposal.caption, proposal.text);
        for block in settled.blocks() {
            println!("    {:<10} {}\n", block.kind(), block.text());
        }
    }
    Ok(())
}
