// mistakes: 1
use tool_gate::{CallInfo, tool};

/// Find orders.
#[tool]
fn search(call: &CallInfo) {
    let _ = call;
}

fn main() {}
