//! The tools that are called, the calls, and what their users would write without tool-gate.

use std::{
    future::Future,
    hint::black_box,
    pin::pin,
    sync::LazyLock,
    task::{Context, Poll, Waker},
};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tool_gate::{Offer, Registry, Select, tool, wire::Anthropic};

/// `S`: 53 bytes. `M`: five items. `L`: 200 items.
pub const SIZES: &[&str] = &["S", "M", "L"];

#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    Open,
    Shipped,
}

#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Address {
    street: String,
    city: String,
    zip: String,
}

#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Item {
    sku: String,
    quantity: u16,
    price_cents: u32,
    gift: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Small {
    customer: String,
    status: Option<Status>,
    #[serde(default = "twenty")]
    limit: u32,
}

fn twenty() -> u32 {
    20
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Large {
    customer: String,
    address: Address,
    items: Vec<Item>,
    #[serde(default)]
    note: String,
}

/// Search.
#[tool]
fn search(customer: String, status: Option<Status>, #[arg(default = 20, range = 1..=100)] limit: u32) {
    black_box((customer, status, limit));
}

/// Order.
#[tool]
fn order(
    #[arg(pattern = "^c-[0-9]+$")] customer: String,
    address: Address,
    #[arg(items = 1..)] items: Vec<Item>,
    #[arg(default = "")] note: String,
) {
    black_box((customer, address, items, note));
}

pub static REGISTRY: LazyLock<Registry<()>> =
    LazyLock::new(|| Registry::builder().tool::<search>().tool::<order>().build().expect("both are declared well"));

pub static OFFER: LazyLock<Offer<()>> =
    LazyLock::new(|| REGISTRY.offer(Anthropic::default(), Select::All).expect("all are offered"));

/// The tool that a call of this size asks for, and its arguments.
pub fn arguments(size: &str) -> (&'static str, String) {
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

/// What settling ends in: no tool here waits for anything.
pub fn ready<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => unreachable!("nothing waits"),
    }
}

/// The schemas of the tools, compiled once, as one would without tool-gate.
pub struct ByHand {
    search: jsonschema::Validator,
    order: jsonschema::Validator,
}

impl Default for ByHand {
    fn default() -> Self {
        let validator = |tool: &str| {
            let definition = OFFER.definitions().find(|definition| definition.name() == tool).expect("it is offered");
            let patterns = jsonschema::PatternOptions::regex();
            jsonschema::options().with_pattern_options(patterns).build(definition.input_schema()).expect("it compiles")
        };
        Self { search: validator("search"), order: validator("order") }
    }
}

impl ByHand {
    /// Validates the arguments and binds them, by reference.
    pub fn check(&self, tool: &str, arguments: &Value) -> bool {
        if tool == "search" {
            self.search.is_valid(arguments) && black_box(Small::deserialize(arguments).is_ok())
        } else {
            self.order.is_valid(arguments) && black_box(Large::deserialize(arguments).is_ok())
        }
    }

    /// Validates the arguments and binds them, taking the strings out of the value.
    pub fn take(&self, tool: &str, arguments: Value) -> bool {
        if tool == "search" {
            self.search.is_valid(&arguments) && black_box(serde_json::from_value::<Small>(arguments).is_ok())
        } else {
            self.order.is_valid(&arguments) && black_box(serde_json::from_value::<Large>(arguments).is_ok())
        }
    }

    /// Runs the calls of a reply of Anthropic's, and gives back the messages to append.
    pub fn settle(&self, reply: &Value) -> [Value; 2] {
        let content = reply["content"].as_array().expect("it has content");
        let calls = content.iter().filter(|block| block["type"] == "tool_use");
        let results: Vec<Value> = calls
            .map(|call| {
                let (tool, input) = (call["name"].as_str().expect("it has a name"), &call["input"]);
                if tool == "search" {
                    assert!(self.search.is_valid(input));
                    let Small { customer, status, limit } = Small::deserialize(input).expect("it is valid");
                    search(customer, status, limit);
                } else {
                    assert!(self.order.is_valid(input));
                    let Large { customer, address, items, note } = Large::deserialize(input).expect("it is valid");
                    order(customer, address, items, note);
                }
                json!({"type": "tool_result", "tool_use_id": call["id"], "content": "Done."})
            })
            .collect();
        [json!({"role": "assistant", "content": content}), json!({"role": "user", "content": results})]
    }
}
