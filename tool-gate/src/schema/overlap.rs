//! Untagged enums in which serde's first variant that fits is not the one that the schema means.
//!
//! serde takes the first variant that can be read, and a struct is read from an object with fields that it does not have. The
//! schema is closed and means the variant that has them all, so what the later one declares would be lost.

use serde_json::{Map, Value};

use super::witness::Witness;

/// What is wrong with the branches of an untagged enum, as schemars writes them, in words that follow "holds an untagged enum".
pub(super) fn swallowed(branches: &[Value], witness: &Witness<'_>) -> Option<String> {
    branches.iter().enumerate().find_map(|(place, first)| {
        let (is_type, first) = match witness.referred(first) {
            Some((_, referred)) => (true, referred),
            None => (false, first),
        };
        branches[place + 1..].iter().enumerate().find_map(|(behind, later)| {
            let later = alternatives(later, witness);
            let (first_name, later_name) = (place + 1, place + behind + 2);
            if let Some(lost) = later.iter().find_map(|later| drops(first, later)) {
                return Some(format!(
                    "in which variant {first_name} takes an object that is meant for variant {later_name} and drops {lost}: put the variant with more fields first, or `#[serde(deny_unknown_fields)]` on what is read first"
                ));
            }
            if is_single(first) && later.iter().any(|later| is_double(later)) {
                return Some(format!(
                    "in which variant {first_name}, an `f32`, reads the large numbers of variant {later_name} as infinite: put the `f64` first, or take it alone"
                ));
            }
            (is_type && later.iter().any(|later| takes_array(first, later))).then(|| {
                format!(
                    "in which variant {first_name}, a struct, is read from an array that is meant for variant {later_name} too: put the array first"
                )
            })
        })
    })
}

/// A branch, or the branches of the enum that it is.
fn alternatives<'s>(branch: &'s Value, witness: &Witness<'s>) -> Vec<&'s Value> {
    let branch = witness.referred(branch).map_or(branch, |(_, referred)| referred);
    match ["oneOf", "anyOf"].iter().find_map(|union| branch.get(union)?.as_array()) {
        Some(inner) if branch.get("properties").is_none() => {
            inner.iter().map(|inner| witness.referred(inner).map_or(inner, |(_, referred)| referred)).collect()
        }
        _ => vec![branch],
    }
}

/// What is lost where an open struct is read from an object of a later variant.
fn drops(first: &Value, later: &Value) -> Option<String> {
    let is_open = ["additionalProperties", "patternProperties", "unevaluatedProperties", "anyOf", "oneOf", "allOf"];
    let ours = properties(first).filter(|_| is_open.iter().all(|keyword| first.get(keyword).is_none()))?;
    let no_properties = Map::new();
    let theirs = properties(later).unwrap_or(&no_properties);
    let others = ["additionalProperties", "patternProperties"].iter().find_map(|keyword| later.get(keyword));
    let others = others.filter(|others| **others != Value::Bool(false) && types(later) == Some(vec!["object"]));
    if theirs.is_empty() && others.is_none() {
        return None;
    }
    let required = |schema: &Value, name: &str| {
        schema.get("required").and_then(Value::as_array).is_some_and(|names| names.iter().any(|known| known == name))
    };
    let excludes = |(name, property): (&String, &Value)| match theirs.get(name).or(others) {
        Some(other) => (required(first, name) || required(later, name)) && disjoint(property, other),
        None => required(first, name),
    };
    if ours.iter().any(excludes) {
        return None;
    }
    let lost = theirs.keys().find(|name| !ours.contains_key(*name)).map(|name| format!("its `{name}`"));
    lost.or_else(|| others.map(|_| "its other keys".to_owned()))
}

/// An `f32`, into which serde makes any `f64` fit that it has buffered.
fn is_single(schema: &Value) -> bool {
    schema.get("format").is_some_and(|format| format == "float")
}

fn is_double(schema: &Value) -> bool {
    types(schema).is_some_and(|types| types.contains(&"number")) && !is_single(schema)
}

fn properties(schema: &Value) -> Option<&Map<String, Value>> {
    schema.get("properties")?.as_object()
}

/// Whether a struct is read from an array that the later schema takes: its fields in their order.
fn takes_array(first: &Value, later: &Value) -> bool {
    let Some(fields) = properties(first) else { return false };
    let count = |keyword: &str| later.get(keyword).and_then(Value::as_u64);
    let length = fields.len() as u64;
    let fits =
        count("minItems").is_none_or(|fewest| fewest <= length) && count("maxItems").is_none_or(|most| length <= most);
    let anything = Value::Bool(true);
    let leading = later.get("prefixItems").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let others = later.get("items").unwrap_or(&anything);
    is_array(later)
        && fits
        && fields.values().enumerate().all(|(place, field)| !disjoint(field, leading.get(place).unwrap_or(others)))
}

fn is_array(schema: &Value) -> bool {
    types(schema).is_some_and(|types| types.contains(&"array"))
}

/// Whether no value is taken by both, as far as their types and constants tell.
fn disjoint(one: &Value, other: &Value) -> bool {
    if let (Some(ones), Some(others)) = (options(one), options(other)) {
        return !ones.iter().any(|option| others.contains(option));
    }
    match (types(one), types(other)) {
        (Some(ones), Some(others)) => !ones.iter().any(|name| {
            others.contains(name)
                || (*name == "integer" && others.contains(&"number"))
                || (*name == "number" && others.contains(&"integer"))
        }),
        _ => false,
    }
}

fn options(schema: &Value) -> Option<Vec<&Value>> {
    match (schema.get("const"), schema.get("enum")) {
        (Some(only), _) => Some(vec![only]),
        (None, Some(Value::Array(options))) => Some(options.iter().collect()),
        _ => None,
    }
}

fn types(schema: &Value) -> Option<Vec<&str>> {
    match schema.get("type")? {
        Value::String(name) => Some(vec![name]),
        Value::Array(names) => Some(names.iter().filter_map(Value::as_str).collect()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_read_as_an_earlier_variant_is_told_by_what_would_be_lost() {
        let definitions = Map::new();
        let witness = Witness { definitions: &definitions, filler: "" };
        let of = |properties: Value, required: Value| json!({"type": "object", "properties": properties, "required": required});
        let (text, number) = (json!({"type": "string"}), json!({"type": "integer"}));
        let less = of(json!({"a": text}), json!(["a"]));
        let more = of(json!({"a": text, "b": text}), json!(["a", "b"]));
        assert!(
            swallowed(&[less.clone(), more.clone()], &witness).is_some_and(|words| words.contains("drops its `b`"))
        );
        assert_eq!(swallowed(&[more.clone(), less.clone()], &witness), None);
        let mut closed = less.clone();
        closed["additionalProperties"] = false.into();
        assert_eq!(swallowed(&[closed, more.clone()], &witness), None);
        let of_numbers = of(json!({"a": number, "b": text}), json!(["a", "b"]));
        assert_eq!(swallowed(&[less, of_numbers], &witness), None);
        let of_others = of(json!({"c": text}), json!(["c"]));
        assert_eq!(swallowed(&[more.clone(), of_others], &witness), None);
        let map = |of: &Value| json!({"type": "object", "additionalProperties": of});
        assert!(swallowed(&[more.clone(), map(&text)], &witness).is_some_and(|words| words.contains("other keys")));
        assert_eq!(swallowed(&[more, map(&number)], &witness), None);
        let tagged = json!({"oneOf": [of(json!({"kind": {"const": "x"}}), json!(["kind"]))]});
        let optional = of(json!({"a": text}), json!([]));
        assert!(swallowed(&[optional, tagged], &witness).is_some_and(|words| words.contains("`kind`")));
    }
}
