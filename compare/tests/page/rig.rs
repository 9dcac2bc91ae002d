// listing
use crate::shop::{Status, orders};
use rig::tool::{PortableTool, ToolExecutionError};
use schemars::{JsonSchema, schema_for};
use serde::Deserialize;
use serde_json::Value;

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

impl PortableTool for Shop {
    const NAME: &'static str = "search_orders";
    type Args = SearchOrders;
    type Output = String;
    type Error = ToolExecutionError;

    fn description(&self) -> String {
        "Find a customer's orders, newest first.".to_owned()
    }

    fn parameters(&self) -> Value {
        schema_for!(SearchOrders).to_value()
    }

    async fn call(&self, asked: SearchOrders) -> Result<String, ToolExecutionError> {
        Ok(orders(&asked.customer_id, asked.status, asked.limit))
    }
}
// end

use std::panic::{AssertUnwindSafe, catch_unwind};

use rig::{
    AgentBuilder,
    message::{AssistantContent, Message, ToolCall, ToolFunction, ToolName, ToolResultContent, UserContent},
    test_utils::{MockCompletionModel, MockTurn},
};
use tokio::runtime::Builder;

use crate::Became;

pub(crate) fn published() -> Value {
    let model = MockCompletionModel::from_turns([MockTurn::text("done")]);
    let agent = AgentBuilder::new(model.clone()).tool(Shop).build();
    let runtime = Builder::new_current_thread().enable_time().build().expect("a runtime");
    runtime.block_on(agent.prompt("Where is my order?").run()).expect("it ends well");
    model.requests()[0].tools[0].parameters.clone()
}

pub(crate) fn call(name: &str, arguments: &str) -> Became {
    call_of(Shop, name, arguments)
}

/// As the reply of a model to an agent, its arguments read as rig's providers read a text.
pub(crate) fn call_of(tool: impl PortableTool + 'static, name: &str, arguments: &str) -> Became {
    let function = ToolFunction::parse(ToolName::new(name).expect("a name"), arguments);
    let asks = MockTurn::from_content(AssistantContent::ToolCall(ToolCall::from_wire("call_1", function)));
    let model = MockCompletionModel::from_turns([asks, MockTurn::text("done")]);
    let agent = AgentBuilder::new(model.clone()).tool(tool).build();
    let runtime = Builder::new_current_thread().enable_time().build().expect("a runtime");
    let prompt =
        || runtime.block_on(agent.prompt("Where is my order?").max_turns(3).run()).map_err(|error| error.to_string());
    match catch_unwind(AssertUnwindSafe(prompt)) {
        Err(_) => Became::Lost("the panic goes on through the agent's run".to_owned()),
        Ok(Err(error)) => Became::Host(format!("the run ends: {error}")),
        Ok(Ok(_)) => {
            let requests = model.requests();
            let mut results = requests[1].chat_history.iter().filter_map(|message| match message {
                Message::User { content } => content.iter().find_map(|item| match item {
                    UserContent::ToolResult(result) => Some(result),
                    _ => None,
                }),
                _ => None,
            });
            let result = results.next_back().expect("the model is answered");
            let [ToolResultContent::Text(text)] = &result.content[..] else { panic!("one text") };
            if result.is_error { Became::Refused(text.text.clone()) } else { Became::Ran(text.text.clone()) }
        }
    }
}
