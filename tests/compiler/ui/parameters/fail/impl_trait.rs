// mistakes: 2
use tool_gate::tool;

/// Find orders.
#[tool]
fn search(text: impl Into<String>, names: &impl AsRef<[String]>) {
    let _ = (text.into(), names.as_ref().len());
}

fn main() {}
