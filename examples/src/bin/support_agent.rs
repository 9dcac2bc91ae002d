//! Plays conversations with a support agent and prints what became of every call.
//!
//! `cargo run -p examples --bin support_agent [-- --provider openai|bedrock]`

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that prints a story")]

use std::{env, io, iter::zip, panic, process::ExitCode};

use examples::support::{
    conversation::{self, Conversation, Failed, Story},
    provider::Provider,
    recording::{STORY, Script},
    table::Table,
};
use tokio::runtime;
use tool_gate::{Outcome, OutcomeKind, Settled};

/// How many characters of an answer are printed. What a model is told of a call that went wrong is printed whole.
const WIDTH: usize = 100;

fn main() -> Result<ExitCode, Failed> {
    let provider = match chosen(env::args().skip(1)) {
        Ok(provider) => provider,
        Err(mistake) => {
            eprintln!("{mistake}");
            return Ok(ExitCode::from(2));
        }
    };
    let story = play(provider)?;
    println!("Played as {provider}.");
    for (script, conversation) in zip(&STORY, &story.conversations) {
        print_conversation(script, conversation);
    }
    println!("\n\nWhat was counted\n\n{}", Table(&story.counted));
    Ok(ExitCode::SUCCESS)
}

/// The provider that the arguments name.
fn chosen(arguments: impl Iterator<Item = String>) -> Result<Provider, String> {
    let arguments: Vec<String> = arguments.collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        [] => Ok(Provider::default()),
        ["--provider", name] => name.parse().map_err(|unknown| format!("{unknown}")),
        _ => Err("the only option is --provider <name>".to_owned()),
    }
}

fn play(provider: Provider) -> Result<Story, Failed> {
    // A carrier's client panics in this story. Its call is answered for it, and the trace tells of it; the hook of the
    // standard library would have told of it before the trace begins.
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| ()));
    let story = timed()?.block_on(conversation::recorded(provider));
    panic::set_hook(hook);
    story
}

/// A runtime with timers, which the time-outs need, and nothing else.
fn timed() -> io::Result<runtime::Runtime> {
    runtime::Builder::new_current_thread().enable_time().build()
}

fn print_conversation(script: &Script, conversation: &Conversation) {
    println!("\n\n{}\n\n{} asks: {}", script.title, script.customer, script.question);
    for (number, (step, said)) in zip(1.., zip(&conversation.steps, script.replies)) {
        println!("\n{number:>2}. {}", said.caption);
        if !said.text.is_empty() {
            print_line("says", said.text);
        }
        print_calls(step);
    }
    if let Some(stop) = &conversation.stop {
        println!("\n    Stopped: {stop}.");
    }
}

/// Prints the calls, each with its answer.
fn print_calls(step: &Settled) {
    for (call, answer) in zip(step.calls(), step.blocks()) {
        print_line("calls", &format!("{} {}", call.name(), call.arguments().text()));
        let shown = match answer.kind() {
            OutcomeKind::Completed => shortened(answer.text()),
            _ => answer.text().to_owned(),
        };
        print_line(answer.kind().as_str(), &shown);
        if let Outcome::Failed { failure } = answer.outcome()
            && let Some(source) = failure.source()
        {
            // For the host alone: the model reads the line above.
            print_line("(log)", &source.to_string());
        }
    }
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
