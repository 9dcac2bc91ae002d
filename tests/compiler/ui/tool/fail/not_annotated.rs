// mistakes: 1
fn time() -> &'static str {
    "12:00"
}

fn main() {
    time();
    let _ = tool_gate::Registry::<()>::builder().tool::<time>();
}
