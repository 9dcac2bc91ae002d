// mistakes: 3
use tool_gate::tool;

#[derive(schemars::JsonSchema)]
struct City {
    name: String,
}

/// Tell the weather.
#[tool]
fn weather(city: City, other: &City, all: Vec<City>) {
    let _ = (city.name, other, all);
}

fn main() {}
