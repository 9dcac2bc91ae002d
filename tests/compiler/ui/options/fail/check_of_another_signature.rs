// mistakes: 8
use tool_gate::tool;

fn takes_text(text: &str) -> Result<(), String> {
    Err(text.into())
}

fn takes_a_value(number: u32) -> Result<(), String> {
    Err(number.to_string())
}

fn takes_two(number: &u32, other: &u32) -> Result<(), String> {
    Err((number + other).to_string())
}

fn returns_a_bool(number: &u32) -> bool {
    *number > 0
}

fn returns_a_number(number: &u32) -> Result<(), u32> {
    Err(*number)
}

const NOT_A_FUNCTION: u32 = 1;

/// Find orders.
#[tool]
fn search(
    #[arg(check = takes_text)] a: u32,
    #[arg(check = takes_a_value)] b: u32,
    #[arg(check = takes_two)] c: u32,
    #[arg(check = returns_a_bool)] d: u32,
    #[arg(check = returns_a_number)] e: u32,
    #[arg(check = NOT_A_FUNCTION)] f: u32,
    #[arg(check = not_there)] g: u32,
    #[arg(check = takes_text)] h: Option<u32>,
) {
    let _ = (a, b, c, d, e, f, g, h);
}

fn main() {}
