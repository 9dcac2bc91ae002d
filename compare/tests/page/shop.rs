// listing
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    Open,
    Shipped,
    Cancelled,
}

pub fn orders(customer_id: &str, status: Option<Status>, limit: u32) -> String {
    let number = &customer_id[2..]; // a mistake: it panics where the text is shorter
    format!("orders of customer {number}, status {status:?}, limit {limit}")
}
// end
