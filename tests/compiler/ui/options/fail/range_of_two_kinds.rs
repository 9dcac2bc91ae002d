// mistakes: 3
use tool_gate::tool;

/// Find orders.
#[tool]
fn search(
    #[arg(range = 0.5..=1)] limit: u8,
    #[arg(range = 0..1.5)] ratio: f64,
    #[arg(range = -1..=0.5)] offset: f64,
) {
    let _ = (limit, ratio, offset);
}

fn main() {}
