// mistakes: 1
use tool_gate::{Number, tool};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Cents(String);

impl Number for Cents {
    type Primitive = String;
}

/// Pay that much back.
#[tool]
fn refund(amount: Cents) {
    let _ = amount.0;
}

fn main() {}
