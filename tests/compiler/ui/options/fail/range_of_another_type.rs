// mistakes: 3
use tool_gate::tool;

/// Find orders.
#[tool]
fn search(#[arg(range = 1..=2)] ratio: f64, #[arg(range = 0.5..)] limit: u32, #[arg(length = "5"..)] text: &str) {
    let _ = (ratio, limit, text);
}

fn main() {}
