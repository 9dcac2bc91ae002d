// mistakes: 8
use tool_gate::tool;

/// One.
#[tool(timeout = "5")]
fn one() {}

/// Two.
#[tool(timeout = "5 seconds")]
fn two() {}

/// Three.
#[tool(timeout = "1.5s")]
fn three() {}

/// Four.
#[tool(timeout = "0s")]
fn four() {}

/// Five.
#[tool(timeout = "4294967296ms")]
fn five() {}

/// Six.
#[tool(timeout = 5s)]
fn six() {}

/// Seven.
#[tool(timeout)]
fn seven() {}

/// Eight.
#[tool(timeout = "s")]
fn eight() {}

fn main() {}
