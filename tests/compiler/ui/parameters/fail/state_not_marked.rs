// mistakes: 1
use tool_gate::tool;

struct Orders;

/// Find orders.
#[tool]
fn search(orders: &Orders) {
    let _ = orders;
}

fn main() {}
