// mistakes: 2
use tool_gate::tool;

/// Tell the time.
#[tool(read_only, name = "now", read_only)]
fn time(
    #[arg(default = "UTC")]
    #[arg(default = "CET")]
    zone: String,
) -> String {
    zone
}

fn main() {}
