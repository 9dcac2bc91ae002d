// mistakes: 1
use tool_gate::tool;

/// Find orders.
#[tool]
fn search(#[arg(pattern = "^[0-9]{4}$")] number: u32) {
    let _ = number;
}

fn main() {}
