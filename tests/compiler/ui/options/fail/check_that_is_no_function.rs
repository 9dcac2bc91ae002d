// mistakes: 5
use tool_gate::tool;

/// Find orders.
#[tool(check = "in_order")]
fn search(
    #[arg(check = |number| *number > 0)] a: u32,
    #[arg(check)] b: u32,
    #[arg(check = rules::even, check = rules::odd)] c: u32,
) {
    let _ = (a, b, c);
}

/// Find orders.
#[tool(check = in_order)]
fn find(#[state] orders: &u32) {
    let _ = orders;
}

fn main() {}
