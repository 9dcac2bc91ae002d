// mistakes: 5
use tool_gate::tool;

/// One, which may be called when compiling as well.
#[tool]
const fn one() {}

/// Two.
#[tool]
unsafe fn two() {}

/// Three.
#[tool]
extern "C" fn three() {}

/// Four.
#[tool(read_only, destructive)]
fn four() {}

/// Five.
#[tool(title = "", requires = " ")]
fn five() {}

fn main() {}
