// mistakes: 2
use tool_gate::tool;

struct Orders;

/// Find orders.
#[tool]
fn search(#[call] orders: &Orders) {
    let _ = orders;
}

/// Find orders.
#[tool(blocking)]
fn find(#[call] id: &str) {
    let _ = id;
}

fn main() {}
