// mistakes: 13
use tool_gate::tool;

/// Tell the time.
#[tool(name = now, read_only = true, requires, in = "SUPPORT", "loose", requires = "a" "b")]
fn time(
    #[arg] zone: String,
    #[arg(range = 5)] hours: u8,
    #[arg(length = ..)] name: String,
    #[arg(default = )] city: String,
) {
    let _ = (zone, hours, name, city);
}

/// Tell the date.
#[tool(as = "Date")]
fn date(#[arg(range = "1970..")] year: u32, #[arg(example)] month: u32) {
    let _ = (year, month);
}

fn main() {}
