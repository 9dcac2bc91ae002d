//! Untagged enums in which serde's first variant that fits is not the one that the schema means.
//!
//! serde takes the first variant that can be read, and a struct is read from an object with fields that it does not have. The
//! schema is closed and means the variant that has them all, so what the later one declares would be lost.

use serde_json::{Map, Value};

use super::witness::Witness;

/// How deep a variant is held against another.
const MAX_DEPTH: usize = 4;

/// What is wrong with the branches of an untagged enum, as schemars writes them, in words that follow "holds an untagged enum".
pub(super) fn swallowed(branches: &[Value], witness: &Witness<'_>) -> Option<String> {
    branches.iter().enumerate().find_map(|(place, first)| {
        let is_type = witness.referred(first).is_some();
        let firsts = alternatives(first, witness);
        branches[place + 1..].iter().enumerate().find_map(|(behind, later)| {
            let laters = alternatives(later, witness);
            let mut pairs = firsts.iter().flat_map(|first| laters.iter().map(move |later| (*first, *later)));
            let (first_name, later_name) = (place + 1, place + behind + 2);
            pairs.find_map(|(first, later)| {
                if let Some(lost) = drops(first, later, witness, MAX_DEPTH) {
                    Some(format!(
                        "in which variant {first_name} takes what is meant for variant {later_name} and drops {lost}: put the variant with more fields first, or `#[serde(deny_unknown_fields)]` on what is read first"
                    ))
                } else if is_single(first) && is_double(later) {
                    Some(format!(
                        "in which variant {first_name}, an `f32`, reads the large numbers of variant {later_name} as infinite: put the `f64` first, or take it alone"
                    ))
                } else if is_type && takes_array(first, later, witness) {
                    Some(format!(
                        "in which variant {first_name}, a struct, is read from an array that is meant for variant {later_name} too: put the array first"
                    ))
                } else {
                    None
                }
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

/// What is lost where an open struct is read from an object of a later variant, or elements of an array are.
fn drops(first: &Value, later: &Value, witness: &Witness<'_>, depth: usize) -> Option<String> {
    let depth = depth.checked_sub(1)?;
    let resolved = |schema| alternatives(schema, witness).first().copied().unwrap_or(schema);
    if let (true, Some(ours), Some(theirs)) = (is_array(later), first.get("items"), later.get("items")) {
        return drops(resolved(ours), resolved(theirs), witness, depth);
    }
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
        Some(other) => (required(first, name) || required(later, name)) && disjoint(property, other, witness),
        None => required(first, name),
    };
    if ours.iter().any(excludes) {
        return None;
    }
    let lost = theirs.keys().find(|name| !ours.contains_key(*name)).map(|name| format!("its `{name}`"));
    lost.or_else(|| others.map(|_| "its other keys".to_owned())).or_else(|| {
        let both = ours.iter().filter_map(|(name, property)| Some((name, property, theirs.get(name)?)));
        both.into_iter().find_map(|(name, ours, theirs)| {
            let lost = drops(resolved(ours), resolved(theirs), witness, depth)?;
            Some(format!("{lost} inside `{name}`"))
        })
    })
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

/// Whether a struct is read from an array that the later schema takes: its fields in their order, without those at the end that
/// have a default.
fn takes_array(first: &Value, later: &Value, witness: &Witness<'_>) -> bool {
    let Some(fields) = properties(first) else { return false };
    let required = first.get("required").and_then(Value::as_array);
    let is_asked = |name: &String, field: &Value| {
        let is_nullable =
            || alternatives(field, witness).iter().any(|of| types(of).is_some_and(|of| of.contains(&"null")));
        required.is_some_and(|names| names.iter().any(|known| known == name))
            || (field.get("default").is_none() && is_nullable())
    };
    let fewest = fields
        .iter()
        .enumerate()
        .filter(|(_, (name, field))| is_asked(name, field))
        .map(|(place, _)| place + 1)
        .next_back()
        .unwrap_or(0);
    let count = |keyword: &str| {
        later.get(keyword).and_then(Value::as_u64).map(|count| usize::try_from(count).unwrap_or(usize::MAX))
    };
    let length = fewest.max(count("minItems").unwrap_or(0));
    let fits = length <= fields.len() && count("maxItems").is_none_or(|most| length <= most);
    let anything = Value::Bool(true);
    let leading = later.get("prefixItems").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let others = later.get("items").unwrap_or(&anything);
    is_array(later)
        && fits
        && fields
            .values()
            .take(length)
            .enumerate()
            .all(|(place, field)| !disjoint(field, leading.get(place).unwrap_or(others), witness))
}

fn is_array(schema: &Value) -> bool {
    types(schema).is_some_and(|types| types.contains(&"array"))
}

/// Whether no value is taken by both, as far as their types and constants tell.
fn disjoint(one: &Value, other: &Value, witness: &Witness<'_>) -> bool {
    let (ones, others) = (alternatives(one, witness), alternatives(other, witness));
    ones.iter().all(|one| others.iter().all(|other| differ(one, other)))
}

fn differ(one: &Value, other: &Value) -> bool {
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
    use std::collections::HashMap;

    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_read_as_an_earlier_variant_is_told_by_what_would_be_lost() {
        let definitions = Map::new();
        let witness = Witness { definitions: &definitions, filler: "", samples: HashMap::new() };
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
        let more_of = more.clone();
        assert!(swallowed(&[more.clone(), map(&text)], &witness).is_some_and(|words| words.contains("other keys")));
        assert_eq!(swallowed(&[more, map(&number)], &witness), None);
        let nested = |inner: &Value| of(json!({"in": {"type": "array", "items": inner}}), json!(["in"]));
        let twice = swallowed(&[nested(&of(json!({"a": text}), json!(["a"]))), nested(&more_of)], &witness);
        assert!(twice.is_some_and(|words| words.contains("drops its `b` inside `in`")));
        let tagged = json!({"oneOf": [of(json!({"kind": {"const": "x"}}), json!(["kind"]))]});
        let optional = of(json!({"a": text}), json!([]));
        assert!(swallowed(&[optional, tagged], &witness).is_some_and(|words| words.contains("`kind`")));
    }
}
