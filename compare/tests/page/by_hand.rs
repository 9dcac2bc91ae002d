// listing
use crate::shop::{Status, orders};
use schemars::{JsonSchema, schema_for};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize, JsonSchema)]
struct SearchOrders {
    customer_id: String,
    /// Only orders in this state.
    status: Option<Status>,
    /// How many orders at most.
    #[serde(default = "twenty")]
    #[schemars(range(min = 1, max = 100))]
    limit: u32,
}

fn twenty() -> u32 {
    20
}

fn tools() -> Value {
    json!([{
        "name": "search_orders",
        "description": "Find a customer's orders, newest first.",
        "parameters": schema_for!(SearchOrders),
    }])
}

fn call(name: &str, arguments: &str) -> Result<String, String> {
    match name {
        "search_orders" => {
            let asked: SearchOrders = serde_json::from_str(arguments).map_err(|error| error.to_string())?;
            Ok(orders(&asked.customer_id, asked.status, asked.limit))
        }
        unknown => Err(format!("unknown tool: {unknown}")),
    }
}
// end

pub(crate) mod checked;

use std::panic::{UnwindSafe, catch_unwind};

use crate::Became;

pub(crate) fn published() -> Value {
    tools()[0]["parameters"].take()
}

pub(crate) fn called(name: &str, arguments: &str) -> Became {
    became(|| call(name, arguments))
}

pub(crate) fn became(call: impl FnOnce() -> Result<String, String> + UnwindSafe) -> Became {
    match catch_unwind(call) {
        Err(_) => Became::Lost("the panic is the caller's".to_owned()),
        Ok(Err(text)) => Became::Refused(text),
        Ok(Ok(text)) => Became::Ran(text),
    }
}
