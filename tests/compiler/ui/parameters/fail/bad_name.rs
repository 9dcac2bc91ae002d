// mistakes: 2
use tool_gate::tool;

/// Find orders.
#[tool]
fn search(größe: u32, #[arg(rename = "the text")] text: &str) {
    let _ = (größe, text);
}

fn main() {}
