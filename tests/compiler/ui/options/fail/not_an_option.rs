// mistakes: 3
use tool_gate::{Provides, tool};

/// Tell the time.
#[tool("Tell the time in UTC.")]
fn time(#[arg(1..=9)] hours: u8) {
    let _ = hours;
}

#[derive(Provides)]
#[provides("tool_gate")]
struct Session {
    #[provide]
    customer: u64,
}

fn main() {}
