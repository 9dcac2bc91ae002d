//! A small agent's tools, and replies to settle with them.

use serde_json::{Value, json};
use tool_gate::{Admitted, Decision, Limits, Offer, Registry, Run, Select, Settled, ToolError, tool, wire};

/// Search.
#[tool(read_only)]
fn search(#[arg(range = 1..=100)] limit: u8) -> u8 {
    limit
}

/// Read.
#[tool(read_only)]
fn read(id: &str) -> String {
    id.to_owned()
}

/// Write.
#[tool]
fn write(id: &str) -> Result<(), ToolError> {
    if id == "full" { Err(ToolError::new("The disk is full.")) } else { Ok(()) }
}

/// Only with the right to.
#[tool(requires = "forget")]
fn forget() {}

/// The four tools `search`, `read`, `write` and `forget`; the state is whether `forget` is allowed.
///
/// # Panics
///
/// Never: the tools are declared well.
pub fn registry(limits: Limits) -> Registry<bool> {
    let policy = |may: &bool, call: &Admitted| match call.definition().requires() {
        Some(_) if !may => Decision::deny("You may not."),
        _ => Decision::Allow,
    };
    let builder = Registry::builder().tool::<search>().tool::<read>().tool::<write>().tool::<forget>();
    builder.policy(policy).limits(limits).build().expect("the tools are declared well")
}

/// All of them, for Anthropic.
///
/// # Panics
///
/// Never: all are offered.
pub fn offer(limits: Limits) -> Offer<bool> {
    registry(limits).offer(wire::Anthropic::default(), Select::All).expect("all are offered")
}

/// A reply that makes these calls, with an id of its own and ids that no other step has.
pub fn reply(step: usize, calls: &[(&str, Value)]) -> Value {
    let calls: Vec<Value> = calls
        .iter()
        .enumerate()
        .map(|(at, (name, input))| json!({"type": "tool_use", "id": format!("toolu_{step}_{at}"), "name": name, "input": input}))
        .collect();
    json!({"id": format!("msg_{step}"), "role": "assistant", "content": calls, "stop_reason": "tool_use"})
}

/// Settles one such reply, without the right to `forget`.
///
/// # Panics
///
/// Where the reply is not of Anthropic's shape.
pub fn settle(offer: &Offer<bool>, run: &mut Run, step: usize, calls: &[(&str, Value)]) -> Settled {
    pollster::block_on(offer.settle(&reply(step, calls), &false, run)).expect("the reply is Anthropic's")
}

/// A call that `search` admits.
pub fn good() -> (&'static str, Value) {
    ("search", json!({"limit": 1}))
}

/// A call that `search` rejects.
pub fn bad() -> (&'static str, Value) {
    ("search", json!({"limit": 0}))
}
