// mistakes: 3
use tool_gate::tool;

#[tool(describe = "Tell the time in UTC.", description = "Tell the time.", read_onyl)]
fn time(#[arg(defualt = "UTC")] zone: String) -> String {
    zone
}

fn main() {}
