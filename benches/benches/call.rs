//! One call as text, checked and bound: tool-gate beside the ways its users would do without.
//!
//! `cargo bench --manifest-path benches/Cargo.toml`; compare the medians of one run, not runs with one another.

use std::sync::LazyLock;

use divan::{Bencher, black_box};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tool_gate::{
    Offer, Registry, Select, tool,
    wire::{Anthropic, Call},
};

fn main() {
    divan::main();
}

#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Status {
    Open,
    Shipped,
}

#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Address {
    street: String,
    city: String,
    zip: String,
}

#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Item {
    sku: String,
    quantity: u16,
    price_cents: u32,
    gift: bool,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
struct Small {
    customer: String,
    status: Option<Status>,
    limit: u32,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
struct Large {
    customer: String,
    address: Address,
    items: Vec<Item>,
    note: Option<String>,
}

/// Search.
#[tool]
fn search(customer: String, status: Option<Status>, #[arg(range = 1..=100)] limit: u32) {
    black_box((customer, status, limit));
}

/// Order.
#[tool]
fn order(
    #[arg(pattern = "^c-[0-9]+$")] customer: String,
    address: Address,
    #[arg(items = 1..)] items: Vec<Item>,
    note: Option<String>,
) {
    black_box((customer, address, items, note));
}

static OFFER: LazyLock<Offer<()>> = LazyLock::new(|| {
    let registry = Registry::builder().tool::<search>().tool::<order>().build().expect("both are declared well");
    registry.offer(Anthropic::default(), Select::All).expect("all are offered")
});

/// `S`: 53 bytes. `M`: five items. `L`: 200 items.
fn arguments(size: &str) -> (&'static str, String) {
    let items = |count: usize| -> Vec<Value> {
        let item = |n| json!({"sku": format!("sku-{n:05}"), "quantity": n % 9 + 1, "price_cents": n * 100, "gift": n % 2 == 0});
        (0..count).map(item).collect()
    };
    let order = |count| {
        let address = json!({"street": "Long Lane 12", "city": "Basel", "zip": "4051"});
        json!({"customer": "c-1042", "address": address, "items": items(count), "note": "Ring twice, \"loudly\"."})
    };
    match size {
        "S" => ("search", json!({"customer": "c-1042", "status": "open", "limit": 20}).to_string()),
        "M" => ("order", order(5).to_string()),
        _ => ("order", order(200).to_string()),
    }
}

fn validator(tool: &str) -> jsonschema::Validator {
    let definition = OFFER.definitions().find(|definition| definition.name() == tool).expect("it is offered");
    jsonschema::options().with_pattern_options(jsonschema::PatternOptions::regex()).build(definition.input_schema()).expect("it compiles")
}

const SIZES: &[&str] = &["S", "M", "L"];

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
    let (tool, text) = arguments(size);
    let validator = validator(tool);
    bencher.bench(|| {
        let value: Value = serde_json::from_str(black_box(&text)).expect("it is JSON");
        assert!(validator.is_valid(&value));
        if tool == "search" {
            black_box(serde_json::from_value::<Small>(value).is_ok())
        } else {
            black_box(serde_json::from_value::<Large>(value).is_ok())
        }
    });
}

/// All gates and the bound arguments.
#[divan::bench(args = SIZES)]
fn tool_gate_text(bencher: Bencher, size: &str) {
    let (tool, text) = arguments(size);
    let call = Call::new(None, tool, text.as_str().into());
    assert!(OFFER.check(&call).is_ok());
    bencher.bench(|| black_box(OFFER.check(black_box(&call)).is_ok()));
}

/// The same from a value that the client library has parsed.
#[divan::bench(args = SIZES)]
fn tool_gate_value(bencher: Bencher, size: &str) {
    let (tool, text) = arguments(size);
    let value: Value = serde_json::from_str(&text).expect("it is JSON");
    let call = Call::new(None, tool, value.into());
    bencher.bench(|| black_box(OFFER.check(black_box(&call)).is_ok()));
}

/// From a value, by hand and by reference.
#[divan::bench(args = SIZES)]
fn jsonschema_serde_from_value(bencher: Bencher, size: &str) {
    let (tool, text) = arguments(size);
    let validator = validator(tool);
    let value: Value = serde_json::from_str(&text).expect("it is JSON");
    bencher.bench(|| {
        let value = black_box(&value);
        assert!(validator.is_valid(value));
        if tool == "search" {
            black_box(Small::deserialize(value).is_ok())
        } else {
            black_box(Large::deserialize(value).is_ok())
        }
    });
}
