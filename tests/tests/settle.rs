//! One reply in, one result block per call out.

use pollster::block_on;
use serde_json::{Value, json};
use tool_gate::{Next, OutcomeKind, Provides, Registry, Run, Select, Tell, ToolError, tool, toolbox, wire};

toolbox! { static SUPPORT: Session; }

#[derive(Provides)]
struct Session {
    #[provide]
    customer: Customer,
}

struct Customer(&'static str);

#[derive(serde::Deserialize, schemars::JsonSchema, Debug)]
#[serde(rename_all = "snake_case")]
enum Status {
    /// Not sent yet.
    Open,
    Shipped,
}

/// Find the signed-in customer's orders.
#[tool(in = SUPPORT, read_only)]
async fn search_orders(
    #[state] customer: &Customer,
    /// Only orders in this state.
    status: Option<Status>,
    /// How many at most.
    #[arg(default = 20, range = 1..=100)]
    limit: u32,
) -> Vec<String> {
    vec![format!("{} {status:?} {limit}", customer.0)]
}

/// Refund an order.
#[tool(in = SUPPORT)]
fn issue_refund(
    order_id: &str,
    #[arg(range = 1..=50_000)] amount_cents: u32,
    reason: Option<String>,
) -> Result<String, ToolError> {
    let _ = reason;
    (order_id == "A-1").then_some(()).tell("There is no such order.")?;
    Ok(format!("{amount_cents} cents are refunded."))
}

fn reply(calls: &Value) -> Value {
    json!({"role": "assistant", "content": calls, "stop_reason": "tool_use"})
}

fn call(id: &str, name: &str, input: Value) -> Value {
    json!({"type": "tool_use", "id": id, "name": name, "input": input})
}

fn session() -> Session {
    Session { customer: Customer("ann") }
}

#[test]
fn every_call_gets_one_block_in_order() {
    let registry = Registry::builder().list(&SUPPORT).build().unwrap();
    let offer = registry.offer(wire::Anthropic::default(), Select::All).unwrap();
    let mut run = Run::default();
    let reply = reply(&json!([
        {"type": "text", "text": "Let me see."},
        call("1", "search_orders", json!({"status": "open"})),
        call("2", "serch_orders", json!({})),
        call("3", "issue_refund", json!({"order_id": "A-1", "amount_cents": 0})),
        call("4", "issue_refund", json!({"order_id": "A-1", "amount_cents": 1e2})),
        call("5", "issue_refund", json!({"order_id": "A-2", "amount_cents": 1})),
        call("6", "issue_refund", json!([1])),
        call("7", "search_orders", json!({"status": "shiped"})),
        call("8", "issue_refund", json!({"orderId": "A-2", "amount_cents": 1})),
        call("9", "issue_refund", "{\"order_id\": \"A-".into()),
    ]));
    let settled = block_on(offer.settle(&reply, &session(), &mut run)).unwrap();
    let told: Vec<_> = settled.blocks().iter().map(|block| (block.id(), block.kind(), block.text())).collect();
    use OutcomeKind::{Completed, Failed, Rejected};
    assert_eq!(
        told,
        [
            ("1", Completed, "[\"ann Some(Open) 20\"]"),
            ("2", Rejected, "No tool named \"serch_orders\". Available tools: issue_refund, search_orders."),
            ("3", Rejected, "issue_refund rejected: amount_cents must be at least 1. Received 0."),
            ("4", Completed, "100 cents are refunded."),
            ("5", Failed, "There is no such order."),
            (
                "6",
                Rejected,
                "Arguments for issue_refund are an array, not a JSON object. Send an object with: order_id, amount_cents, reason."
            ),
            ("7", Rejected, "search_orders rejected: status must be one of shipped or open. Received \"shiped\"."),
            (
                "8",
                Rejected,
                "issue_refund rejected: orderId is not declared, and order_id is required. Declared: order_id, amount_cents, reason."
            ),
            (
                "9",
                Rejected,
                "Arguments for issue_refund end before they are complete. Send them whole; if they are long, send fewer items."
            ),
        ]
    );
    assert_eq!(settled.next(), Next::GoOn);
    println!("{:#}", json!(settled.messages()));
    println!("{:#}", json!(offer.tools()));
}
