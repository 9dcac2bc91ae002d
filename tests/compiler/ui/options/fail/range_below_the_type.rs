// mistakes: 2
use tool_gate::tool;

/// Find orders.
#[tool]
fn search(#[arg(range = -1..)] page: u32, #[arg(range = -5..=5)] limit: Option<usize>) {
    let _ = (page, limit);
}

fn main() {}
