// mistakes: 1
use tool_gate::tool;

/// Find orders.
#[tool]
fn search(#[arg(range = 1..=80)] text: String) {
    let _ = text;
}

fn main() {}
