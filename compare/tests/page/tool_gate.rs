// listing
use crate::shop::{Status, orders};
use tool_gate::tool;

/// Find a customer's orders, newest first.
#[tool(read_only)]
fn search_orders(
    customer_id: &str,
    /// Only orders in this state.
    status: Option<Status>,
    /// How many orders at most.
    #[arg(default = 20, range = 1..=100)]
    limit: u32,
) -> String {
    orders(customer_id, status, limit)
}
// end

use ::tool_gate::{Offer, OutcomeKind, Registry, Run, Select, wire::OpenAiChat};
use serde_json::{Value, json};
use tokio::runtime::Builder;

use crate::Became;

fn offer() -> Offer<()> {
    let registry = Registry::builder().tool::<search_orders>().build().expect("it is declared well");
    registry.offer(OpenAiChat::default(), Select::All).expect("it is offered")
}

pub(crate) fn published() -> Value {
    offer().tools().to_value()[0]["function"]["parameters"].take()
}

/// As a reply of a provider whose arguments are a text.
pub(crate) fn call(name: &str, arguments: &str) -> Became {
    let call = json!({"id": "call_1", "type": "function", "function": {"name": name, "arguments": arguments}});
    let message = json!({"role": "assistant", "content": null, "tool_calls": [call]});
    let reply = json!({"choices": [{"index": 0, "finish_reason": "tool_calls", "message": message}]}).to_string();
    let runtime = Builder::new_current_thread().enable_time().build().expect("a runtime");
    let mut run = Run::default();
    let settled = runtime.block_on(offer().settle(&reply, &(), &mut run)).expect("a whole reply");
    let [block] = settled.blocks() else { panic!("one call, one block") };
    let text = block.text().to_owned();
    match block.kind() {
        OutcomeKind::Completed => Became::Ran(text),
        OutcomeKind::Failed => Became::Failed(text),
        _ => Became::Refused(text),
    }
}
