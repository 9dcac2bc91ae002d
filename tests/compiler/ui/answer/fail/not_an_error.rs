// mistakes: 2
use tool_gate::tool;

#[derive(Debug)]
struct Bad;

/// Find an order.
#[tool]
fn find() -> Result<u32, Bad> {
    Err(Bad)
}

/// Find orders.
#[tool]
async fn search() -> std::result::Result<Vec<u32>, Box<dyn std::error::Error>> {
    Ok(vec![])
}

fn main() {}
