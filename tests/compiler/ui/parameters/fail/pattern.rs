// mistakes: 2
use tool_gate::tool;

/// Find orders.
#[tool]
fn search((text, limit): (String, u32), _: u8) {
    let _ = (text, limit);
}

fn main() {}
