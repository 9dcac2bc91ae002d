//! Schemas of odd shapes: what they take can be sent in every dialect that has them, and comes back exactly as it was.

use serde_json::{Value, json};
use tool_gate::lower::{Dialect, Source, Unfit, lower};

use crate::{
    checker::Rules,
    dialects,
    sending::{Sender, validator},
};

fn of(property: Value) -> Value {
    json!({"type": "object", "properties": {"x": property}, "required": ["x"], "additionalProperties": false})
}

/// Asserts it of all arguments, and that the provider takes what is published.
fn come_back(schema: &Value, arguments: &[Value]) {
    let takes = validator(schema);
    for (name, dialect) in dialects() {
        let lowered = match lower(&Source::given("tool", schema), &dialect) {
            Ok(lowered) => lowered,
            Err(Unfit::Recursion { .. }) if name == "anthropic_strict" => continue,
            Err(unfit) => panic!("{name}: {unfit}\n{schema}"),
        };
        let published = lowered.schema().cloned().unwrap_or_else(|| json!({"type": "object"}));
        assert_eq!(Rules::of(name).violations(&published), Vec::<String>::new(), "{name}: {published}");
        let sender = Sender::new(&published);
        for value in arguments {
            assert!(takes.is_valid(value), "{value}");
            let sent = sender.sent(&lowered, value).unwrap_or_else(|| panic!("{name}: nothing stands for {value}"));
            assert!(sender.takes(&sent), "{name}: {value} as {sent} is refused by {published}");
            assert_eq!(lowered.raise().raise(&sent).as_ref().unwrap_or(&sent), value, "{name}: {sent}");
        }
    }
}

/// The same of one argument.
fn values_come_back(property: Value, values: &[Value]) {
    come_back(&of(property), &values.iter().map(|value| json!({"x": value})).collect::<Vec<_>>());
}

#[test]
fn a_list_of_pairs_is_a_list_where_a_map_may_stand_too() {
    let pair = json!({
        "type": "object",
        "properties": {"key": {"type": "string"}, "value": {"type": "integer"}},
        "required": ["key", "value"],
        "additionalProperties": false
    });
    let map = json!({"type": "object", "additionalProperties": {"type": "integer"}});
    let pairs = json!({"type": "array", "items": pair});
    let texts = json!({"type": "array", "items": {"type": "string"}});
    values_come_back(
        json!({"anyOf": [pairs, map]}),
        &[json!([{"key": "a", "value": 1}]), json!({"a": 1}), json!([]), json!({})],
    );
    values_come_back(json!({"oneOf": [texts, map]}), &[json!(["a"]), json!({"a": 1}), json!([]), json!({})]);
}

#[test]
fn a_tuple_is_no_object_where_one_may_stand_too() {
    let object =
        json!({"type": "object", "properties": {"item_0": {"type": "integer"}}, "additionalProperties": false});
    let tuple = json!({"type": "array", "prefixItems": [{"type": "integer"}], "items": false, "minItems": 1});
    let of_other_keys = json!({
        "type": "object",
        "properties": {"name": {"type": "string"}},
        "required": ["name"],
        "additionalProperties": false
    });
    values_come_back(json!({"anyOf": [object, tuple]}), &[json!({"item_0": 1}), json!([1])]);
    let apart = of(json!({"anyOf": [of_other_keys, tuple]}));
    come_back(&apart, &[json!({"x": {"name": "a"}}), json!({"x": [1]})]);
    let lowered = lower(&Source::given("tool", &apart), &Dialect::openai_strict()).expect("a schema");
    assert!(lowered.schema().expect("a schema")["properties"]["x"]["anyOf"].is_array(), "the two are told apart");
}

#[test]
fn values_of_any_kind_are_not_mistaken_for_texts_deep_in_a_union() {
    let held = |inside: &Value| json!({"type": "object", "properties": {"a": inside}, "required": ["a"], "additionalProperties": false});
    let listed = |inside: &Value| json!({"type": "array", "items": inside});
    let mapped = |inside: &Value| json!({"type": "object", "additionalProperties": inside});
    let [text, any] = [json!({"type": "string"}), json!({})];
    let values = [json!("5"), json!(5), json!("[1]"), json!([1])];
    let each = |hold: &dyn Fn(&Value) -> Value| values.iter().map(hold).collect::<Vec<_>>();
    values_come_back(json!({"anyOf": [held(&text), held(&any)]}), &each(&|value| json!({"a": value})));
    values_come_back(json!({"anyOf": [listed(&text), listed(&any)]}), &each(&|value| json!([value])));
    values_come_back(json!({"anyOf": [mapped(&text), mapped(&any)]}), &each(&|value| json!({"a": value})));
}

#[test]
fn json_as_a_type_of_its_own_comes_back() {
    let mut schema = of(json!({"$ref": "#/$defs/Json"}));
    let json = json!({"$ref": "#/$defs/Json"});
    schema["$defs"] = json!({"Json": {"anyOf": [
        {"type": "null"}, {"type": "boolean"}, {"type": "number"}, {"type": "string"},
        {"type": "array", "items": json}, {"type": "object", "additionalProperties": json},
    ]}});
    let values =
        [json!(null), json!(1), json!("1"), json!([]), json!({}), json!({"a": {"b": [{"key": "a", "value": 1}]}})];
    come_back(&schema, &values.map(|value| json!({"x": value})));
}
