// mistakes: 1
use tool_gate::tool;

/// Find orders.
#[tool]
pub struct Search {
    pub text: String,
}

fn main() {
    let _ = Search { text: String::new() };
}
