// mistakes: 3
use tool_gate::tool;

/// Tell the time in UTC.
#[tool(name = "tell-time")]
fn time() -> &'static str {
    "12:00"
}

/// Find a word.
#[tool]
fn öffnen() {}

/// Say nothing.
#[tool(name = "")]
fn silent() {}

fn main() {}
