// mistakes: 4
use tool_gate::tool;

/// Find orders.
#[tool]
fn search(
    #[arg(default = "20")] limit: u32,
    #[arg(default = 20)] text: &str,
    #[arg(default = 2)] ratio: f64,
    #[arg(default = [1, 2])] numbers: Vec<u32>,
) {
    let _ = (limit, text, ratio, numbers);
}

fn main() {}
