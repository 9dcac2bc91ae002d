//! What an offer forgives where it is asked to, and what no offer does.

#![allow(clippy::unwrap_used, reason = "a test fails where it is wrong")]

mod kinds;
mod property;
mod settled;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use tool_gate::{
    DynamicTool, Eased, Leniency, Offer, Registry, Select, tool,
    wire::{self, Call},
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Status {
    Open,
    Shipped,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code, reason = "only its schema is looked at")]
struct Between {
    min_cents: u32,
    max_cents: Option<u32>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[allow(dead_code, reason = "only its schema is looked at")]
enum Target {
    Everyone { at_most: u8 },
    Named { at_most: String, tags: Vec<String> },
}

#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code, reason = "only its schema is looked at")]
struct Node {
    weight: i64,
    #[serde(default)]
    children: Vec<Node>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "only its schema is looked at")]
enum NumberOrText {
    Number(u32),
    Text(String),
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "only its schema is looked at")]
enum NumberOrList {
    Number(u32),
    List(Vec<u32>),
}

/// Search for everything.
#[tool(read_only)]
#[allow(clippy::too_many_arguments, clippy::needless_pass_by_value, reason = "one for each sort of schema")]
fn search(
    order_id: u64,
    #[arg(default = 20, range = 1..=100)] limit: u8,
    is_open: Option<bool>,
    status: Option<Status>,
    text: Option<String>,
    list: Option<Vec<i32>>,
    range: Option<Between>,
    target: Option<Target>,
    tree: Option<Node>,
    either: Option<NumberOrText>,
    other: Option<NumberOrList>,
    #[arg(sensitive)] secret: Option<Between>,
) -> String {
    format!(
        "{order_id} {limit} {is_open:?} {status:?} {text:?} {list:?} {range:?} {target:?} {tree:?} {either:?} {other:?} {secret:?}"
    )
}

/// Takes nothing at all.
#[tool(read_only)]
fn ping() {}

/// Both tools.
fn registry() -> Registry<()> {
    Registry::builder().tool::<search>().tool::<ping>().build().unwrap()
}

/// A tool whose schema is enforced as it is given, offered with this leniency. It answers what it was given.
fn dynamic(schema: Value, leniency: Leniency) -> Offer<()> {
    let tool = DynamicTool::new("tool", "Take it.", schema, |(), arguments, _| Box::pin(async move { Ok(arguments) }));
    let registry = Registry::builder().dynamic(tool).build().unwrap();
    registry.offer(wire::Plain::default(), Select::All).unwrap().lenient(leniency)
}

/// What a call comes to: the admitted arguments, and what was forgiven for that, as `kind` or `kind at path`.
fn checked(offer: &Offer<()>, name: &str, arguments: &str) -> Option<(Value, Vec<String>)> {
    let admitted = offer.check(&Call::new(None, name, arguments.into())).ok()?;
    let shown = |eased: &Eased| match &eased.path {
        Some(path) => format!("{} at {path}", eased.kind),
        None => eased.kind.to_string(),
    };
    Some((admitted.arguments().clone(), admitted.eased().iter().map(shown).collect()))
}
