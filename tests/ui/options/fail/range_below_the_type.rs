// mistakes: 1
use tool_gate::tool;

/// Find orders.
#[tool]
fn search(#[arg(range = -1..)] page: u32) {
    let _ = page;
}

fn main() {}
