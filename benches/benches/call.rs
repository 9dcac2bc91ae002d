//! One call, checked and bound: tool-gate beside the ways its users would do without.
//!
//! `cargo bench --manifest-path benches/Cargo.toml`; compare the medians of one run, not runs with one another.

use divan::{Bencher, black_box};
use serde_json::Value;
use tool_gate::{Mode, Offer, Select, wire, wire::Call};
use tool_gate_benches::{ByHand, Large, OFFER, REGISTRY, SIZES, Small, arguments};

fn main() {
    divan::main();
}

/// The floor: serde alone, which checks neither bounds nor patterns.
#[divan::bench(args = SIZES)]
fn serde_alone(bencher: Bencher, size: &str) {
    let (tool, text) = arguments(size);
    bencher.bench(|| {
        if tool == "search" {
            black_box(serde_json::from_str::<Small>(black_box(&text)).is_ok())
        } else {
            black_box(serde_json::from_str::<Large>(black_box(&text)).is_ok())
        }
    });
}

/// By hand: a value, jsonschema compiled once, then serde from the value.
#[divan::bench(args = SIZES)]
fn value_jsonschema_serde(bencher: Bencher, size: &str) {
    let ((tool, text), by_hand) = (arguments(size), ByHand::default());
    bencher.bench(|| {
        let value: Value = serde_json::from_str(black_box(&text)).expect("it is JSON");
        assert!(by_hand.take(tool, value));
    });
}

/// All gates and the bound arguments.
#[divan::bench(args = SIZES)]
fn tool_gate_text(bencher: Bencher, size: &str) {
    let (tool, text) = arguments(size);
    check(bencher, &OFFER, &Call::new(None, tool, text.into()));
}

/// From a value that the client library has parsed, by hand and by reference.
#[divan::bench(args = SIZES)]
fn jsonschema_serde_from_value(bencher: Bencher, size: &str) {
    let ((tool, text), by_hand) = (arguments(size), ByHand::default());
    let value: Value = serde_json::from_str(&text).expect("it is JSON");
    bencher.bench(|| assert!(by_hand.check(tool, black_box(&value))));
}

/// The same with all gates.
#[divan::bench(args = SIZES)]
fn tool_gate_value(bencher: Bencher, size: &str) {
    let (tool, text) = arguments(size);
    let value: Value = serde_json::from_str(&text).expect("it is JSON");
    check(bencher, &OFFER, &Call::new(None, tool, value.into()));
}

/// As text, and published in a strict mode that has the optional arguments as required ones that may be null: what that
/// widened is undone before the gates.
#[divan::bench(args = SIZES)]
fn tool_gate_raised(bencher: Bencher, size: &str) {
    let (tool, text) = arguments(size);
    let offer =
        REGISTRY.offer_in(Mode::Strict, wire::OpenAiResponses::default(), Select::All).expect("both may be strict");
    check(bencher, &offer, &Call::new(None, tool, text.into()));
}

/// The same where there is something to undo: a null in the place of an argument that is left out.
#[divan::bench(args = SIZES)]
fn tool_gate_raised_null(bencher: Bencher, size: &str) {
    let (tool, text) = arguments(size);
    let mut value: Value = serde_json::from_str(&text).expect("it is JSON");
    value[if tool == "search" { "limit" } else { "note" }] = Value::Null;
    let offer =
        REGISTRY.offer_in(Mode::Strict, wire::OpenAiResponses::default(), Select::All).expect("both may be strict");
    check(bencher, &offer, &Call::new(None, tool, value.to_string().into()));
}

fn check(bencher: Bencher, offer: &Offer<()>, call: &Call) {
    assert!(offer.check(call).is_ok());
    bencher.bench(|| black_box(offer.check(black_box(call)).is_ok()));
}
