// mistakes: 1
use tool_gate::{Provides, tool, toolbox};

pub struct Orders;
pub struct Invoices;
pub struct Customer;

#[derive(Provides)]
pub struct Session {
    #[provide]
    orders: Orders,
    #[provide]
    invoices: Invoices,
    customer: Customer,
}

toolbox! { static SUPPORT: Session; }

/// Find orders.
#[tool(in = SUPPORT)]
fn search(#[state] orders: &Orders, #[state] customer: &Customer) {
    let _ = (orders, customer);
}

fn main() {
    let _ = |session: Session| session.customer;
}
