// mistakes: 2
use tool_gate::{ToolError, tool};

struct Order;

/// Find an order.
#[tool]
fn find() -> Order {
    Order
}

/// Find orders.
#[tool]
async fn search() -> Result<Vec<Order>, ToolError> {
    Ok(vec![Order])
}

fn main() {}
