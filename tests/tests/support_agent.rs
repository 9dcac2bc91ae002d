//! The support agent of the examples, from its first mistake to its answer: one conversation in which a name, arguments
//! against the schema and a cut text are each told and mended.

#![allow(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use examples::support::{
    carriers::Carriers,
    conversation::{self, Conversation},
    provider::check_pairing,
    recording::REPLIES,
    session::Session,
    store::Store,
    tools::{get_shipment, issue_refund, search_orders},
};
use serde_json::{Value, json};
use tool_gate::{
    Outcome,
    OutcomeKind::{self, Completed, Denied, Failed, Rejected},
    Rejection, ResultBlock, Run, Settled, TurnOutcome,
};

fn recorded() -> Conversation {
    pollster::block_on(conversation::recorded()).unwrap()
}

/// The tool that was called, how it ended, and what the model reads.
type Told = (Option<String>, OutcomeKind, String);

const VASE: &str = r#"{"id":"A-1004","item":"vase","status":"open","placed":"2026-11-27","refundable_cents":2500}"#;
const DESK: &str = r#"{"id":"A-1002","item":"desk","status":"shipped","placed":"2026-11-16","refundable_cents":32900}"#;
const RUG: &str = r#"{"id":"A-1003","item":"rug","status":"shipped","placed":"2026-11-12","refundable_cents":11900}"#;
const LAMP: &str =
    r#"{"id":"A-1001","item":"lamp","status":"delivered","placed":"2026-10-28","refundable_cents":4990}"#;

fn expected() -> [Vec<Told>; 13] {
    let told = |kind| move |tool: &str, text: &str| (Some(tool.to_owned()), kind, text.to_owned());
    let (completed, rejected, failed) = (told(Completed), told(Rejected), told(Failed));
    let unknown = |text: &str| (None, Rejected, text.to_owned());
    [
        vec![unknown(
            "No tool named \"serch_orders\". \
             Available tools: get_shipment, issue_refund, lookup_policy, search_orders.",
        )],
        vec![completed("search_orders", &format!("[{VASE},{DESK},{RUG},{LAMP}]"))],
        vec![rejected("search_orders", "search_orders rejected: customerId is not declared. Declared: status, limit.")],
        vec![rejected(
            "search_orders",
            "search_orders rejected: status must be one of shipped, open, delivered or cancelled. Received \"shiped\".",
        )],
        vec![completed("search_orders", &format!("[{DESK},{RUG}]"))],
        vec![rejected(
            "get_shipment",
            "Arguments for get_shipment end before they are complete. Send them whole; if they are long, send fewer items.",
        )],
        vec![completed("get_shipment", r#"{"state":"in transit","place":"Basel","arrives_on":"2026-12-02"}"#)],
        vec![
            completed(
                "lookup_policy",
                "A damaged item is refunded in full within 30 days of delivery. It need not be sent back.",
            ),
            completed("search_orders", &format!("[{LAMP}]")),
        ],
        vec![rejected("issue_refund", "issue_refund rejected: amount_cents must be at least 1. Received 0.")],
        vec![completed("issue_refund", r#"{"order_id":"A-1001","refunded_cents":4990,"refundable_cents":0}"#)],
        vec![failed("get_shipment", "Sleepy Haulage does not answer. Give the customer its tracking number: SH-007.")],
        vec![failed("get_shipment", "The customer has no order B-2001. Use search_orders to see which there are.")],
        vec![],
    ]
}

#[test]
fn every_call_is_answered_in_these_words() {
    let conversation = recorded();
    assert_eq!(conversation.steps.len(), REPLIES.len());
    for ((step, recorded), expected) in conversation.steps.iter().zip(&REPLIES).zip(expected()) {
        let told = |block: &ResultBlock| (block.tool().map(str::to_owned), block.kind(), block.text().to_owned());
        let told: Vec<_> = step.blocks().iter().map(told).collect();
        assert_eq!(told, expected, "{}", recorded.caption);
    }
}

/// The step, counted from 1; the rejection's kind; the path and the keyword of the broken clause.
type Broken = (usize, &'static str, Option<&'static str>, Option<&'static str>);

const REJECTIONS: [Broken; 5] = [
    (1, "unknown_name", None, None),
    (3, "schema", Some("(root)"), Some("additionalProperties")),
    (4, "schema", Some("status"), Some("enum")),
    (6, "truncated", None, None),
    (9, "schema", Some("amount_cents"), Some("minimum")),
];

/// The first answer of a step, counted from 1.
fn answer(conversation: &Conversation, step: usize) -> &ResultBlock {
    &conversation.steps[step - 1].blocks()[0]
}

#[test]
fn every_rejection_names_the_clause_that_was_broken() {
    let conversation = recorded();
    for (step, kind, path, keyword) in REJECTIONS {
        let rejection = answer(&conversation, step).rejection().unwrap();
        assert_eq!(rejection.kind().as_str(), kind, "step {step}");
        assert_eq!(rejection.path().map(ToString::to_string).as_deref(), path, "step {step}");
        assert_eq!(rejection.keyword(), keyword, "step {step}");
    }
}

#[test]
fn the_conversation_goes_on_after_each_mistake_and_ends_with_the_answer() {
    let conversation = recorded();
    let next: Vec<TurnOutcome> = conversation.steps.iter().map(Settled::outcome).collect();
    let (last, before) = next.split_last().unwrap();
    assert!(before.iter().all(|next| *next == TurnOutcome::GoOn));
    assert_eq!(*last, TurnOutcome::Final);
    // The third call breaks two clauses and is told of one; step 4 mends that and is told of the other.
    assert_eq!(answer(&conversation, 4).rejection().and_then(Rejection::keyword), Some("enum"));
    for mistake in [1, 4, 6, 9] {
        assert_eq!(answer(&conversation, mistake + 1).kind(), Completed, "step {mistake} is mended");
    }
}

#[test]
fn every_message_can_be_sent_back() {
    let messages = recorded().messages;
    assert_eq!(check_pairing(&messages), Ok(()));
    let roles: Vec<_> = messages.iter().map(|message| message["role"].as_str().unwrap()).collect();
    assert!(roles.chunks(2).all(|pair| pair == ["user", "assistant"]), "{roles:?}");

    let of = |kind: &'static str, key: &'static str| {
        let blocks = messages.iter().filter_map(|message| message["content"].as_array()).flatten();
        let ids = blocks.filter(move |block| block["type"] == kind).map(move |block| block[key].as_str().unwrap());
        ids.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(of("tool_use", "id"), of("tool_result", "tool_use_id"));
    assert_eq!(of("tool_use", "id").len(), expected().iter().flatten().count());
}

#[test]
fn a_result_says_that_it_is_an_error_unless_the_tool_answered() {
    let conversation = recorded();
    for (step, answers) in conversation.steps.iter().zip(conversation.messages[2..].iter().step_by(2)) {
        for (block, answer) in step.blocks().iter().zip(answers["content"].as_array().unwrap()) {
            assert_eq!(answer["tool_use_id"], block.id());
            assert_eq!(answer["content"], block.text());
            assert_eq!(answer.get("is_error").is_some(), block.kind() != Completed, "{}", block.text());
        }
    }
}

#[test]
fn arguments_that_never_were_an_object_go_back_as_an_empty_one() {
    let conversation = recorded();
    let assistant = &conversation.messages[11]["content"][0];
    assert_eq!(assistant["id"], "toolu_06");
    assert_eq!(assistant["input"], json!({}));
}

#[test]
fn the_log_gets_the_cause_of_a_failure_and_the_model_does_not() {
    let conversation = recorded();
    let block = answer(&conversation, 11);
    let Outcome::Failed { failure } = block.outcome() else { panic!("{block:?}") };
    let cause = failure.source().unwrap().to_string();
    assert!(cause.contains("tracking.internal"), "{cause}");
    assert!(!format!("{:?}", conversation.messages).contains("tracking.internal"));
}

/// Settles one call of one customer.
fn answered(customer: &str, name: &str, input: &Value) -> ResultBlock {
    let reply = json!({
        "role": "assistant",
        "content": [{"type": "tool_use", "id": "toolu_1", "name": name, "input": input}],
        "stop_reason": "tool_use",
    });
    let (offer, session) = (conversation::offer().unwrap(), Session::sign_in(customer).unwrap());
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
    let offer = conversation::offer().unwrap();
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
