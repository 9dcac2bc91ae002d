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

#[test]
fn a_field_named_as_a_keyword_is_a_field() {
    let mut schema = of(json!({"$ref": "#/$defs/Node"}));
    let nodes = json!({"type": "array", "items": {"$ref": "#/$defs/Node"}});
    schema["$defs"] = json!({"Node": {
        "type": "object",
        "properties": {"definitions": nodes, "$defs": nodes, "enum": {"type": "string"}},
        "required": ["definitions", "$defs", "enum"],
        "additionalProperties": false
    }});
    let leaf = json!({"definitions": [], "$defs": [], "enum": "a"});
    come_back(&schema, &[json!({"x": leaf}), json!({"x": {"definitions": [leaf], "$defs": [leaf], "enum": "b"}})]);
    assert!(matches!(
        lower(&Source::given("tool", &schema), &Dialect::anthropic_strict()),
        Err(Unfit::Recursion { .. })
    ));
}

#[test]
fn what_looks_like_a_reference_in_plain_data_is_data() {
    let map = json!({"type": "object", "additionalProperties": {"type": "integer"}});
    let held = json!({"type": "object", "properties": {"m": map}, "required": ["m"], "additionalProperties": false});
    values_come_back(
        json!({"anyOf": [{"const": {"$ref": "#/nowhere"}}, held]}),
        &[json!({"$ref": "#/nowhere"}), json!({"m": {"a": 1}})],
    );
}

#[test]
fn a_schema_with_an_id_is_published_so_that_its_references_lead_somewhere() {
    let branch = |key: &str, of: Value| json!({"type": "object", "properties": {key: of}, "required": [key], "additionalProperties": false});
    let schema = json!({
        "$id": "https://example.com/schema.json",
        "type": "object",
        "anyOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}],
        "$defs": {
            "A": branch("a", json!({"type": "object", "additionalProperties": {"type": "integer"}})),
            "B": branch("b", json!({"$ref": "#/$defs/A"}))
        }
    });
    come_back(&schema, &[json!({"a": {"x": 1}}), json!({"b": {"a": {}}})]);
}

#[test]
fn what_stands_beside_a_reference_has_no_say_in_earlier_drafts() {
    let schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": {"x": {"$ref": "#/definitions/A", "type": "string", "description": "How many."}},
        "required": ["x"],
        "additionalProperties": false,
        "definitions": {"A": {"type": "integer"}}
    });
    for dialect in
        [Dialect::anthropic(), Dialect::anthropic_strict(), Dialect::openai_strict(), Dialect::gemini_openapi()]
    {
        let lowered = lower(&Source::given("tool", &schema), &dialect).expect("a schema");
        assert!(validator(lowered.schema().expect("a schema")).is_valid(&json!({"x": 5})), "{}", dialect.name());
    }
}

#[test]
fn counts_may_be_written_with_a_point() {
    let list = json!({"type": "array", "items": {"type": "string"}, "minItems": 1.0, "maxItems": 2.0});
    values_come_back(list, &[json!(["a"]), json!(["a", "b"])]);
    let map = json!({"type": "object", "additionalProperties": {"type": "string"}, "maxProperties": 1.0});
    values_come_back(map, &[json!({}), json!({"a": "b"})]);
}

#[test]
fn what_can_only_be_empty_is_one_text_where_nothing_may_be_empty() {
    values_come_back(
        json!({"type": "object", "properties": {"a": false}, "additionalProperties": false}),
        &[json!({})],
    );
    let impossible = json!({"type": "boolean", "enum": ["yes"]});
    values_come_back(
        json!({"type": "object", "properties": {"a": impossible}, "additionalProperties": false}),
        &[json!({})],
    );
    values_come_back(json!({"type": "array", "items": false}), &[json!([])]);
    values_come_back(json!({"type": "array", "prefixItems": [{"type": "integer"}], "maxItems": 0}), &[json!([])]);
    for schema in [of(impossible.clone()), json!({"type": "object", "properties": {"a": impossible}})] {
        let published = |dialect| lower(&Source::given("tool", &schema), &dialect);
        assert!(published(Dialect::cohere_strict()).is_err(), "a tool without arguments is not strict there");
        let no_parameters = published(Dialect::gemini_openapi()).map(|lowered| lowered.schema().is_none());
        assert!(no_parameters.unwrap_or(true), "nor has it parameters there");
    }
}

#[test]
fn a_tuple_all_of_whose_places_may_be_absent_requires_one_where_one_must_be() {
    let tuple = json!({"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}], "items": false});
    values_come_back(tuple, &[json!([]), json!([1]), json!([1, "a"])]);
}

#[test]
fn any_value_may_be_absent_or_null() {
    let schema = json!({"type": "object", "properties": {"x": {}}, "additionalProperties": false});
    come_back(&schema, &[json!({}), json!({"x": null}), json!({"x": 5}), json!({"x": "null"})]);
}

#[test]
fn keys_that_a_pattern_takes_can_be_sent_beside_declared_ones() {
    let schema = json!({
        "type": "object",
        "properties": {"id": {"type": "integer"}},
        "required": ["id"],
        "patternProperties": {"^x-": {"type": "string"}},
        "additionalProperties": false
    });
    come_back(&schema, &[json!({"id": 1}), json!({"id": 1, "x-a": "b"})]);
    values_come_back(schema, &[json!({"id": 1}), json!({"id": 1, "x-a": "b"})]);
    let required = json!({
        "type": "object",
        "patternProperties": {"^x-": {"type": "string"}},
        "required": ["x-a"],
        "additionalProperties": false
    });
    values_come_back(required, &[json!({"x-a": "b"})]);
}

#[test]
fn values_of_mixed_kinds_come_back() {
    let mixed = [json!("a"), json!(true), json!(1), json!(2.5), json!("1"), json!("true"), json!(null)];
    values_come_back(json!({"enum": mixed}), &mixed);
    values_come_back(json!({"enum": [1, 2.5]}), &[json!(1), json!(2.5)]);
    values_come_back(json!({"const": true}), &[json!(true)]);
    values_come_back(json!({"enum": ["a", null]}), &[json!("a"), json!(null)]);
}

#[test]
fn integers_of_all_64_bits_come_back() {
    let map = json!({"type": "object", "additionalProperties": {"type": "integer"}});
    values_come_back(map, &[json!({"a": u64::MAX, "b": i64::MIN})]);
    values_come_back(json!({}), &[json!(u64::MAX), json!([i64::MIN])]);
}

#[test]
fn keys_of_all_kinds_come_back() {
    let keys =
        ["$ref", "properties", "required", "__proto__", "", "a.b", "a b", "a_b", "a/b", "~", "1", "\n", "other_keys"];
    let properties: serde_json::Map<String, Value> =
        keys.iter().map(|key| ((*key).to_owned(), json!({"type": "string"}))).collect();
    let held: serde_json::Map<String, Value> = keys.iter().map(|key| ((*key).to_owned(), json!(key))).collect();
    let mut schema =
        json!({"type": "object", "properties": properties, "required": keys, "additionalProperties": false});
    come_back(&schema, &[held.clone().into()]);
    schema["additionalProperties"] = json!({"type": "integer"});
    let mut more = held;
    more.insert("other_keys_".to_owned(), json!(1));
    come_back(&schema, &[more.into()]);
}

#[test]
fn a_place_that_is_absent_is_not_one_that_is_null() {
    let text = json!({"type": ["string", "null"]});
    let tuple =
        |leading: Value, least: u8| json!({"type": "array", "prefixItems": leading, "items": false, "minItems": least});
    values_come_back(tuple(json!([{"type": "integer"}, text]), 1), &[json!([1]), json!([1, null]), json!([1, "a"])]);
    values_come_back(tuple(json!([text, text]), 0), &[json!([]), json!([null]), json!([null, null]), json!(["a"])]);
    values_come_back(tuple(json!([text, text]), 2), &[json!([null, null]), json!(["a", null])]);
}

#[test]
fn a_text_of_other_capitals_is_itself_where_any_text_is_taken() {
    let open = json!({"anyOf": [{"type": "string", "enum": ["open", "closed"]}, {"type": "string"}]});
    // What a map is sent as is undone before the gates, and capitals are on the way.
    let map = json!({"type": "object", "additionalProperties": {"type": "integer"}});
    let held = json!({"type": "object", "properties": {"state": open, "m": map}, "required": ["state", "m"], "additionalProperties": false});
    values_come_back(held, &[json!({"state": "Open", "m": {"a": 1}}), json!({"state": "open", "m": {}})]);
}

#[test]
fn a_value_is_of_the_branch_that_asks_for_its_shape() {
    let empty = json!({"type": "object", "additionalProperties": false});
    let tuple = json!({"type": "array", "prefixItems": [{"type": "integer"}], "items": false});
    let schema = of(json!({"anyOf": [empty, tuple]}));
    let lowered = lower(&Source::given("tool", &schema), &Dialect::gemini_openapi()).expect("a schema");
    let raised = |sent: Value| lowered.raise().raise(&json!({"x": sent}));
    assert_eq!(raised(json!({})), Some(json!({"x": []})));
    assert_eq!(raised(json!("{}")), Some(json!({"x": {}})));
}

#[test]
fn unions_in_unions_have_nothing_beside_them() {
    let inner = json!({"anyOf": [{"type": "integer"}, {"type": "boolean"}]});
    let outer = json!({"anyOf": [inner, {"type": "string"}, {"type": "null"}], "description": "One of many."});
    values_come_back(outer, &[json!(1), json!(true), json!("a"), json!(null)]);
}

#[test]
fn references_into_what_is_rewritten_lead_where_it_went() {
    let in_draft_7 = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": {
            "items": {"type": "array", "items": [{"type": "integer"}], "additionalItems": {"type": "string"}},
            "first": {"$ref": "#/properties/items/items/0"},
            "later": {"$ref": "#/properties/items/additionalItems"},
            "needy": {"$ref": "#/definitions/D/dependencies/dependencies"}
        },
        "required": ["items", "first", "later", "needy"],
        "definitions": {
            "D": {
                "dependencies": {
                    "dependencies": {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
                }
            }
        }
    });
    come_back(&in_draft_7, &[json!({"items": [1, "x"], "first": 2, "later": "y", "needy": {"a": "z"}})]);
    let of_a_part = json!({
        "type": "object",
        "properties": {"b": {"$ref": "#/allOf/0/properties/a"}},
        "required": ["b"],
        "allOf": [{"properties": {"a": {"type": "string"}}, "required": ["a"]}]
    });
    come_back(&of_a_part, &[json!({"a": "x", "b": "y"})]);
}

#[test]
fn what_only_a_condition_declares_can_be_sent() {
    let conditional = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": {"card": {"type": "string"}},
        "required": ["card"],
        "dependencies": {"card": {"properties": {"billing": {"type": "string"}}, "required": ["billing"]}}
    });
    come_back(&conditional, &[json!({"card": "1", "billing": "x"})]);
    let kinds = json!({
        "type": "object",
        "properties": {"kind": {"type": "string"}},
        "required": ["kind"],
        "if": {"properties": {"kind": {"const": "a"}}},
        "then": {"properties": {"size": {"type": "integer"}}, "required": ["size"]},
        "else": {"properties": {"name": {"type": "string"}}, "required": ["name"]}
    });
    come_back(&kinds, &[json!({"kind": "a", "size": 1}), json!({"kind": "b", "name": "x"})]);
}
