// mistakes: 2
use tool_gate::tool;

/// Find orders.
#[tool]
fn search(#[arg(format = "datetime")] since: &str, #[arg(format = "sku")] article: &str) {
    let _ = (since, article);
}

fn main() {}
