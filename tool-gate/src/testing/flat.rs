//! Schemas without references, unions and compositions: what one value may be, keyword by keyword.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use crate::schema::resolve;

/// The keywords of one of the forms that a value may have.
pub(super) type Form<'s> = Cow<'s, Map<String, Value>>;

/// The most forms that are told apart.
const MOST: usize = 48;

/// How many references are followed to come to a form.
const REFERENCES: usize = 12;

/// The forms that a schema takes, each with all that is asked of it: a branch of every union, and all parts of what is
/// composed. None for `false`.
///
/// They are made to draw by, and not to judge by: what they leave out is seen to by the oracle.
pub(super) fn forms<'s>(schema: &'s Value, root: &'s Value) -> Vec<Form<'s>> {
    unfold(schema, root, REFERENCES)
}

fn unfold<'s>(schema: &'s Value, root: &'s Value, references: usize) -> Vec<Form<'s>> {
    const FOLDED: [&str; 5] = ["$ref", "allOf", "anyOf", "oneOf", "if"];
    let Value::Object(keywords) = schema else {
        return if *schema == Value::Bool(false) { Vec::new() } else { vec![Cow::Owned(Map::new())] };
    };
    if !FOLDED.iter().any(|keyword| keywords.contains_key(*keyword)) {
        return vec![Cow::Borrowed(keywords)];
    }
    if references == 0 {
        return Vec::new();
    }
    let unfold = |schema| unfold(schema, root, references - 1);
    let list = |keyword: &str| keywords.get(keyword).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let mut found = vec![bare(keywords)];
    if let Some(referred) = keywords.get("$ref").and_then(Value::as_str).and_then(|name| resolve(root, name)) {
        found = product(&found, &unfold(referred));
    }
    for part in list("allOf") {
        found = product(&found, &unfold(part));
    }
    for union in ["anyOf", "oneOf"] {
        if !list(union).is_empty() {
            let branches: Vec<Form<'s>> = list(union).iter().flat_map(unfold).collect();
            found = product(&found, &branches);
        }
    }
    if let Some(condition) = keywords.get("if") {
        let follows = |keyword: &str| keywords.get(keyword).map_or_else(|| vec![Cow::Owned(Map::new())], unfold);
        let mut branches: Vec<Form<'s>> =
            product(&owned(unfold(condition)), &follows("then")).into_iter().map(Cow::Owned).collect();
        branches.extend(follows("else"));
        found = product(&found, &branches);
    }
    found.into_iter().map(Cow::Owned).collect()
}

fn owned(forms: Vec<Form<'_>>) -> Vec<Map<String, Value>> {
    forms.into_iter().map(Cow::into_owned).collect()
}

/// What stands beside the folded keywords.
fn bare(keywords: &Map<String, Value>) -> Map<String, Value> {
    const LEFT: [&str; 9] = ["$ref", "allOf", "anyOf", "oneOf", "if", "then", "else", "$defs", "definitions"];
    let kept = keywords.iter().filter(|(keyword, _)| !LEFT.contains(&keyword.as_str()));
    kept.map(|(keyword, clause)| (keyword.clone(), clause.clone())).collect()
}

fn product(ones: &[Map<String, Value>], others: &[Form<'_>]) -> Vec<Map<String, Value>> {
    let pairs = ones.iter().flat_map(|one| others.iter().map(move |other| both(one.clone(), other)));
    pairs.take(MOST).collect()
}

/// What is asked where both are asked.
fn both(mut one: Map<String, Value>, other: &Map<String, Value>) -> Map<String, Value> {
    for (keyword, theirs) in other.iter().filter(|(keyword, _)| !["$defs", "definitions"].contains(&keyword.as_str())) {
        match (keyword.as_str(), one.get_mut(keyword), theirs) {
            ("properties" | "patternProperties", Some(Value::Object(ours)), Value::Object(theirs)) => {
                for (name, property) in theirs {
                    match ours.get_mut(name) {
                        Some(known) if known != property => *known = json!({"allOf": [known.take(), property]}),
                        Some(_) => {}
                        None => drop(ours.insert(name.clone(), property.clone())),
                    }
                }
            }
            ("required", Some(Value::Array(ours)), Value::Array(theirs)) => ours.extend(theirs.iter().cloned()),
            ("enum", Some(Value::Array(ours)), Value::Array(theirs)) => ours.retain(|option| theirs.contains(option)),
            ("minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties", Some(ours), theirs) => {
                if theirs.as_f64() > ours.as_f64() {
                    *ours = theirs.clone();
                }
            }
            ("maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties", Some(ours), theirs) => {
                if theirs.as_f64() < ours.as_f64() {
                    *ours = theirs.clone();
                }
            }
            ("type", Some(ours), theirs) => {
                let theirs = names(Some(theirs));
                let kept: Vec<&str> = names(Some(ours)).into_iter().filter(|name| theirs.contains(name)).collect();
                if !kept.is_empty() {
                    *ours = kept.into();
                }
            }
            (_, Some(_), _) => {}
            (_, None, theirs) => drop(one.insert(keyword.clone(), theirs.clone())),
        }
    }
    one
}

fn names(kind: Option<&Value>) -> Vec<&str> {
    match kind {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// The types that a form takes: as it says, or as its keywords suggest.
pub(super) fn types<'f>(form: &'f Map<String, Value>) -> Vec<&'f str> {
    let named = names(form.get("type"));
    if !named.is_empty() {
        return named;
    }
    let has = |keywords: &[&str]| keywords.iter().any(|keyword| form.contains_key(*keyword));
    let suggested: Vec<&'f str> = [
        ("object", has(&["properties", "required", "additionalProperties", "patternProperties", "propertyNames"])),
        ("array", has(&["items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"])),
        ("string", has(&["pattern", "format", "minLength", "maxLength"])),
        ("number", has(&["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"])),
    ]
    .into_iter()
    .filter_map(|(name, suggested)| suggested.then_some(name))
    .collect();
    if suggested.is_empty() {
        vec!["null", "boolean", "integer", "number", "string", "array", "object"]
    } else {
        suggested
    }
}

/// Whether a value may be meant to have this form: by its type, its tags, and where it is one of a list, by that.
pub(super) fn may_have(form: &Map<String, Value>, value: &Value) -> bool {
    let of_type = types(form).into_iter().any(|name| is_of(value, name));
    let listed = form.get("enum").and_then(Value::as_array).is_none_or(|options| options.contains(value));
    let tagged = form.get("properties").and_then(Value::as_object).into_iter().flatten().all(|(key, property)| {
        let tag = property.get("const");
        tag.is_none_or(|tag| value.get(key).is_none_or(|value| value == tag))
    });
    let required = form.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    of_type && listed && tagged && required.into_iter().all(|key| !value.is_object() || value.get(key).is_some())
}

fn is_of(value: &Value, name: &str) -> bool {
    match value {
        Value::Null => name == "null",
        Value::Bool(_) => name == "boolean",
        Value::Number(_) => name == "number" || name == "integer",
        Value::String(_) => name == "string",
        Value::Array(_) => name == "array",
        Value::Object(_) => name == "object",
    }
}

/// The members of an object under a keyword.
pub(super) fn members<'f>(
    form: &'f Map<String, Value>,
    keyword: &str,
) -> impl Iterator<Item = (&'f String, &'f Value)> + use<'f> {
    form.get(keyword).and_then(Value::as_object).into_iter().flatten()
}

/// A count under a keyword, as far as a test can go.
pub(super) fn count(form: &Map<String, Value>, keyword: &str) -> Option<usize> {
    form.get(keyword).and_then(Value::as_u64).map(|count| usize::try_from(count).unwrap_or(usize::MAX))
}
