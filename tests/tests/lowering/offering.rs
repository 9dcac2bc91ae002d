//! All tools of a request: which are strict, why others are not, and the report.

use serde_json::{Value, json};
use tool_gate::lower::{Dialects, Mode, Offering, Report, Source, Unfit, publish};

fn offered(schemas: &[Value], provider: &Dialects, mode: Mode) -> Offering {
    let names: Vec<String> = (0..schemas.len()).map(|place| format!("tool_{place:03}")).collect();
    let tools: Vec<(Source<'_>, &str)> =
        names.iter().zip(schemas).map(|(name, schema)| (Source::given(name, schema), "Does something.")).collect();
    publish(&tools, provider, mode).unwrap_or_else(|error| panic!("{error}"))
}

fn with(properties: Value) -> Value {
    json!({"type": "object", "properties": properties, "additionalProperties": false})
}

fn strict(offering: &Offering) -> usize {
    offering.tools.iter().filter(|tool| tool.is_strict).count()
}

fn reasons(offering: &Offering) -> Vec<&Unfit> {
    offering.report.tools.iter().filter_map(|line| line.why_plain.as_ref()).collect()
}

#[test]
fn as_many_tools_are_strict_as_the_budgets_let_be() {
    let plain = vec![with(json!({})); 22];
    let offering = offered(&plain, &Dialects::anthropic(), Mode::Auto);
    assert_eq!(strict(&offering), 20);
    assert!(offering.tools[..20].iter().all(|tool| tool.is_strict));
    assert_eq!(reasons(&offering)[0].to_string(), "it would make 21 strict tools, of which 20 are taken");

    let optional = |count: usize| {
        let keys = (0..count).map(|key| (format!("key_{key}"), json!({"type": "string"})));
        with(Value::Object(keys.collect()))
    };
    let offering = offered(&[optional(20), optional(5), optional(4)], &Dialects::anthropic(), Mode::Auto);
    let modes: Vec<bool> = offering.tools.iter().map(|tool| tool.is_strict).collect();
    assert_eq!(modes, [true, false, true]);

    let union = with(json!({"x": {"anyOf": [{"type": "string"}, {"type": "integer"}]}}));
    assert_eq!(strict(&offered(&vec![union; 18], &Dialects::anthropic(), Mode::Auto)), 16);
}

#[test]
fn a_schema_that_is_too_much_for_a_provider_is_plain() {
    let deep = (0..11).fold(json!({"type": "string"}), |inside, _| {
        json!({"type": "object", "properties": {"in": inside}, "required": ["in"], "additionalProperties": false})
    });
    let many = with(json!({"x": {"type": "string", "enum": (0..1_001).map(|n| n.to_string()).collect::<Vec<_>>()}}));
    let long = with(json!({"x": {"type": "string", "enum": (0..251).map(|n| format!("{n:060}")).collect::<Vec<_>>()}}));
    let offering = offered(&[deep, many, long, with(json!({}))], &Dialects::openai(), Mode::Strict);
    assert_eq!(strict(&offering), 1);
    let said: Vec<String> = reasons(&offering).iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        [
            "it would make 11 levels of objects, of which 10 are taken",
            "it would make 1002 values of enums, of which 1000 are taken",
            "it would make 15060 characters in one enum of more than 250 values, of which 15000 are taken",
        ]
    );
}

#[test]
fn where_strictness_is_of_the_request_it_is_all_tools_or_none() {
    let sound = with(json!({"x": {"type": "string"}}));
    let offering = offered(&[sound.clone(), sound.clone()], &Dialects::cohere(), Mode::Auto);
    assert_eq!(strict(&offering), 2);
    let offering = offered(&[sound, json!({"type": "object"})], &Dialects::cohere(), Mode::Strict);
    assert_eq!(strict(&offering), 0);
    assert_eq!(reasons(&offering), [&Unfit::Other { tool: "tool_001".to_owned() }, &Unfit::NoArguments]);
}

#[test]
fn other_shapes_are_asked_for_by_strict_alone() {
    let map = with(json!({"x": {"type": "object", "additionalProperties": {"type": "string"}}}));
    let auto = offered(std::slice::from_ref(&map), &Dialects::openai(), Mode::Auto);
    assert_eq!((strict(&auto), auto.tools[0].lowered.raise().is_nothing()), (0, true));
    assert_eq!(
        reasons(&auto)[0].to_string(),
        "`/properties/x` is published as a list of keys and values in the strict mode"
    );
    let strictly = offered(&[map], &Dialects::openai(), Mode::Strict);
    assert_eq!((strict(&strictly), strictly.tools[0].lowered.raise().is_nothing()), (1, false));
    let any = with(json!({"x": {}}));
    let tuple = with(json!({"x": {
        "type": "array", "prefixItems": [{"type": "integer"}], "items": false, "minItems": 1
    }}));
    let auto = offered(&[any, tuple], &Dialects::openai(), Mode::Auto);
    assert_eq!(auto.tools.iter().map(|tool| tool.is_strict).collect::<Vec<_>>(), [false, true]);
}

#[test]
fn a_provider_without_a_strict_mode_says_so_where_it_is_asked_for() {
    let schema = [with(json!({}))];
    assert_eq!(reasons(&offered(&schema, &Dialects::bedrock(), Mode::Strict)), [&Unfit::NoStrictMode]);
    assert!(reasons(&offered(&schema, &Dialects::bedrock(), Mode::Auto)).is_empty());
    assert!(reasons(&offered(&schema, &Dialects::openai(), Mode::Plain)).is_empty());
}

#[test]
fn the_report_is_a_table_and_survives_json() {
    let limit = json!({"type": "string", "minLength": 1, "pattern": "^a"});
    let offering = offered(
        &[
            with(json!({"limit": limit})),
            json!({"type": "object", "properties": {}, "additionalProperties": {"type": "string"}}),
        ],
        &Dialects::openai(),
        Mode::Auto,
    );
    assert_eq!(
        offering.report.to_string(),
        "OpenAI\n  \
           tool_000  strict\n      \
               /properties/limit  minLength  is said in the description and not enforced by the provider\n      \
               /properties/limit  required   is required, and null stands for absence\n  \
           tool_001  plain: the root is published as a list of keys and values in the strict mode"
    );
    assert_eq!(offering.report.changes().count(), 2);
    let written = serde_json::to_string(&offering.report).expect("JSON");
    assert_eq!(serde_json::from_str::<Report>(&written).expect("a report"), offering.report);
}

#[test]
fn one_long_name_does_not_push_all_others_aside() {
    let long = "x".repeat(300);
    let path = format!("/properties/{long}");
    let schema = with(json!({"a": {"type": "string", "minLength": 1}, &long: {"type": "string", "minLength": 1}}));
    let tools = [(Source::given("search", &schema), ""), (Source::given(&long, &schema), "")];
    let report = publish(&tools, &Dialects::openai(), Mode::Auto).expect("schemas").report.to_string();
    let lines: Vec<&str> = report.lines().collect();
    assert_eq!(lines[1], format!("  {:40}  strict", "search"));
    let said = "minLength  is said in the description and not enforced by the provider";
    assert_eq!(lines[2], format!("      {:80}  {said}", "/properties/a"));
    assert_eq!(lines[4], format!("      {path}  {said}"));
    assert_eq!(lines[6], format!("  {long}  strict"));
}

#[test]
fn what_is_counted_of_the_whole_request_is_warned_of() {
    let schema = with(json!({}));
    let long = "x".repeat(1_025);
    let tools = vec![(Source::given("search", &schema), long.as_str()); 129];
    let offering = publish(&tools, &Dialects::openai(), Mode::Plain).expect("plain schemas");
    assert_eq!(offering.report.warnings.len(), 130);
    assert_eq!(offering.report.warnings[0].to_string(), "129 tools, of which 128 are taken: offer fewer at once");
}
