// mistakes: 1
use tool_gate::tool;

static SUPPORT: u8 = 1;

/// Find orders.
#[tool(in = SUPPORT)]
fn search() {}

fn main() {
    let _ = SUPPORT;
}
