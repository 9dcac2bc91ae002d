//! Single schemas, dialect by dialect: what people reported of providers, and what is rewritten how.

use std::{fs, path::Path};

use serde_json::{Value, json};
use tool_gate::lower::{Became, Dialect, Lowered, Source, Unfit, lower};

use crate::checker::{Rules, lost};

fn lowered(schema: &Value, dialect: &Dialect) -> Lowered {
    lower(&Source::given("search", schema), dialect).unwrap_or_else(|unfit| panic!("{unfit}"))
}

fn published(schema: &Value, dialect: &Dialect) -> Value {
    lowered(schema, dialect).schema().expect("a schema").clone()
}

fn of(property: Value) -> Value {
    json!({"type": "object", "properties": {"x": property}, "required": ["x"], "additionalProperties": false})
}

fn became(lowered: &Lowered) -> Vec<(&str, &str, Became)> {
    lowered.changes().iter().map(|change| (change.path.as_str(), change.keyword.as_str(), change.became)).collect()
}

#[test]
fn what_providers_refused_of_others_is_published_so_that_they_take_it() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/malformed.jsonl");
    let cases = fs::read_to_string(file).expect("the cases");
    let cases = cases.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let refused: Vec<Value> = cases.filter(|case| case["expected"]["verdict"] == "publish_error").collect();
    assert!(refused.len() >= 8);
    for case in refused {
        let (name, dialect) = match case["provider"].as_str().expect("a provider") {
            "OpenAI strict" => ("openai_strict", Dialect::openai_strict()),
            "OpenAI" => ("openai", Dialect::openai()),
            provider if provider.starts_with("Gemini") => ("gemini_openapi", Dialect::gemini_openapi()),
            other => panic!("{other}"),
        };
        let schema = &case["schema_hint"]["schema"];
        let lowered = lowered(schema, &dialect);
        let Some(published) = lowered.schema() else {
            assert_eq!(case["kind"], "schema_empty_object", "{case}");
            continue;
        };
        assert_eq!(Rules::of(name).violations(published), Vec::<String>::new(), "{}", case["id"]);
    }
}

#[test]
fn bounds_are_said_in_words_where_they_are_not_taken() {
    let schema = of(json!({"type": "integer", "description": "How many", "minimum": 1, "maximum": 100}));
    assert_eq!(
        published(&schema, &Dialect::anthropic_strict())["properties"]["x"],
        json!({"description": "How many. At least 1, at most 100.", "type": "integer"})
    );
    assert_eq!(
        became(&lowered(&schema, &Dialect::anthropic_strict())),
        [("/properties/x", "minimum", Became::Described), ("/properties/x", "maximum", Became::Described)]
    );
    assert_eq!(published(&schema, &Dialect::openai_strict())["properties"]["x"], schema["properties"]["x"]);
}

#[test]
fn optional_is_absent_for_one_provider_and_null_for_the_other() {
    let schema = json!({
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"type": "integer", "default": 20}, "c": {"$ref": "#/$defs/C"}},
        "required": ["a"],
        "additionalProperties": false,
        "$defs": {"C": {"type": "string", "enum": ["x", "y"]}}
    });
    let strict = published(&schema, &Dialect::openai_strict());
    assert_eq!(strict["required"], json!(["a", "b", "c"]));
    assert_eq!(strict["properties"]["b"], json!({"description": "Default: 20.", "type": ["integer", "null"]}));
    assert_eq!(strict["properties"]["c"], json!({"anyOf": [{"$ref": "#/$defs/C"}, {"type": "null"}]}));
    let strict = published(&schema, &Dialect::anthropic_strict());
    assert_eq!(strict["required"], json!(["a"]));
    assert_eq!(strict["properties"]["b"], json!({"type": "integer", "default": 20}));
    let strict = published(&schema, &Dialect::deepseek_strict());
    assert_eq!(strict["properties"]["b"], json!({"default": 20, "anyOf": [{"type": "integer"}, {"type": "null"}]}));
    assert_eq!(strict["properties"]["c"]["anyOf"][0], json!({"$ref": "#/$def/C"}));
    assert_eq!(
        published(&schema, &Dialect::gemini_openapi())["properties"]["c"],
        json!({"type": "string", "enum": ["x", "y"]})
    );
}

#[test]
fn null_is_left_to_absence_only_where_the_two_are_the_same() {
    let schema = json!({
        "type": "object", "properties": {"a": {"type": ["string", "null"]}}, "additionalProperties": false
    });
    let derived = lower(&Source::derived("search", &schema), &Dialect::anthropic_strict()).expect("a schema");
    assert_eq!(derived.schema().expect("a schema")["properties"]["a"], json!({"type": "string"}));
    assert_eq!(
        published(&schema, &Dialect::anthropic_strict())["properties"]["a"],
        json!({"type": ["string", "null"]})
    );
}

#[test]
fn a_reference_with_a_description_is_written_out() {
    let schema = json!({
        "type": "object",
        "properties": {"to": {"$ref": "#/$defs/Address", "description": "Where it goes."}, "from": {"$ref": "#/$defs/Address"}},
        "required": ["to", "from"],
        "additionalProperties": false,
        "$defs": {"Address": {"type": "object", "properties": {"street": {"type": "string"}}, "required": ["street"], "additionalProperties": false}}
    });
    let strict = published(&schema, &Dialect::openai_strict());
    assert_eq!(strict["properties"]["to"]["description"], "Where it goes.");
    assert_eq!(strict["properties"]["to"]["properties"]["street"], json!({"type": "string"}));
    assert_eq!(strict["properties"]["from"], json!({"$ref": "#/$defs/Address"}));
}

/// The dialects in which a reference has nothing beside it, or is none.
fn without_siblings() -> [Dialect; 7] {
    [
        Dialect::anthropic_strict(),
        Dialect::openai_strict(),
        Dialect::deepseek_strict(),
        Dialect::gemini(),
        Dialect::gemini_openapi(),
        Dialect::cohere_strict(),
        Dialect::ollama(),
    ]
}

#[test]
fn a_reference_that_is_written_out_keeps_what_the_definition_says() {
    let sort = json!({"type": "string", "enum": ["price", "age"], "description": "- price: Cheapest first\n- age: Oldest first"});
    let nothing = json!({"type": "null"});
    let sorts = [
        json!({"$ref": "#/$defs/Sort", "description": "How to sort."}),
        json!({"allOf": [{"$ref": "#/$defs/Sort"}], "description": "How to sort."}),
        json!({"anyOf": [sort], "description": "How to sort."}),
    ];
    for dialect in without_siblings() {
        for sorted in &sorts {
            let mut schema = of(sorted.clone());
            schema["$defs"] = json!({"Sort": sort});
            assert_eq!(
                published(&schema, &dialect)["properties"]["x"]["description"],
                "How to sort.\n\n- price: Cheapest first\n- age: Oldest first",
                "{}: {sorted}",
                dialect.name()
            );
        }
    }
    for optional in [json!({"$ref": "#/$defs/Sort"}), sort.clone()] {
        let mut schema = of(json!({"anyOf": [optional, nothing], "description": "How to sort."}));
        schema["required"] = json!([]);
        schema["$defs"] = json!({"Sort": sort});
        let lowered = lower(&Source::derived("search", &schema), &Dialect::anthropic_strict()).expect("a schema");
        assert_eq!(
            lowered.schema().expect("a schema")["properties"]["x"]["description"],
            "How to sort.\n\n- price: Cheapest first\n- age: Oldest first"
        );
    }
}

#[test]
fn two_descriptions_of_one_thing_are_said_once_and_bounded() {
    let said = |own: &str, theirs: &str| {
        let mut schema = of(json!({"$ref": "#/$defs/D", "description": own}));
        schema["$defs"] = json!({"D": {"type": "string", "description": theirs}});
        let published = published(&schema, &Dialect::openai_strict());
        published["properties"]["x"]["description"].as_str().unwrap_or_default().to_owned()
    };
    assert_eq!(said("Where it goes", "An address."), "Where it goes. An address.");
    assert_eq!(said("The address it goes to: an address.", "An address."), "The address it goes to: an address.");
    assert_eq!(said("An address", "An address in Europe."), "An address in Europe.");
    assert_eq!(said("", "An address."), "An address.");
    assert_eq!(said("Where it goes.", &"An address. ".repeat(1_000)), "Where it goes.");
}

#[test]
fn recursion_is_kept_refused_or_text() {
    let schema = json!({
        "type": "object",
        "properties": {"tree": {"$ref": "#/$defs/Tree"}},
        "required": ["tree"],
        "additionalProperties": false,
        "$defs": {"Tree": {
            "type": "object",
            "properties": {"of": {"type": "integer"}, "left": {"$ref": "#/$defs/Tree"}},
            "required": ["of"],
            "additionalProperties": false
        }}
    });
    let unfit = lower(&Source::given("search", &schema), &Dialect::anthropic_strict()).expect_err("it is recursive");
    assert_eq!(unfit, Unfit::Recursion { path: "/$defs/Tree".to_owned() });
    assert_eq!(unfit.to_string(), "`/$defs/Tree` may hold itself");
    let openai = lowered(&schema, &Dialect::openai_strict());
    let sent = json!({"tree": {"of": 1, "left": {"of": 2, "left": null}}});
    assert_eq!(openai.raise().raise(&sent), Some(json!({"tree": {"of": 1, "left": {"of": 2}}})));
    let gemini = lowered(&schema, &Dialect::gemini_openapi());
    assert_eq!(gemini.schema().expect("a schema")["properties"]["tree"]["properties"]["left"]["type"], "string");
    let sent = json!({"tree": {"of": 1, "left": "{\"of\": 2}"}});
    assert_eq!(gemini.raise().raise(&sent), Some(json!({"tree": {"of": 1, "left": {"of": 2}}})));
}

#[test]
fn what_goes_together_at_the_root_is_said_in_words() {
    let schema = json!({
        "type": "object",
        "properties": {"id": {"type": "string"}, "email": {"type": "string"}},
        "oneOf": [{"required": ["id"]}, {"required": ["email"]}],
    });
    for dialect in [Dialect::openai(), Dialect::anthropic(), Dialect::anthropic_strict()] {
        assert_eq!(published(&schema, &dialect)["description"], "Give exactly one of: `id` or `email`.");
        assert!(lowered(&schema, &Dialect::openai()).raise().is_nothing());
    }
}

#[test]
fn a_root_that_is_a_union_is_wrapped() {
    let branch = |tag: &str| json!({"type": "object", "properties": {"t": {"const": tag}}, "required": ["t"], "additionalProperties": false});
    let schema = json!({"type": "object", "oneOf": [branch("a"), branch("b")]});
    for dialect in [Dialect::openai(), Dialect::openai_strict(), Dialect::anthropic_strict(), Dialect::ollama()] {
        let lowered = lowered(&schema, &dialect);
        assert!(lowered.schema().expect("a schema")["properties"]["value"].is_object(), "{}", dialect.name());
        assert_eq!(lowered.raise().raise(&json!({"value": {"t": "a"}})), Some(json!({"t": "a"})));
        assert_eq!(lowered.raise().raise(&json!({"t": "a"})), None);
    }
}

#[test]
fn a_tool_without_arguments_says_that_it_has_no_properties() {
    let schema = json!({"type": "object"});
    for dialect in [Dialect::openai(), Dialect::mistral(), Dialect::cohere()] {
        assert_eq!(published(&schema, &dialect), json!({"type": "object", "properties": {}}), "{}", dialect.name());
    }
    assert_eq!(became(&lowered(&schema, &Dialect::openai())), [("", "properties", Became::Added)]);
}

/// A schema with every word of an earlier draft that is another one in 2020-12.
fn in_draft_7() -> Value {
    let mut schema = of(
        json!({"type": "array", "items": [{"type": "integer", "minimum": 0, "exclusiveMinimum": true}], "additionalItems": false}),
    );
    schema["$schema"] = json!("http://json-schema.org/draft-07/schema#");
    schema["dependencies"] = json!({"x": ["y"]});
    schema["properties"]["y"] = json!({"type": "number", "maximum": 9, "exclusiveMaximum": true});
    schema
}

#[test]
fn words_of_earlier_drafts_are_rewritten() {
    let providers =
        [Dialect::anthropic(), Dialect::bedrock(), Dialect::openai(), Dialect::mistral(), Dialect::cohere()];
    for dialect in providers {
        assert_eq!(
            published(&in_draft_7(), &dialect),
            json!({
                "type": "object",
                "properties": {
                    "x": {"type": "array", "prefixItems": [{"type": "integer", "exclusiveMinimum": 0}], "items": false},
                    "y": {"type": "number", "exclusiveMaximum": 9}
                },
                "required": ["x"],
                "additionalProperties": false,
                "dependentRequired": {"x": ["y"]}
            }),
            "{}",
            dialect.name()
        );
    }
    for dialect in [Dialect::mcp(), Dialect::plain()] {
        assert_eq!(published(&in_draft_7(), &dialect), in_draft_7(), "{}", dialect.name());
    }
}

#[test]
fn changes_are_told_in_lines_and_survive_json() {
    let lowered = lowered(&of(json!({"type": "string", "minLength": 1})), &Dialect::openai_strict());
    let change = &lowered.changes()[0];
    assert_eq!(
        change.to_string(),
        "search/properties/x: `minLength` is said in the description and not enforced by the provider"
    );
    let written = serde_json::to_value(change).expect("JSON");
    assert_eq!(written["became"], "described");
    assert_eq!(serde_json::from_value::<tool_gate::lower::Change>(written).expect("a change"), *change);
}

#[test]
fn what_nothing_can_be_sent_for_is_left_out_where_it_may_be_absent() {
    let impossible = json!({"type": "boolean", "enum": ["True", "False"]});
    let schema =
        json!({"type": "object", "properties": {"x": impossible.clone(), "y": {"type": "string"}}, "required": ["y"]});
    assert_eq!(
        published(&schema, &Dialect::openai_strict()),
        json!({"type": "object", "properties": {"y": {"type": "string"}}, "required": ["y"], "additionalProperties": false})
    );
    let unfit =
        lower(&Source::given("search", &of(impossible)), &Dialect::openai_strict()).expect_err("it is required");
    assert_eq!(unfit.to_string(), "nothing can be sent for `/properties/x`");
}

#[test]
fn parts_of_a_schema_become_one() {
    let schema = of(json!({
        "allOf": [
            {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
            {"type": "object", "properties": {"b": {"type": "integer", "minimum": 1}}, "required": ["b"]}
        ],
        "unevaluatedProperties": false
    }));
    assert_eq!(
        published(&schema, &Dialect::openai_strict())["properties"]["x"],
        json!({
            "type": "object",
            "properties": {"a": {"type": "string"}, "b": {"type": "integer", "minimum": 1}},
            "required": ["a", "b"],
            "additionalProperties": false
        })
    );
}

fn description(property: Value, dialect: &Dialect) -> String {
    let published = published(&of(property), dialect);
    published["properties"]["x"]["description"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn what_is_nearly_said_already_is_said() {
    let integer = json!({"type": "integer", "description": "At least 10 of them are best.", "minimum": 1});
    assert_eq!(description(integer, &Dialect::anthropic_strict()), "At least 10 of them are best. At least 1.");
    let number = json!({"type": "number", "description": "Default: 2.5 in the old version", "default": 2});
    assert_eq!(description(number, &Dialect::openai_strict()), "Default: 2.5 in the old version. Default: 2.");
}

#[test]
fn the_narrower_of_two_bounds_is_said() {
    let both = json!({"type": "integer", "minimum": 1, "exclusiveMinimum": 5, "maximum": 9, "exclusiveMaximum": 20});
    assert_eq!(description(both, &Dialect::anthropic_strict()), "More than 5, at most 9.");
}

#[test]
fn what_is_repeated_of_a_schema_is_bounded() {
    let keys: Vec<String> = (0..500).map(|key| format!("key\n\u{202e}{key}{}", "x".repeat(500))).collect();
    let patterns: serde_json::Map<String, Value> =
        keys.iter().map(|key| (key.clone(), json!({"type": "string", "minLength": 3}))).collect();
    let groups: Vec<Value> = keys.iter().map(|key| json!({"required": [key]})).collect();
    let long = json!({"type": "object", "patternProperties": patterns, "properties": {"a": {"type": "string"}}});
    for said in [
        description(
            json!({"type": "object", "patternProperties": patterns, "additionalProperties": false}),
            &Dialect::gemini(),
        ),
        description(long, &Dialect::openai_strict()),
        published(&json!({"type": "object", "anyOf": groups}), &Dialect::anthropic())["description"].to_string(),
    ] {
        assert!(said.len() < 20_000, "{}", said.len());
        assert!(!said.contains(['\n', '\u{202e}']), "{said}");
    }
}

#[test]
fn keys_match_a_pattern_only_where_others_are_refused() {
    let map = |rest: Value| json!({"type": "object", "patternProperties": {"^a": {"type": "integer"}}, "additionalProperties": rest});
    assert_eq!(description(map(json!(false)), &Dialect::gemini()), "Keys match ^a.");
    assert_eq!(
        description(map(json!({"type": "string"})), &Dialect::gemini()),
        "What a key that matches ^a holds fits {\"type\":\"integer\"}."
    );
    let open = json!({"type": "object", "patternProperties": {"^a": {"type": "integer"}}});
    let lowered = lowered(&of(open), &Dialect::openai_strict());
    assert!(became(&lowered).contains(&("/properties/x", "additionalProperties", Became::Closed)));
}

#[test]
fn text_that_stands_for_a_value_says_of_what_shape() {
    let mut tree = of(json!({"$ref": "#/$defs/T"}));
    tree["$defs"] =
        json!({"T": {"type": "object", "properties": {"n": {"$ref": "#/$defs/T"}}, "additionalProperties": false}});
    assert_eq!(
        published(&tree, &Dialect::gemini())["properties"]["x"]["properties"]["n"]["description"],
        "A JSON value that fits {\"type\":\"object\",\"properties\":{\"n\":{\"$ref\":\"#\"}},\
         \"additionalProperties\":false}, written as JSON text."
    );
    let list = json!({"type": "array", "prefixItems": [{"type": "integer"}], "items": {"type": "string"}});
    assert_eq!(
        description(list, &Dialect::openai_strict()),
        "A JSON array that fits {\"prefixItems\":[{\"type\":\"integer\"}],\"items\":{\"type\":\"string\"}}, written as JSON text."
    );
}

/// All schemas that are told in words, those that are cut left out.
fn told(published: &Value) -> Vec<Value> {
    let mut found = Vec::new();
    if let Some(words) = published.get("description").and_then(Value::as_str) {
        for (at, _) in words.match_indices(" fits {") {
            let told = &words[at + " fits ".len()..];
            match serde_json::Deserializer::from_str(told).into_iter::<Value>().next() {
                Some(Ok(schema)) => found.push(schema),
                _ => assert!(told.contains('…') && !told.contains("#/"), "{told}"),
            }
        }
    }
    let inside: Vec<&Value> = match published {
        Value::Object(members) => members.values().collect(),
        Value::Array(elements) => elements.iter().collect(),
        _ => Vec::new(),
    };
    found.extend(inside.into_iter().flat_map(told));
    found
}

#[test]
fn what_is_told_of_a_shape_refers_to_itself_alone() {
    let node = |next: Value| json!({"type": "object", "properties": {"next": next, "of": {"$ref": "#/$defs/Leaf"}}});
    let mut schema = json!({
        "type": "object",
        "properties": {
            "tree": {"$ref": "#/$defs/Even"},
            "list": {"type": "array", "items": {}, "contains": {"$ref": "#/$defs/Leaf"}},
            "pair": {"type": "array", "prefixItems": [{"$ref": "#/$defs/Leaf"}], "items": {"$ref": "#/$defs/Leaf"}},
            "root": {"$ref": "#"},
            "many": {"$ref": "#/$defs/Many"}
        },
        "$defs": {
            "Even": node(json!({"$ref": "#/$defs/Odd"})),
            "Odd": node(json!({"anyOf": [{"$ref": "#/$defs/Even"}, {"$ref": "#/$defs/Odd"}]})),
            "Leaf": {"type": "string", "enum": ["a", "b"]}
        }
    });
    let many: serde_json::Map<String, Value> =
        (0..40).map(|place| (format!("key_{place}"), json!({"$ref": format!("#/$defs/D{place}")}))).collect();
    for place in 0..40 {
        schema["$defs"][format!("D{place}")] = json!({"anyOf": [{"$ref": "#/$defs/Many"}, {"type": "string"}]});
    }
    schema["$defs"]["Many"] = json!({"type": "object", "properties": many});
    let mut count = 0;
    for dialect in without_siblings() {
        let Ok(lowered) = lower(&Source::given("search", &schema), &dialect) else { continue };
        for told in told(lowered.schema().expect("a schema")) {
            assert_eq!(lost(&told, &told).collect::<Vec<_>>(), Vec::<&str>::new(), "{}: {told}", dialect.name());
            count += 1;
        }
    }
    assert!(count > 20, "{count}");

    let mut tree = of(json!({"$ref": "#/$defs/Even"}));
    tree["$defs"] = schema["$defs"].clone();
    let published = published(&tree, &Dialect::gemini());
    let next = &published["properties"]["x"]["properties"]["next"]["properties"]["next"]["anyOf"];
    assert_eq!(
        told(&next[0]),
        [json!({
            "type": "object",
            "properties": {"next": {"$ref": "#/$defs/Odd"}, "of": {"$ref": "#/$defs/Leaf"}},
            "$defs": {
                "Odd": {
                    "type": "object",
                    "properties": {"next": {"anyOf": [{"$ref": "#"}, {"$ref": "#/$defs/Odd"}]}, "of": {"$ref": "#/$defs/Leaf"}}
                },
                "Leaf": {"type": "string", "enum": ["a", "b"]}
            }
        })]
    );
}

#[test]
fn a_recursive_reference_keeps_its_description() {
    let mut list = of(json!({"$ref": "#/$defs/Node"}));
    let next = json!({"$ref": "#/$defs/Node", "description": "The next one."});
    list["$defs"] = json!({"Node": {"type": "object", "properties": {"next": next}, "additionalProperties": false}});
    assert_eq!(
        published(&list, &Dialect::openai_strict())["$defs"]["Node"]["properties"]["next"],
        json!({"description": "The next one.", "anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}]})
    );
}

#[test]
fn two_conditions_do_not_become_one() {
    let tagged = |only: &str| json!({"properties": {"a": {"const": only}}, "required": ["a"]});
    let schema = json!({
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
        "allOf": [{"if": tagged("x"), "else": {"required": ["b"]}}, {"if": tagged("y"), "then": {"required": ["b"]}}]
    });
    let published = published(&schema, &Dialect::anthropic());
    assert_eq!((&published["if"], &published["else"]), (&tagged("x"), &json!({"required": ["b"]})));
    assert_eq!(published.get("then"), None);
    assert!(published["description"].as_str().expect("words").starts_with("If it fits"), "{published}");
}
