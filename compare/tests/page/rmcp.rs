// listing
use crate::shop::{Status, orders};
use rmcp::{handler::server::wrapper::Parameters, tool, tool_router};
use schemars::JsonSchema;
use serde::Deserialize;

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

struct Shop;

#[tool_router(server_handler)]
impl Shop {
    #[tool(description = "Find a customer's orders, newest first.")]
    fn search_orders(&self, Parameters(asked): Parameters<SearchOrders>) -> String {
        orders(&asked.customer_id, asked.status, asked.limit)
    }
}
// end

use std::time::Duration;

use ::rmcp::{
    RoleClient, ServerHandler, ServiceError, ServiceExt,
    model::{CallToolRequestParams, JsonObject},
    service::RunningService,
};
use serde_json::{Value, json};
use tokio::{io::duplex, runtime::Builder, time::timeout};

use crate::Became;

pub(crate) fn published() -> Value {
    with(Shop, async |client| json!(client.list_all_tools().await.expect("they are listed")[0].input_schema))
}

pub(crate) fn call(name: &str, arguments: &str) -> Became {
    call_of(Shop, name, arguments)
}

/// As the call of a host that has rmcp's client.
pub(crate) fn call_of(server: impl ServerHandler, name: &str, arguments: &str) -> Became {
    let arguments: JsonObject = match serde_json::from_str(arguments) {
        Ok(arguments) => arguments,
        Err(error) => return Became::Unsent(format!("a client sends a `JsonObject`, and the host has none: {error}")),
    };
    let call = CallToolRequestParams::new(name.to_owned()).with_arguments(arguments);
    with(server, async |client| match timeout(Duration::from_secs(1), client.call_tool(call)).await {
        Ok(Ok(result)) => {
            let text = result.content[0].as_text().expect("a text").text.clone();
            if result.is_error == Some(true) { Became::Refused(text) } else { Became::Ran(text) }
        }
        Ok(Err(ServiceError::McpError(error))) => {
            Became::Host(format!("JSON-RPC error {}: {}", error.code.0, error.message))
        }
        Ok(Err(error)) => Became::Host(error.to_string()),
        Err(_) => {
            let alive = timeout(Duration::from_secs(1), client.list_all_tools()).await.is_ok_and(|tools| tools.is_ok());
            let next = if alive { "answers the next request" } else { "answers nothing more" };
            Became::Lost(format!("the server does not answer within a second, and {next}"))
        }
    })
}

/// A server and a client of its own, over a pipe in this process.
fn with<T>(server: impl ServerHandler, ask: impl AsyncFnOnce(&RunningService<RoleClient, ()>) -> T) -> T {
    Builder::new_current_thread().enable_time().build().expect("a runtime").block_on(async {
        let (here, there) = duplex(1 << 16);
        tokio::spawn(async { server.serve(there).await.expect("it starts").waiting().await });
        let client = ().serve(here).await.expect("it greets");
        ask(&client).await
    })
}
