//! Several schemas that a value has to conform to, as one.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::{
    shape,
    words::{SAID, say_of_both},
};
use crate::schema::resolve;

/// Why two schemas are not one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Unmerged {
    /// Nothing conforms to both.
    Contradiction,
    /// A keyword of both.
    Keyword(String),
    /// They come to too many.
    TooLarge,
}

/// How many references may lead to one another.
const MAX_REFERENCES: usize = 32;

/// How many schemas may become one.
const MAX_PARTS: usize = 10_000;

/// What is said of a schema and bounds nothing.
pub(super) const REMARKS: &[&str] =
    &["title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "$comment"];

/// Keywords that are of a whole document, and of no schema in it.
pub(super) const OF_DOCUMENTS: &[&str] =
    &["$defs", "definitions", "$def", "$schema", "$id", "$anchor", "$comment", "$vocabulary"];

/// A schema of both. It says what both say, and what else only remarks is the first one's. A clause that cannot be one with the
/// other's is said in the description: less is asked then than by both.
///
/// # Errors
///
/// See [`Unmerged`].
pub(super) fn merge(
    one: &Map<String, Value>,
    other: &Map<String, Value>,
    root: &Value,
) -> Result<Map<String, Value>, Unmerged> {
    let mut merged = one.clone();
    let mut said = Map::new();
    objects(&mut merged, one, other)?;
    let has_conditions = one.contains_key("if") && other.contains_key("if");
    let is_of_condition = |keyword: &str| matches!(keyword, "if" | "then" | "else");
    for (keyword, theirs) in other {
        // What one says of its own condition is not said of the other's.
        if has_conditions && is_of_condition(keyword) {
            said.insert(keyword.clone(), shape::clause(keyword, theirs, root));
            continue;
        }
        let Some(ours) = merged.get(keyword) else {
            merged.insert(keyword.clone(), theirs.clone());
            continue;
        };
        if keyword == "description" {
            say_of_both(&mut merged, Some(theirs));
            continue;
        }
        if ours == theirs || REMARKS.contains(&keyword.as_str()) {
            continue;
        }
        let both = match keyword.as_str() {
            "properties" | "additionalProperties" | "unevaluatedProperties" => continue,
            "required" | "allOf" => union(ours, theirs),
            "type" => types(ours, theirs).ok_or(Unmerged::Contradiction)?,
            "enum" => options(ours, theirs).ok_or(Unmerged::Contradiction)?,
            "const" => return Err(Unmerged::Contradiction),
            "minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties" => extreme(ours, theirs, true),
            "maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties" => extreme(ours, theirs, false),
            "uniqueItems" | "deprecated" => Value::Bool(true),
            "items" | "propertyNames" => both(ours, theirs),
            "not" => json!({"anyOf": [ours, theirs]}),
            "anyOf" | "oneOf" => each_with(keyword, ours, theirs),
            "prefixItems" => return Err(Unmerged::Keyword(keyword.clone())),
            said_in_words if SAID.contains(&said_in_words) => {
                said.insert(keyword.clone(), shape::clause(keyword, theirs, root));
                continue;
            }
            _ => continue,
        };
        merged.insert(keyword.clone(), both);
    }
    if let (Some(only), Some(Value::Array(options))) = (merged.get("const"), merged.get("enum"))
        && !options.contains(only)
    {
        return Err(Unmerged::Contradiction);
    }
    if !said.is_empty() {
        let words = merged.get("description").and_then(Value::as_str);
        if let Some(words) = super::words::described(words, &said, &[]) {
            merged.insert("description".into(), words.into());
        }
    }
    Ok(merged)
}

/// The properties of both. What one closes, the other may not open.
fn objects(
    merged: &mut Map<String, Value>,
    one: &Map<String, Value>,
    other: &Map<String, Value>,
) -> Result<(), Unmerged> {
    const ANY: &Value = &Value::Bool(true);
    let has_any = |of: &Map<String, Value>| {
        ["properties", "additionalProperties", "unevaluatedProperties"].iter().any(|keyword| of.contains_key(*keyword))
    };
    if !has_any(one) || !has_any(other) {
        return Ok(());
    }
    let properties = |of| Map::<String, Value>::get(of, "properties").and_then(Value::as_object);
    let rest = |of: &Map<String, Value>| of.get("additionalProperties").unwrap_or(ANY).clone();
    let (rest_of_one, rest_of_other) = (rest(one), rest(other));
    let mut all = Map::new();
    for (key, schema) in properties(one).into_iter().flatten() {
        let theirs = properties(other).and_then(|theirs| theirs.get(key)).unwrap_or(&rest_of_other);
        all.insert(key.clone(), both(schema, theirs));
    }
    for (key, schema) in properties(other).into_iter().flatten() {
        if !all.contains_key(key) {
            all.insert(key.clone(), both(&rest_of_one, schema));
        }
    }
    let required = |of: &Map<String, Value>| of.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    for key in required(one).iter().chain(&required(other)).filter_map(Value::as_str) {
        if all.get(key) == Some(&Value::Bool(false)) {
            return Err(Unmerged::Contradiction);
        }
    }
    merged.insert("properties".into(), Value::Object(all));
    if one.contains_key("additionalProperties") || other.contains_key("additionalProperties") {
        merged.insert("additionalProperties".into(), both(&rest_of_one, &rest_of_other));
    }
    // Each of the two speaks of what is beside itself: the outer one's is what holds of the whole.
    let unevaluated = one.get("unevaluatedProperties").or_else(|| other.get("unevaluatedProperties"));
    if let Some(unevaluated) = unevaluated {
        merged.insert("unevaluatedProperties".into(), unevaluated.clone());
    }
    Ok(())
}

/// A schema that asks for both.
fn both(one: &Value, other: &Value) -> Value {
    match (one, other) {
        (Value::Bool(false), _) | (_, Value::Bool(false)) => Value::Bool(false),
        (Value::Bool(true), only) | (only, Value::Bool(true)) => only.clone(),
        (one, other) if one == other => one.clone(),
        (one, other) => json!({"allOf": [one, other]}),
    }
}

/// The branches of one union, each with the other union beside it.
fn each_with(keyword: &str, ours: &Value, theirs: &Value) -> Value {
    let branches = ours.as_array().into_iter().flatten();
    branches.map(|branch| json!({"allOf": [branch, {keyword: theirs}]})).collect()
}

fn union(one: &Value, other: &Value) -> Value {
    let mut all: Vec<Value> = one.as_array().cloned().unwrap_or_default();
    for value in other.as_array().into_iter().flatten() {
        if !all.contains(value) {
            all.push(value.clone());
        }
    }
    all.into()
}

/// The types of both, an integer being a number.
fn types(one: &Value, other: &Value) -> Option<Value> {
    let list = |value: &Value| -> Vec<String> {
        match value {
            Value::String(name) => vec![name.clone()],
            Value::Array(names) => names.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            _ => Vec::new(),
        }
    };
    let (one, other) = (list(one), list(other));
    let has = |list: &[String], name: &str| {
        list.iter().any(|known| known == name || (known == "number" && name == "integer"))
    };
    let mut common: Vec<String> = one.iter().filter(|name| has(&other, name)).cloned().collect();
    common.extend(other.iter().filter(|name| has(&one, name) && !one.contains(name)).cloned());
    common.dedup();
    match common.as_slice() {
        [] => None,
        [only] => Some(only.as_str().into()),
        several => Some(several.into()),
    }
}

fn options(one: &Value, other: &Value) -> Option<Value> {
    let other: HashSet<&Value> = other.as_array()?.iter().collect();
    let common: Vec<Value> = one.as_array()?.iter().filter(|option| other.contains(option)).cloned().collect();
    (!common.is_empty()).then_some(common.into())
}

fn extreme(one: &Value, other: &Value, greatest: bool) -> Value {
    let is_greater = one.as_f64().unwrap_or_default() >= other.as_f64().unwrap_or_default();
    if is_greater == greatest { one.clone() } else { other.clone() }
}

/// One schema of a schema and all it refers to at its own place: `$ref` where it has siblings, and the parts of `allOf`. None
/// where it has neither.
///
/// # Errors
///
/// See [`Unmerged`]. A reference that leads back to itself is a keyword that cannot be merged.
pub(super) fn flattened(schema: &Map<String, Value>, root: &Value) -> Result<Option<Map<String, Value>>, Unmerged> {
    if !schema.contains_key("$ref") && !schema.contains_key("allOf") {
        return Ok(None);
    }
    flatten(schema, root, MAX_REFERENCES, &mut 0).map(Some)
}

fn flatten(
    schema: &Map<String, Value>,
    root: &Value,
    references: usize,
    parts_so_far: &mut usize,
) -> Result<Map<String, Value>, Unmerged> {
    let mut own = schema.clone();
    let mut parts: Vec<Value> = Vec::new();
    if let Some(reference) = own.remove("$ref") {
        let unknown = || Unmerged::Keyword("$ref".to_owned());
        if references == 0 {
            return Err(unknown());
        }
        parts.push(reference.as_str().and_then(|reference| resolve(root, reference)).ok_or_else(unknown)?.clone());
    }
    if let Some(Value::Array(all)) = own.remove("allOf") {
        parts.extend(all);
    }
    own.retain(|keyword, _| !OF_DOCUMENTS.contains(&keyword.as_str()));
    *parts_so_far += parts.len();
    if *parts_so_far > MAX_PARTS {
        return Err(Unmerged::TooLarge);
    }
    for part in parts {
        own = match part {
            Value::Bool(true) => own,
            Value::Object(part) => {
                let part = if part.contains_key("$ref") || part.contains_key("allOf") {
                    flatten(&part, root, references.saturating_sub(1), parts_so_far)?
                } else {
                    part
                };
                merge(&own, &part, root)?
            }
            _ => return Err(Unmerged::Contradiction),
        };
    }
    Ok(own)
}
