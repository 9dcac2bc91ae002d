// mistakes: 2
use tool_gate::tool;

struct Orders;

/// Find orders.
#[tool]
fn search(
    #[state]
    #[arg(default)]
    orders: &Orders,
    #[state(shared)] others: &Orders,
) {
    let _ = (orders, others);
}

fn main() {}
