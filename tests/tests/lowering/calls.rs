//! Calls of tools that are published in another form than they are enforced.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use pollster::block_on;
use serde_json::{Value, json};
use tool_gate::{
    Admitted, Decision, DynamicTool, English, Mode, Offer, Outcome, Registry, RejectionKind, Run, Select, Sentences,
    tool,
    wire::{self, Call, Wire},
};

#[derive(Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
enum State {
    Open,
    Shipped,
}

/// Search for orders.
#[tool(read_only)]
#[allow(clippy::needless_pass_by_value, reason = "a tool's arguments are its own")]
fn search(
    state: State,
    #[arg(default = 20, range = 1..=100)] limit: u32,
    text: Option<String>,
    fields: BTreeMap<String, u8>,
) -> Value {
    json!([state, limit, text, fields])
}

type Seen = Arc<Mutex<Vec<Value>>>;

fn offer(mode: Mode, wire: impl Wire) -> (Offer<()>, Seen) {
    let seen = Seen::default();
    let told = Arc::clone(&seen);
    let policy = move |(): &(), call: &Admitted| {
        told.lock().expect("no panic").push(call.arguments().clone());
        Decision::Allow
    };
    let registry = Registry::<()>::builder().tool::<search>().policy(policy).build().expect("it is declared well");
    (registry.offer_in(mode, wire, Select::All).expect("it can be published"), seen)
}

fn reply(arguments: &str) -> Value {
    let function = json!({"name": "search", "arguments": arguments});
    let message = json!({"role": "assistant", "tool_calls": [{"id": "c1", "type": "function", "function": function}]});
    json!({"choices": [{"message": message, "finish_reason": "tool_calls"}]})
}

const SENT: &str = r#"{"state":"open","limit":null,"text":null,"fields":[{"key":"a","value":1}]}"#;

#[test]
fn what_was_widened_is_undone_before_the_policy_and_the_tool_see_it() {
    let (offer, seen) = offer(Mode::Strict, wire::OpenAiChat::default());
    assert!(offer.tools().is_strict());
    let settled = block_on(offer.settle(&reply(SENT), &(), &mut Run::default())).expect("a reply");
    let Outcome::Completed { answer } = settled.blocks()[0].outcome() else {
        panic!("{:?}", settled.blocks()[0].text())
    };
    assert_eq!(answer.to_value(), json!(["open", 20, null, {"a": 1}]));
    assert_eq!(*seen.lock().expect("no panic"), [json!({"state": "open", "text": null, "fields": {"a": 1}})]);
    // What the model sent is what it finds in its history.
    assert_eq!(settled.messages()[0]["tool_calls"][0]["function"]["arguments"], SENT);
}

#[test]
fn nothing_is_undone_that_this_offer_did_not_widen() {
    let (plain, _) = offer(Mode::Plain, wire::OpenAiChat::default());
    let refused = |text: &str| plain.check(&Call::new(None, "search", text.into())).expect_err("it was not asked for");
    assert_eq!(refused(r#"{"state":"open","fields":[{"key":"a","value":1}]}"#).kind(), RejectionKind::Schema);
    assert_eq!(refused(r#"{"state":"open","limit":null,"fields":{}}"#).kind(), RejectionKind::Schema);
    assert_eq!(refused(r#"{"state":"Open","fields":{}}"#).kind(), RejectionKind::Schema);
}

#[test]
fn a_call_of_the_declared_shape_is_taken_too_and_a_wrong_one_is_told_of_as_it_was_declared() {
    let (offer, _) = offer(Mode::Strict, wire::OpenAiChat::default());
    let check = |text: &str| offer.check(&Call::new(None, "search", text.into()));
    assert!(check(r#"{"state":"open","fields":{"a":1}}"#).is_ok());
    let told = |text: &str| English.rejection(&check(text).expect_err("it is wrong"));
    let wrong = told(r#"{"state":"open","limit":0,"text":null,"fields":[]}"#);
    assert_eq!(wrong, "search rejected: limit must be at least 1. Received 0.");
    assert!(told(r#"{"state":"open","limit":null"#).contains("end before they are complete"));
    let twice = r#"{"state":"open","limit":null,"text":null,"fields":[{"key":"a","value":1},{"key":"a","value":2}]}"#;
    assert!(check(twice).is_err(), "which of the two is meant is nobody's guess");
    let long = format!(r#"{{"state":"open","limit":null,"text":"{}","fields":[]}}"#, "x".repeat(300_000));
    for arguments in [long.as_str().into(), serde_json::from_str::<Value>(&long).expect("JSON").into()] {
        let refused = offer.check(&Call::new(None, "search", arguments)).expect_err("it is too long");
        assert_eq!(refused.kind(), RejectionKind::OverLimit);
    }
}

#[test]
fn capitals_that_a_strict_provider_does_not_keep_are_forgiven_on_a_miss() {
    let (offer, seen) = offer(Mode::Strict, wire::Anthropic::default());
    let input = json!({"state": "Open", "fields": []});
    let block = json!({"type": "tool_use", "id": "t1", "name": "search", "input": input});
    let reply = json!({"content": [block], "stop_reason": "tool_use"});
    let settled = block_on(offer.settle(&reply, &(), &mut Run::default())).expect("a reply");
    assert!(settled.blocks()[0].rejection().is_none(), "{}", settled.blocks()[0].text());
    assert_eq!(*seen.lock().expect("no panic"), [json!({"state": "open", "fields": {}})]);
    let unlike = Call::new(None, "search", r#"{"state": "opened", "fields": []}"#.into());
    assert!(offer.check(&unlike).is_err());
}

#[test]
fn what_stands_for_nothing_is_refused_whatever_the_schema_makes_of_it_as_it_stands() {
    let schema = json!({
        "type": "object",
        "properties": {
            "any": {},
            "pair": {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "integer"}], "items": false},
            "held": {"type": "object", "properties": {"id": {"type": "integer"}}, "additionalProperties": {}}
        },
        "additionalProperties": false
    });
    let tool =
        DynamicTool::<()>::new("keep", "Keep it.", schema, |(), arguments, _| Box::pin(async move { Ok(arguments) }));
    let registry = Registry::<()>::builder().dynamic(tool.read_only()).build().expect("it is declared well");
    let offer = registry.offer_in(Mode::Strict, wire::OpenAiChat::default(), Select::All).expect("it can be published");
    let told = |arguments: &str| {
        let rejection = offer.check(&Call::new(None, "keep", arguments.into())).expect_err("it stands for nothing");
        assert!(matches!(rejection.kind(), RejectionKind::Value | RejectionKind::Schema), "{rejection:?}");
        English.rejection(&rejection)
    };
    for text in ["[1,", "{\\\"a\\\": 1, \\\"a\\\": 2}", "open"] {
        assert_eq!(
            told(&format!("{{\"any\": \"{text}\"}}")),
            "keep rejected: any is not acceptable: it is not JSON text, in which a string stands in quotes and a key once."
        );
    }
    assert_eq!(
        told(r#"{"held": {"id": null, "other_keys": [{"key": "a", "value": "1"}, {"key": "a", "value": "2"}]}}"#),
        "keep rejected: held.other_keys.1 is not acceptable: its key is given already."
    );
    assert_eq!(
        told(r#"{"held": {"id": 1, "other_keys": [{"key": "id", "value": "1"}]}}"#),
        "keep rejected: held.other_keys.0 is not acceptable: its key is given already."
    );
    assert_eq!(
        told(r#"{"held": {"id": 1, "other_keys": [{"key": "a"}]}}"#),
        "keep rejected: held.other_keys.0.value is required."
    );
    assert_eq!(
        told(r#"{"pair": {"item_0": null, "item_1": 5}}"#),
        "keep rejected: pair is not acceptable: its keys are item_0 to item_1, none before another left out."
    );
    let taken =
        r#"{"any": "\"open\"", "pair": [1, 2], "held": {"id": null, "other_keys": [{"key": "a", "value": "1"}]}}"#;
    let admitted = offer.check(&Call::new(None, "keep", taken.into())).expect("all of it stands for something");
    assert_eq!(*admitted.arguments(), json!({"any": "open", "pair": [1, 2], "held": {"a": 1}}));
}
