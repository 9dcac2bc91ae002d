//! The same once more with `deny_unknown_fields` on the type, which the examples in the libraries' documentation do without.

use rig::tool::{PortableTool, ToolExecutionError};
use rmcp::{handler::server::wrapper::Parameters, tool, tool_router};
use schemars::{JsonSchema, schema_for};
use serde::Deserialize;
use serde_json::Value;

use crate::{
    Became,
    by_hand::became,
    shop::{Status, orders},
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SearchOrders {
    customer_id: String,
    status: Option<Status>,
    #[serde(default = "twenty")]
    #[schemars(range(min = 1, max = 100))]
    limit: u32,
}

fn twenty() -> u32 {
    20
}

impl SearchOrders {
    fn run(self) -> String {
        orders(&self.customer_id, self.status, self.limit)
    }
}

struct Shop;

#[tool_router(server_handler)]
impl Shop {
    #[tool(description = "Find a customer's orders, newest first.")]
    fn search_orders(&self, Parameters(asked): Parameters<SearchOrders>) -> String {
        asked.run()
    }
}

impl PortableTool for Shop {
    const NAME: &'static str = "search_orders";
    type Args = SearchOrders;
    type Output = String;
    type Error = ToolExecutionError;

    fn description(&self) -> String {
        "Find a customer's orders, newest first.".to_owned()
    }

    fn parameters(&self) -> Value {
        published()
    }

    async fn call(&self, asked: SearchOrders) -> Result<String, ToolExecutionError> {
        Ok(asked.run())
    }
}

pub(crate) fn published() -> Value {
    schema_for!(SearchOrders).to_value()
}

pub(crate) fn rmcp(name: &str, arguments: &str) -> Became {
    crate::rmcp::call_of(Shop, name, arguments)
}

pub(crate) fn rig(name: &str, arguments: &str) -> Became {
    crate::rig::call_of(Shop, name, arguments)
}

pub(crate) fn by_hand(_: &str, arguments: &str) -> Became {
    became(|| serde_json::from_str(arguments).map(SearchOrders::run).map_err(|error| error.to_string()))
}

pub(crate) fn by_hand_checked(_: &str, arguments: &str) -> Became {
    became(|| {
        let validator = jsonschema::validator_for(schema_for!(SearchOrders).as_value()).expect("it compiles");
        let arguments: Value = serde_json::from_str(arguments).map_err(|error| error.to_string())?;
        let broken: Vec<String> = validator.iter_errors(&arguments).map(|error| error.to_string()).collect();
        if !broken.is_empty() {
            return Err(broken.join("; "));
        }
        serde_json::from_value(arguments).map(SearchOrders::run).map_err(|error| error.to_string())
    })
}
