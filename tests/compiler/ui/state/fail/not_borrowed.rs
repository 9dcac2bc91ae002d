// mistakes: 6
use tool_gate::tool;

struct Orders;
struct Log<'a>(&'a str);

/// Find orders.
#[tool]
fn search(
    #[state] orders: Orders,
    #[state] mutable: &mut Orders,
    #[state] forever: &'static Orders,
    #[state] log: &Log<'_>,
    #[state] any: &impl Send,
    #[state] text: Option<&str>,
) {
    let _ = (orders, mutable, forever, log.0, any, text);
}

fn main() {}
