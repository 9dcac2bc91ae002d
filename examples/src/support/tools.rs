//! What the model may ask for. A tool is a function: what the model fills in is checked before it is called, and what
//! it borrows from the session the model cannot touch.

use tool_gate::{Tell, ToolError, tool, toolbox};

use super::{
    carriers::{Carriers, Whereabouts},
    session::Session,
    shop::{Customer, Order, OrderStatus, Refund, Topic},
    store::Store,
};

toolbox! {
    /// What our support agent may do.
    pub static SUPPORT: Session;
}

/// Find the signed-in customer's orders, newest first.
///
/// # Errors
///
/// Where the store cannot be read.
#[tool(in = SUPPORT, read_only)]
pub fn search_orders(
    #[state] store: &Store,
    #[state] customer: &Customer,
    /// Only orders in this state.
    status: Option<OrderStatus>,
    /// How many orders at most.
    #[arg(default = 20, range = 1..=100)]
    limit: u32,
) -> Result<Vec<Order>, ToolError> {
    store.orders(customer, status, limit).tell("The order store is busy. Try again in a minute.")
}

/// Ask the carrier where an order is that was shipped.
///
/// # Errors
///
/// Where the customer has no such order, it is not shipped, or its carrier does not answer.
#[tool(in = SUPPORT, read_only, timeout = "250ms")]
pub async fn get_shipment(
    #[state] store: &Store,
    #[state] carriers: &Carriers,
    #[state] customer: &Customer,
    /// The order's number, such as `A-1042`.
    #[arg(pattern = "^[A-Z]-[0-9]{4}$")]
    order_id: &str,
) -> Result<Whereabouts, ToolError> {
    let order = store.order(customer, order_id)?.tell(not_theirs(order_id))?;
    let parcel = store
        .parcel(customer, order_id)?
        .tell(format!("Order {order_id} is {} and was not shipped, so no carrier has it.", order.status))?;
    carriers.locate(&parcel).await.tell(format!(
        "{} does not answer. Give the customer its tracking number: {}.",
        parcel.carrier, parcel.tracking
    ))
}

/// Pay back a part or all of what the customer paid for one order. It cannot be undone.
///
/// # Errors
///
/// Where the customer has no such order, or less than the amount is left to pay back.
#[tool(in = SUPPORT, destructive, requires = "refunds")]
pub fn issue_refund(
    #[state] store: &Store,
    #[state] customer: &Customer,
    /// The order's number, such as `A-1042`.
    #[arg(pattern = "^[A-Z]-[0-9]{4}$")]
    order_id: &str,
    /// How much to pay back.
    #[arg(range = 1..=50_000)]
    amount_cents: u32,
    /// Why, in the customer's words.
    #[arg(length = 3..=200)]
    reason: &str,
) -> Result<Refund, ToolError> {
    let order = store.order(customer, order_id)?.tell(not_theirs(order_id))?;
    store.refund(customer, order_id, amount_cents, reason)?.tell(format!(
        "Order {order_id} has {} cents left to pay back. Ask for no more than that.",
        order.refundable_cents
    ))
}

/// Read the shop's policy on a topic.
///
/// # Errors
///
/// Where the store cannot be read.
#[tool(in = SUPPORT, read_only)]
pub fn lookup_policy(
    #[state] store: &Store,
    /// What it is about.
    topic: Topic,
) -> Result<String, ToolError> {
    store.policy(topic).tell("The policies are not available. Do not guess what they say.")
}

/// Another customer's order reads like one that does not exist: that it does is not the model's to know.
fn not_theirs(order_id: &str) -> String {
    format!("The customer has no order {order_id}. Use search_orders to see which there are.")
}
