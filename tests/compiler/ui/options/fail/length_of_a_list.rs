// mistakes: 2
use tool_gate::tool;

/// Find orders.
#[tool]
fn search(#[arg(length = 1..=5)] numbers: Vec<u32>, #[arg(items = 1..=5)] text: &str) {
    let _ = (numbers, text);
}

fn main() {}
