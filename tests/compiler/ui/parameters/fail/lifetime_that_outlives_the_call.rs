// mistakes: 2
use tool_gate::tool;

/// Find orders.
#[tool]
fn search(text: &'static str, numbers: &'static [u32]) {
    let _ = (text, numbers);
}

fn main() {}
