// mistakes: 3
use tool_gate::tool;

/// Find orders.
#[tool]
fn u8(text: &str, limit: u8) -> u8 {
    text.len() as u8 + limit
}

/// Find orders.
#[tool(as = str)]
fn search(text: &str) -> String {
    text.into()
}

/// Find orders.
#[tool]
fn __gate(limit: u8) -> u8 {
    limit
}

fn main() {}
