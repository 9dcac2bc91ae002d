use super::SearchOrders;
// listing
use crate::shop::orders;
use jsonschema::Validator;
use schemars::schema_for;
use serde_json::Value;
use std::sync::LazyLock;

static SCHEMA: LazyLock<Validator> =
    LazyLock::new(|| jsonschema::validator_for(schema_for!(SearchOrders).as_value()).expect("schemars writes schemas"));

fn call(name: &str, arguments: &str) -> Result<String, String> {
    match name {
        "search_orders" => {
            let arguments: Value = serde_json::from_str(arguments).map_err(|error| error.to_string())?;
            let broken: Vec<String> = SCHEMA.iter_errors(&arguments).map(|error| error.to_string()).collect();
            if !broken.is_empty() {
                return Err(broken.join("; "));
            }
            let asked: SearchOrders = serde_json::from_value(arguments).map_err(|error| error.to_string())?;
            Ok(orders(&asked.customer_id, asked.status, asked.limit))
        }
        unknown => Err(format!("unknown tool: {unknown}")),
    }
}
// end

use crate::{Became, by_hand::became};

pub(crate) fn called(name: &str, arguments: &str) -> Became {
    became(|| call(name, arguments))
}
