// mistakes: 1
use schemars::JsonSchema;
use serde::Deserialize;
use tool_gate::tool;

#[derive(Deserialize, JsonSchema)]
enum Order {
    Newest,
    Oldest,
}

/// Find orders.
#[tool]
fn search(#[arg(example = Order::Newest)] order: Order) {
    let _ = (order, Order::Oldest);
}

fn main() {}
