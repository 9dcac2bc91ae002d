// mistakes: 1
use tool_gate::tool;

/// Find orders.
#[tool]
fn search(text: &str, #[arg(rename = "text")] words: &[String]) {
    let _ = (text, words);
}

fn main() {}
