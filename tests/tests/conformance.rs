//! JSON Schema's own test suite, in drafts 2020-12 and 7, through the public gate; and schemas as people wrote them.

#![allow(clippy::unwrap_used, reason = "a test fails where it is wrong")]
#![allow(clippy::print_stdout, reason = "what was read is told")]

use serde_json::{Map, Value, json};
use tool_gate::{
    DynamicTool, Offer, Registry, RejectionKind, Select,
    wire::{self, Call},
};
use tool_gate_tests::real;

const DRAFT_2020_12: &str = "https://json-schema.org/draft/2020-12/schema";
const DRAFT_7: &str = "http://json-schema.org/draft-07/schema#";

/// The files, each with the draft that it is of.
const SUITES: [(&str, &str); 2] = [("jsts-draft2020-12.jsonl", DRAFT_2020_12), ("jsts-draft7.jsonl", DRAFT_7)];

/// Cases of the suite that are not posed, since no registry takes their schema: what such a schema has in it, and how many of
/// them there are in each draft.
struct Unposed {
    /// What the registry says of it, one of these.
    refused: &'static [&'static str],
    holds: fn(&Value) -> bool,
    cases: [usize; 2],
}

/// All there are. A case belongs to the first class that holds.
const UNPOSED: [Unposed; 3] = [
    // Vocabularies of its own: there is no telling what it means.
    Unposed { refused: &["Unknown meta-schema"], holds: has_other_draft, cases: [7, 0] },
    // A schema of another document, or one that goes by a name: nothing is fetched, and references are JSON pointers from the
    // root, so that they lead to the same place whoever reads them.
    Unposed {
        refused: &["has an `$id` of its own", "is no JSON pointer to a place in it"],
        holds: |schema| has_inner_id(schema) || refers_elsewhere(schema),
        cases: [69, 44],
    },
    Unposed {
        refused: &["needs the feature `idn`"],
        holds: |schema| !WITH_IDN && schema.to_string().contains("\"format\":\"idn-"),
        cases: [if WITH_IDN { 0 } else { 70 }, if WITH_IDN { 0 } else { 38 }],
    },
];

/// Whether formats that need Unicode's tables are compiled in.
const WITH_IDN: bool = cfg!(feature = "idn");

fn has_other_draft(schema: &Value) -> bool {
    schema["$schema"].as_str().is_some_and(|draft| ![DRAFT_2020_12, DRAFT_7].contains(&draft))
}

/// Keywords whose members are named by the author, and those that hold plain data.
const NAMED: [&str; 6] =
    ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"];
const DATA: [&str; 4] = ["const", "enum", "default", "examples"];

/// Whether one of the schemas inside of it has a name of its own.
fn has_inner_id(schema: &Value) -> bool {
    let mut names = 0;
    each_schema(schema, &mut |inner| names += usize::from(inner.get("$id").is_some_and(Value::is_string)));
    names > usize::from(schema["$id"].is_string())
}

fn each_schema<'s>(schema: &'s Value, visit: &mut impl FnMut(&'s Map<String, Value>)) {
    match schema {
        Value::Object(members) => {
            visit(members);
            for (key, member) in members.iter().filter(|(key, _)| !DATA.contains(&key.as_str())) {
                match member {
                    Value::Object(named) if NAMED.contains(&key.as_str()) => {
                        named.values().for_each(|schema| each_schema(schema, visit));
                    }
                    member => each_schema(member, visit),
                }
            }
        }
        Value::Array(elements) => elements.iter().for_each(|element| each_schema(element, visit)),
        _ => {}
    }
}

fn refers_elsewhere(schema: &Value) -> bool {
    let mut elsewhere = false;
    each_schema(schema, &mut |inner| {
        let references = ["$ref", "$dynamicRef"].into_iter().filter_map(|keyword| inner.get(keyword)?.as_str());
        elsewhere |= references.into_iter().any(|reference| reference != "#" && !reference.starts_with("#/"));
    });
    elsewhere
}

/// The schema as that of one argument, its references led there.
fn posed(schema: &Value, draft: &str) -> Value {
    let draft = schema["$schema"].as_str().unwrap_or(draft);
    let mut argument = schema.clone();
    lead(&mut argument);
    if let Value::Object(argument) = &mut argument {
        argument.remove("$schema");
        argument.remove("$id");
    }
    json!({"$schema": draft, "type": "object", "properties": {"data": argument}, "required": ["data"]})
}

fn lead(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            for (key, member) in members.iter_mut().filter(|(key, _)| !DATA.contains(&key.as_str())) {
                match member {
                    Value::String(reference) if key == "$ref" && reference.starts_with('#') => {
                        reference.insert_str(1, "/properties/data");
                    }
                    Value::Object(named) if NAMED.contains(&key.as_str()) => named.values_mut().for_each(lead),
                    member => lead(member),
                }
            }
        }
        Value::Array(elements) => elements.iter_mut().for_each(lead),
        _ => {}
    }
}

fn offer(schema: Value, with_formats: bool) -> Result<Offer<()>, String> {
    let tool = DynamicTool::new("t", "Take it.", schema, |(), arguments, _| Box::pin(async move { Ok(arguments) }));
    let tool = if with_formats { tool } else { tool.without_formats() };
    let registry = Registry::builder().dynamic(tool).build().map_err(|error| error.to_string())?;
    registry.offer(wire::Plain::default(), Select::All).map_err(|error| error.to_string())
}

/// Whether the arguments conform; anything else that may be wrong with them is not the suite's business.
fn conforms(offer: &Offer<()>, arguments: &Value) -> bool {
    let text = arguments.to_string();
    match offer.check(&Call::new(None, "t", text.as_str().into())) {
        Ok(_) => true,
        Err(rejection) if rejection.kind() == RejectionKind::Schema => false,
        Err(rejection) => panic!("{arguments}: {rejection:?}"),
    }
}

#[test]
fn every_case_of_the_suite_gets_its_verdict() {
    let Some(folder) = real::corpora("JSON Schema's test suite") else { return };
    let mut unposed = [[0; 2]; UNPOSED.len()];
    let mut wrong = Vec::new();
    for (suite, (file, draft)) in SUITES.into_iter().enumerate() {
        let cases = real::records(&folder.join(file));
        assert!(cases.len() > 900, "{} cases are not {file}", cases.len());
        for case in &cases {
            // Formats, and in draft 7 encodings, are asserted where the suite says that they may be.
            let id = case["id"].as_str().unwrap();
            let with_formats = ["/optional/format", "/optional/content"].iter().any(|part| id.contains(part));
            let offer = offer(posed(&case["schema"], draft), with_formats);
            match (UNPOSED.iter().position(|class| (class.holds)(&case["schema"])), offer) {
                (Some(class), Err(reason)) if UNPOSED[class].refused.iter().any(|words| reason.contains(words)) => {
                    unposed[class][suite] += 1;
                }
                (None, Ok(offer)) if conforms(&offer, &json!({"data": case["data"]})) == case["valid"] => {}
                (class, offer) => wrong.push(format!("{class:?} {:?} {case}", offer.err())),
            }
        }
        println!(
            "{file}: {} cases, and {} of them not posed",
            cases.len(),
            unposed.iter().map(|n| n[suite]).sum::<usize>()
        );
    }
    assert!(wrong.is_empty(), "{} cases:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(unposed, UNPOSED.map(|class| class.cases));
}

#[test]
fn every_schema_that_people_wrote_is_taken_or_refused_with_a_sentence() {
    let Some(folder) = real::corpora("JSONSchemaBench") else { return };
    let schemas = real::records(&folder.join("jsonschemabench.schemas.jsonl"));
    let mut refused = REFUSED.map(|(_, _)| 0);
    for schema in &schemas {
        let Err(reason) = offer(schema["schema"].clone(), true) else { continue };
        let class = REFUSED.iter().position(|(words, _)| reason.contains(words));
        refused[class.unwrap_or_else(|| panic!("{}: {reason}", schema["id"]))] += 1;
    }
    let taken = schemas.len() - refused.iter().sum::<usize>();
    println!("{} schemas: {taken} are taken, {refused:?} are refused", schemas.len());
    assert_eq!(refused, REFUSED.map(|(_, schemas)| schemas));
    assert_eq!(taken, 440);
}

/// Why a schema that people wrote is not that of a tool, and how many there are of it.
const REFUSED: [(&str, usize); 4] = [
    ("arguments are always an object", 54),
    ("has an `id` of its own", 4),
    ("look-around and back-references are not supported", 1),
    // A class of characters that is no set.
    ("is no regular expression", 1),
];
