//! The program `support_agent`, as it is called from a shell.

#![allow(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use std::process::{Command, Output};

use examples::support::provider::Provider;

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_support_agent")).args(arguments).output().unwrap()
}

/// What a run printed that went well. Nothing else is printed, the panic in the story included.
fn printed(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_trace_says_why_it_stopped() {
    let trace = printed(&[]);
    assert!(trace.contains("Stopped: no tool that exists was named in 3 steps in a row."), "{trace}");
}

#[test]
fn the_table_shows_what_was_counted() {
    let trace = printed(&[]);
    let row = |label: &str| {
        let row = trace.lines().find_map(|line| line.strip_prefix(label));
        row.unwrap_or_else(|| panic!("{label}\n{trace}")).split_whitespace().collect::<Vec<_>>()
    };
    assert_eq!(
        row("               "),
        ["get_shipment", "issue_refund", "lookup_policy", "search_orders", "(unknown)", "all"]
    );
    assert_eq!(row("failed: panic"), ["1", "·", "·", "·", "·", "1"]);
    assert_eq!(row("rejected: unknown_name"), ["·", "·", "·", "·", "4", "4"]);
    assert_eq!(row("  never mended"), ["·", "·", "·", "·", "1", "1"]);
}

#[test]
fn all_providers_print_the_same_trace() {
    let unasked = printed(&[]);
    for provider in Provider::ALL {
        let trace = printed(&["--provider", provider.as_str()]);
        assert_eq!(trace.lines().next(), Some(format!("Played as {provider}.").as_str()));
        let (ours, theirs) = (trace.lines().skip(1), unasked.lines().skip(1));
        assert!(ours.map(without_spaces).eq(theirs.map(without_spaces)), "{trace}");
    }
}

/// One provider sends arguments as text and others as an object: they differ in spaces alone.
fn without_spaces(line: &str) -> String {
    line.split_whitespace().collect()
}

#[test]
fn what_it_does_not_understand_is_said_and_ends_with_2() {
    for (arguments, said) in [
        (&["--provider", "gemini"][..], "there is no provider \"gemini\": say anthropic, openai or bedrock\n"),
        (&["--provider"], "the only option is --provider <name>\n"),
        (&["openai"], "the only option is --provider <name>\n"),
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_eq!(String::from_utf8(output.stderr).unwrap(), said);
        assert!(output.stdout.is_empty());
    }
}
