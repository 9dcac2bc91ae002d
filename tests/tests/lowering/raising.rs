//! What is undone on the arguments of a call, and what is left to the gate.

use serde_json::{Value, json};
use tool_gate::lower::{Dialect, Raise, Source, lower};

fn raise(property: Value, dialect: &Dialect) -> impl Fn(Value) -> Option<Value> + use<> {
    let schema =
        json!({"type": "object", "properties": {"x": property}, "required": ["x"], "additionalProperties": false});
    let lowered = lower(&Source::given("search", &schema), dialect).unwrap_or_else(|unfit| panic!("{unfit}"));
    move |sent| {
        let raised = lowered.raise().raise(&json!({"x": sent}))?;
        Some(raised["x"].clone())
    }
}

fn strict(schema: &Value) -> impl Fn(Value) -> Option<Value> + use<> {
    let lowered =
        lower(&Source::given("search", schema), &Dialect::openai_strict()).unwrap_or_else(|unfit| panic!("{unfit}"));
    move |sent| lowered.raise().raise(&sent)
}

#[test]
fn null_stands_for_absence_only_where_null_is_forbidden() {
    let raise = strict(&json!({
        "type": "object",
        "properties": {"query": {"type": "string"}, "limit": {"type": "integer"}, "after": {"type": ["string", "null"]}},
        "required": ["query"],
        "additionalProperties": false
    }));
    assert_eq!(
        raise(json!({"query": "cats", "limit": null, "after": null})),
        Some(json!({"query": "cats", "after": null}))
    );
    // A required one that is null is wrong, and one that nobody declared as well.
    assert_eq!(raise(json!({"query": null, "limit": 5, "other": null})), None);
}

#[test]
fn pairs_become_a_map_unless_two_have_one_key() {
    let raise =
        raise(json!({"type": "object", "additionalProperties": {"type": "integer"}}), &Dialect::openai_strict());
    assert_eq!(raise(json!([{"key": "a", "value": 1}, {"key": "b", "value": 2}])), Some(json!({"a": 1, "b": 2})));
    assert_eq!(raise(json!([])), Some(json!({})));
    for left in [
        json!([{"key": "a", "value": 1}, {"key": "a", "value": 2}]),
        json!([{"key": 1, "value": 1}]),
        json!([{"key": "a"}]),
        json!([{"key": "a", "value": 1, "more": 2}]),
        json!({"a": 1}),
        json!("a"),
    ] {
        assert_eq!(raise(left.clone()), None, "{left}");
    }
}

#[test]
fn json_in_a_string_is_read_strictly() {
    let raise = raise(json!({}), &Dialect::anthropic_strict());
    assert_eq!(raise(json!("{\"a\": [1, null]}")), Some(json!({"a": [1, null]})));
    assert_eq!(raise(json!("\"text\"")), Some(json!("text")));
    for left in [json!("{\"a\": 1, \"a\": 2}"), json!("[1,"), json!("NaN"), json!("text"), json!(""), json!(5)] {
        assert_eq!(raise(left.clone()), None, "{left}");
    }
}

#[test]
fn capitals_of_an_enum_may_drift_where_they_tell_nothing_apart() {
    let raise_one = raise(json!({"type": "string", "enum": ["open", "Closed"]}), &Dialect::anthropic_strict());
    assert_eq!(raise_one(json!("Open")), Some(json!("open")));
    assert_eq!(raise_one(json!("open")), None);
    assert_eq!(raise_one(json!("opened")), None);
    let raise_both = raise(json!({"type": "string", "enum": ["a", "A"]}), &Dialect::anthropic_strict());
    assert_eq!(raise_both(json!("A")), None);
    let openai = raise(json!({"type": "string", "enum": ["open"]}), &Dialect::openai_strict());
    assert_eq!(openai(json!("Open")), None);
}

#[test]
fn strings_become_the_numbers_that_they_stand_for() {
    let raise = raise(json!({"enum": [1, 2.5, true, null]}), &Dialect::gemini_openapi());
    assert_eq!(raise(json!("2.5")), Some(json!(2.5)));
    assert_eq!(raise(json!("true")), Some(json!(true)));
    assert_eq!(raise(json!("3")), None);
}

#[test]
fn members_become_the_places_of_a_tuple() {
    let tuple = json!({"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}], "minItems": 1, "maxItems": 2});
    let raise = raise(tuple, &Dialect::openai_strict());
    assert_eq!(raise(json!({"item_0": 1, "item_1": "a"})), Some(json!([1, "a"])));
    assert_eq!(raise(json!({"item_0": 1, "item_1": null})), Some(json!([1])));
    assert_eq!(raise(json!({"item_1": "a"})), None);
    assert_eq!(raise(json!({"item_0": 1, "item_2": 1})), None);
}

#[test]
fn the_branch_is_the_first_that_takes_what_it_raises() {
    let branch = |tag: &str, of: Value| json!({"type": "object", "properties": {"kind": {"const": tag}, "of": of}, "required": ["kind"], "additionalProperties": false});
    let number = json!({"type": "integer"});
    let map = json!({"type": "object", "additionalProperties": {"type": "integer"}});
    let raise = raise(json!({"oneOf": [branch("number", number), branch("map", map)]}), &Dialect::openai_strict());
    assert_eq!(raise(json!({"kind": "number", "of": null})), Some(json!({"kind": "number"})));
    assert_eq!(
        raise(json!({"kind": "map", "of": [{"key": "a", "value": 1}]})),
        Some(json!({"kind": "map", "of": {"a": 1}}))
    );
    // No branch takes it: it is raised by the one that it resembles, so that the gate speaks of what is wrong in it.
    assert_eq!(
        raise(json!({"kind": "map", "of": [{"key": "a", "value": "x"}]})),
        Some(json!({"kind": "map", "of": {"a": "x"}}))
    );
    assert_eq!(raise(json!({"kind": "else", "of": null})), None);
}

#[test]
fn unions_inside_unions_are_looked_at_once_each() {
    let expression = json!({
        "type": "object",
        "properties": {"x": {"$ref": "#/$defs/X"}},
        "required": ["x"],
        "additionalProperties": false,
        "$defs": {"X": {"anyOf": [
            {"type": "object", "properties": {"a": {"$ref": "#/$defs/X"}}, "additionalProperties": false},
            {"type": "object", "properties": {"a": {"$ref": "#/$defs/X"}, "b": {"type": "integer"}}, "additionalProperties": false},
            {"type": "object", "properties": {"a": {"$ref": "#/$defs/X"}, "c": {"type": "integer"}}, "required": ["c"], "additionalProperties": false},
            {"type": "string"}
        ]}}
    });
    let lowered = lower(&Source::given("search", &expression), &Dialect::openai_strict()).expect("recursion is taken");
    // Where each is looked at in every branch of those around it, this does not end.
    let sent = (0..40).fold(json!(5), |inside, _| json!({"a": inside, "b": null, "c": null}));
    let raised = lowered.raise().raise(&json!({"x": sent}));
    assert_eq!(raised, None, "a number is none of the branches, and is left to the gate");
}

#[test]
fn nothing_to_undo_is_known_beforehand() {
    assert!(Raise::default().is_nothing());
    let schema = json!({"type": "object", "properties": {"x": {"type": "string", "enum": ["a"]}}, "required": ["x"], "additionalProperties": false});
    let of = |dialect| lower(&Source::given("search", &schema), &dialect).expect("a schema");
    assert!(of(Dialect::openai_strict()).raise().is_nothing());
    let anthropic = of(Dialect::anthropic_strict());
    assert!(!anthropic.raise().is_nothing() && anthropic.raise().is_for_misses());
}

#[test]
fn keys_that_a_provider_refuses_are_sent_under_others() {
    let schema = json!({
        "type": "object",
        "properties": {"a b": {"type": "string"}, "a/b": {"type": "string"}, "1": {"type": "string"}},
        "required": ["a b", "a/b", "1"],
        "additionalProperties": false
    });
    let lowered = lower(&Source::given("search", &schema), &Dialect::gemini()).expect("a schema");
    let published = lowered.schema().expect("a schema");
    assert_eq!(published["required"], json!(["a_b", "a_b_2", "_1"]));
    assert_eq!(
        lowered.raise().raise(&json!({"a_b": "x", "a_b_2": "y", "_1": "z"})),
        Some(json!({"a b": "x", "a/b": "y", "1": "z"}))
    );
    assert_eq!(lowered.raise().raise(&json!({"a_b": "x", "a b": "y"})), None);
}

#[test]
fn the_other_keys_of_an_object_come_in_a_list() {
    let schema = json!({
        "type": "object",
        "properties": {"id": {"type": "integer"}},
        "required": ["id"],
        "additionalProperties": {"type": "string"}
    });
    let raise = strict(&schema);
    assert_eq!(raise(json!({"id": 1, "other_keys": [{"key": "a", "value": "x"}]})), Some(json!({"id": 1, "a": "x"})));
    assert_eq!(raise(json!({"id": 1, "other_keys": [{"key": "id", "value": "x"}]})), None);
}

#[test]
fn a_value_is_taken_out_only_where_it_is_all_arguments() {
    let branch = |key: &str| json!({"type": "object", "properties": {key: {"type": "integer"}}, "required": [key], "additionalProperties": false});
    let raise = strict(&json!({"type": "object", "anyOf": [branch("value"), branch("a")]}));
    assert_eq!(raise(json!({"value": {"value": 5}})), Some(json!({"value": 5})));
    // It is canonical as it stands.
    assert_eq!(raise(json!({"value": 5})), None);
}

#[test]
fn null_stays_null_where_it_is_a_value_of_the_only_property() {
    let schema =
        json!({"type": "object", "properties": {"x": {"type": ["string", "null"]}}, "additionalProperties": false});
    for dialect in [Dialect::openai_strict(), Dialect::cohere_strict()] {
        let lowered = lower(&Source::given("search", &schema), &dialect).expect("a schema");
        assert_eq!(lowered.raise().raise(&json!({"x": null})), None);
        assert_eq!(
            lowered.changes().iter().map(ToString::to_string).collect::<Vec<_>>(),
            ["search/properties/x: `required` is required: it cannot be left out"]
        );
    }
}

#[test]
fn keys_of_arguments_that_anthropic_refuses_are_sent_under_others_strict_or_not() {
    let schema = |more: Value| {
        let mut schema = json!({
            "type": "object",
            "properties": {"filter[id]": {"type": "string"}, "filter_id_": {"type": "string"}, "$top": {"type": "integer"}},
            "required": ["filter[id]"],
        });
        schema.as_object_mut().expect("an object").extend(more.as_object().cloned().expect("an object"));
        schema
    };
    let open = schema(json!({}));
    let lowered = lower(&Source::given("search", &open), &Dialect::anthropic()).expect("a schema");
    let published = lowered.schema().expect("a schema");
    let keys: Vec<&String> = published["properties"].as_object().expect("properties").keys().collect();
    assert_eq!(keys, ["filter_id__2", "filter_id_", "__top"]);
    assert_eq!(published["required"], json!(["filter_id__2"]));
    assert_eq!(
        lowered.raise().raise(&json!({"filter_id__2": "x", "__top": 5, "other": 1})),
        Some(json!({"filter[id]": "x", "$top": 5, "other": 1}))
    );
    let changes: Vec<String> = lowered.changes().iter().map(ToString::to_string).collect();
    assert_eq!(changes, ["search: `properties` is published under another key"]);

    // Where something else speaks of the keys, they stay, one level further in.
    for more in [json!({"dependentRequired": {"$top": ["filter_id_"]}}), json!({"additionalProperties": {"$ref": "#"}})]
    {
        let schema = schema(more);
        let lowered = lower(&Source::given("search", &schema), &Dialect::anthropic()).expect("a schema");
        let published = lowered.schema().expect("a schema");
        assert_eq!(published["required"], json!(["value"]));
        assert_eq!(
            lowered.raise().raise(&json!({"value": {"filter[id]": "x", "$top": 5}})),
            Some(json!({"filter[id]": "x", "$top": 5}))
        );
    }
}
