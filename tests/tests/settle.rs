//! One reply in, one result block per call out.

#![allow(clippy::needless_pass_by_value, reason = "a tool's arguments are its own")]
#![allow(clippy::unwrap_used, reason = "a test fails where it is wrong")]

use std::sync::Arc;

use pollster::block_on;
use serde_json::{Value, json};
use tool_gate::{
    Admitted, Decision, English, Offer, OfferError,
    OutcomeKind::{Completed, Failed, Rejected},
    Provides, Registry, ResultBlock, Run, Select, Sentences, Settled, Tell, ToolError, TurnOutcome, tool, toolbox,
    wire,
};

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
    std::future::ready(vec![format!("{} {status:?} {limit}", customer.0)]).await
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
    assert_eq!(settled.outcome(), TurnOutcome::GoOn);
}

/// Deletes everything.
#[tool(destructive, requires = "admin")]
fn delete_everything(#[state] customer: &Customer) -> String {
    format!("{} has nothing left.", customer.0)
}

fn offer() -> Offer<Session> {
    Registry::builder().list(&SUPPORT).build().unwrap().offer(wire::Anthropic::default(), Select::All).unwrap()
}

fn settle(reply: &Value) -> Settled {
    block_on(offer().settle(reply, &session(), &mut Run::default())).unwrap()
}

fn kinds(settled: &Settled) -> Vec<&'static str> {
    let kind =
        |block: &ResultBlock| block.rejection().map_or(block.kind().as_str(), |rejection| rejection.kind().as_str());
    settled.blocks().iter().map(kind).collect()
}

#[test]
fn two_calls_of_one_id_do_not_run_and_are_told_apart() {
    let settled = settle(&reply(&json!([
        call("same", "search_orders", json!({})),
        call("same", "search_orders", json!({})),
        call("other", "search_orders", json!({})),
    ])));
    assert_eq!(kinds(&settled), ["duplicate_id", "duplicate_id", "completed"]);
    assert_eq!(
        settled.blocks()[0].text(),
        "Two calls in this reply share the id \"same\", so neither ran. Make the calls again."
    );
    let ids: Vec<_> = settled.blocks().iter().map(ResultBlock::id).collect();
    assert_eq!(ids, ["same", "call_1_1", "other"]);
    // Also where the provider would not take the id back.
    let both = [call("a:b", "search_orders", json!({})), call("a:b", "search_orders", json!({}))];
    assert_eq!(kinds(&settle(&reply(&json!(both)))), ["duplicate_id", "duplicate_id"]);
}

#[test]
fn a_missing_id_is_minted_and_written_on_both_sides() {
    let mut run = Run::default();
    for step in 1..=2 {
        let without = json!({"type": "tool_use", "name": "search_orders", "input": {}});
        let settled = block_on(offer().settle(&reply(&json!([without])), &session(), &mut run)).unwrap();
        let messages = settled.messages();
        let id = format!("call_{step}_0");
        assert_eq!(messages[0]["content"][0]["id"], id, "ids are new in the conversation");
        assert_eq!(messages[1]["content"][0]["tool_use_id"], id);
    }
}

#[test]
fn in_a_cut_turn_the_last_call_is_truncated_and_the_others_run() {
    let mut cut =
        reply(&json!([call("1", "search_orders", json!({})), call("2", "search_orders", json!({"limit": 1})),]));
    cut["stop_reason"] = "max_tokens".into();
    assert_eq!(kinds(&settle(&cut)), ["completed", "truncated"]);
}

#[test]
fn nothing_runs_in_a_turn_that_does_not_ask_for_it() {
    for (reason, next) in [
        ("refusal", TurnOutcome::Refused),
        ("pause_turn", TurnOutcome::Paused),
        ("end_turn", TurnOutcome::GoOn),
        ("stop_sequence", TurnOutcome::GoOn),
        ("something_new", TurnOutcome::GoOn),
    ] {
        let mut other = reply(&json!([call("1", "search_orders", json!({}))]));
        other["stop_reason"] = reason.into();
        let settled = settle(&other);
        assert_eq!(kinds(&settled), ["turn_not_runnable"], "{reason}");
        assert_eq!(settled.outcome(), next, "{reason}");
        assert_eq!(settled.messages()[1]["content"][0]["tool_use_id"], "1", "{reason}");
    }
}

#[test]
fn a_turn_without_calls_ends_as_its_reason_says() {
    for (reason, next) in [
        ("end_turn", TurnOutcome::Final),
        ("max_tokens", TurnOutcome::Cut),
        ("pause_turn", TurnOutcome::Paused),
        ("refusal", TurnOutcome::Refused),
    ] {
        let mut answer = reply(&json!([{"type": "text", "text": "Here you are."}]));
        answer["stop_reason"] = reason.into();
        let settled = settle(&answer);
        assert_eq!(settled.outcome(), next, "{reason}");
        assert_eq!(settled.messages().len(), 1, "{reason}");
    }
}

#[test]
fn blocks_that_are_no_calls_come_back_as_they_were() {
    let kept = json!([
        {"type": "thinking", "thinking": "Hm.", "signature": "c2lnbmF0dXJl"},
        {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "x"}},
        {"type": "a_type_of_tomorrow", "input": {"deep": [1, 2.50, null]}},
    ]);
    let mut all = kept.as_array().unwrap().clone();
    all.push(call("1", "search_orders", json!({})));
    let messages = settle(&reply(&Value::Array(all))).messages();
    let sent = messages[0]["content"].as_array().unwrap();
    assert_eq!(sent[..3], kept.as_array().unwrap()[..]);
    assert_eq!(sent[3], call("1", "search_orders", json!({})));
}

#[test]
fn a_tool_that_was_not_offered_reads_like_one_that_does_not_exist() {
    let registry = Registry::builder().list(&SUPPORT).build().unwrap();
    let offer = registry.offer(wire::Anthropic::default(), Select::only(["search_orders"])).unwrap();
    let refused = |name: &str| offer.check(&wire::Call::new(None, name, "{}".into())).unwrap_err();
    let (withheld, invented) = (refused("issue_refund"), refused("issue_rebate"));
    assert_eq!(English.rejection(&withheld).replace("refund", "rebate"), English.rejection(&invented));
    let unknown = registry.offer(wire::Anthropic::default(), Select::without(["nope"])).unwrap_err();
    assert_eq!(unknown, OfferError::Unknown { tools: vec!["nope".into()] });
}

#[test]
fn policy_reads_the_state_and_its_denial_is_no_rejection() {
    let only_ann = |session: &Session, call: &Admitted| match call.definition().requires() {
        Some("admin") if session.customer.0 != "ann" => Decision::deny("Only Ann may."),
        _ => Decision::Allow,
    };
    let registry = Registry::builder().tool::<delete_everything>().policy(only_ann).build().unwrap();
    let offer = registry.offer(wire::Anthropic::default(), Select::All).unwrap();
    // What a model says of itself changes nothing.
    let reply = reply(&json!([
        call("1", "delete_everything", json!({})),
        call("2", "delete_everything", json!({"admin": true}))
    ]));
    for (customer, told) in [("ann", ["completed", "schema"]), ("bob", ["denied", "schema"])] {
        let session = Session { customer: Customer(customer) };
        let settled = block_on(offer.settle(&reply, &session, &mut Run::default())).unwrap();
        assert_eq!(kinds(&settled), told, "{customer}");
    }
}

#[test]
fn all_mistakes_of_a_registry_are_told_at_once() {
    toolbox! { static NOBODY: Session; }

    /// One.
    #[tool(name = "twice")]
    fn first() {}
    /// Two.
    #[tool(name = "twice")]
    fn second() {}
    /// Three.
    #[tool]
    fn odd(
        #[arg(default = Some(3))] optional: Option<u8>,
        #[arg(default = 0, range = 1..=9)] beyond: u8,
        #[arg(range = 5..=9)] none: i64,
    ) {
        let _ = (optional, beyond, none);
    }
    /// Four.
    #[tool]
    fn backtracks(#[arg(pattern = "(a+)+(?=b)")] text: &str) {
        let _ = text;
    }
    let error = Registry::builder()
        .list(&NOBODY)
        .tool::<first>()
        .tool::<second>()
        .tool::<odd>()
        .tool::<backtracks>()
        .tool::<delete_everything>()
        .expect_tools(["search_orders"])
        .build()
        .unwrap_err();
    let told = error.to_string();
    for expected in [
        "nothing links `NOBODY`: put a tool on it with `#[tool(in = NOBODY)]`, or add `use the_crate_with_its_tools as _;`",
        "`twice` is registered 2 times (settle::first, settle::second): take one off, or rename it",
        "`search_orders` is expected and not there",
        "`delete_everything` is destructive or has `requires`, and nothing decides who may run it: add `.policy(…)`",
        "`optional` of `odd` has a default and may be absent",
        "`beyond` of `odd` has a default that its own schema refuses",
        "`text` of `backtracks` has the pattern `(a+)+(?=b)`, which cannot be matched in linear time",
    ] {
        assert!(told.contains(expected), "{expected}\n---\n{told}");
    }
    assert_eq!(error.problems().len(), 7, "{told}");
}

#[test]
fn a_default_that_its_own_schema_refuses_is_a_mistake() {
    /// Three.
    #[tool]
    fn odd(#[arg(default = 0, range = 1..=9)] beyond: u8, #[arg(default = 1)] fine: u8) {
        let _ = (beyond, fine);
    }
    let error = Registry::<()>::builder().tool::<odd>().build().unwrap_err();
    assert_eq!(
        error.to_string(),
        "the registry cannot be built:\n- `beyond` of `odd` has a default that its own schema refuses"
    );
}

#[test]
fn a_wire_can_be_chosen_when_the_program_runs() {
    for (wire, key) in [
        (Arc::new(wire::Anthropic::default()) as Arc<dyn wire::Wire>, "input_schema"),
        (Arc::new(wire::Plain::default()), "parameters"),
    ] {
        let offer = Registry::builder().list(&SUPPORT).build().unwrap().offer(wire, Select::All).unwrap();
        assert!(offer.tools().to_value()[0][key].is_object(), "{key}");
    }
}

#[test]
fn the_tools_array_is_the_same_bytes_every_time() {
    let (one, other) = (offer(), offer());
    assert_eq!(one.tools().json(), other.tools().json());
    assert_eq!(json!({"tools": one.tools()})["tools"], one.tools().to_value());
    assert_eq!(serde_json::to_string(one.tools()).unwrap(), one.tools().json());
    assert!(
        one.tools()
            .json()
            .starts_with(r#"[{"name":"issue_refund","description":"Refund an order.","input_schema":{"type":"object""#)
    );
}

#[test]
fn a_reply_of_another_shape_is_an_error_for_the_host_and_changes_nothing() {
    let mut run = Run::default();
    for other in ["", "{}", "[]", r#"{"content": []}"#, r#"{"content": {}, "stop_reason": "end_turn"}"#, "<html>"] {
        assert!(block_on(offer().settle(other, &session(), &mut run)).is_err(), "{other}");
    }
    assert_eq!(run, Run::default());
}

#[test]
fn what_was_not_run_is_answered_as_interrupted() {
    let mut run = Run::default();
    let two = reply(&json!([call("1", "search_orders", json!({})), call("2", "nope", json!({}))]));
    let turn = offer().open(&two, &mut run).unwrap();
    assert_eq!(turn.admitted().map(Admitted::name).collect::<Vec<_>>(), ["search_orders"]);
    let settled = turn.finish(&mut run);
    assert_eq!(kinds(&settled), ["failed", "unknown_name"]);
    assert_eq!(settled.blocks()[0].text(), "search_orders was not started: the turn was interrupted before.");
}

#[test]
fn more_calls_than_the_limit_are_answered_and_do_not_run() {
    let calls: Vec<Value> = (0..130).map(|n| call(&n.to_string(), "search_orders", json!({}))).collect();
    let settled = settle(&reply(&Value::Array(calls)));
    let told = kinds(&settled);
    assert_eq!(told.len(), 130);
    assert!(told[..128].iter().all(|kind| *kind == "completed"));
    assert_eq!(told[128..], ["over_limit", "over_limit"]);
}
