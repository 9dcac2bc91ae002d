// mistakes: 1
use tool_gate::tool;

trait Store: Send + Sync {}

/// Find orders.
#[tool]
fn search(store: &dyn Store) {
    let _ = store;
}

fn main() {}
