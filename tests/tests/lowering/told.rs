//! What a model is told of a call of a tool that is published in another form than it is enforced: what is said is true of what it
//! sent, in the keys, places and shapes that it was sent.

use std::{collections::BTreeMap, sync::Arc};

use serde_json::{Value, json};
use tool_gate::{
    DynamicTool, English, Mode, Offer, Registry, Select, Sentences, tool,
    wire::{self, Call, Wire},
};

fn anthropic() -> Arc<dyn Wire> {
    Arc::new(wire::Anthropic::default())
}

fn chat() -> Arc<dyn Wire> {
    Arc::new(wire::OpenAiChat::default())
}

fn cohere() -> Arc<dyn Wire> {
    Arc::new(wire::Cohere::default())
}

fn mcp() -> Arc<dyn Wire> {
    Arc::new(wire::Mcp::default())
}

fn ollama() -> Arc<dyn Wire> {
    Arc::new(wire::Ollama::default())
}

fn gemini() -> Arc<dyn Wire> {
    Arc::new(wire::Gemini::default())
}

fn offer(mode: Mode, wire: &dyn Fn() -> Arc<dyn Wire>, schema: Value) -> Offer<()> {
    let tool =
        DynamicTool::<()>::new("list", "List them.", schema, |(), arguments, _| Box::pin(async move { Ok(arguments) }));
    let registry = Registry::<()>::builder().dynamic(tool.read_only()).build().expect("it is declared well");
    registry.offer_in(mode, wire(), Select::All).expect("it can be published")
}

/// What is said of arguments of a tool with this schema.
fn told(mode: Mode, wire: &dyn Fn() -> Arc<dyn Wire>, schema: Value, arguments: &str) -> String {
    let offer = offer(mode, wire, schema);
    English.rejection(&offer.check(&Call::new(None, "list", arguments.into())).expect_err("it does not conform"))
}

#[test]
fn keys_and_places_are_told_as_they_are_published() {
    let filters = json!({
        "type": "object",
        "properties": {"filter[id]": {"type": "string", "minLength": 2}, "limit": {"type": "integer"}},
        "required": ["filter[id]"],
        "additionalProperties": false
    });
    let of_filters = |arguments: &str| told(Mode::Plain, &anthropic, filters.clone(), arguments);
    assert_eq!(of_filters(r#"{"limit": 5}"#), "list rejected: filter_id_ is required.");
    assert_eq!(
        of_filters(r#"{"filter_id_": "x"}"#),
        "list rejected: filter_id_ must have at least 2 characters. Received \"x\"."
    );
    assert_eq!(
        of_filters(r#"{"filter_id_": "xy", "page": 1}"#),
        "list rejected: page is not declared. Declared: filter_id_, limit."
    );
    assert_eq!(
        of_filters("[]"),
        "Arguments for list are an array, not a JSON object. Send an object with: filter_id_, limit."
    );

    let choice = json!({"type": "object", "oneOf": [
        {"properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": false},
        {"properties": {"b": {"type": "string"}}, "required": ["b"], "additionalProperties": false}
    ]});
    assert_eq!(
        told(Mode::Plain, &anthropic, choice, r#"{"value": {"a": "x"}}"#),
        "list rejected: value.a must be an integer. Received \"x\"."
    );

    let deep = json!({
        "type": "object",
        "properties": {"rows": {"type": "array", "items": {
            "type": "object",
            "properties": {
                "at": {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "integer"}], "items": false, "minItems": 2},
                "the name": {"type": ["string", "null"]}
            },
            "required": ["at", "the name"],
            "additionalProperties": false
        }}},
        "required": ["rows"],
        "additionalProperties": false
    });
    let strict = |arguments: &str| told(Mode::Strict, &anthropic, deep.clone(), arguments);
    assert_eq!(
        strict(r#"{"rows": [{"at": {"item_0": 1, "item_1": "x"}, "the_name": null}]}"#),
        "list rejected: rows.0.at.item_1 must be an integer. Received \"x\"."
    );
    assert_eq!(
        strict(r#"{"rows": [{"at": {"item_0": 1, "item_1": 2}}]}"#),
        "list rejected: rows.0.the_name is required."
    );
}

#[test]
fn shapes_are_told_as_they_are_published() {
    let schema = json!({
        "type": "object",
        "properties": {
            "point": {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "integer"}], "items": false, "minItems": 2},
            "labels": {"type": "object", "additionalProperties": {"type": "string", "minLength": 2}, "maxProperties": 2},
            "any": {"type": "array", "items": {}},
            "level": {"type": "object", "properties": {"at": {"enum": [1, 2, 3]}}, "additionalProperties": {"type": "integer"}},
            "either": {"anyOf": [
                {"type": "object", "properties": {"a": {"type": "object", "additionalProperties": {"type": "integer"}}}, "required": ["a"], "additionalProperties": false},
                {"type": "object", "properties": {"b": {"type": "array", "prefixItems": [{"type": "integer"}], "items": false, "minItems": 1}}, "required": ["b"], "additionalProperties": false}
            ]}
        },
        "additionalProperties": false
    });
    let told = |arguments: &str| told(Mode::Strict, &cohere, schema.clone(), arguments);
    for (arguments, sentence) in [
        (r#"{"point": {"item_0": 1}}"#, "point.item_1 is required."),
        (r#"{"point": "x"}"#, "point must be an object or null. Received \"x\"."),
        (r#"{"point": {"item_0": 1, "item_1": 1.5}}"#, "point.item_1 must be an integer. Received 1.5."),
        (r#"{"labels": "x"}"#, "labels must be an array. Received \"x\"."),
        (
            r#"{"labels": [{"key": "a", "value": "aa"}, {"key": "b", "value": 5}]}"#,
            "labels.1.value must be a string. Received 5.",
        ),
        (
            r#"{"labels": [{"key": "b c", "value": "b"}]}"#,
            "labels.0.value must have at least 2 characters. Received \"b\".",
        ),
        (
            r#"{"labels": [{"key": "a", "value": "aa"}, {"key": "b", "value": "bb"}, {"key": "c", "value": "cc"}]}"#,
            "labels must have at most 2 items. Received [{\"key\":\"a\",\"value\":\"aa\"},{\"key\":\"b\",\"value\":\"bb\"},{\"key\":\"c\",\"value\":\"cc\"}].",
        ),
        (r#"{"labels": {"a": 5}}"#, "labels must be an array. Received {\"a\":5}."),
        (r#"{"any": 5}"#, "any must be an array. Received 5."),
        (r#"{"level": {"at": "4"}}"#, "level.at must be one of \"1\", \"2\" or \"3\". Received \"4\"."),
        (
            r#"{"level": {"other_keys": [{"key": "x", "value": "y"}]}}"#,
            "level.other_keys.0.value must be an integer. Received \"y\".",
        ),
        (r#"{"either": {"a": [{"key": "x", "value": "y"}]}}"#, "either.a.0.value must be an integer. Received \"y\"."),
        (r#"{"either": {"b": {"item_0": "y"}}}"#, "either.b.item_0 must be an integer. Received \"y\"."),
    ] {
        assert_eq!(told(arguments), format!("list rejected: {sentence}"), "{arguments}");
    }
}

#[test]
fn what_is_wrapped_is_told_as_what_it_is_wrapped_in() {
    let open = json!({"type": "object", "properties": {"a": {"type": "integer"}}, "anyOf": [
        {"properties": {"a": {"minimum": 1}}, "required": ["a"]}, {"properties": {"b": {"type": "string"}}, "required": ["b"]}
    ]});
    for (arguments, sentence) in [
        ("{}", "value is required."),
        (r#"{"a": "x"}"#, "a is not declared. Declared: value."),
        (r#"{"value": 5}"#, "value must be an object. Received 5."),
        (r#"{"value": "{\"a\": 1}"}"#, "value must be an object. Received \"{\\\"a\\\": 1}\"."),
        (r#"{"value": {"a": 1}, "c": "x"}"#, "c is not declared. Declared: value."),
        (r#"{"value": {}}"#, "value must be an object with a or an object with b. Received an object."),
        (r#"{"value": {"a": "x"}}"#, "value.a must be an integer. Received \"x\"."),
    ] {
        assert_eq!(
            told(Mode::Plain, &chat, open.clone(), arguments),
            format!("list rejected: {sentence}"),
            "{arguments}"
        );
    }
    assert_eq!(
        told(Mode::Plain, &mcp, open, "{}"),
        "list rejected: (root) must be an object with a or an object with b."
    );
}

#[test]
fn keys_that_are_declared_are_told_whatever_they_are_called() {
    for key in ["filter[id]", "größe", "$top", "with space", "a/b"] {
        let schema = json!({
            "type": "object",
            "properties": {"in": {"type": "object", "properties": {key: {"type": "integer"}}, "required": [key], "additionalProperties": false}},
            "required": ["in"],
            "additionalProperties": false
        });
        let told = |arguments: Value| told(Mode::Plain, &chat, schema.clone(), &arguments.to_string());
        assert_eq!(told(json!({"in": {}})), format!("list rejected: in.\"{key}\" is required."));
        assert_eq!(
            told(json!({"in": {key: "a"}})),
            format!("list rejected: in.\"{key}\" must be an integer. Received \"a\".")
        );
    }
}

/// An object that is closed and requires all its keys.
fn of(properties: Value) -> Value {
    let required: Vec<&String> = properties.as_object().expect("properties").keys().collect();
    json!({"type": "object", "required": required, "properties": properties, "additionalProperties": false})
}

fn all_told(mode: Mode, wire: &dyn Fn() -> Arc<dyn Wire>, schema: &Value, cases: &[(Value, &str)]) {
    for (arguments, sentence) in cases {
        let told = told(mode, wire, schema.clone(), &arguments.to_string());
        assert_eq!(told, format!("list rejected: {sentence}"), "{arguments}");
    }
}

#[test]
fn of_a_union_the_branch_that_was_meant_is_told_as_it_was_published() {
    let map = json!({"type": "object", "additionalProperties": {"type": "integer"}});
    let pair = json!({"type": "array", "prefixItems": [{"type": "integer"}, {"type": "integer"}], "items": false, "minItems": 2});
    let wrong_pair = json!([{"key": "k", "value": "x"}]);
    for other in
        [json!({"type": "null"}), json!({"type": "string"}), json!({"type": "array", "items": {"type": "string"}})]
    {
        let schema = of(json!({"u": {"anyOf": [other, of(json!({"labels": map}))]}}));
        for wire in [&chat as &dyn Fn() -> Arc<dyn Wire>, &cohere, &anthropic, &ollama] {
            let sentence = "u.labels.0.value must be an integer. Received \"x\".";
            all_told(Mode::Strict, wire, &schema, &[(json!({"u": {"labels": wrong_pair}}), sentence)]);
        }
    }
    let mut untagged = of(json!({"u": {"anyOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}]}}));
    untagged["$defs"] = json!({"A": of(json!({"labels": map})), "B": of(json!({"at": pair}))});
    all_told(
        Mode::Strict,
        &chat,
        &untagged,
        &[
            (json!({"u": {"at": {"item_0": 1, "item_1": "x"}}}), "u.at.item_1 must be an integer. Received \"x\"."),
            (json!({"u": {"at": {"item_0": 1}}}), "u.at.item_1 is required."),
        ],
    );
    let either = of(json!({"w": {"anyOf": [{"type": "integer", "enum": [1, 2]}, {"type": "boolean"}, map]}}));
    all_told(
        Mode::Strict,
        &cohere,
        &either,
        &[(json!({"w": 5}), "w must be a string, a boolean or an array. Received 5.")],
    );
    let two = of(json!({"w": {"anyOf": [map, of(json!({"a": {"type": "integer"}}))]}}));
    all_told(Mode::Strict, &chat, &two, &[(json!({"w": "s"}), "w must be an array or an object. Received \"s\".")]);
}

#[derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
enum Shape {
    Labels(BTreeMap<String, u8>),
    Point(u8, u8),
    Nothing,
}

/// Draw it.
#[tool(read_only)]
#[allow(clippy::needless_pass_by_value, reason = "a tool's arguments are its own")]
fn draw(shape: Shape) -> Value {
    json!(shape)
}

#[test]
fn variants_of_an_enum_are_told_as_they_were_published() {
    let registry = Registry::<()>::builder().tool::<draw>().build().expect("it is declared well");
    let offer = registry.offer_in(Mode::Strict, wire::OpenAiChat::default(), Select::All).expect("it can be published");
    for (arguments, sentence) in [
        (
            json!({"shape": {"Point": {"item_0": 1, "item_1": 300}}}),
            "shape.Point.item_1 must be at most 255. Received 300.",
        ),
        (
            json!({"shape": {"Labels": [{"key": "a", "value": 300}]}}),
            "shape.Labels.0.value must be at most 255. Received 300.",
        ),
        (json!({"shape": {"Labels": {"a": "x"}}}), "shape.Labels must be an array. Received {\"a\":\"x\"}."),
    ] {
        let refused = offer.check(&Call::new(None, "draw", arguments.clone().into())).expect_err("it is wrong");
        assert_eq!(English.rejection(&refused), format!("draw rejected: {sentence}"), "{arguments}");
    }
}

#[test]
fn a_root_that_is_a_map_is_told_as_the_list_that_it_was_published_as() {
    let map = json!({"type": "object", "additionalProperties": {"type": "integer"}});
    all_told(
        Mode::Strict,
        &chat,
        &map,
        &[
            (json!({"value": [{"key": "a", "value": "x"}]}), "value.0.value must be an integer. Received \"x\"."),
            (json!({"value": "x"}), "value must be an array. Received \"x\"."),
            (json!({"a": 1, "b": "x"}), "a is not declared. Declared: value."),
        ],
    );
}

#[test]
fn a_key_that_is_given_twice_is_refused_wherever_the_second_stands() {
    let held = json!({
        "type": "object",
        "properties": {"id": {"type": "integer"}},
        "additionalProperties": {}
    });
    for wire in [&chat as &dyn Fn() -> Arc<dyn Wire>, &cohere] {
        let sent = json!({"held": {"id": 1, "zzz": "1", "other_keys": [{"key": "zzz", "value": "2"}]}});
        let sentence = "zzz is not declared in held. Declared: id, other_keys.";
        all_told(Mode::Strict, wire, &of(json!({"held": held})), &[(sent, sentence)]);
    }
    for others in [json!({}), json!({"type": "string"}), json!(false)] {
        let filters =
            json!({"type": "object", "properties": {"filter[id]": {"type": "string"}}, "additionalProperties": others});
        let sent = json!({"filter[id]": "a", "filter_id_": "b"});
        let sentence = "filter_id_ is not acceptable: it is given already, under another key.";
        all_told(Mode::Plain, &anthropic, &filters, &[(sent, sentence)]);
    }
}

#[test]
fn other_keys_are_told_as_they_were_published() {
    let level = json!({"type": "object", "properties": {"at": {"type": "integer"}}, "required": ["at"], "additionalProperties": {"type": "integer"}});
    all_told(
        Mode::Strict,
        &chat,
        &of(json!({"level": level})),
        &[
            (
                json!({"level": {"at": 1, "other_keys": {"x": 1}}}),
                "level.other_keys must be an array. Received {\"x\":1}.",
            ),
            (
                json!({"level": {"at": 1, "other_keys": [{"key": "x", "value": "y"}]}}),
                "level.other_keys.0.value must be an integer. Received \"y\".",
            ),
            (json!({"level": {"other_keys": [], "x": 1}}), "x is not declared in level. Declared: at, other_keys."),
        ],
    );
}

#[test]
fn of_keys_that_begin_alike_none_is_taken_for_another() {
    let labels =
        of(json!({"labels": {"type": "object", "additionalProperties": {"type": "string", "pattern": "^[a-z]+$"}}}));
    for (one, other) in [
        ("a\u{200b}".to_owned(), "a\u{200c}".to_owned()),
        (format!("{}A", "k".repeat(64)), format!("{}B", "k".repeat(64))),
    ] {
        let sent = json!({"labels": [{"key": one, "value": "fine"}, {"key": other, "value": "BAD"}]});
        let told = told(Mode::Strict, &anthropic, labels.clone(), &sent.to_string());
        assert!(told.ends_with("Received \"BAD\"."), "{told}");
    }
    let long = format!("{}A", "k".repeat(64));
    let declared = json!({"type": "object", "properties": {long.as_str(): {"type": "integer"}}, "additionalProperties": {"type": "integer"}});
    let sent = json!({long.as_str(): 5, format!("{}B", "k".repeat(64)): "bad"});
    let told = told(Mode::Plain, &anthropic, declared, &sent.to_string());
    assert!(told.ends_with("Received \"bad\"."), "{told}");
}

/// Keep them.
#[tool(read_only)]
#[allow(clippy::needless_pass_by_value, reason = "a tool's arguments are its own")]
fn keep(
    #[arg(sensitive, rename = "api-key")] secrets: BTreeMap<String, Vec<Value>>,
    #[arg(sensitive)] points: BTreeMap<String, BTreeMap<String, (u8, u8)>>,
) -> usize {
    secrets.len() + points.len()
}

#[test]
fn nothing_of_a_sensitive_argument_is_repeated_in_whatever_shape_it_is_sent() {
    let registry = Registry::<()>::builder().tool::<keep>().build().expect("it is declared well");
    let wires: [Box<dyn Fn() -> Arc<dyn Wire>>; 6] =
        [Box::new(chat), Box::new(cohere), Box::new(anthropic), Box::new(ollama), Box::new(gemini), Box::new(mcp)];
    for (wire, mode) in wires.iter().flat_map(|wire| [Mode::Strict, Mode::Plain].map(|mode| (wire, mode))) {
        let offer = registry.offer_in(mode, wire(), Select::All).expect("it can be published");
        for secret in [
            json!({"SECRETKEY": ["SECRETVALUE"]}),
            json!({"SECRETKEY": "SECRETVALUE"}),
            json!([{"key": "SECRETKEY", "value": "SECRETVALUE"}]),
            json!([{"key": "SECRETKEY", "value": ["SECRETVALUE"]}, {"key": "SECRETKEY", "value": []}]),
            json!("SECRETVALUE"),
            json!("{\"SECRETKEY\": 1}"),
        ] {
            for key in ["api-key", "api_key", "points"] {
                let sent = json!({key: secret, "points": secret});
                let Err(refused) = offer.check(&Call::new(None, "keep", sent.into())) else { continue };
                let told = English.rejection(&refused);
                assert!(!told.contains("SECRET"), "{told}");
            }
        }
    }
    let offer = registry.offer_in(Mode::Strict, wire::OpenAiChat::default(), Select::All).expect("it can be published");
    let sent = json!({"api-key": [], "points": [{"key": "a", "value": [{"key": "b", "value": {"item_0": 1}}]}]});
    let refused = offer.check(&Call::new(None, "keep", sent.into())).expect_err("a point has two places");
    assert_eq!(English.rejection(&refused), "keep rejected: points.0.value.0.value.item_1 is required.");
}

#[test]
fn properties_that_go_together_are_said_of_in_the_keys_that_are_sent() {
    let schema = json!({
        "type": "object",
        "properties": {"filter[id]": {"type": "string"}, "b": {"type": "string"}},
        "anyOf": [{"required": ["filter[id]"]}, {"required": ["b"]}],
        "additionalProperties": false
    });
    for wire in [&anthropic as &dyn Fn() -> Arc<dyn Wire>, &gemini] {
        let published = offer(Mode::Plain, wire, schema.clone()).tools().to_value().to_string();
        assert!(published.contains("Give at least one of: `filter_id_` or `b`."), "{published}");
    }
}

#[test]
fn what_is_wrong_deep_in_unions_is_soon_told() {
    let mut list = of(json!({"n": {"$ref": "#/$defs/L"}}));
    let map = json!({"type": "object", "additionalProperties": {"type": "integer"}});
    list["$defs"] = json!({"L": {"anyOf": [of(json!({"n": {"$ref": "#/$defs/L"}})), of(json!({"m": map}))]}});
    let mut pairs: Vec<Value> =
        (0..4_000).map(|place| json!({"key": format!("key_{place}"), "value": place})).collect();
    pairs.push(json!({"key": "last", "value": "x"}));
    let sent = (0..56).fold(json!({"m": pairs}), |inside, _| json!({"n": inside}));
    let told = told(Mode::Strict, &chat, list, &sent.to_string());
    assert!(told.ends_with(".m.4000.value must be an integer. Received \"x\"."), "{told}");
}

#[test]
fn what_is_published_under_a_key_and_is_of_another_shape_is_no_data() {
    let open = |rest: Value| json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": rest});
    for rest in [json!({}), json!({"type": "string"})] {
        for others in [json!({"b": "1"}), json!("{}")] {
            let sent = json!({"p": {"a": "x", "other_keys": others}});
            let sentence = format!("p.other_keys must be an array. Received {others}.");
            all_told(Mode::Strict, &chat, &of(json!({"p": open(rest.clone())})), &[(sent, &sentence)]);
        }
    }
    let texts = json!({"type": "object", "additionalProperties": {"type": "string"}});
    all_told(
        Mode::Strict,
        &ollama,
        &of(json!({"env": texts})),
        &[(
            json!({"env": {"key": "A", "value": "b"}}),
            "env must be an array. Received {\"key\":\"A\",\"value\":\"b\"}.",
        )],
    );
    all_told(
        Mode::Strict,
        &chat,
        &texts,
        &[(json!({"value": "{\"A\":\"b\"}"}), "value must be an array. Received \"{\\\"A\\\":\\\"b\\\"}\".")],
    );
}

#[test]
fn what_was_forgiven_elsewhere_is_not_told_instead() {
    let schema = of(json!({
        "opts": {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]},
        "labels": {"type": "object", "additionalProperties": {"type": "integer"}},
        "level": {"enum": [1, 2, 3]},
        "other": {"enum": [1, 2, 3]}
    }));
    all_told(
        Mode::Strict,
        &cohere,
        &schema,
        &[
            (
                json!({"opts": {"x": 1, "y": 2}, "labels": "x", "level": 1, "other": "2"}),
                "labels must be an array. Received \"x\".",
            ),
            (
                json!({"opts": {"x": 1, "y": 2}, "labels": [], "level": 1, "other": "4"}),
                "other must be one of \"1\", \"2\" or \"3\". Received \"4\".",
            ),
        ],
    );
}

#[test]
fn a_tag_is_told_of_that_is_published_as_an_enum_of_one() {
    let figure = |kind: &str, size: &str| of(json!({"kind": {"const": kind}, size: {"type": "integer"}, "extra": {}}));
    let schema = of(json!({"shape": {"oneOf": [figure("circle", "radius"), figure("square", "side")]}}));
    for wire in [&gemini as &dyn Fn() -> Arc<dyn Wire>, &ollama, &mcp] {
        all_told(
            Mode::Plain,
            wire,
            &schema,
            &[
                (
                    json!({"shape": {"kind": "square", "extra": "1", "side": "x"}}),
                    "shape.side must be an integer. Received \"x\".",
                ),
                (json!({"shape": {"kind": "square", "extra": "1"}}), "shape.side is required."),
                (
                    json!({"shape": {"kind": "squar", "extra": "1"}}),
                    "shape.kind must be one of square or circle. Received \"squar\".",
                ),
            ],
        );
    }
}

#[test]
fn keys_are_counted_as_they_are_sent() {
    let patch = json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}, "minProperties": 1, "additionalProperties": false});
    all_told(
        Mode::Strict,
        &chat,
        &of(json!({"patch": patch})),
        &[(
            json!({"patch": {"a": null, "b": null}}),
            "patch must satisfy minProperties: at least 1 key, null not counted. Received {\"a\":null,\"b\":null}.",
        )],
    );
}

#[test]
fn alternatives_are_told_in_the_keys_that_are_sent() {
    let schema = json!({
        "type": "object",
        "properties": {"filter[id]": {"type": "string"}, "b": {"type": "string"}},
        "anyOf": [{"required": ["filter[id]"]}, {"required": ["b"]}],
        "additionalProperties": false
    });
    all_told(
        Mode::Plain,
        &anthropic,
        &schema,
        &[(json!({}), "(root) must be an object with filter_id_ or an object with b.")],
    );
}

#[test]
fn a_variant_is_known_by_its_tag_whatever_it_lacks() {
    let variant = json!({
        "type": "object",
        "properties": {"kind": {"const": "two"}, "the name": {"type": "string"}, "a": {"type": ["string", "null"]}},
        "required": ["kind", "a"],
        "additionalProperties": false
    });
    let schema = of(json!({"x": {"oneOf": [of(json!({"kind": {"const": "one"}})), variant]}}));
    all_told(
        Mode::Strict,
        &anthropic,
        &schema,
        &[(json!({"x": {"kind": "two", "the_name": "q"}}), "x.a is required.")],
    );
    let variant = json!({
        "type": "object",
        "properties": {"kind": {"const": "two"}, "the name": {"type": "integer"}},
        "required": ["kind", "the name"],
        "additionalProperties": {"type": ["string", "null"]}
    });
    let schema = of(json!({"x": {"anyOf": [of(json!({"kind": {"const": "one"}})), variant]}}));
    let twice = json!([{"key": "k", "value": "v"}, {"key": "k", "value": "v"}]);
    all_told(
        Mode::Strict,
        &anthropic,
        &schema,
        &[(
            json!({"x": {"kind": "two", "the_name": 1, "other_keys": twice}}),
            "x.other_keys.1 is not acceptable: its key is given already.",
        )],
    );
}

#[test]
fn a_key_beside_the_list_of_other_keys_is_told_where_it_is() {
    let open = json!({"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": {"type": "integer"}});
    let sent = json!({"other_keys": [], "a": 1, "zzz": "q"});
    all_told(Mode::Strict, &chat, &open, &[(sent, "zzz is not declared. Declared: a, other_keys.")]);
    let pair = json!({"type": "array", "prefixItems": [{"type": "integer"}, {"type": ["integer", "null"]}], "items": false, "minItems": 2});
    all_told(Mode::Strict, &cohere, &of(json!({"x": pair})), &[(json!({"x": {"item_0": 1}}), "x.item_1 is required.")]);
}
