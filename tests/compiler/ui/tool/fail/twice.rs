// mistakes: 2
use tool_gate::tool;

/// Tell the time in UTC.
#[tool]
#[tool(read_only)]
fn time() -> &'static str {
    "12:00"
}

/// Tell the date in UTC.
#[tool]
#[doc(hidden)]
#[tool_gate::tool]
fn date() -> &'static str {
    "1970-01-01"
}

fn main() {
    let _ = tool_gate::Registry::<()>::builder().tool::<time>().tool::<date>();
}
