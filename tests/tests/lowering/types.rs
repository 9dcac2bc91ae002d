//! Every kind of parameter in every dialect.

use std::{env, fmt::Write as _, fs, path::Path};

use serde_json::{Map, Value, json};
use tool_gate::{
    lower::{Source, Unfit, lower},
    testing::instances,
};

use crate::{
    checker::Rules,
    dialects,
    rows::rows,
    same,
    sending::{Sender, validator},
};

/// The schemas of all types that a registry takes.
fn schemas() -> Vec<(&'static str, Value)> {
    let built = rows().into_iter().filter_map(|row| Some((row.tool, (row.build)().ok()?)));
    built
        .map(|(tool, registry)| {
            let definition = registry.definitions().next().expect("one tool").input_schema().clone();
            (tool, definition)
        })
        .collect()
}

#[test]
fn every_type_is_published_in_every_dialect_as_it_is_taken() {
    let mut found = Vec::new();
    for (dialect_name, dialect) in dialects() {
        let rules = Rules::of(dialect_name);
        for (tool, schema) in schemas() {
            match lower(&Source::derived(tool, &schema), &dialect) {
                Ok(lowered) => {
                    let published = lowered.schema().cloned().unwrap_or_else(|| json!({"type": "object"}));
                    let violations = rules.violations(&published);
                    found.extend(violations.iter().map(|why| format!("{dialect_name} {tool} {why}")));
                }
                Err(Unfit::Recursion { .. }) if dialect_name == "anthropic_strict" => {}
                Err(unfit) => found.push(format!("{dialect_name} {tool}: {unfit}")),
            }
        }
    }
    assert!(found.is_empty(), "{} violations:\n{}", found.len(), found.join("\n"));
}

#[test]
fn whatever_a_type_takes_can_be_sent_and_comes_back_as_it_was() {
    let mut found = Vec::new();
    let mut sent_in_all = 0;
    for (tool, schema) in schemas() {
        let takes = validator(&schema);
        let values: Vec<Value> = instances(&schema).into_iter().filter(|value| takes.is_valid(value)).collect();
        assert!(!values.is_empty(), "{tool}");
        for (dialect_name, dialect) in dialects() {
            let Ok(lowered) = lower(&Source::derived(tool, &schema), &dialect) else { continue };
            let Some(published) = lowered.schema() else { continue };
            let sender = Sender::new(published);
            for value in &values {
                let Some(sent) = sender.sent(&lowered, value) else {
                    found.push(format!("{dialect_name} {tool}: nothing stands for {value}"));
                    break;
                };
                sent_in_all += 1;
                let raised = lowered.raise().raise(&sent).unwrap_or_else(|| sent.clone());
                let why = if !sender.takes(&sent) {
                    "is refused"
                } else if !same(&raised, value) {
                    "comes back otherwise"
                } else if !takes.is_valid(&raised) {
                    "is no longer taken"
                } else {
                    continue;
                };
                found.push(format!("{dialect_name} {tool}: {value} sent as {sent} {why} ({raised})\n{published}"));
                break;
            }
        }
    }
    assert!(found.is_empty(), "{} of them:\n{}", found.len(), found.join("\n"));
    assert!(sent_in_all > 20_000, "{sent_in_all}");
}

#[test]
fn no_value_makes_raising_panic_and_canonical_ones_stay() {
    let schemas = schemas();
    let mut hostile: Vec<Value> =
        schemas.iter().step_by(7).flat_map(|(_, schema)| instances(schema)).step_by(5).collect();
    for wrap in [
        |inside: Value| Value::Array(vec![inside]),
        |inside: Value| Map::from_iter([("value".to_owned(), inside), ("of".to_owned(), Value::Null)]).into(),
        |inside: Value| {
            let pair = Map::from_iter([("key".to_owned(), Value::from("a")), ("value".to_owned(), inside)]);
            Value::Array(vec![pair.into()])
        },
    ] {
        hostile.push(wrap((0..700).fold(Value::Null, |inside, _| wrap(inside))));
    }
    hostile.push(json!({"value": "[".repeat(10_000)}));
    hostile.extend(["{}", "null", "[1e400]", "{\"a\":1,\"a\":2}", "\u{0}", ""].map(|text| json!({"value": text})));
    for value in [
        json!(null),
        json!([]),
        json!("x"),
        json!({"item_0": 1}),
        json!({"value": {"item_1": 2}}),
        json!({"value": [{"key": "a"}]}),
    ] {
        hostile.push(value);
    }
    for (tool, schema) in &schemas {
        for (dialect_name, dialect) in dialects() {
            let Ok(lowered) = lower(&Source::derived(tool, schema), &dialect) else { continue };
            for value in &hostile {
                let raised = lowered.raise().raise(value);
                let is_kept = raised.is_none() || !lowered.raise().is_nothing();
                assert!(is_kept, "{dialect_name} {tool}");
            }
            if lowered.changes().is_empty() {
                assert!(lowered.raise().is_nothing() || lowered.raise().is_for_misses(), "{dialect_name} {tool}");
            }
        }
    }
    for (dialect_name, dialect) in dialects() {
        let untouched = ["mcp", "plain", "openai", "anthropic", "mistral", "cohere", "bedrock"].contains(&dialect_name);
        for (tool, schema) in schemas.iter().filter(|_| untouched) {
            let lowered = lower(&Source::derived(tool, schema), &dialect).expect("all of JSON Schema");
            assert!(lowered.raise().is_nothing(), "{dialect_name} {tool}");
        }
    }
}

/// What is published, for people to read: a line for each of a few types in each dialect.
#[test]
fn what_is_published_is_what_the_file_says() {
    const SHOWN: [&str; 7] =
        ["of_option", "of_tuple", "of_map_u8", "of_value", "of_flat_map", "of_flat_internal", "of_defaulted"];
    let mut page = String::new();
    for (tool, schema) in schemas().iter().filter(|(tool, _)| SHOWN.contains(tool)) {
        writeln!(page, "{tool}\n{:18} {schema}", "canonical").expect("a line");
        for (dialect_name, dialect) in dialects() {
            match lower(&Source::derived(tool, schema), &dialect) {
                Ok(lowered) if lowered.schema() == Some(schema) => writeln!(page, "{dialect_name:18} the same"),
                Ok(lowered) => writeln!(page, "{dialect_name:18} {}", lowered.schema().unwrap_or(&Value::Null)),
                Err(unfit) => writeln!(page, "{dialect_name:18} refused: {unfit}"),
            }
            .expect("a line");
        }
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/lowered_types.txt");
    if env::var_os("UPDATE_TABLES").is_some() {
        fs::write(&path, &page).expect("the file can be written");
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == page, "write cases/lowered_types.txt anew with UPDATE_TABLES=1, and read the difference");
}
