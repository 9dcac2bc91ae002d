// mistakes: 1
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tool_gate::tool;

#[derive(Deserialize, JsonSchema, Serialize)]
enum Order {
    Newest,
    Oldest,
}

/// Find orders.
#[tool]
fn search(#[arg(default)] order: Order) {
    let _ = (order, Order::Oldest, Order::Newest);
}

fn main() {}
