//! Dynamic tools: a schema that is only known when the program runs, enforced as it is given.

#![allow(clippy::unwrap_used, reason = "a test fails where it is wrong")]

use pollster::block_on;
use serde_json::{Map, Value, json};
use tool_gate::{
    Admitted, Builder, CallInfo, Decision, DynamicTool, English, Offer, OutcomeKind, Registry, Rejection, Run, Select,
    Sentences, Tell, tool, wire,
};

/// A tool that answers the arguments it is given.
fn echo(name: &str, schema: Value) -> DynamicTool<()> {
    DynamicTool::new(name, "Answer what is sent.", schema, |(), arguments, _| Box::pin(async move { Ok(arguments) }))
}

fn offer(schema: Value) -> Offer<()> {
    let registry = Registry::builder().dynamic(echo("echo", schema)).build().unwrap();
    registry.offer(wire::Anthropic::default(), Select::All).unwrap()
}

/// What a call with these arguments is answered, under the gates.
fn told(schema: Value, arguments: &str) -> String {
    match offer(schema).check(&wire::Call::new(None, "echo", arguments.into())) {
        Ok(_) => "admitted".into(),
        Err(rejection) => English.rejection(&rejection),
    }
}

fn reply(calls: &[(&str, Value)]) -> Value {
    let block = |(place, (name, input)): (usize, &(&str, Value))| json!({"type": "tool_use", "id": format!("toolu_{place}"), "name": name, "input": input});
    let content: Vec<Value> = calls.iter().enumerate().map(block).collect();
    json!({"role": "assistant", "content": content, "stop_reason": "tool_use"})
}

#[test]
fn the_schema_is_published_as_it_is_given() {
    let schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": {"n": {"type": "integer", "format": "int32"}, "o": {"properties": {"a": true}}},
    });
    // But for the draft, since the provider takes one alone.
    let published = offer(schema.clone()).tools().to_value()[0]["input_schema"].clone();
    assert_eq!(published["properties"], schema["properties"]);
    assert_eq!(published.as_object().unwrap().len(), 2);
    // Neither closed nor bounded: that would be another contract than the one that is published.
    assert_eq!(told(schema, r#"{"n": 99999999999, "o": {"b": 1}, "more": []}"#), "admitted");
}

#[test]
fn the_closure_gets_the_state_the_arguments_and_the_call() {
    struct Session(&'static str);

    let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}}});
    let tool = DynamicTool::new("tell", "Tell.", schema, |session: &Session, arguments, call: &CallInfo| {
        Box::pin(async move {
            std::future::ready(()).await;
            (arguments["n"] != 13).then_some(()).tell("Not that one.")?;
            Ok(json!([session.0, arguments, call.id(), call.tool()]))
        })
    });
    let registry = Registry::builder().dynamic(tool).build().unwrap();
    let offer = registry.offer(wire::Anthropic::default(), Select::All).unwrap();
    let calls = reply(&[
        ("tell", json!({"n": 5.0})),
        ("tell", json!({"n": 13})),
        ("tell", json!({"n": "5"})),
        ("tell", json!({"id": u64::MAX})),
    ]);
    let settled = block_on(offer.settle(&calls, &Session("ann"), &mut Run::default())).unwrap();
    let told: Vec<&str> = settled.blocks().iter().map(tool_gate::ResultBlock::text).collect();
    assert_eq!(
        told,
        [
            r#"["ann",{"n":5},"toolu_0","tell"]"#,
            "Not that one.",
            "tell rejected: n must be an integer. Received \"5\".",
            r#"["ann",{"id":18446744073709551615},"toolu_3","tell"]"#,
        ]
    );
}

#[test]
fn a_panic_in_the_closure_fails_its_call_alone() {
    let panics = DynamicTool::new::<Value>("panics", "Panic.", json!({"type": "object"}), |(), _, _| {
        panic!("before the future")
    });
    let registry =
        Registry::builder().dynamic(panics).dynamic(echo("echo", json!({"type": "object"}))).build().unwrap();
    let offer = registry.offer(wire::Anthropic::default(), Select::All).unwrap();
    let calls = reply(&[("panics", json!({})), ("echo", json!({}))]);
    let settled = block_on(offer.settle(&calls, &(), &mut Run::default())).unwrap();
    let kinds: Vec<OutcomeKind> = settled.blocks().iter().map(tool_gate::ResultBlock::kind).collect();
    assert_eq!(kinds, [OutcomeKind::Failed, OutcomeKind::Completed]);
}

#[test]
fn formats_are_asserted() {
    let schema = json!({"type": "object", "properties": {"start": {"type": "string", "format": "date-time"}}});
    assert_eq!(told(schema.clone(), r#"{"start": "2026-02-10T09:00:00Z"}"#), "admitted");
    assert_eq!(
        told(schema, r#"{"start": "20260210T09:00:00"}"#),
        "echo rejected: start must be in the format date-time, such as 2026-02-10T09:00:00Z. Received \"20260210T09:00:00\"."
    );
}

#[test]
fn the_draft_is_the_one_that_the_schema_names() {
    let tuple = |draft: Value| json!({"$schema": draft, "type": "object", "properties": {"t": {"items": [{"type": "string"}]}}});
    let (seven, newest) = ("http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema");
    assert_ne!(told(tuple(seven.into()), r#"{"t": [1]}"#), "admitted");
    // In 2020-12 a list under `items` is a mistake in the schema.
    let build = |schema| Registry::builder().dynamic(echo("echo", schema)).build();
    assert!(build(tuple(seven.into())).is_ok());
    assert!(build(tuple(newest.into())).is_err());
    assert!(build(tuple("https://example.org/schema".into())).is_err());
}

#[test]
fn effects_scope_and_policy_are_those_of_any_tool() {
    let schema = json!({"type": "object"});
    let build = |tool: DynamicTool<()>, policy: bool| {
        let builder = Registry::builder().dynamic(tool);
        if policy { builder.policy(|(): &(), _: &Admitted| Decision::deny("No.")) } else { builder }.build()
    };
    for tool in [echo("echo", schema.clone()).destructive(), echo("echo", schema.clone()).requires("admin")] {
        assert!(build(tool, false).unwrap_err().to_string().contains("nothing decides who may run it"));
    }
    let registry = build(echo("echo", schema).read_only().requires("admin"), true).unwrap();
    let definition = registry.definitions().next().unwrap();
    assert!(definition.effects().read_only);
    assert_eq!(definition.requires(), Some("admin"));
    let offer = registry.offer(wire::Anthropic::default(), Select::All).unwrap();
    let settled = block_on(offer.settle(&reply(&[("echo", json!({}))]), &(), &mut Run::default())).unwrap();
    assert_eq!(settled.blocks()[0].text(), "No.");
}

#[test]
fn annotated_and_dynamic_tools_stand_in_one_order() {
    /// Second.
    #[tool]
    fn b() {}

    let schema = json!({"type": "object"});
    let builder =
        || Registry::builder().dynamic(echo("c", schema.clone())).tool::<b>().dynamic(echo("a", schema.clone()));
    let registry = builder().build().unwrap();
    assert_eq!(registry.definitions().map(tool_gate::Definition::name).collect::<Vec<_>>(), ["a", "b", "c"]);
    let offer = registry.offer(wire::Anthropic::default(), Select::All).unwrap();
    let calls = reply(&[("a", json!({"of": "a"})), ("b", json!({})), ("c", json!({"of": "c"}))]);
    let settled = block_on(offer.settle(&calls, &(), &mut Run::default())).unwrap();
    let told: Vec<&str> = settled.blocks().iter().map(tool_gate::ResultBlock::text).collect();
    assert_eq!(told, [r#"{"of":"a"}"#, "Done.", r#"{"of":"c"}"#]);
    let error = builder().dynamic(echo("b", schema.clone())).build().unwrap_err();
    assert!(error.to_string().contains("`b` is registered 2 times (dynamic::b, a dynamic tool)"), "{error}");
}

/// The mistakes in one dynamic tool.
fn mistakes(tool: DynamicTool<()>) -> Vec<String> {
    let error = Registry::builder().dynamic(tool).build().unwrap_err();
    error.problems().iter().map(ToString::to_string).collect()
}

#[test]
fn what_the_compiler_would_have_seen_is_a_mistake_in_the_registry() {
    for name in ["", "calendar/update", "a:b", "päng", "two words", "tail\n", "nul\0", &"x".repeat(129)] {
        let told = mistakes(echo(name, json!({"type": "object"})));
        assert_eq!(told.len(), 1);
        assert!(told[0].ends_with("is not a name for a tool: take 1 to 128 of `A-Z a-z 0-9 _ . -`"), "{told:?}");
    }
    let told =
        mistakes(DynamicTool::new("", " \n", json!({}), |(), arguments, _| Box::pin(async move { Ok(arguments) })));
    assert_eq!(told.len(), 3, "all of them at once: {told:?}");
}

#[test]
fn a_schema_that_cannot_be_enforced_is_a_mistake_in_the_registry() {
    let mut deep = json!({"type": "string"});
    for _ in 0..1_000 {
        deep = json!({"type": "array", "items": deep});
    }
    // Each definition made of the one before: few to write down, and many to check or to descend.
    let built = |levels: usize, of: fn(Value) -> Value| {
        let name = |level| json!({"$ref": format!("#/$defs/{level}")});
        let definitions = (0..levels).map(|level| (level.to_string(), of(name(level + 1))));
        let definitions: Map<String, Value> = definitions.chain([(levels.to_string(), json!(false))]).collect();
        json!({"type": "object", "properties": {"a": name(0)}, "$defs": definitions})
    };
    let refers = |to: &str| json!({"type": "object", "properties": {"a": {"$ref": to}}});
    let doubling = |inner: Value| json!({"anyOf": [inner, inner]});
    let unenforceable = [
        (Value::Null, "\"type\": \"object\""),
        (json!(true), "\"type\": \"object\""),
        (json!({"properties": {}}), "\"type\": \"object\""),
        (json!({"type": ["object", "null"]}), "\"type\": \"object\""),
        (json!({"type": "object", "properties": []}), ""),
        (json!({"type": "object", "properties": {"a": {"type": "strnig"}}}), ""),
        (json!({"type": "object", "properties": {"a": {"minimum": "1"}}}), ""),
        (
            json!({"type": "object", "properties": {"a": {"pattern": "("}}}),
            "it has the pattern `(`, which is no regular expression: unclosed group, at character 1 (at /properties/a/pattern)",
        ),
        (
            json!({"type": "object", "properties": {"a": {"pattern": "(a+)+(?=b)"}}}),
            "it has the pattern `(a+)+(?=b)`, which cannot be matched in linear time: look-around and back-references are not \
             supported (at /properties/a/pattern)",
        ),
        (
            json!({
                "$schema": "http://json-schema.org/draft-07/schema#",
                "type": "object",
                "patternProperties": {"(a)\\1": {}}
            }),
            "it has the pattern `(a)\\1`, which cannot be matched in linear time",
        ),
        (
            json!({"type": "object", "properties": {"a": {"pattern": "((a{1000}){1000}){1000}"}}}),
            "which is no regular expression of ECMA-262, or too large a one",
        ),
        (refers("#/$defs/none"), "`#/$defs/none` is no JSON pointer to a place in it"),
        (refers("#node"), "`#node` is no JSON pointer to a place in it"),
        (refers("https://example.org/schema"), "`https://example.org/schema` is no JSON pointer to a place in it"),
        (refers("file:///etc/passwd"), "`file:///etc/passwd` is no JSON pointer to a place in it"),
        (
            json!({"type": "object", "properties": {"a": {"$id": "https://example.org/a", "$ref": "#/$defs/a"}}}),
            "a schema inside it has an `$id` of its own",
        ),
        (json!({"type": "object", "properties": {"deep": deep}}), "nests deeper than 128 levels"),
        (built(50_000, |inner| inner), "nests deeper than 128 levels"),
        (built(30, doubling), "comes to more than 10000 schemas"),
    ];
    for (schema, told) in unenforceable {
        let shown: String = schema.to_string().chars().take(200).collect();
        let found = mistakes(echo("echo", schema));
        assert_eq!(found.len(), 1, "{shown}: {found:?}");
        assert!(found[0].starts_with("the schema of `echo` does not compile: "), "{found:?}");
        assert!(found[0].contains(told), "{shown}: {found:?}");
    }
}

#[test]
fn a_schema_that_refers_to_itself_ends() {
    let itself = json!({"$ref": "#"});
    let tree = json!({"type": "object", "properties": {"child": itself}, "additionalProperties": false});
    assert_eq!(told(tree.clone(), r#"{"child": {"child": {}}}"#), "admitted");
    assert_eq!(
        told(tree, r#"{"child": {"child": {"name": 1}}}"#),
        "echo rejected: name is not declared in child.child. Declared: child."
    );
    // A reference that leads back without going into the value asks for nothing.
    let circle = json!({"type": "object", "allOf": [itself], "required": ["a"]});
    assert_eq!(told(circle.clone(), r#"{"a": 1}"#), "admitted");
    assert_eq!(told(circle, r#"{"value": {}}"#), "echo rejected: value.a is required.");
    let (one, other) = (json!({"anyOf": [{"$ref": "#/$defs/other"}]}), json!({"anyOf": [{"$ref": "#/$defs/one"}]}));
    let pair = json!({"type": "object", "properties": {"a": one}, "$defs": {"one": one, "other": other}});
    assert_eq!(told(pair, r#"{"a": 1}"#), "admitted");
}

#[test]
fn a_clause_that_has_no_words_is_named() {
    let schema = json!({"type": "object", "properties": {"a": {"unevaluatedItems": false, "prefixItems": [{}]}}});
    assert_eq!(told(schema.clone(), r#"{"a": [1]}"#), "admitted");
    assert_eq!(
        told(schema, r#"{"a": [1, 2]}"#),
        "echo rejected: a must satisfy unevaluatedItems: see the tool's schema. Received [1,2]."
    );
}

#[test]
fn what_stands_beside_a_reference_of_an_older_draft_is_not_told_of() {
    let schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": {"x": {"$ref": "#/definitions/A", "minLength": 5}, "y": {"type": "integer"}},
        "definitions": {"A": {"type": "string"}}
    });
    assert_eq!(told(schema.clone(), r#"{"x": "a"}"#), "admitted");
    assert_eq!(told(schema, r#"{"x": "a", "y": "abc"}"#), "echo rejected: y must be an integer. Received \"abc\".");
}

#[test]
fn branches_are_told_apart_or_told_of_by_one() {
    let one = |property: Value| json!({"type": "object", "properties": {"a": property}});
    let lists = one(json!({"anyOf": [{"type": "array", "minItems": 2}, {"type": "array", "minItems": 3}]}));
    assert_eq!(told(lists, r#"{"a": []}"#), "echo rejected: a must have at least 2 items. Received [].");
    let keys = one(json!({"anyOf": [{"required": ["b\u{202e}c\nd"]}, {"required": ["e"]}]}));
    assert_eq!(
        told(keys, r#"{"a": {}}"#),
        "echo rejected: a must be an object with b\u{fffd}c\u{fffd}d or an object with e. Received {}."
    );
}

#[test]
fn clauses_of_every_draft_have_their_sentences() {
    let of_draft = |draft: &str, schema: &Value| {
        let mut schema = schema.clone();
        if draft.starts_with("draft-") {
            schema["$schema"] = format!("http://json-schema.org/{draft}/schema#").into();
        }
        schema["type"] = "object".into();
        schema
    };
    let one = |property: Value| json!({"properties": {"a": property}});
    for (draft, schema, arguments, sentence) in [
        ("draft-04", json!({"dependencies": {"a": ["b"]}}), r#"{"a": 1}"#, "b is required."),
        (
            "draft-07",
            json!({"dependencies": {"a": {"properties": {"b": {"type": "null"}}}}}),
            r#"{"a": 1, "b": 2}"#,
            "b must be null. Received 2.",
        ),
        ("draft-07", json!({"dependencies": {"a": false}}), r#"{"a": 1}"#, "a must be left out. Received 1."),
        ("draft-07", json!({"if": {"required": ["a"]}, "then": {"required": ["b"]}}), r#"{"a": 1}"#, "b is required."),
        ("draft-07", json!({"if": {"required": ["a"]}, "else": {"required": ["b"]}}), r#"{"c": 1}"#, "b is required."),
        (
            "draft-07",
            one(json!({"items": [{}, {}], "additionalItems": false})),
            r#"{"a": [1, 2, 3]}"#,
            "a must have at most 2 items. Received [1,2,3].",
        ),
        (
            "draft-07",
            one(json!({"items": [{}], "additionalItems": {"type": "null"}})),
            r#"{"a": [1, 2]}"#,
            "a.1 must be null. Received 2.",
        ),
        (
            "draft-07",
            one(json!({"contains": {"type": "integer"}})),
            r#"{"a": ["x"]}"#,
            "a must have an item that is an integer. Received [\"x\"].",
        ),
        (
            "draft-07",
            one(json!({"contains": {"minimum": 5}})),
            r#"{"a": [1]}"#,
            "a must have an item that is what {\"minimum\":5} takes. Received [1].",
        ),
        (
            "draft-07",
            one(json!({"contentEncoding": "base64"})),
            r#"{"a": "?"}"#,
            "a must be written in base64. Received \"?\".",
        ),
        (
            "draft-07",
            one(json!({"not": {"type": "string"}})),
            r#"{"a": "x"}"#,
            "a must not be a string. Received \"x\".",
        ),
        (
            "draft-07",
            one(json!({"oneOf": [{"type": "integer"}, {"minimum": 1}]})),
            r#"{"a": 2}"#,
            "a must fit one of its alternatives alone, and fits several. Received 2.",
        ),
        ("draft-07", one(json!(false)), r#"{"a": 2}"#, "a must be left out. Received 2."),
        (
            "draft-04",
            one(json!({"minimum": 1, "exclusiveMinimum": true})),
            r#"{"a": 1}"#,
            "a must be more than 1. Received 1.",
        ),
        (
            "draft-04",
            one(json!({"maximum": 1, "exclusiveMaximum": true})),
            r#"{"a": 5}"#,
            "a must be less than 1. Received 5.",
        ),
        (
            "draft-07",
            one(json!({"propertyNames": {"pattern": "^[a-z]+$", "maxLength": 3}})),
            r#"{"a": {"ok": 1, "A": 2}}"#,
            "each key of a must be text that matches ^[a-z]+$ and at most 3 characters long, and A is not. Received {\"ok\":1,\"A\":2}.",
        ),
        (
            "draft-07",
            one(json!({"propertyNames": {"enum": ["x", "y"]}})),
            r#"{"a": {"</b>": 1}}"#,
            "each key of a must be one of x or y. Received {\"</b>\":1}.",
        ),
        ("2020-12", json!({"dependentRequired": {"a": ["b"]}}), r#"{"a": 1}"#, "b is required."),
    ] {
        let schema = of_draft(draft, &schema);
        assert_eq!(told(schema.clone(), arguments), format!("echo rejected: {sentence}"), "{schema}");
        let rejection = offer(schema).check(&wire::Call::new(None, "echo", arguments.into())).unwrap_err();
        let saved = serde_json::to_string(&rejection).unwrap();
        assert_eq!(serde_json::from_str::<Rejection>(&saved).unwrap(), rejection, "{saved}");
    }
}

#[test]
fn builders_take_tools_in_any_number() {
    let tools = (0..300).map(|n| echo(&format!("tool_{n}"), json!({"type": "object"})));
    let registry = tools.fold(Registry::builder(), Builder::dynamic).build().unwrap();
    assert_eq!(registry.definitions().count(), 300);
}

#[test]
fn what_the_attribute_refuses_is_refused_here_too() {
    let tool = |name: &str| {
        DynamicTool::new(name, "Take it.", json!({"type": "object"}), |(), given, _| Box::pin(async move { Ok(given) }))
    };
    let built = Registry::<()>::builder()
        .dynamic(tool("a").read_only().destructive())
        .dynamic(tool("b").timeout(std::time::Duration::ZERO))
        .dynamic(tool("c").title(" "))
        .dynamic(tool("d").requires(""))
        .dynamic(tool("e").output_schema(json!(5)))
        .policy(|(): &(), _: &_| Decision::Allow)
        .build();
    let error = built.unwrap_err();
    let told: Vec<String> = error.problems().iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "`a` is `read_only` or `destructive`, not both: leave one out",
            "`b` has a `timeout` of zero, which leaves no call any time",
            "`c` has a blank `title`, which people read in the place of the name",
            "`d` has a blank scope in `requires`",
            "`e` has an output schema that is no schema",
        ]
    );
}
