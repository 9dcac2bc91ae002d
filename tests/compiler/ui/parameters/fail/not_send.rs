// mistakes: 1
use std::cell::Cell;
use tool_gate::tool;

/// Count.
#[tool]
async fn count(so_far: Cell<u32>) -> u32 {
    so_far.get()
}

fn main() {}
