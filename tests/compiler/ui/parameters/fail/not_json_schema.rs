// mistakes: 1
use tool_gate::tool;

#[derive(serde::Deserialize)]
struct City {
    name: String,
}

/// Tell the weather.
#[tool]
fn weather(city: City) {
    let _ = city.name;
}

fn main() {}
