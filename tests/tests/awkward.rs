//! Types and inputs that once went wrong: each by what it shows.

#![allow(clippy::unwrap_used, reason = "a test fails where it is wrong")]
#![allow(clippy::needless_pass_by_value, reason = "a tool's arguments are its own")]

use std::{collections::BTreeMap, num::NonZeroI8};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tool_gate::{
    Admitted, Decision, English, Offer, OutcomeKind, Registry, Rejection, Run, Select, Sentences, Tool, tool,
    wire::{self, Call},
};

/// The one tool that is offered.
fn name<T: Tool<()>>() -> String {
    offer::<T>().definitions().next().unwrap().name().to_owned()
}

fn offer<T: Tool<()>>() -> Offer<()> {
    let registry = Registry::builder().tool::<T>().build().unwrap_or_else(|error| panic!("{error}"));
    registry.offer(wire::Anthropic::default(), Select::All).unwrap()
}

fn check<T: Tool<()>>(arguments: &str) -> Result<Value, Rejection> {
    let admitted = offer::<T>().check(&Call::new(None, name::<T>(), arguments.into()))?;
    Ok(admitted.arguments().clone())
}

fn told<T: Tool<()>>(arguments: &str) -> String {
    English.rejection(&check::<T>(arguments).unwrap_err())
}

/// What the tool answers: what was bound.
fn bound<T: Tool<()>>(arguments: &str) -> String {
    let input: Value = arguments.into();
    let call = json!({"type": "tool_use", "id": "1", "name": name::<T>(), "input": input});
    let reply = json!({"role": "assistant", "content": [call], "stop_reason": "tool_use"});
    let settled = pollster::block_on(offer::<T>().settle(&reply, &(), &mut Run::default())).unwrap();
    assert_eq!(settled.blocks()[0].kind(), OutcomeKind::Completed, "{}", settled.blocks()[0].text());
    settled.blocks()[0].text().to_owned()
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "op")]
#[allow(dead_code, reason = "only its shape matters")]
enum Expr {
    Lit { v: i64 },
    Not { e: Box<Expr> },
    Neg { e: Box<Expr> },
    And { e: Box<Expr>, r: Box<Expr> },
}

/// Takes a formula.
#[tool]
fn formula(e: Expr, boost: Option<f64>) -> String {
    format!("{e:?} {boost:?}")
}

#[test]
fn a_number_written_as_a_float_does_not_multiply_the_work_of_nested_unions() {
    let nest =
        |depth: usize, inner: &str| format!("{}{inner}{}", r#"{"op":"Not","e":"#.repeat(depth), "}".repeat(depth));
    let text = format!(r#"{{"e": {}, "boost": 1.0}}"#, nest(30, r#"{"op":"Lit","v":1.0}"#));
    assert!(check::<formula>(&text).is_ok());
    // Refused at the bottom: told there, however deep.
    let text = format!(r#"{{"e": {}}}"#, nest(30, r#"{"op":"Lit","v":"x"}"#));
    let rejection = check::<formula>(&text).unwrap_err();
    assert_eq!((rejection.keyword(), rejection.path().unwrap().segments().len()), (Some("type"), 32));
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged, deny_unknown_fields)]
#[allow(dead_code, reason = "only its shape matters")]
enum Twin {
    A { a: Option<Box<Twin>>, n: Option<u8> },
    B { a: Option<Box<Twin>>, m: Option<u8> },
}

/// Takes twins.
#[tool]
fn twins(e: Twin) -> String {
    format!("{e:?}")
}

#[test]
fn what_is_wrong_with_nested_unions_is_told_after_bounded_work() {
    let text = format!(r#"{{"e": {}"x"{}}}"#, r#"{"a":"#.repeat(40), "}".repeat(40));
    let rejection = check::<twins>(&text).unwrap_err();
    assert_eq!(rejection.kind().as_str(), "schema");
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[allow(dead_code, reason = "only its shape matters")]
enum Inner {
    Nothing,
    Sized { size: u8 },
}

#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code, reason = "only its shape matters")]
struct Flattened {
    id: u32,
    #[serde(flatten)]
    inner: Inner,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "outer", rename_all = "snake_case")]
#[allow(dead_code, reason = "only its shape matters")]
enum Outer {
    Holds(Inner),
    Empty,
}

/// Takes an enum inside a struct.
#[tool]
fn flattened(value: Flattened) -> String {
    format!("{value:?}")
}

/// Takes an enum inside an enum.
#[tool]
fn nested(value: Outer) -> String {
    format!("{value:?}")
}

#[test]
fn an_enum_that_is_flattened_or_held_by_another_is_closed_as_one() {
    assert_eq!(bound::<flattened>(r#"{"value": {"id": 1, "kind": "nothing"}}"#), "Flattened { id: 1, inner: Nothing }");
    assert_eq!(
        bound::<flattened>(r#"{"value": {"id": 1.0, "kind": "sized", "size": 2.0}}"#),
        "Flattened { id: 1, inner: Sized { size: 2 } }"
    );
    assert_eq!(
        bound::<nested>(r#"{"value": {"outer": "holds", "kind": "sized", "size": 2}}"#),
        "Holds(Sized { size: 2 })"
    );
    assert_eq!(bound::<nested>(r#"{"value": {"outer": "empty"}}"#), "Empty");
    for text in [
        r#"{"value": {"id": 1, "kind": "nothing", "size": 1}}"#,
        r#"{"value": {"id": 1, "kind": "nothing", "junk": 1}}"#,
    ] {
        assert!(check::<flattened>(text).is_err(), "{text}");
    }
    assert!(check::<nested>(r#"{"value": {"outer": "holds", "kind": "nothing", "junk": 1}}"#).is_err());
    assert!(told::<flattened>(r#"{"value": {"id": 1, "kind": "sized"}}"#).contains("value.size is required"));
}

/// A tool whose policy reads the amount.
#[tool(requires = "pay")]
fn pay(amount: u64) -> String {
    format!("paid {amount}")
}

#[test]
fn a_policy_sees_the_values_that_the_tool_gets() {
    let limit = |(): &(), call: &Admitted| match call.arguments()["amount"].as_u64() {
        Some(..=100) => Decision::Allow,
        amount => Decision::deny(format!("{amount:?}")),
    };
    let registry = Registry::builder().tool::<pay>().policy(limit).build().unwrap();
    let offer = registry.offer(wire::Plain::default(), Select::All).unwrap();
    for (amount, told) in [
        ("1000000", "Some(1000000)"),
        ("1e6", "Some(1000000)"),
        ("1000000.0", "Some(1000000)"),
        ("9007199254740993.0", "Some(9007199254740993)"),
        ("18446744073709551615.0", "Some(18446744073709551615)"),
        ("1e2", "paid 100"),
    ] {
        let text = format!(r#"{{"name": "pay", "arguments": {{"amount": {amount}}}}}"#);
        let settled = pollster::block_on(offer.settle(&text, &(), &mut Run::default())).unwrap();
        assert_eq!(settled.blocks()[0].text(), told, "{amount}");
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code, reason = "only its shape matters")]
enum Shape {
    Nothing,
    Newtype(u8),
    Empty {},
    Fields { x: u8 },
}

/// Takes a shape.
#[tool]
fn shape(value: Shape, more: Option<BTreeMap<i8, u8>>, odd: Option<NonZeroI8>) -> String {
    format!("{value:?} {more:?} {odd:?}")
}

#[test]
fn both_halves_of_an_enum_are_told() {
    let all = "\"Nothing\", an object with Newtype, an object with Empty or an object with Fields";
    for value in [r#""Newtype""#, r#"{"Nothing": null}"#, "{}"] {
        let told = told::<shape>(&format!(r#"{{"value": {value}}}"#));
        assert!(told.starts_with(&format!("shape rejected: value must be {all}.")), "{told}");
    }
    assert!(told::<shape>(r#"{"value": {"Fields": {"x": 300}}}"#).contains("value.Fields.x must be at most 255"));
}

#[test]
fn a_struct_variant_without_fields_takes_none() {
    assert_eq!(bound::<shape>(r#"{"value": {"Empty": {}}}"#), "Empty None None");
    assert!(check::<shape>(r#"{"value": {"Empty": {"junk": 1}}}"#).is_err());
}

#[test]
fn the_keys_of_a_map_of_integers_are_written_as_integers_are() {
    assert_eq!(
        bound::<shape>(r#"{"value": "Nothing", "more": {"0": 1, "-7": 2}}"#),
        "Nothing Some({-7: 2, 0: 1}) None"
    );
    for key in ["01", "-0", "", " 1", "1.0", "x"] {
        let rejection = check::<shape>(&format!(r#"{{"value": "Nothing", "more": {{"{key}": 1}}}}"#)).unwrap_err();
        assert_eq!(rejection.kind().as_str(), "schema", "{key}");
    }
}

#[test]
fn the_one_value_that_is_not_allowed_is_named() {
    assert_eq!(told::<shape>(r#"{"value": "Nothing", "odd": 0}"#), "shape rejected: odd must not be 0. Received 0.");
}

#[test]
fn a_missing_tag_is_told_with_the_key_that_resembles_it() {
    assert_eq!(
        told::<nested>(r#"{"value": {"Outer": "empty"}}"#),
        "nested rejected: Outer is not declared in value, and outer is required. Declared: outer."
    );
}

/// Takes numbers.
#[tool]
fn numbers(
    signed: Option<i64>,
    #[arg(range = ..2.5)] ratio: Option<f64>,
    #[arg(range = ..=9_007_199_254_740_992)] id: Option<u64>,
) {
    let _ = (signed, ratio, id);
}

#[test]
fn what_was_received_is_told_as_it_was_written() {
    for (arguments, sentence) in [
        (
            r#"{"signed": -9223372036854775809}"#,
            "signed must be at least -9223372036854775808. Received -9223372036854775809.",
        ),
        (
            r#"{"signed": 9223372036854775808}"#,
            "signed must be at most 9223372036854775807. Received 9223372036854775808.",
        ),
        (r#"{"ratio": 2.50}"#, "ratio must be less than 2.5. Received 2.50."),
        (r#"{"id": 9007199254740993.0}"#, "id must be at most 9007199254740992. Received 9007199254740993.0."),
        (
            r#"{"signed": 0.99999999999999999999}"#,
            "signed must be an integer or null. Received 0.99999999999999999999.",
        ),
    ] {
        assert_eq!(told::<numbers>(arguments), format!("numbers rejected: {sentence}"), "{arguments}");
    }
}

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(transparent)]
struct Größe(u8);

#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(rename = "A/B ~c%")]
#[allow(dead_code, reason = "only its name matters")]
struct Odd {
    x: Größe,
}

/// Takes types of odd names.
#[tool]
fn odd_names(value: Odd, size: Option<Größe>) -> String {
    format!("{value:?} {size:?}")
}

#[test]
fn a_type_may_have_any_name() {
    assert_eq!(bound::<odd_names>(r#"{"value": {"x": 3}}"#), "Odd { x: Größe(3) } None");
    assert_eq!(
        told::<odd_names>(r#"{"value": {"x": 300}}"#),
        "odd_names rejected: value.x must be at most 255. Received 300."
    );
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename = "Item")]
#[allow(dead_code, reason = "only its shape matters")]
struct OneItem {
    x: u8,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename = "Item")]
#[allow(dead_code, reason = "only its shape matters")]
struct OtherItem {
    y: String,
}

/// Takes two types that have one name.
#[tool]
fn namesakes(a: OneItem, b: Vec<OtherItem>) -> String {
    format!("{a:?} {b:?}")
}

#[test]
fn two_types_of_one_name_are_published_as_two() {
    let told = bound::<namesakes>(r#"{"a": {"x": 1}, "b": [{"y": "z"}]}"#);
    assert_eq!(told, "OneItem { x: 1 } [OtherItem { y: \"z\" }]");
    assert!(check::<namesakes>(r#"{"a": {"x": 1}, "b": [{"x": 1}]}"#).is_err());
}

/// Takes maps of maps.
#[tool]
fn maps(
    value: BTreeMap<String, BTreeMap<String, u8>>,
    #[arg(sensitive)] secret: Option<BTreeMap<String, BTreeMap<String, u8>>>,
) {
    let _ = (value, secret);
}

#[test]
fn keys_that_a_model_made_up_are_bounded_wherever_they_go() {
    let key = format!("pa\u{202e}\u{0}{}", "k".repeat(100_000));
    let rejection = check::<maps>(&json!({"value": {key: {"x": 300}}}).to_string()).unwrap_err();
    let saved = serde_json::to_string(&rejection).unwrap();
    assert!(saved.len() < 600 && !saved.contains('\u{202e}'), "{saved}");
    let plain = "k".repeat(64);
    let told = told::<maps>(&json!({"value": {plain.clone(): {plain: 300}}}).to_string());
    assert!(told.contains("kkk…kkk"), "{told}");
    assert!(told.len() < 180, "{told}");
}

#[test]
fn inside_a_sensitive_argument_the_place_is_told_and_made_up_keys_are_not() {
    assert_eq!(
        told::<maps>(r#"{"value": {}, "secret": {"my pin": {"is": 300}}}"#),
        "maps rejected: secret.(key).(key) must be at most 255. Received a number."
    );
}

#[test]
fn integers_keep_their_digits_on_their_way_back() {
    let input = json!(r#"{"id": 9007199254740993.0, "signed": 2512292042121000001}"#);
    let call = json!({"type": "tool_use", "id": "1", "name": "numbers", "input": input});
    let reply =
        json!({"role": "assistant", "content": [{"type": "text", "text": ""}, call], "stop_reason": "tool_use"});
    let settled = pollster::block_on(offer::<numbers>().settle(&reply, &(), &mut Run::default())).unwrap();
    let messages = settled.messages();
    let sent = messages[0]["content"].as_array().unwrap();
    assert_eq!(sent.len(), 1, "an empty text is refused in a request");
    assert_eq!(sent[0]["input"].to_string(), r#"{"id":9007199254740993,"signed":2512292042121000001}"#);
}
