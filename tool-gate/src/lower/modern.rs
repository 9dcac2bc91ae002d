//! The words of earlier drafts, in those of 2020-12; and the way to every schema inside a schema.

use serde_json::{Map, Value};

use super::merge::{OF_DOCUMENTS, REMARKS};
use crate::schema::resolve;

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
pub(super) const NAMED: &[&str] = &["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];

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

/// The schemas that are directly in one, each with its keyword.
pub(super) fn schemas_in(keywords: &Map<String, Value>) -> impl Iterator<Item = (&str, &Value)> {
    keywords.iter().flat_map(|(keyword, inner)| {
        let keyword = keyword.as_str();
        let schemas: Vec<&Value> = match inner {
            Value::Object(_) if ONE.contains(&keyword) => vec![inner],
            Value::Array(schemas) if LISTS.contains(&keyword) => schemas.iter().collect(),
            Value::Object(schemas) if NAMED.contains(&keyword) => schemas.values().collect(),
            _ => Vec::new(),
        };
        schemas.into_iter().map(move |schema| (keyword, schema))
    })
}

/// A JSON pointer, one step further.
pub(super) fn inside(at: &str, token: &str) -> String {
    format!("{at}/{}", token.replace('~', "~0").replace('/', "~1"))
}

/// Rewrites a schema of an earlier draft. `found` is told each place and keyword.
pub(super) fn modernise(schema: &mut Value, mut found: impl FnMut(&str, &str)) {
    let before = schema.clone();
    let draft = before.get("$schema").and_then(Value::as_str).unwrap_or_default();
    let is_alone_beside_references =
        ["draft-03", "draft-04", "draft-06", "draft-07"].iter().any(|old| draft.contains(old));
    each_schema(schema, "", &mut |keywords, at| {
        if is_alone_beside_references && keywords.contains_key("$ref") {
            // What stands beside a reference has no say there.
            let count = keywords.len();
            let is_remark = |key: &str| key == "$ref" || REMARKS.contains(&key) || OF_DOCUMENTS.contains(&key);
            keywords.retain(|key, _| is_remark(key));
            if keywords.len() < count {
                found(at, "$ref");
            }
        }
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
    each_schema(schema, "", &mut |keywords, _| {
        if let Some(Value::String(reference)) = keywords.get_mut("$ref")
            && let Some(moved) = moved(reference, &before)
        {
            *reference = moved;
        }
    });
    let is_old = schema.get("$schema").and_then(Value::as_str).is_some_and(|draft| !draft.contains("2020-12"));
    if is_old && let Some(keywords) = schema.as_object_mut() {
        found("", "$schema");
        keywords.shift_remove("$schema");
    }
}

/// Where a local reference leads once a schema of an earlier draft is rewritten.
fn moved(reference: &str, before: &Value) -> Option<String> {
    let mut schema = before;
    let mut moved = "#".to_owned();
    let mut tokens = reference.strip_prefix("#/")?.split('/');
    while let Some(keyword) = tokens.next() {
        let lists_items = schema.get("items").is_some_and(Value::is_array);
        moved.push('/');
        moved.push_str(match keyword {
            "items" if lists_items => "prefixItems",
            "additionalItems" if lists_items => "items",
            "dependencies" => "dependentSchemas",
            _ => keyword,
        });
        schema = resolve(schema, &format!("#/{keyword}"))?;
        let is_place = schema.is_array() || NAMED.contains(&keyword) || keyword == "dependencies";
        // A name, which is no keyword whatever it says.
        if let Some(name) = is_place.then(|| tokens.next()).flatten() {
            moved.push('/');
            moved.push_str(name);
            schema = resolve(schema, &format!("#/{name}"))?;
        }
    }
    Some(moved)
}

/// Puts all local references of a schema under a prefix, `#/$defs/x` becoming `#` with the prefix and `/$defs/x`.
pub(super) fn rerooted(schema: &Value, prefix: &str, but: &[&str]) -> Value {
    let moved = |reference: &str| match reference.strip_prefix('#') {
        Some(pointer) if !but.iter().any(|kept| pointer.starts_with(kept)) => format!("#{prefix}{pointer}"),
        _ => reference.to_owned(),
    };
    match schema {
        Value::Object(keywords) => keywords
            .iter()
            .map(|(keyword, inner)| match (keyword.as_str(), inner) {
                ("$ref" | "$dynamicRef" | "$recursiveRef", Value::String(reference)) => {
                    ("$ref".to_owned(), moved(reference).into())
                }
                // Plain data.
                ("const" | "enum" | "default" | "examples", _) => (keyword.clone(), inner.clone()),
                (named, Value::Object(schemas)) if NAMED.contains(&named) => {
                    let each = schemas.iter().map(|(name, schema)| (name.clone(), rerooted(schema, prefix, but)));
                    (keyword.clone(), each.collect())
                }
                _ => (keyword.clone(), rerooted(inner, prefix, but)),
            })
            .collect(),
        Value::Array(elements) => elements.iter().map(|element| rerooted(element, prefix, but)).collect(),
        _ => schema.clone(),
    }
}

/// Whether a schema refers to anything.
pub(super) fn refers(schema: &Value) -> bool {
    schema
        .as_object()
        .is_some_and(|keywords| keywords.contains_key("$ref") || schemas_in(keywords).any(|(_, schema)| refers(schema)))
}
