// mistakes: 1
use tool_gate::tool;

/// Find orders.
#[tool]
fn search(#[cfg(all())] text: &str) {
    let _ = text;
}

fn main() {}
