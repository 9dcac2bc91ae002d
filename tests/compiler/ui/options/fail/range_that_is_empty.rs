// mistakes: 3
use tool_gate::tool;

/// Find orders.
#[tool]
fn search(#[arg(range = 5..=1)] limit: u8, #[arg(length = 3..3)] text: &str, #[arg(range = 0.5..=-0.5)] ratio: f64) {
    let _ = (limit, text, ratio);
}

fn main() {}
