//! Schemas that someone wrote who means no good: publishing them ends. Where what it costs is more than linear in them, a test
//! takes minutes or does not end.

use serde_json::{Map, Value, json};
use tool_gate::lower::{Dialect, Source, Unfit, lower};

use crate::dialects;

fn of(properties: impl IntoIterator<Item = (String, Value)>) -> Value {
    let properties: Map<String, Value> = properties.into_iter().collect();
    json!({"type": "object", "properties": properties, "additionalProperties": false})
}

fn is_published(schema: &Value) {
    for (name, dialect) in dialects() {
        match lower(&Source::given("tool", schema), &dialect) {
            Ok(_) | Err(Unfit::TooLarge | Unfit::Recursion { .. }) => {}
            Err(unfit) => panic!("{name}: {unfit}"),
        }
    }
}

#[test]
fn an_enum_of_many_thousands_is_published() {
    let numbers: Vec<u32> = (0..60_000).collect();
    is_published(&of([("x".to_owned(), json!({"enum": numbers}))]));
    is_published(&of([("x".to_owned(), json!({"allOf": [{"enum": numbers}, {"enum": numbers}]}))]));
}

#[test]
fn thousands_of_keys_that_become_the_same_are_published() {
    let keys = ('\u{4e00}'..).take(4_000).map(|key| (key.to_string(), json!({"type": "string"})));
    is_published(&of(keys));
    let required: Vec<String> = (0..9_000).map(|key| format!("key_{key}")).collect();
    is_published(&json!({"type": "object", "required": required}));
}

#[test]
fn references_that_all_lead_to_one_another_are_followed_once_each() {
    let refer = |to: usize| json!({"$ref": format!("#/$defs/D{to}")});
    let object = json!({"type": "object", "properties": {"a": {"type": "string"}}});
    let union = json!({"anyOf": (0..9).map(refer).chain([object]).collect::<Vec<_>>()});
    let mut schema = of([("x".to_owned(), refer(0))]);
    schema["$defs"] = (0..9).map(|place| (format!("D{place}"), union.clone())).collect::<Map<_, _>>().into();
    is_published(&schema);
}

#[test]
fn parts_that_become_tenfold_with_each_reference_are_too_large() {
    let refer = |to: usize| json!({"$ref": format!("#/$defs/D{to}")});
    let mut schema = of([("x".to_owned(), json!({"$ref": "#/$defs/D0", "description": "A bomb."}))]);
    let tenfold = |place: usize| (format!("D{place}"), json!({"allOf": vec![refer(place + 1); 10]}));
    schema["$defs"] = (0..12).map(tenfold).collect::<Map<_, _>>().into();
    schema["$defs"]["D12"] = json!({"type": "string"});
    is_published(&schema);
}

#[test]
fn what_is_sent_to_unions_that_lead_to_one_another_is_soon_raised() {
    let refer = |to: usize| json!({"$ref": format!("#/$defs/D{to}")});
    let map = json!({"type": "object", "additionalProperties": refer(0)});
    let union = json!({"anyOf": (0..9).map(refer).chain([map]).collect::<Vec<_>>()});
    let mut schema = of([("x".to_owned(), refer(0))]);
    schema["$defs"] = (0..9).map(|place| (format!("D{place}"), union.clone())).collect::<Map<_, _>>().into();
    let lowered = lower(&Source::given("tool", &schema), &Dialect::openai_strict()).expect("recursion is taken");
    for innermost in [json!([]), json!("nothing of theirs")] {
        let sent = (0..20).fold(innermost, |inside, _| json!([{"key": "a", "value": inside}]));
        let _ = lowered.raise().raise(&json!({"x": sent}));
    }
}
