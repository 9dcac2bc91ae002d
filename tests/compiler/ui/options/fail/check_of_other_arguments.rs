// mistakes: 3
use tool_gate::tool;

fn in_order(from: &u32, to: &u32) -> Result<(), String> {
    (from <= to).then_some(()).ok_or("`from` is after `to`".into())
}

/// Find orders.
#[tool(check = in_order)]
fn search(from: u32, to: &str) {
    let _ = (from, to);
}

/// Find orders.
#[tool(check = in_order)]
fn find(from: u32) {
    let _ = from;
}

/// Find orders.
#[tool(check = u32::is_power_of_two)]
fn look_up(number: u32) {
    let _ = number;
}

fn main() {}
