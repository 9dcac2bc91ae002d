use std::cell::Cell;

use tool_gate::{Provides, Tool, tool};

struct Orders(u32);

/// A registry asks for `Sync`; a tool asks it only of the parts that it borrows.
#[derive(Provides)]
struct Session {
    #[provide]
    orders: Orders,
    calls: Cell<u32>,
}

/// Count orders.
#[tool]
async fn count(#[state] orders: &Orders) -> u32 {
    orders.0
}

fn is_tool<T: Tool<S>, S>() {}

fn main() {
    is_tool::<count, Session>();
    let session = Session { orders: Orders(0), calls: Cell::new(0) };
    session.calls.set(session.orders.0);
}
