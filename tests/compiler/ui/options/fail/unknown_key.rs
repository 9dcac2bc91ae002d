// mistakes: 4
use tool_gate::tool;

#[tool(describe = "Tell the time in UTC.", description = "Tell the time.", read_onyl)]
fn time(#[arg(defualt = "UTC")] zone: String) -> String {
    zone
}

/// Tell the date.
#[tool(version = 2)]
fn date() {}

fn main() {}
