//! The page that says provider by provider what is published of a schema.

use std::{env, fmt::Write as _, fs, path::Path};

use serde_json::{Value, json};
use tool_gate::{
    Builder, DynamicTool, Registry, Select,
    lower::{Became, Change, Dialect, Source, lower},
};
use tool_gate_tests::provider::Provider;

/// What a schema may ask for, as one argument that does.
fn asked() -> Vec<(&'static str, Value)> {
    let optional =
        |schema: Value| json!({"type": "object", "properties": {"a": schema}, "additionalProperties": false});
    let tag = |name: &str| {
        json!({
            "type": "object",
            "properties": {"kind": {"type": "string", "const": name}, "n": {"type": "integer"}},
            "required": ["kind", "n"],
            "additionalProperties": false,
        })
    };
    let node = json!({
        "type": "object",
        "properties": {"next": {"$ref": "#/$defs/Node"}},
        "additionalProperties": false,
    });
    let mut list = optional(json!({"$ref": "#/$defs/Node"}));
    list["$defs"] = json!({"Node": node});
    let given = vec![
        ("an optional argument", optional(json!({"type": "string"}))),
        ("one that takes `null`", optional(json!({"type": ["string", "null"]}))),
        ("one with a default", required(json!({"type": "integer", "default": 20}), &[])),
        ("bounds of an integer", required(json!({"type": "integer", "minimum": 1, "maximum": 100}), &["a"])),
        ("a bound that is excluded", required(json!({"type": "number", "exclusiveMinimum": 0}), &["a"])),
        ("a multiple", required(json!({"type": "integer", "multipleOf": 5}), &["a"])),
        ("a text's length", required(json!({"type": "string", "minLength": 1, "maxLength": 80}), &["a"])),
        ("a pattern", required(json!({"type": "string", "pattern": "^[a-z]+$"}), &["a"])),
        ("a pattern with `{n}`", required(json!({"type": "string", "pattern": "^[A-Z]{2}-[0-9]{4}$"}), &["a"])),
        ("`format: date-time`", required(json!({"type": "string", "format": "date-time"}), &["a"])),
        ("`format: uri`", required(json!({"type": "string", "format": "uri"}), &["a"])),
        ("an enum of texts", required(json!({"type": "string", "enum": ["open", "shipped"]}), &["a"])),
        ("an enum of numbers", required(json!({"type": "integer", "enum": [1, 2]}), &["a"])),
        ("a list's length", required(texts(&json!({"minItems": 2, "maxItems": 5})), &["a"])),
        ("a set", required(texts(&json!({"uniqueItems": true})), &["a"])),
        (
            "a tuple",
            required(
                json!({"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}], "items": false,
                "minItems": 2, "maxItems": 2}),
                &["a"],
            ),
        ),
        ("a map", required(json!({"type": "object", "additionalProperties": {"type": "integer"}}), &["a"])),
        ("any value", required(json!(true), &["a"])),
        ("a tagged enum", required(json!({"oneOf": [tag("up"), tag("down")]}), &["a"])),
        ("a recursive type", list),
        ("no arguments", json!({"type": "object", "properties": {}, "additionalProperties": false})),
    ];
    given
}

fn required(schema: Value, required: &[&str]) -> Value {
    json!({"type": "object", "properties": {"a": schema}, "required": required, "additionalProperties": false})
}

fn texts(more: &Value) -> Value {
    let mut list = json!({"type": "array", "items": {"type": "string"}});
    list.as_object_mut().expect("an object").extend(more.as_object().cloned().expect("an object"));
    list
}

/// The providers with their dialects: what is published without strictness, and with it.
fn providers() -> Vec<(&'static str, Dialect, Option<Dialect>)> {
    vec![
        ("Anthropic", Dialect::anthropic(), Some(Dialect::anthropic_strict())),
        ("OpenAI, Chat Completions and Responses", Dialect::openai(), Some(Dialect::openai_strict())),
        ("DeepSeek", Dialect::openai(), Some(Dialect::deepseek_strict())),
        ("Gemini, `parametersJsonSchema`", Dialect::gemini(), None),
        ("Gemini, `parameters`", Dialect::gemini_openapi(), None),
        ("Bedrock", Dialect::bedrock(), None),
        ("Mistral", Dialect::mistral(), Some(Dialect::mistral_strict())),
        ("Cohere", Dialect::cohere(), Some(Dialect::cohere_strict())),
        ("Ollama", Dialect::ollama(), None),
        ("MCP", Dialect::mcp(), None),
    ]
}

/// What a dialect makes of a schema, in short.
fn cell(schema: &Value, dialect: &Dialect) -> (String, Vec<Became>) {
    match lower(&Source::derived("tool", schema), dialect) {
        Err(unfit) => (format!("not in this dialect: {unfit}"), Vec::new()),
        Ok(lowered) if lowered.changes().is_empty() => ("as it is".to_owned(), Vec::new()),
        Ok(lowered) => {
            let mut told: Vec<String> = Vec::new();
            for Change { keyword, became, .. } in lowered.changes() {
                let told_now = format!("`{keyword}` {}", word(*became));
                if !told.contains(&told_now) {
                    told.push(told_now);
                }
            }
            (told.join(", "), lowered.changes().iter().map(|change| change.became).collect())
        }
    }
}

fn word(became: Became) -> String {
    let word = serde_json::to_value(became).expect("a word");
    word.as_str().expect("a word").replace('_', " ")
}

fn page() -> String {
    let mut page = String::from(
        "# What is published, provider by provider\n\n\
         A schema is enforced as it was declared, whatever is published of it: the gates judge every call by it, after what\n\
         publishing widened is undone. This page says what a provider is told, and so what it may enforce by itself. It is\n\
         written by a test, from the tables that publish. `offer.report()` says the same of your own tools.\n\n",
    );
    let mut words: Vec<Became> = Vec::new();
    for (name, plain, strict) in providers() {
        let _ = writeln!(page, "## {name}\n");
        let head = if strict.is_some() {
            "| asked | plain | strict |\n| --- | --- | --- |"
        } else {
            "| asked | published |\n| --- | --- |"
        };
        let _ = writeln!(page, "{head}");
        for (asked, schema) in asked() {
            let (plain, became) = cell(&schema, &plain);
            words.extend(became);
            let _ = write!(page, "| {asked} | {plain} |");
            if let Some(strict) = &strict {
                let (strict, became) = cell(&schema, strict);
                words.extend(became);
                let _ = write!(page, " {strict} |");
            }
            page.push('\n');
        }
        page.push('\n');
    }
    page.push_str(&names());
    words.sort_unstable();
    words.dedup();
    page.push_str("## The words\n\n");
    for became in words {
        let _ = writeln!(page, "* **{}**: it {became}.", word(became));
    }
    page
}

/// The names under which some tools are published.
fn names() -> String {
    let long = format!("{}.list", "shipment_".repeat(8));
    let own = ["maps.route", "get-sum", "2fa", &long];
    let tool = |name: &&str| {
        DynamicTool::new(*name, "Answer.", json!({"type": "object"}), |(), arguments, _| {
            Box::pin(async move { Ok(arguments) })
        })
    };
    let registry = own.iter().map(tool).fold(Registry::<()>::builder(), Builder::dynamic);
    let registry = registry.build().expect("names that a tool can have");
    let mut table = format!(
        "## Names\n\n\
         A tool whose name a provider refuses is published, called and told of under one that is made of it; the host goes on\n\
         knowing it by its own. `offer.published_name(…)` says which it is.\n\n\
         | provider | {} |\n|{}\n",
        own.map(|name| format!("`{name}`")).join(" | "),
        " --- |".repeat(own.len() + 1),
    );
    for (name, _, wire) in Provider::wires() {
        let offer = registry.offer(wire, Select::All).expect("names can be made for all providers");
        let published = own.map(|own| match offer.published_name(own).expect("it is offered") {
            published if published == own => "as it is".to_owned(),
            published => format!("`{published}`"),
        });
        let _ = writeln!(table, "| {name} | {} |", published.join(" | "));
    }
    table.push('\n');
    table
}

#[test]
fn the_page_says_what_is_published() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../PROVIDERS.md");
    let page = page();
    if env::var_os("UPDATE_TABLES").is_some() {
        fs::write(&file, &page).expect("the page can be written");
    }
    let kept = fs::read_to_string(&file).unwrap_or_default();
    assert!(kept == page, "PROVIDERS.md is not what is published: run this test with UPDATE_TABLES=1");
}
