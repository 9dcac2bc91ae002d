//! The words of earlier drafts, in those of 2020-12; and the way to every schema inside a schema.

use serde_json::{Map, Value};

/// Keywords with one schema, with a list of them, and with schemas by name.
const ONE: &[&str] = &[
    "items",
    "additionalItems",
    "unevaluatedItems",
    "contains",
    "additionalProperties",
    "unevaluatedProperties",
    "propertyNames",
    "not",
    "if",
    "then",
    "else",
];
const LISTS: &[&str] = &["anyOf", "oneOf", "allOf", "prefixItems", "items"];
const NAMED: &[&str] = &["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];

/// Calls `visit` for a schema and for all inside it, the outer ones first, with their places as JSON pointers.
pub(super) fn each_schema(schema: &mut Value, at: &str, visit: &mut dyn FnMut(&mut Map<String, Value>, &str)) {
    let Value::Object(keywords) = schema else { return };
    visit(keywords, at);
    for (keyword, inner) in keywords.iter_mut() {
        let keyword_name = keyword.as_str();
        match inner {
            Value::Object(_) if ONE.contains(&keyword_name) => each_schema(inner, &format!("{at}/{keyword}"), visit),
            Value::Array(schemas) if LISTS.contains(&keyword_name) => {
                for (place, schema) in schemas.iter_mut().enumerate() {
                    each_schema(schema, &format!("{at}/{keyword}/{place}"), visit);
                }
            }
            Value::Object(schemas) if NAMED.contains(&keyword_name) => {
                for (name, schema) in schemas.iter_mut() {
                    each_schema(schema, &inside(&format!("{at}/{keyword}"), name), visit);
                }
            }
            _ => {}
        }
    }
}

/// A JSON pointer, one step further.
pub(super) fn inside(at: &str, token: &str) -> String {
    format!("{at}/{}", token.replace('~', "~0").replace('/', "~1"))
}

/// Rewrites a schema of an earlier draft. `found` is told each place and keyword.
pub(super) fn modernise(schema: &mut Value, mut found: impl FnMut(&str, &str)) {
    each_schema(schema, "", &mut |keywords, at| {
        if keywords.get("items").is_some_and(Value::is_array)
            && let Some(leading) = keywords.remove("items")
        {
            found(at, "items");
            keywords.insert("prefixItems".into(), leading);
            if let Some(rest) = keywords.remove("additionalItems") {
                keywords.insert("items".into(), rest);
            }
        }
        for (keyword, inclusive) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")] {
            if let Some(Value::Bool(is_exclusive)) = keywords.get(keyword).cloned() {
                found(at, keyword);
                keywords.shift_remove(keyword);
                if is_exclusive && let Some(limit) = keywords.shift_remove(inclusive) {
                    keywords.insert(keyword.into(), limit);
                }
            }
        }
        if let Some(Value::Object(dependencies)) = keywords.shift_remove("dependencies") {
            found(at, "dependencies");
            let (names, schemas): (Map<_, _>, Map<_, _>) =
                dependencies.into_iter().partition(|(_, needs)| needs.is_array());
            for (keyword, needs) in [("dependentRequired", names), ("dependentSchemas", schemas)] {
                if !needs.is_empty() {
                    keywords.insert(keyword.into(), needs.into());
                }
            }
        }
    });
    let is_old = schema.get("$schema").and_then(Value::as_str).is_some_and(|draft| !draft.contains("2020-12"));
    if is_old && let Some(keywords) = schema.as_object_mut() {
        found("", "$schema");
        keywords.shift_remove("$schema");
    }
}

/// Puts all local references of a schema under a prefix, `#/$defs/x` becoming `#` with the prefix and `/$defs/x`.
pub(super) fn rerooted(schema: &Value, prefix: &str, but: &[&str]) -> Value {
    match schema {
        Value::Object(members) => members
            .iter()
            .map(|(key, value)| match (key.as_str(), value) {
                ("$ref" | "$dynamicRef" | "$recursiveRef", Value::String(reference)) => {
                    let reference = match reference.strip_prefix('#') {
                        Some(pointer) if !but.iter().any(|kept| pointer.starts_with(kept)) => {
                            format!("#{prefix}{pointer}")
                        }
                        _ => reference.clone(),
                    };
                    ("$ref".to_owned(), reference.into())
                }
                _ => (key.clone(), rerooted(value, prefix, but)),
            })
            .collect(),
        Value::Array(elements) => elements.iter().map(|element| rerooted(element, prefix, but)).collect(),
        _ => schema.clone(),
    }
}

/// Whether a schema refers to anything.
pub(super) fn refers(schema: &Value) -> bool {
    match schema {
        Value::Object(members) => members.iter().any(|(key, value)| key == "$ref" || refers(value)),
        Value::Array(elements) => elements.iter().any(refers),
        _ => false,
    }
}
