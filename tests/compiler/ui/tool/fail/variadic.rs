// mistakes: 4
// One is the compiler's own.
use tool_gate::tool;

/// Find orders.
#[tool]
unsafe extern "C" fn search(_texts: ...) {}

fn main() {}
