// mistakes: 1
use tool_gate::tool;

#[tool]
fn time() -> &'static str {
    "12:00"
}

fn main() {
    let _ = tool_gate::Registry::<()>::builder().tool::<time>();
}
