//! Untagged enums in which serde's first variant that fits is not the one that the schema means.
//!
//! serde takes the first variant that can be read, and a struct is read from an object with fields that it does not have. The
//! schema is closed and means the variant that has them all, so what the later one declares would be lost.

use serde_json::{Map, Value};

use super::witness::Witness;

/// What is wrong with the branches of an untagged enum, as schemars writes them, in words that follow "holds an untagged enum".
pub(super) fn swallowed(branches: &[Value], witness: &Witness<'_>) -> Option<String> {
    let resolved = |branch| match witness.referred(branch) {
        Some((_, referred)) => (referred, true),
        None => (branch, false),
    };
    branches.iter().enumerate().find_map(|(place, first)| {
        let (first, is_type) = resolved(first);
        branches[place + 1..].iter().enumerate().find_map(|(behind, later)| {
            let (later, _) = resolved(later);
            let (first_name, later_name) = (place + 1, place + behind + 2);
            if let Some(lost) = drops(first, later) {
                return Some(format!(
                    "in which variant {first_name} takes an object that is meant for variant {later_name} and drops its `{lost}`: put the variant with more fields first, or `#[serde(deny_unknown_fields)]` on what is read first"
                ));
            }
            (is_type && takes_array(first, later)).then(|| {
                format!(
                    "in which variant {first_name}, a struct, is read from an array that is meant for variant {later_name} too: put the array first"
                )
            })
        })
    })
}

/// The property that is lost where an open struct is read from an object of a later variant.
fn drops<'s>(first: &Value, later: &'s Value) -> Option<&'s str> {
    let is_map = ["additionalProperties", "patternProperties", "unevaluatedProperties", "anyOf", "oneOf", "allOf"];
    let (ours, theirs) = (properties(first)?, properties(later)?);
    if is_map.iter().any(|keyword| first.get(keyword).is_some()) {
        return None;
    }
    let required = |schema: &Value, name: &str| {
        schema.get("required").and_then(Value::as_array).is_some_and(|names| names.iter().any(|known| known == name))
    };
    let missing = ours.keys().any(|name| required(first, name) && !theirs.contains_key(name));
    let at_odds = ours.iter().any(|(name, property)| {
        (required(first, name) || required(later, name))
            && theirs.get(name).is_some_and(|other| disjoint(property, other))
    });
    if missing || at_odds {
        return None;
    }
    theirs.keys().find(|name| !ours.contains_key(*name)).map(String::as_str)
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
        let witness = Witness { definitions: &definitions };
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
        assert_eq!(swallowed(&[more, of_others], &witness), None);
    }
}
