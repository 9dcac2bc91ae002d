//! What a model has trouble with in a tool, and what a provider refuses: each code where it belongs, and where it does not.

#![allow(clippy::unwrap_used, reason = "a test fails where it is wrong")]

use std::collections::{BTreeMap, BTreeSet};

use examples::support::{session::scopes_are_granted, tools::SUPPORT};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tool_gate::{
    DynamicTool, Registry,
    lint::{Code, Findings},
    tool,
};
use tool_gate_tests::real;

/// A tool of a name, a description and a schema.
fn dynamic(name: &str, description: &str, schema: Value) -> DynamicTool<()> {
    DynamicTool::new(name, description, schema, |(), arguments, _| Box::pin(async move { Ok(arguments) }))
}

/// What is found in tools of these schemas, the description of each its own.
fn found_in(tools: &[(&str, Value)]) -> Findings {
    let builder = tools.iter().fold(Registry::builder(), |builder, (name, schema)| {
        builder.dynamic(dynamic(name, &format!("Tool {name}."), schema.clone()))
    });
    builder.build().unwrap().lint()
}

/// The same for tools without arguments.
fn found_in_names(names: &[&str]) -> Findings {
    found_in(&names.iter().map(|name| (*name, json!({"type": "object"}))).collect::<Vec<_>>())
}

/// The same for one tool, `search`, with these properties.
fn found_in_properties(properties: &Value) -> Findings {
    found_in(&[("search", json!({"type": "object", "properties": properties, "additionalProperties": false}))])
}

/// The same for the one property `it`, described.
fn found_in_property(mut property: Value) -> Findings {
    property.as_object_mut().unwrap().entry("description").or_insert("What it is.".into());
    found_in_properties(&json!({"it": property}))
}

/// The findings as code and place.
fn places(findings: &Findings) -> Vec<(&'static str, &str)> {
    findings.iter().map(|finding| (finding.code().as_str(), finding.place())).collect()
}

fn assert_clean(findings: &Findings) {
    assert!(findings.is_empty(), "{findings}");
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum State {
    Open,
    Shipped,
}

/// A window of time.
#[derive(Deserialize, JsonSchema)]
struct Window {
    /// Where it begins.
    from: String,
    to: String,
}

/// What a search leaves out.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "by")]
enum Filter {
    /// By when it was ordered.
    Time(Window),
    /// By its state.
    State {
        /// The state.
        state: State,
    },
}

/// Find orders.
#[tool(read_only)]
fn search_orders(
    /// What an order must hold.
    text: &str,
    /// Only orders in this state.
    status: Option<State>,
    /// How many at most.
    #[arg(default = 20, range = 1..=100)]
    limit: u32,
    window: Option<Window>,
) {
    let _ = (text, status, limit, window.map(|window| (window.from, window.to)));
}

/// Leave orders out.
#[tool(read_only)]
fn leave_out(
    /// Which.
    filters: Vec<Filter>,
) {
    drop(filters.into_iter().map(|filter| match filter {
        Filter::Time(window) => (Some(window), None),
        Filter::State { state } => (None, Some(state)),
    }));
}

#[test]
fn well_described_tools_are_clean() {
    let registry = Registry::builder().list(&SUPPORT).policy(scopes_are_granted).build().unwrap();
    assert_clean(&registry.lint());
}

/// A comment and its answers.
#[derive(Deserialize, JsonSchema)]
struct Comment {
    /// What it says.
    text: String,
    /// What others said to it.
    answers: Vec<Comment>,
}

/// Take all kinds of types.
#[tool(read_only)]
fn take(
    /// By name.
    map: BTreeMap<String, u32>,
    /// Whatever it is.
    any: Value,
    /// Each once.
    set: BTreeSet<String>,
    /// Two at once.
    tuple: (u8, String),
    /// One and those below.
    tree: Option<Comment>,
    /// Up to ten.
    #[arg(range = 1..=10, default = 3)]
    bounded: u8,
) {
    let tree = tree.map(|comment| (comment.text, comment.answers.len()));
    let _ = (map, any, set, tuple, tree, bounded);
}

#[test]
fn a_type_that_has_no_place_in_strict_modes_is_told() {
    let findings = Registry::<()>::builder().tool::<take>().build().unwrap().lint();
    let found: Vec<_> = findings.iter().map(|finding| (finding.place(), finding.found().to_owned())).collect();
    let [map, text] = ["is published as a list of keys and values", "is published as JSON text in a string"];
    assert_eq!(
        found,
        [
            ("take", "may hold itself, which has no place in the strict mode of Anthropic".to_owned()),
            ("take.any", format!("{text} in the strict mode of {}", STRICT.replace("Anthropic, ", ""))),
            ("take.map", format!("{map} in the strict mode of {}", STRICT.replace("Anthropic, ", ""))),
            ("take.tree.answers[]", format!("{text} in the strict mode of Cohere")),
        ]
    );
}

/// Followed in every way, the sixty branches of two types that refer to each other would never end.
#[test]
fn a_schema_that_turns_in_circles_is_looked_at_once() {
    let branches = |of: &str| json!({"anyOf": vec![json!({"$ref": format!("#/$defs/{of}")}); 60]});
    let properties = json!({"it": {"$ref": "#/$defs/One"}});
    let definitions = json!({"One": branches("Other"), "Other": branches("One")});
    let findings = found_in(&[("search", json!({"type": "object", "properties": properties, "$defs": definitions}))]);
    let findings = findings.without(Code::StrictBudget);
    let expected = [("not_strict", "search"), ("missing_description", "search.it"), ("not_strict", "search.it")];
    assert_eq!(places(&findings), expected);
}

#[test]
fn a_derived_tool_is_looked_at_through_its_types() {
    let findings = Registry::<()>::builder().tool::<search_orders>().tool::<leave_out>().build().unwrap().lint();
    assert_eq!(
        places(&findings),
        [("missing_description", "leave_out.filters[].to"), ("missing_description", "search_orders.window.to"),],
        "{findings}"
    );
}

/// Refund an order, in part or in full.
#[tool(read_only)]
fn issue_refund(order_id: &str, #[arg(range = 1..=50_000)] amount_cents: u32) {
    let _ = (order_id, amount_cents);
}

#[test]
fn the_readme_shows_what_is_found_in_its_tools() {
    let findings = Registry::<()>::builder().tool::<issue_refund>().build().unwrap().lint();
    assert_eq!(findings.len(), 2);
    assert!(include_str!("../../README.md").contains(&format!("```text\n{findings}\n```\n")), "{findings}");
}

#[test]
fn a_finding_is_one_line_with_its_mend() {
    let findings = found_in_property(json!({"type": "string", "enum": ["a"]}));
    assert_eq!(
        findings.to_string(),
        "enum_of_one: `search.it` takes \"a\" and nothing else: leave it out, since there is nothing to choose"
    );
    let finding = findings.iter().next().unwrap();
    assert_eq!((finding.code(), finding.place()), (Code::EnumOfOne, "search.it"));
    assert_eq!(finding.found(), "takes \"a\" and nothing else");
    assert_eq!(finding.mend(), "leave it out, since there is nothing to choose");
}

#[test]
fn findings_are_sorted_by_place_and_the_same_each_time() {
    let find = || {
        found_in_properties(
            &json!({"b": {"enum": ["x"]}, "a": {"type": "string"}, "c": {"type": "string", "description": "It."}}),
        )
    };
    assert_eq!(
        places(&find()),
        [("missing_description", "search.a"), ("missing_description", "search.b"), ("enum_of_one", "search.b")]
    );
    assert_eq!(find(), find());
    assert_eq!(find().len(), find().into_iter().count());
}

#[test]
fn an_allowance_takes_one_finding_off() {
    let find = || found_in_properties(&json!({"a": {"enum": ["x"]}, "b": {"enum": ["y"]}}));
    let left = find().without(Code::MissingDescription).allow(Code::EnumOfOne, "search.a");
    assert_eq!(places(&left), [("enum_of_one", "search.b")]);
    assert_clean(&left.allow(Code::EnumOfOne, "search.b"));
}

#[test]
fn an_allowance_that_takes_nothing_off_is_a_finding() {
    let findings = found_in_names(&["search"]).allow(Code::EnumOfOne, "search.kind");
    assert_eq!(
        findings.to_string(),
        "unused_allowance: `search.kind` is allowed `enum_of_one`, and nothing of it is found there: take the allowance off, \
         or correct its place"
    );
    let find = || found_in_property(json!({"enum": ["a"]}));
    let of_another_kind = find().allow(Code::LargeEnum, "search.it");
    assert_eq!(places(&of_another_kind), [("enum_of_one", "search.it"), ("unused_allowance", "search.it")]);
    let twice = find().allow(Code::EnumOfOne, "search.it").allow(Code::EnumOfOne, "search.it");
    assert_eq!(places(&twice), [("unused_allowance", "search.it")]);
}

#[test]
fn near_names() {
    let findings = found_in_names(&["get_order", "get_orders", "getOrder", "send_email", "send_mail"]);
    assert_eq!(
        places(&findings),
        [("near_names", "getOrder"), ("near_names", "get_order"), ("near_names", "send_email")]
    );
    assert!(findings.to_string().starts_with(
        "near_names: `getOrder` is easily taken for `get_order` or `get_orders`: name them by what sets them apart"
    ));
    assert_clean(&found_in_names(&[
        "get_order",
        "set_order",
        "lock_order",
        "unlock_order",
        "list_items",
        "get_order_item",
    ]));
}

#[test]
fn alike_keys() {
    let described = |keys: &[&str]| {
        let properties = keys.iter().map(|key| ((*key).to_owned(), json!({"type": "string", "description": key})));
        found_in_properties(&Value::Object(properties.collect()))
    };
    assert_eq!(places(&described(&["order_id", "orderId"])), [("alike_keys", "search.orderId")]);
    assert_clean(&described(&["order_id", "order_ids", "v1.0", "v10"]));
}

#[test]
fn long_name() {
    let name = |length: usize| "n".repeat(length);
    assert_eq!(places(&found_in_names(&[&name(49)])), [("long_name", name(49).as_str())]);
    assert_clean(&found_in_names(&[&name(48)]));
    let key =
        |length: usize| found_in_properties(&json!({"k".repeat(length): {"type": "string", "description": "It."}}));
    assert_eq!(places(&key(41)), [("long_name", format!("search.{}", "k".repeat(41)).as_str())]);
    assert_clean(&key(40));
}

#[test]
fn missing_description() {
    let nested = json!({
        "type": "object",
        "properties": {"status": {"type": "string"}, "since": {"type": "string", "description": "From this day on."}},
        "additionalProperties": false,
    });
    let findings = found_in_properties(&json!({"filters": nested, "page": {"type": "integer", "description": " "}}));
    assert_eq!(
        places(&findings),
        [
            ("missing_description", "search.filters"),
            ("missing_description", "search.filters.status"),
            ("missing_description", "search.page"),
        ]
    );
}

#[test]
fn the_description_of_a_type_is_one_and_a_tag_needs_none() {
    let circle = json!({
        "type": "object",
        "properties": {"kind": {"const": "circle"}, "radius": {"type": "number", "description": "In metres."}},
        "additionalProperties": false,
    });
    let point = json!({"type": "object", "properties": {"kind": {"const": "point"}}, "additionalProperties": false});
    let text = json!({"type": "object", "properties": {"text": {"type": "string"}}, "additionalProperties": false});
    let definitions = json!({"Shape": {"description": "A shape.", "anyOf": [circle, point, text]}});
    let schema = json!({
        "type": "object",
        "properties": {
            "shape": {"$ref": "#/$defs/Shape"},
            "maybe": {"anyOf": [{"$ref": "#/$defs/Shape"}, {"type": "null"}]},
            "several": {"type": "array", "items": {"$ref": "#/$defs/Shape"}},
        },
        "$defs": definitions,
    });
    assert_clean(&found_in(&[("draw", schema)]));
}

#[test]
fn copied_description() {
    let schema = |first: &str, second: &str| {
        json!({"type": "object", "properties": {
            "from": {"type": "string", "description": first},
            "to": {"type": "string", "description": second},
        }})
    };
    let findings = found_in(&[("one", schema("Tool one.", "A date.")), ("two", schema("A date.", "a  date"))]);
    assert_eq!(places(&findings), [("copied_description", "one.from"), ("copied_description", "two.from")]);
    assert!(findings.to_string().ends_with("`two.from` has the same description as `to`: say what sets them apart"));
    assert_clean(&found_in(&[
        ("one", schema("The first date.", "The last date.")),
        ("two", schema("A date.", "A day.")),
    ]));

    let tools = |one: &str, other: &str| {
        let tool = |name, words| dynamic(name, words, json!({"type": "object"}));
        Registry::builder().dynamic(tool("find", one)).dynamic(tool("look_up", other)).build().unwrap().lint()
    };
    assert_eq!(places(&tools("Find it.", "Find it")), [("copied_description", "find")]);
    assert_clean(&tools("Find it.", "Find it again."));
}

#[test]
fn long_description() {
    let described = |length: usize| found_in_property(json!({"type": "string", "description": "é".repeat(length)}));
    assert_eq!(places(&described(1_025)), [("long_description", "search.it")]);
    assert_clean(&described(1_024));
}

#[test]
fn enum_of_one() {
    for schema in [
        json!({"enum": ["a"]}),
        json!({"const": "a"}),
        json!({"enum": ["a", null]}),
        json!({"anyOf": [{"enum": ["a"]}, {"type": "null"}]}),
    ] {
        assert_eq!(places(&found_in_property(schema)), [("enum_of_one", "search.it")]);
    }
    assert_clean(&found_in_property(json!({"enum": ["a", "b"]})));
    let words = json!({"anyOf": [{"const": "all", "type": "string"}, {"type": "integer"}]});
    assert_clean(&found_in_property(words));
    // An enum that has one variant so far.
    let tag = json!({"type": "string", "const": "card", "description": "How it is paid."});
    let only =
        json!({"type": "object", "properties": {"kind": tag}, "required": ["kind"], "additionalProperties": false});
    assert_clean(&found_in_property(json!({"oneOf": [only]})).without(Code::NotStrict));
}

#[test]
fn large_enum() {
    let of = |count: usize| {
        found_in_property(json!({"enum": (0..count).map(|number| format!("v{number}")).collect::<Vec<_>>()}))
    };
    assert_eq!(places(&of(101)), [("large_enum", "search.it")]);
    assert_clean(&of(100));
}

#[test]
fn listed_values() {
    let of = |words: &str, schema: Value| {
        let mut schema = schema;
        schema["description"] = words.into();
        found_in_property(schema)
    };
    let text = || json!({"type": "string"});
    for words in ["One of open, shipped.", "Either `a` or `b`.", "Allowed values: red, green or blue."] {
        assert_eq!(places(&of(words, text())), [("listed_values", "search.it")], "{words}");
    }
    assert_eq!(
        of("One of open, shipped.", text()).to_string(),
        "listed_values: `search.it` lists its values in the description alone (open, shipped): make it an `enum`, which is \
         enforced"
    );
    assert_clean(&of("One of open, shipped.", json!({"type": "string", "enum": ["open", "shipped"]})));
    assert_clean(&of("One of open, shipped.", json!({"type": ["array"], "items": {"enum": ["open", "shipped"]}})));
    assert_clean(&of("One of 1, 2.", json!({"type": "boolean"})));
    assert_clean(&of("Options: `a`, `b`, etc.", text()));
    assert_clean(&of("One of the customer's orders.", text()));
    let of_keys = json!({
        "id": {"type": "string", "description": "Give one of `id` or `email`."},
        "email": {"type": "string", "description": "See `id`."},
    });
    assert_clean(&found_in_properties(&of_keys));
}

#[test]
fn string_or_array() {
    let texts = json!({"type": "array", "items": {"type": "string"}});
    let union = found_in_property(json!({"anyOf": [{"type": "string"}, texts]}));
    assert_eq!(places(&union), [("string_or_array", "search.it")]);
    let types = found_in_property(json!({"type": ["string", "array"], "items": {"type": "string"}}));
    assert_eq!(places(&types), [("string_or_array", "search.it")]);
    assert_clean(&found_in_property(json!({"anyOf": [{"type": "null"}, texts]})));
    assert_clean(&found_in_property(json!({"anyOf": [{"type": "string", "enum": ["all", "none"]}, texts]})));
}

#[test]
fn large_schema() {
    let of = |length: usize| {
        let properties: serde_json::Map<_, _> = (0..20)
            .map(|number| {
                (
                    format!("p{number}"),
                    json!({"type": "integer", "description": format!("{number}{}", "w".repeat(length))}),
                )
            })
            .collect();
        found_in_properties(&properties.into())
    };
    assert_eq!(places(&of(800).without(Code::StrictBudget)), [("large_schema", "search")]);
    assert_clean(&of(700).without(Code::StrictBudget));
}

#[test]
fn refused() {
    let nothing = json!({"type": "array", "items": {"enum": []}, "minItems": 1, "description": "What it is."});
    let nothing = json!({"type": "object", "properties": {"it": nothing}, "required": ["it"]});
    assert_eq!(
        found_in(&[("search", nothing)]).without(Code::NotStrict).to_string(),
        "refused: `search.it[]` takes nothing that could be sent, and cannot be published for Gemini or Ollama: take something, \
         or leave it out"
    );
    // What a provider would refuse as it is declared is published in another form.
    let root = json!({"type": "object", "properties": {}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]});
    let old = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": {"it": {"type": "array", "items": [{"type": "string"}], "description": "It."}},
    });
    for schema in [root, old] {
        assert_clean(&found_in(&[("search", schema)]).without(Code::NotStrict));
    }
    assert_clean(&found_in_property(json!({"type": "array"})).without(Code::NotStrict));
    assert_clean(&found_in_properties(&json!({"käse": {"type": "string", "description": "It."}})));
}

/// Those with a strict mode.
const STRICT: &str = "Anthropic, OpenAI, DeepSeek, Mistral or Cohere";

#[test]
fn not_strict() {
    let text = || json!({"type": "string"});
    let [map, value] = ["is published as a list of keys and values", "is published as JSON text in a string"];
    for (schema, what) in [
        (json!({"type": "object", "additionalProperties": text()}), map),
        (json!({"type": "object", "patternProperties": {"^x": text()}, "additionalProperties": false}), map),
        (json!({}), value),
    ] {
        let findings = found_in_property(schema);
        assert_eq!(places(&findings), [("not_strict", "search.it")]);
        assert_eq!(findings.iter().next().unwrap().found(), format!("{what} in the strict mode of {STRICT}"));
    }
}

#[test]
fn what_keeps_its_shape_is_no_trouble_in_strict_modes() {
    for schema in [
        json!({"oneOf": [{"type": "string"}, {"type": "integer"}]}),
        json!({"allOf": [{"type": "string"}, {"minLength": 1}]}),
        json!({"type": "string", "not": {"const": "x"}}),
        json!({"type": "array", "items": {"type": "string"}, "uniqueItems": true}),
        json!({"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "items": false}),
        json!({"type": "integer", "minimum": 1, "maximum": 9, "default": 3}),
        json!({"type": "string", "minLength": 1, "pattern": "^a", "format": "uri"}),
        json!({"type": "array", "items": {"type": "string"}, "maxItems": 4}),
        json!({"anyOf": [{"type": "string"}, {"type": "integer"}]}),
        json!({"type": "object", "properties": {"a": {"type": "string", "description": "A."}}}),
    ] {
        assert_clean(&found_in_property(schema));
    }
}

#[test]
fn what_is_not_strict_in_several_places_is_one_finding_and_a_shared_type_one_place() {
    let map = || json!({"type": "object", "additionalProperties": {"type": "string"}, "description": "A map."});
    let findings = found_in_properties(&json!({
        "a": {"type": "array", "items": map(), "description": "Maps."}, "b": {"type": "object", "properties": {"c": map()},
        "description": "One."}, "d": {"$ref": "#/properties/b/properties/c"}, "e": map(), "f": map(), "g": map(),
    }));
    let findings = findings.without(Code::CopiedDescription);
    assert_eq!(
        findings.to_string(),
        format!(
            "not_strict: `search` at `a[]`, `b.c`, `e` and 2 more is published as a list of keys and values in the strict mode of \
             {STRICT}: take a list of objects with a key and a value, or leave it plain"
        )
    );
}

#[test]
fn recursion_is_not_for_anthropics_strict_mode() {
    let node = json!({"type": "object", "description": "A node.", "additionalProperties": false, "properties": {
        "children": {"type": "array", "description": "Its children.", "items": {"$ref": "#/$defs/Node"}},
    }});
    let schema = json!({"type": "object", "properties": {"tree": {"$ref": "#/$defs/Node"}}, "$defs": {"Node": node}});
    let findings = found_in(&[("plant", schema)]);
    assert_eq!(places(&findings), [("not_strict", "plant"), ("not_strict", "plant.tree.children[]")]);
    assert!(findings.to_string().contains("may hold itself, which has no place in the strict mode of Anthropic:"));
}

#[test]
fn budget_over_a_request() {
    let found = |count: usize| {
        let names: Vec<String> = (0..count).map(|number| format!("tool_{number}")).collect();
        found_in_names(&names.iter().map(String::as_str).collect::<Vec<_>>())
    };
    assert_clean(&found(15));
    assert_eq!(
        found(16).to_string(),
        "strict_budget: `anthropic.strict_tools` asks for 16 of the 20 strict tools that Anthropic takes: choose which \
         tools are strict, or offer fewer at once"
    );
    assert!(found(21).to_string().contains("asks for 21 of the 20 strict tools that Anthropic takes"));
    assert_clean(&found(102).without(Code::StrictBudget));
    assert_eq!(
        places(&found(103).without(Code::StrictBudget)),
        [("budget", "deepseek.tools"), ("budget", "openai.tools")]
    );

    let of = |count: usize, schema: &Value, required: bool| {
        let keys: Vec<String> = (0..count).map(|number| format!("p{number}")).collect();
        let properties = keys.iter().map(|key| {
            let mut schema = schema.clone();
            schema["description"] = json!(key);
            (key.clone(), schema)
        });
        let required = if required { keys.clone() } else { Vec::new() };
        let properties: serde_json::Map<_, _> = properties.collect();
        found_in(&[("search", json!({"type": "object", "properties": properties, "required": required}))])
    };
    let text = json!({"type": "string"});
    assert_clean(&of(19, &text, false));
    assert_eq!(places(&of(20, &text, false)), [("strict_budget", "anthropic.strict_optionals")]);
    assert_clean(&of(20, &text, true));
    let nullable = json!({"type": ["string", "null"]});
    assert_clean(&of(12, &nullable, true));
    assert_eq!(places(&of(13, &nullable, true)), [("strict_budget", "anthropic.strict_unions")]);
}

#[test]
fn budget_of_a_schema() {
    let values = |count: usize, length: usize| {
        let values: Vec<String> = (0..count).map(|number| format!("{number:0>length$}")).collect();
        found_in_property(json!({"enum": values})).without(Code::LargeEnum).without(Code::LargeSchema)
    };
    // With the null that stands for its absence, one more.
    assert_clean(&values(249, 100));
    assert_eq!(places(&values(250, 60)), [("strict_budget", "search")]);
    assert_eq!(places(&values(800, 4)), [("strict_budget", "search")]);
    assert!(values(1_001, 4).to_string().contains("asks for 1002 of the 1000 values of enums that OpenAI"));

    let nested = |levels: usize| {
        let leaf = json!({"type": "string", "description": "It."});
        let schema = (0..levels).fold(leaf, |inner, _| {
            json!({"type": "object", "description": "In it.", "properties": {"in": inner}, "required": ["in"]})
        });
        found_in(&[("search", schema)])
    };
    assert_clean(&nested(7));
    assert_eq!(places(&nested(8)), [("strict_budget", "search")]);
}

#[test]
#[allow(clippy::print_stdout, reason = "what was found is told")]
fn real_tools_are_linted() {
    let Some(folder) = real::corpora("real_tools_are_linted") else { return };
    let mut linted = 0;
    for file in real::files(&folder, ".tools.jsonl") {
        let (mut tools, mut counts) = (0, BTreeMap::<&str, usize>::new());
        for set in real::records(&file) {
            let mut builder = Registry::<()>::builder();
            let mut known = Vec::new();
            for tool in set["tools"].as_array().unwrap() {
                let name = tool["name"].as_str().unwrap();
                let words = tool["description"].as_str().filter(|words| !words.trim().is_empty()).unwrap_or(name);
                let tool = || dynamic(name, words, tool["input_schema"].clone());
                if !known.iter().any(|known| known == name) && Registry::builder().dynamic(tool()).build().is_ok() {
                    builder = builder.dynamic(tool());
                    known.push(name.to_owned());
                }
            }
            tools += known.len();
            let findings = builder.build().unwrap().lint();
            for finding in findings {
                *counts.entry(finding.code().as_str()).or_default() += 1;
            }
        }
        println!("{}: {tools} tools, {counts:?}", file.file_name().unwrap().display());
        linted += tools;
    }
    assert!(linted >= 5_000, "the corpora hold {linted} tools");
}

#[test]
#[allow(clippy::print_stdout, reason = "what was found is told")]
fn schemas_that_use_all_of_json_schema_are_linted() {
    let Some(folder) = real::corpora("schemas_that_use_all_of_json_schema_are_linted") else { return };
    let (mut linted, mut counts) = (0, BTreeMap::<&str, usize>::new());
    let schemas = ["jsonschemabench.schemas.jsonl", "jsts-draft2020-12.jsonl", "jsts-draft7.jsonl"];
    for record in schemas.iter().flat_map(|file| real::records(&folder.join(file))) {
        let mut schema = record["schema"].clone();
        if let Value::Object(keywords) = &mut schema {
            keywords.insert("type".into(), "object".into());
        }
        let Ok(registry) = Registry::builder().dynamic(dynamic("search", "Search.", schema)).build() else { continue };
        linted += 1;
        for finding in registry.lint() {
            *counts.entry(finding.code().as_str()).or_default() += 1;
        }
    }
    println!("{linted} schemas, {counts:?}");
    assert!(linted >= 1_000, "{linted} schemas can be a tool's");
}
