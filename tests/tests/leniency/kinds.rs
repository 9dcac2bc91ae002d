//! Each kind: what it reads, and what comes near to that and is refused all the same.

use serde_json::{Value, json};
use tool_gate::{
    Leniency, Offer, Select,
    wire::{self, Arguments, Call},
};

use crate::{checked, dynamic, registry};

fn offer(leniency: Leniency) -> Offer<()> {
    registry().offer(wire::Plain::default(), Select::All).unwrap().lenient(leniency)
}

/// `search` with these arguments is admitted with those, for these reasons; and without any leniency it is not.
fn is_eased(leniency: Leniency, sent: &str, taken: Value, reasons: &[&str]) {
    let eased = checked(&offer(leniency), "search", sent);
    assert_eq!(eased, Some((taken, reasons.iter().map(|reason| (*reason).to_owned()).collect())), "{sent}");
    assert_eq!(checked(&offer(Leniency::none()), "search", sent), None, "{sent}");
}

/// `search` with these arguments is refused whatever is forgiven, with the rejection that it has without.
fn is_refused(sent: &str) {
    let check = |leniency| {
        offer(leniency).check(&Call::new(None, "search", sent.into())).map(|admitted| {
            panic!("{sent} is admitted as {}", admitted.arguments());
        })
    };
    let strict: Result<(), _> = check(Leniency::none());
    assert_eq!(check(Leniency::all()), strict);
}

#[test]
fn a_string_is_read_where_the_schema_takes_none() {
    let guided = Leniency::none().schema_guided();
    let with = |name: &str, value: Value| {
        let mut arguments = json!({"order_id": 1});
        arguments[name] = value;
        arguments
    };
    for (name, string, value) in [
        ("order_id", "5", json!(5)),
        ("order_id", "18446744073709551615", json!(u64::MAX)),
        ("order_id", "9007199254740993.0", json!(9_007_199_254_740_993_u64)),
        ("order_id", " 5\n", json!(5)),
        ("limit", "1e1", json!(10)),
        ("is_open", "true", json!(true)),
        ("is_open", "null", json!(null)),
        ("list", "[1, 2]", json!([1, 2])),
        ("range", r#"{"min_cents": 1}"#, json!({"min_cents": 1})),
        ("other", "[1]", json!([1])),
        ("other", "1", json!(1)),
        (
            "target",
            r#"{"kind": "named", "at_most": "5", "tags": ["1"]}"#,
            json!({"kind": "named", "at_most": "5", "tags": ["1"]}),
        ),
    ] {
        let sent = with(name, string.into()).to_string();
        is_eased(guided, &sent, with(name, value), &[&format!("schema_guided at {name}")]);
    }
    // At every depth: in a list, behind a reference, in the variant whose tag it has.
    is_eased(
        guided,
        r#"{"order_id": 1, "list": [1, "2"], "tree": {"weight": 1, "children": [{"weight": "-2"}]}}"#,
        json!({"order_id": 1, "list": [1, 2], "tree": {"weight": 1, "children": [{"weight": -2}]}}),
        &["schema_guided at list.1", "schema_guided at tree.children.0.weight"],
    );
    is_eased(
        guided,
        r#"{"order_id": 1, "target": {"kind": "everyone", "at_most": "5"}}"#,
        json!({"order_id": 1, "target": {"kind": "everyone", "at_most": 5}}),
        &["schema_guided at target.at_most"],
    );
}

#[test]
fn an_element_is_read_by_the_schema_of_its_own_place() {
    let (number, text, flag) = (json!({"type": "integer"}), json!({"type": "string"}), json!({"type": "boolean"}));
    for array in [
        json!({"prefixItems": [number, text], "items": flag}),
        json!({"items": [number, text], "additionalItems": flag}),
    ] {
        let mut schema = json!({"type": "object", "properties": {"a": array}});
        if schema["properties"]["a"]["additionalItems"].is_object() {
            schema["$schema"] = "http://json-schema.org/draft-07/schema#".into();
        }
        let offer = dynamic(schema, Leniency::all());
        let (arguments, eased) = checked(&offer, "tool", r#"{"a": ["1", "1", "true", "false"]}"#).unwrap();
        assert_eq!(arguments, json!({"a": [1, "1", true, false]}));
        assert_eq!(eased, ["schema_guided at a.0", "schema_guided at a.2", "schema_guided at a.3"]);
        assert_eq!(checked(&offer, "tool", r#"{"a": ["1"]}"#).unwrap().0, json!({"a": [1]}));
        assert_eq!(checked(&offer, "tool", r#"{"a": ["1", 1]}"#), None);
    }
}

#[test]
fn a_string_that_holds_something_else_than_exact_json_is_left_alone() {
    for string in [
        "five",
        "0x10",
        "1,000",
        "+5",
        "05",
        "5.",
        ".5",
        "5 6",
        "5,",
        "1_000",
        "NaN",
        "Infinity",
        "1e400",
        "''",
        "\u{a0}5",
        "5.5",
        "-5",
        "[5]",
        "{}",
        "true",
        "null",
        "\\\"5\\\"",
        "```json\\n5\\n```",
        "",
    ] {
        is_refused(&format!(r#"{{"order_id": "{string}"}}"#));
    }
    for string in ["True", "1", "yes", "0", "\\\"true\\\""] {
        is_refused(&format!(r#"{{"order_id": 1, "is_open": "{string}"}}"#));
    }
    // Brackets are not closed, duplicate keys not chosen from, and no more is read than one layer.
    for string in ["[1, 2", "[1, 2,]", "[1] [2]", r#"[\"1\"]"#, r#"\"[1]\""#] {
        is_refused(&format!(r#"{{"order_id": 1, "list": "{string}"}}"#));
    }
    is_refused(r#"{"order_id": 1, "range": "{\"min_cents\": 1, \"min_cents\": 2}"}"#);
    is_refused(r#"{"order_id": 1, "range": "{\"min_cents\": \"1\"}"}"#);
    is_refused(r#"{"order_id": "1", "limit": 500}"#);
}

#[test]
fn a_string_stays_one_where_any_branch_takes_a_string() {
    for sent in [
        r#"{"order_id": 1, "text": "5"}"#,
        r#"{"order_id": 1, "either": "5"}"#,
        r#"{"order_id": 1, "target": {"kind": "named", "at_most": "5", "tags": []}}"#,
    ] {
        let taken = (serde_json::from_str(sent).unwrap(), Vec::new());
        assert_eq!(checked(&offer(Leniency::all()), "search", sent), Some(taken), "{sent}");
    }
    // Not where the string itself is refused, either: an enum of words, a pattern, a length.
    is_refused(r#"{"order_id": 1, "status": "\"open\""}"#);
    let of = |property: Value| json!({"type": "object", "properties": {"a": property}, "required": ["a"]});
    for property in [
        json!({"anyOf": [{"type": "integer"}, {"type": "string", "minLength": 3}]}),
        json!({"type": ["integer", "string"], "maxLength": 0}),
        json!({"anyOf": [{"type": "integer"}, {"type": "string", "pattern": "^x"}]}),
        json!({"not": {"type": "string"}}),
        json!({"maxLength": 0}),
    ] {
        assert_eq!(
            checked(&dynamic(of(property.clone()), Leniency::all()), "tool", r#"{"a": "5"}"#),
            None,
            "{property}"
        );
    }
    // And exactly the value has to be taken.
    for property in [json!({"type": "boolean"}), json!({"enum": [1, 2]}), json!({"const": null}), json!(false)] {
        assert_eq!(
            checked(&dynamic(of(property.clone()), Leniency::all()), "tool", r#"{"a": "5"}"#),
            None,
            "{property}"
        );
    }
    for property in [json!({"enum": [1, 5]}), json!({"allOf": [{"type": "integer"}, {}]}), json!({"const": 5})] {
        let taken = checked(&dynamic(of(property.clone()), Leniency::all()), "tool", r#"{"a": "5"}"#);
        assert_eq!(taken.map(|(arguments, _)| arguments), Some(json!({"a": 5})), "{property}");
    }
}

#[test]
fn all_of_the_arguments_may_be_in_one_string() {
    let guided = Leniency::none().schema_guided();
    let quoted = |text: &str| Value::from(text).to_string();
    is_eased(
        guided,
        &quoted(r#"{"order_id": 9007199254740993}"#),
        json!({"order_id": 9_007_199_254_740_993_u64}),
        &["schema_guided at (root)"],
    );
    for text in [
        "",
        "null",
        "[]",
        "5",
        r#"{"order_id": 1"#,
        r#"{"order_id": 1} {}"#,
        r#"{"order_id": "1"}"#,
        r#"{"order_id": -1}"#,
        r#"{"order_id": 1, "order_id": 2}"#,
    ] {
        is_refused(&quoted(text));
    }
    is_refused(&quoted(&quoted(r#"{"order_id": 1}"#)));
    is_refused(&format!("{} ", quoted(r#"{"order_id": 1}"#)).repeat(2));
}

#[test]
fn what_says_that_it_is_absent_is_left_out_where_it_may_be() {
    let guided = Leniency::none().schema_guided();
    for name in ["limit", "status", "range", "list", "other"] {
        let sent = json!({"order_id": 1, name: ""}).to_string();
        is_eased(guided, &sent, json!({"order_id": 1}), &[&format!("schema_guided at {name}")]);
    }
    is_eased(guided, r#"{"order_id": 1, "limit": null}"#, json!({"order_id": 1}), &["schema_guided at limit"]);
    // One that takes it has it.
    let sent = r#"{"order_id": 1, "is_open": null, "text": ""}"#;
    let taken = (serde_json::from_str(sent).unwrap(), Vec::new());
    assert_eq!(checked(&offer(Leniency::all()), "search", sent), Some(taken));
    let (arguments, eased) =
        checked(&offer(Leniency::all()), "search", r#"{"order_id": "1", "is_open": null, "text": ""}"#).unwrap();
    assert_eq!(arguments, json!({"order_id": 1, "is_open": null, "text": ""}));
    assert_eq!(eased, ["schema_guided at order_id"]);
    // Not a required one, not one in a list, not one that nobody declared, and nothing else that may mean it.
    is_refused(r#"{"order_id": null}"#);
    is_refused(r#"{"order_id": ""}"#);
    is_refused(r#"{"order_id": 1, "list": [null]}"#);
    is_refused(r#"{"order_id": 1, "range": {"min_cents": null}}"#);
    is_refused(r#"{"order_id": 1, "nothing": null}"#);
    for word in [" ", "none", "None", "undefined", "[]", "{}"] {
        is_refused(&json!({"order_id": 1, "status": word}).to_string());
    }
    // A map's keys are the model's own.
    let map = json!({"type": "object", "additionalProperties": {"type": "integer"}});
    assert_eq!(checked(&dynamic(map, Leniency::all()), "tool", r#"{"a": null}"#), None);
}

#[test]
fn a_fence_is_around_the_whole_text() {
    let fence = Leniency::none().fence();
    for sent in ["```json\n{\"order_id\": 1}\n```", "```\n{\n\"order_id\": 1\n}\n```\n"] {
        is_eased(fence, sent, json!({"order_id": 1}), &["fence"]);
    }
    for sent in [
        "```json\n{\"order_id\": 1}\n```\nThat is all.",
        "This is it:\n```json\n{\"order_id\": 1}\n```",
        "```json\n{\"order_id\": 1}\n```\n```json\n{\"order_id\": 2}\n```",
        "```json\n{\"order_id\": 1}",
        "```json\n{\"order_id\": 1\n```",
        "```json\n{\"order_id\": 1,}\n```",
        "```json\n{\"order_id\": 1, \"order_id\": 2}\n```",
        "```json\n{\"order_id\": NaN}\n```",
        "```json\n{\"order_id\": -1}\n```",
        "```json\n\n```",
        "```json\nnull\n```",
        "```json\n[]\n```",
        "```yaml\n{\"order_id\": 1}\n```",
        "```json\n```json\n{\"order_id\": 1}\n```\n```",
    ] {
        is_refused(sent);
    }
    // What no tool has to be given is not made of an empty block either.
    assert_eq!(checked(&offer(Leniency::all()), "ping", "```json\n\n```"), None);
    assert_eq!(checked(&offer(Leniency::all()), "ping", "```json\nnull\n```"), None);
    assert_eq!(checked(&offer(Leniency::all()), "ping", "```json\n{}\n```").unwrap().0, json!({}));
}

#[test]
fn one_undeclared_key_is_taken_from_around_valid_arguments() {
    let wrapper = Leniency::none().wrapper_key();
    for key in ["arguments", "input", "</x>"] {
        is_eased(wrapper, &json!({key: {"order_id": 1}}).to_string(), json!({"order_id": 1}), &["wrapper_key"]);
    }
    assert_eq!(checked(&offer(wrapper), "ping", r#"{"arguments": {}}"#).unwrap().0, json!({}));
    for sent in [
        r#"{"arguments": {}}"#,
        r#"{"arguments": {"order_id": -1}}"#,
        r#"{"arguments": {"order_id": 1, "more": 1}}"#,
        r#"{"arguments": {"order_id": 1}, "name": "search"}"#,
        r#"{"arguments": {"order_id": 1}, "order_id": 1}"#,
        r#"{"arguments": {"arguments": {"order_id": 1}}}"#,
        r#"{"arguments": [{"order_id": 1}]}"#,
        r#"{"arguments": "{\"order_id\": 1}"}"#,
        // A declared key is that key, and so is one that is nearly it.
        r#"{"range": {"order_id": 1}}"#,
        r#"{"ranges": {"order_id": 1}}"#,
        r#"{"Range": {"order_id": 1}}"#,
    ] {
        is_refused(sent);
    }
    let owner = json!({"type": "object", "properties": {"arguments": {"type": "object"}}, "required": ["arguments"]});
    let sent = r#"{"arguments": {"arguments": {}}}"#;
    let taken = checked(&dynamic(owner, Leniency::all()), "tool", sent);
    assert_eq!(
        taken,
        Some((serde_json::from_str(sent).unwrap(), Vec::new())),
        "a tool may own a parameter of that name"
    );
    // Where any key may be sent, one is only taken away where something is missing, and never one that a pattern takes.
    let open = json!({"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]});
    assert_eq!(checked(&dynamic(open.clone(), wrapper), "tool", r#"{"input": {"a": 1}}"#).unwrap().0, json!({"a": 1}));
    let mut patterned = open;
    patterned["patternProperties"] = json!({"^in": {}});
    assert_eq!(checked(&dynamic(patterned, wrapper), "tool", r#"{"input": {"a": 1}}"#), None);
}

#[test]
fn an_undeclared_key_is_the_declared_one_that_is_its_snake_case() {
    let case = Leniency::none().key_case();
    for key in ["orderId", "OrderId", "orderID", "order-id", "ORDER_ID"] {
        is_eased(case, &json!({key: 1}).to_string(), json!({"order_id": 1}), &["key_case at order_id"]);
    }
    is_eased(
        case,
        r#"{"order_id": 1, "range": {"minCents": 1, "maxCents": 2}, "isOpen": true}"#,
        json!({"order_id": 1, "range": {"min_cents": 1, "max_cents": 2}, "is_open": true}),
        &["key_case at is_open", "key_case at range.min_cents", "key_case at range.max_cents"],
    );
    for sent in [
        r#"{"orderId": 1, "order_id": 1}"#,
        r#"{"orderId": 1, "orderID": 1}"#,
        r#"{"orderId": 1, "extraKey": 1}"#,
        r#"{"orderId": -1}"#,
        r#"{"orderid": 1}"#,
        r#"{"order id": 1}"#,
        r#"{"order.id": 1}"#,
        r#"{"order": 1}"#,
        r#"{"orderIds": 1}"#,
    ] {
        is_refused(sent);
    }
    // Declared in camel case, it is not another key's; and where any key may be sent, it is one of those.
    let camel = json!({"type": "object", "properties": {"orderId": {}}, "required": ["orderId"], "additionalProperties": false});
    assert_eq!(checked(&dynamic(camel, Leniency::all()), "tool", r#"{"order_id": 1}"#), None);
    let open =
        json!({"type": "object", "properties": {"order_id": {}, "note": {"type": "integer"}}, "required": ["note"]});
    let (arguments, eased) =
        checked(&dynamic(open, Leniency::all()), "tool", r#"{"orderId": 1, "note": "1"}"#).unwrap();
    assert_eq!((arguments, eased), (json!({"orderId": 1, "note": 1}), vec!["schema_guided at note".to_owned()]));
}

#[test]
fn kinds_go_together_in_one_order_where_all_of_them_are_on() {
    let (fence, guided) = (Leniency::none().fence(), Leniency::none().schema_guided());
    let sent = "```json\n{\"order_id\": \"5\"}\n```";
    is_eased(fence.schema_guided(), sent, json!({"order_id": 5}), &["fence", "schema_guided at order_id"]);
    assert_eq!(checked(&offer(fence), "search", sent), None);
    assert_eq!(checked(&offer(guided), "search", sent), None);

    let sent = "```json\n{\"input\": {\"orderId\": \"5\", \"range\": \"{\\\"minCents\\\": 1}\", \"limit\": null}}\n```";
    let eased = checked(&offer(Leniency::all()), "functions.search", sent);
    let reasons = [
        "name_affix",
        "fence",
        "wrapper_key",
        "key_case at order_id",
        "schema_guided at order_id",
        "schema_guided at range",
        "key_case at range.min_cents",
        "schema_guided at limit",
    ];
    let taken = json!({"order_id": 5, "range": {"min_cents": 1}});
    assert_eq!(eased, Some((taken, reasons.map(str::to_owned).to_vec())));

    let string = Value::from(r#"{"orderId": 5, "limit": ""}"#).to_string();
    let reasons = ["schema_guided at (root)", "key_case at order_id", "schema_guided at limit"];
    let eased = checked(&offer(Leniency::all()), "search", &string);
    assert_eq!(eased, Some((json!({"order_id": 5}), reasons.map(str::to_owned).to_vec())));
}

#[test]
fn a_parsed_value_is_eased_like_a_text() {
    let offer = offer(Leniency::all());
    for (value, taken) in [
        (json!({"orderId": "5", "limit": null}), json!({"order_id": 5})),
        (json!({"input": {"order_id": 5.0, "list": ["1"]}}), json!({"order_id": 5, "list": [1]})),
        (json!(r#"{"order_id": 5}"#), json!({"order_id": 5})),
    ] {
        let admitted = offer.check(&Call::new(None, "search", Arguments::from(value.clone()))).unwrap();
        assert_eq!(admitted.arguments(), &taken, "{value}");
    }
    let call = Call::new(None, "search", Arguments::from(json!("```json\n{\"order_id\": 1}\n```")));
    assert!(offer.check(&call).is_err(), "a string that the model wrote as JSON is no text with a fence");
}

#[test]
fn of_a_sensitive_argument_only_the_name_is_recorded() {
    let sent = r#"{"order_id": 1, "secret": {"minCents": "1"}}"#;
    let (arguments, eased) = checked(&offer(Leniency::all()), "search", sent).unwrap();
    assert_eq!(arguments["secret"], json!({"min_cents": 1}));
    assert_eq!(eased, ["key_case at secret", "schema_guided at secret"]);
}

#[test]
fn limits_hold_for_what_is_read_as_well() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "array"}}, "required": ["a"]});
    let offer = dynamic(schema, Leniency::all());
    let nested = |depth: usize| json!({"a": format!("{}{}", "[".repeat(depth), "]".repeat(depth))}).to_string();
    assert!(checked(&offer, "tool", &nested(63)).is_some());
    assert!(checked(&offer, "tool", &nested(64)).is_none());
    assert!(checked(&offer, "tool", &nested(100_000)).is_none());
}

#[test]
fn no_more_than_64_places_are_recorded_and_all_are_read() {
    let list = vec!["1"; 60_000];
    let sent = json!({"orderId": 1, "list": list}).to_string();
    let (arguments, eased) = checked(&offer(Leniency::all()), "search", &sent).unwrap();
    assert_eq!(arguments["list"], json!(vec![1; 60_000]));
    assert_eq!(eased.len(), 64);
}

#[test]
fn schemas_that_go_in_circles_or_multiply_come_to_an_end() {
    let twice = |of: &str| json!({"anyOf": [{"$ref": of}, {"$ref": of}]});
    let schema = json!({
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/tree"}},
        "required": ["a"],
        "$defs": {
            "tree": {"anyOf": [
                {"type": "object", "properties": {"x": twice("#/$defs/tree"), "n": {"type": "integer"}}, "additionalProperties": false},
                {"type": "object", "properties": {"x": {"$ref": "#/$defs/tree"}, "m": {"type": "integer"}}, "additionalProperties": false},
            ]},
        },
    });
    let offer = dynamic(schema, Leniency::all());
    let mut value = json!({"n": "1"});
    for _ in 0..30 {
        value = json!({"x": value});
    }
    let sent = json!({"a": value}).to_string();
    let (arguments, eased) = checked(&offer, "tool", &sent).unwrap();
    assert_eq!(arguments.to_string(), sent.replace(r#""1""#, "1"));
    assert_eq!(eased.len(), 1);
}

#[test]
fn variants_that_are_flattened_are_told_apart_by_their_tag() {
    let schema = json!({
        "type": "object",
        "properties": {"note": {"type": "string"}},
        "oneOf": [
            {"type": "object", "properties": {"kind": {"const": "count"}, "many": {"type": "integer"}}, "required": ["kind", "many"]},
            {"type": "object", "properties": {"kind": {"const": "words"}, "many": {"type": "string"}}, "required": ["kind", "many"]},
            {"type": "object", "properties": {"kind": {"const": "none"}, "other_key": {"type": "boolean"}}, "required": ["kind"]},
        ],
        "unevaluatedProperties": false,
    });
    let offer = dynamic(schema, Leniency::all());
    let taken = |sent: &str| checked(&offer, "tool", sent).map(|(arguments, _)| arguments);
    assert_eq!(taken(r#"{"kind": "count", "many": "5"}"#), Some(json!({"kind": "count", "many": 5})));
    assert_eq!(taken(r#"{"kind": "words", "many": "5"}"#), Some(json!({"kind": "words", "many": "5"})));
    assert_eq!(taken(r#"{"kind": "none", "otherKey": "true"}"#), Some(json!({"kind": "none", "other_key": true})));
    assert_eq!(taken(r#"{"kind": "none", "many": "5"}"#), None);
    assert_eq!(taken(r#"{"many": "5"}"#), None);
}
