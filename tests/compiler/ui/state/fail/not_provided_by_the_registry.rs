// mistakes: 1
use tool_gate::{Registry, tool};

struct Orders;
struct Session;

/// Find orders.
#[tool]
fn search(#[state] orders: &Orders) {
    let _ = orders;
}

fn main() {
    let _ = Registry::<Session>::builder().tool::<search>();
}
