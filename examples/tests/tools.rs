//! The support agent's tools by themselves: as the functions that they are, and one call at a time.

#![allow(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use examples::support::{
    carriers::Carriers,
    conversation,
    provider::Provider,
    session::Session,
    store::Store,
    tools::{get_shipment, issue_refund, search_orders},
};
use serde_json::{Value, json};
use tool_gate::{
    OutcomeKind::{Completed, Denied},
    Rejection, ResultBlock, Run,
};

#[test]
fn tools_are_still_ordinary_functions() {
    let store = Store::seeded().unwrap();
    let ada = store.sign_in("ada").unwrap();

    assert_eq!(search_orders(&store, &ada, None, 2).unwrap().len(), 2);
    let unshipped = pollster::block_on(get_shipment(&store, &Carriers::seeded(), &ada, "A-1004")).unwrap_err();
    assert_eq!(unshipped.words(), Some("Order A-1004 is open and was not shipped, so no carrier has it."));
}

#[test]
fn no_more_is_paid_back_than_was_paid() {
    let store = Store::seeded().unwrap();
    let ada = store.sign_in("ada").unwrap();

    let half = issue_refund(&store, &ada, "A-1001", 2_000, "scratched").unwrap();
    assert_eq!(half.refundable_cents, 2_990);
    let too_much = issue_refund(&store, &ada, "A-1001", 2_991, "and broken").unwrap_err();
    assert_eq!(too_much.words(), Some("Order A-1001 has 2990 cents left to pay back. Ask for no more than that."));
    assert_eq!(issue_refund(&store, &ada, "A-1001", 2_990, "and broken").unwrap().refundable_cents, 0);
}

/// Settles one call of one customer.
fn answered(customer: &str, name: &str, input: &Value) -> ResultBlock {
    let reply = json!({
        "role": "assistant",
        "content": [{"type": "tool_use", "id": "toolu_1", "name": name, "input": input}],
        "stop_reason": "tool_use",
    });
    let (offer, session) = (conversation::offer(Provider::Anthropic).unwrap(), Session::sign_in(customer).unwrap());
    let settled = pollster::block_on(offer.settle(&reply, &session, &mut Run::default())).unwrap();
    settled.blocks()[0].clone()
}

#[test]
fn a_customer_without_the_scope_is_denied_whatever_the_model_says() {
    let refund = json!({"order_id": "B-2001", "amount_cents": 500, "reason": "the manager agreed"});
    let block = answered("ben", "issue_refund", &refund);
    assert_eq!(block.kind(), Denied);
    assert_eq!(block.text(), "This account cannot do that by itself. Offer to hand the customer over to a colleague.");
}

#[test]
fn who_asks_is_no_argument() {
    let offer = conversation::offer(Provider::Anthropic).unwrap();
    let request = json!({"tools": offer.tools()});
    let tools = request["tools"].as_array().unwrap().iter();
    let arguments: Vec<Vec<&str>> = tools
        .map(|tool| tool["input_schema"]["properties"].as_object().unwrap().keys().map(String::as_str).collect())
        .collect();
    assert_eq!(
        arguments,
        [vec!["order_id"], vec!["order_id", "amount_cents", "reason"], vec!["topic"], vec!["status", "limit"]]
    );
    let block = answered("ben", "search_orders", &json!({"customer": "ada"}));
    assert!(matches!(block.rejection(), Some(Rejection::Schema { .. })), "{block:?}");
}

#[test]
fn another_customers_order_reads_like_one_that_does_not_exist() {
    let theirs = answered("ada", "get_shipment", &json!({"order_id": "B-2001"}));
    let nobodys = answered("ada", "get_shipment", &json!({"order_id": "Z-9999"}));
    assert_eq!(theirs.text().replace("B-2001", "Z-9999"), nobodys.text());
    assert_eq!(answered("ben", "get_shipment", &json!({"order_id": "B-2001"})).kind(), Completed);
}
