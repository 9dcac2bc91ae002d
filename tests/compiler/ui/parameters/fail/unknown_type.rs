// mistakes: 1
use tool_gate::tool;

/// Tell the weather.
#[tool]
fn weather(city: Citty) {
    let _ = city;
}

fn main() {}
