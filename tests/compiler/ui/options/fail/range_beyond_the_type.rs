// mistakes: 1
use tool_gate::tool;

/// Find orders.
#[tool]
fn search(#[arg(range = 1..=300)] limit: u8) {
    let _ = limit;
}

fn main() {}
