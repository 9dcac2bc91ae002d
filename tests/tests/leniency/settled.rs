//! What becomes of an eased call in a reply: what the tool and the policy get, what is written back, and what is counted.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use pollster::block_on;
use serde_json::{Value, json};
use tool_gate::{
    Admitted, Decision, DynamicTool, EasedKind, Gate, Leniency, Offer, Registry, Run, Select, Settled, Snapshot, wire,
};

type Seen = Arc<Mutex<Vec<(Value, usize)>>>;

/// A tool that answers what it was given, and what its policy saw.
fn offer(seen: &Seen) -> Offer<()> {
    let schema = json!({
        "type": "object",
        "properties": {"order_id": {"type": "integer"}},
        "required": ["order_id"],
        "additionalProperties": false,
    });
    let echo = DynamicTool::new("echo", "Answer what is sent.", schema, |(), arguments, _| {
        Box::pin(async move { Ok(arguments) })
    });
    let seen = Arc::clone(seen);
    let policy = move |(): &(), call: &Admitted| {
        seen.lock().unwrap().push((call.arguments().clone(), call.eased().len()));
        Decision::Allow
    };
    let registry = Registry::builder().dynamic(echo).policy(policy).build().unwrap();
    registry.offer(wire::OpenAiChat::default(), Select::All).unwrap()
}

fn settle(offer: &Offer<()>, name: &str, arguments: &[&str], finish: &str) -> Settled {
    let calls: Vec<Value> = arguments
        .iter()
        .enumerate()
        .map(|(at, text)| json!({"id": format!("c{at}"), "type": "function", "function": {"name": name, "arguments": text}}))
        .collect();
    let message = json!({"role": "assistant", "content": null, "tool_calls": calls});
    let reply = json!({"choices": [{"index": 0, "message": message, "finish_reason": finish}]});
    block_on(offer.settle(&reply, &(), &mut Run::default())).unwrap()
}

#[test]
fn the_tool_and_the_policy_get_what_was_read_and_history_has_what_was_sent() {
    let seen = Seen::default();
    let offer = offer(&seen).lenient(Leniency::all());
    let settled = settle(&offer, "functions.echo", &[r#"{"orderId": "5"}"#], "tool_calls");
    assert_eq!(settled.blocks()[0].text(), r#"{"order_id":5}"#);
    assert_eq!(settled.blocks()[0].tool(), Some("echo"));
    assert_eq!(*seen.lock().unwrap(), [(json!({"order_id": 5}), 3)]);
    let asked = &settled.messages()[0]["tool_calls"][0]["function"];
    assert_eq!(asked, &json!({"name": "echo", "arguments": r#"{"orderId": "5"}"#}));
    assert_eq!(settled.calls()[0].name(), "functions.echo");
}

#[test]
fn what_was_taken_out_of_a_fence_or_a_string_is_not_nothing_in_history() {
    let offer = offer(&Seen::default()).lenient(Leniency::all());
    for (arguments, read) in [
        ("```json\n{\"order_id\": 5}\n```", r#"{"order_id": 5}"#),
        (r#""{\"order_id\": 5}""#, r#"{"order_id": 5}"#),
        (r#""{\"orderId\": 5}""#, r#"{"order_id":5}"#),
    ] {
        let settled = settle(&offer, "echo", &[arguments], "tool_calls");
        assert_eq!(settled.messages()[0]["tool_calls"][0]["function"]["arguments"], read, "{arguments}");
        assert_eq!(settled.calls()[0].arguments().text(), arguments);
    }
}

#[test]
fn a_streamed_name_that_is_forgiven_is_one_that_is_offered() {
    let strict = offer(&Seen::default());
    let chunk = r#"{"choices": [{"delta": {"tool_calls": [{"index": 0, "function": {"name": "functions.echo"}}]}}]}"#;
    let tool = |offer: &Offer<()>| offer.assembler().unwrap().push(chunk).unwrap()[0].tool().map(str::to_owned);
    assert_eq!(tool(&strict), None);
    assert_eq!(tool(&strict.clone().lenient(Leniency::none().fence())), None);
    assert_eq!(tool(&strict.lenient(Leniency::none().name_affix())).as_deref(), Some("echo"));
}

#[test]
fn what_is_refused_in_spite_of_all_is_told_as_it_was_sent() {
    let seen = Seen::default();
    let strict = offer(&seen);
    let lenient = strict.clone().lenient(Leniency::all());
    for (name, arguments) in [
        ("functions.echo", r#"{"order_id": "x"}"#),
        ("functions.ekko", "{}"),
        ("echo", "```json\n{\"order_id\": \"x\"}\n```"),
        ("echo", r#"{"input": {"order_id": "x"}}"#),
        ("echo", r#"{"orderId": "x"}"#),
        ("echo", r#""{\"order_id\": \"x\"}""#),
    ] {
        let of = |offer| settle(offer, name, &[arguments], "tool_calls");
        let (strict, lenient) = (of(&strict), of(&lenient));
        assert_eq!(lenient.blocks()[0].rejection(), strict.blocks()[0].rejection(), "{arguments}");
        assert_eq!(lenient.messages(), strict.messages(), "{arguments}");
    }
    assert!(lenient.counters().snapshot().total().eased.is_empty());
    assert!(seen.lock().unwrap().is_empty());
}

#[test]
fn the_call_in_which_a_turn_was_cut_is_not_eased_and_those_before_are() {
    let offer = offer(&Seen::default()).lenient(Leniency::all());
    let arguments = [r#"{"order_id": 1}"#, r#"{"order_id": "2"}"#, r#"{"order_id": "3"}"#];
    let settled = settle(&offer, "echo", &arguments, "length");
    let gates: Vec<_> =
        settled.blocks().iter().map(|block| block.rejection().map(tool_gate::Rejection::gate)).collect();
    assert_eq!(gates, [None, None, Some(Gate::Parse)]);
    let mut call = wire::Call::new(None, "echo", r#"{"order_id": "3"}"#.into());
    assert!(offer.check(&call).is_ok());
    call.mark_cut();
    assert!(offer.check(&call).is_err());
}

#[test]
fn each_kind_counts_once_for_a_call_under_its_tool() {
    let offer = offer(&Seen::default()).lenient(Leniency::all());
    let _ = settle(&offer, "echo", &[r#"{"order_id": 1}"#, r#"{"orderId": "1"}"#, r#"{"orderId": 2}"#], "tool_calls");
    let _ = settle(&offer, "echo<|channel|>commentary", &[r#"{"order_id": 1}"#, r#"{"order_id": "x"}"#], "tool_calls");
    let counted = offer.counters().snapshot();
    let expected = BTreeMap::from([(EasedKind::SchemaGuided, 1), (EasedKind::KeyCase, 2), (EasedKind::NameAffix, 1)]);
    assert_eq!(counted.tools["echo"].eased, expected);
    assert_eq!(counted.tools["echo"].completed, 4);
    assert_eq!(counted.unknown.rejections(), 1);

    let saved = serde_json::to_value(&counted).unwrap();
    assert_eq!(saved["tools"]["echo"]["eased"], json!({"schema_guided": 1, "name_affix": 1, "key_case": 2}));
    let mut both: Snapshot = serde_json::from_value(saved.clone()).unwrap();
    both.merge(&counted);
    assert_eq!(both.tools["echo"].eased[&EasedKind::KeyCase], 4);
    // One that was saved before there was leniency.
    let mut old = saved;
    for counts in ["/tools/echo", "/unknown"] {
        old.pointer_mut(counts).unwrap().as_object_mut().unwrap().remove("eased").unwrap();
    }
    let old: Snapshot = serde_json::from_value(old).unwrap();
    assert_eq!((old.calls(), old.total().eased), (counted.calls(), BTreeMap::new()));
}

#[test]
fn one_registry_is_offered_with_and_without() {
    let careful = offer(&Seen::default());
    let small = careful.clone().lenient(Leniency::none().schema_guided());
    let of = |offer| settle(offer, "echo", &[r#"{"order_id": "1"}"#], "tool_calls").blocks()[0].rejection().is_none();
    assert!(of(&small) && !of(&careful));
    assert_eq!(format!("{:?}", Leniency::none().fence()), "Leniency{Fence}");
    assert_eq!(Leniency::default(), Leniency::none());
    let each = Leniency::none().schema_guided().name_affix().fence().wrapper_key().key_case();
    assert_eq!(each, Leniency::all());
}
