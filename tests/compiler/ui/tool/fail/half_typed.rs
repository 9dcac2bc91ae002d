// mistakes: 2
// One is the compiler's own. The other is for editors, which ask us before they ask it.
use tool_gate::tool;

/// Find orders.
#[tool]
fn search(text: &str, limit:) {}

fn main() {}
