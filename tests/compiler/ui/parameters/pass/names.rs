#[path = "../../support.rs"]
mod support;

use serde_json::json;
use support::{call, declared};
use tool_gate::tool;

/// Names that Rust or JSON makes special, and names that the generated code uses.
#[tool]
#[allow(clippy::too_many_arguments)]
fn r#match(
    r#type: &str,
    mut count: u8,
    #[arg(rename = "order-by")] order_by: &str,
    state: u8,
    call: u8,
    __call: u8,
    output: u8,
    answer: u8,
    arguments: u8,
    list: u8,
    gate: u8,
    _unused: Option<u8>,
) -> String {
    count += 1;
    format!("{type} {count} {order_by} {}", state + call + __call + output + answer + arguments + list + gate)
}

fn main() {
    assert_eq!(declared::<r#match, ()>()["name"], "match");
    let arguments = json!({
        "type": "t", "count": 1, "order-by": "date", "state": 1, "call": 1, "__call": 1, "output": 1, "answer": 1,
        "arguments": 1, "list": 1, "gate": 1, "_unused": null,
    });
    assert_eq!(call::<r#match, ()>(&(), arguments), "t 2 date 8");
}
