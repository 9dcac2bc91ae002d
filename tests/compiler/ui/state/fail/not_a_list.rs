// mistakes: 4
use tool_gate::tool;

static SUPPORT: u8 = 1;

struct Session;

/// Find orders.
#[tool(in = SUPPORT)]
fn search() {}

/// Find orders.
#[tool(in = Session)]
fn find() {}

/// Find orders.
#[tool(in = String)]
fn look_up() {}

/// Find orders.
#[tool(in = lists::MISSING)]
fn browse() {}

mod lists {}

fn main() {
    let _ = (SUPPORT, Session);
}
