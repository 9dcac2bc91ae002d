// mistakes: 1
use std::cell::RefCell;
use tool_gate::tool;

struct Orders(RefCell<u32>);

/// Count orders.
#[tool]
fn count(#[state] orders: &Orders) -> u32 {
    *orders.0.borrow()
}

fn main() {}
