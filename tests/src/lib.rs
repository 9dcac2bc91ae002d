//! What the tests of tool-gate share: drawing values from a published schema, and spoiling them one clause at a time.

pub mod agent;
pub mod draw;
pub mod fuzz;
pub mod real;
pub mod spoil;

use serde_json::{Map, Value};

/// The schema behind a local reference, with what stands beside it.
pub(crate) fn resolved<'s>(schema: &'s Value, root: &'s Value) -> &'s Value {
    match schema["$ref"].as_str() {
        Some(reference) => {
            resolved(&root[&reference[1..].split('/').nth(1).unwrap_or_default()][last(reference)], root)
        }
        None => schema,
    }
}

fn last(reference: &str) -> &str {
    reference.rsplit('/').next().unwrap_or_default()
}

/// The branches of a union.
pub(crate) fn branches(schema: &Value) -> Option<&Vec<Value>> {
    schema.get("anyOf").or_else(|| schema.get("oneOf")).and_then(Value::as_array)
}

/// The types that a schema takes; empty for all of them.
pub(crate) fn types(schema: &Value, root: &Value) -> Vec<String> {
    let schema = resolved(schema, root);
    if let Some(branches) = branches(schema) {
        return branches.iter().flat_map(|branch| types(branch, root)).collect();
    }
    match &schema["type"] {
        Value::String(name) => vec![name.clone()],
        Value::Array(names) => names.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

/// The members of an object under a keyword.
pub(crate) fn members<'s>(schema: &'s Value, keyword: &str) -> impl Iterator<Item = (&'s String, &'s Value)> {
    schema.get(keyword).and_then(Value::as_object).into_iter().flat_map(Map::iter)
}
