// mistakes: 1
use tool_gate::tool;

/// # Errors
///
/// For Rust readers: the model gets nothing of this.
#[tool]
fn time() -> &'static str {
    "12:00"
}

fn main() {}
