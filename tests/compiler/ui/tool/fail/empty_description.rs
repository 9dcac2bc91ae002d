// mistakes: 1
use tool_gate::tool;

/// Tell the time in UTC.
#[tool(description = " ")]
fn time() -> &'static str {
    "12:00"
}

fn main() {}
