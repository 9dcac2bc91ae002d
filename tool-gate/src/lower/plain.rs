//! Dialects that take all of JSON Schema: the schema as it is, but for its root and a few quirks.

use std::iter;

use serde_json::{Map, Value, json};

use super::{
    Lowered, Source,
    change::{Became, Change},
    dialect::{Dialect, Quirk},
    merge::flattened,
    modern::{each_schema, modernise, rerooted},
    names::Names,
    raise::{KEEP, Member, Raise, Step, WRAPPED},
    root::{Together, say, take_together},
    words::described,
};
use crate::schema::resolve;

pub(super) fn lower(source: &Source<'_>, dialect: &Dialect) -> Lowered {
    let mut schema = source.schema.clone();
    let mut changes: Vec<Change> = Vec::new();
    let change = |path: &str, keyword: &str, became| Change {
        tool: source.tool.to_owned(),
        path: path.to_owned(),
        keyword: keyword.to_owned(),
        became,
    };
    let mut changed = |path: &str, keyword: &str, became| changes.push(change(path, keyword, became));
    if let Some(root) = schema.as_object_mut()
        && !root.contains_key("type")
    {
        root.insert("type".into(), "object".into());
        changed("", "type", Became::Added);
    }
    if dialect.has(Quirk::NewDraft) {
        modernise(&mut schema, |path, keyword| changed(path, keyword, Became::Modern));
    }
    each_schema(&mut schema, "", &mut |keywords, at| {
        if dialect.has(Quirk::Items) && is_array(keywords) && !keywords.contains_key("items") {
            changed(at, "items", Became::Added);
            keywords.insert("items".into(), json!({}));
        }
        if dialect.has(Quirk::Declared) {
            for _ in declare(keywords) {
                changed(at, "required", Became::Added);
            }
        }
    });
    if !dialect.root.names_draft
        && let Some(root) = schema.as_object_mut()
        && root.shift_remove("$schema").is_some()
    {
        changed("", "$schema", Became::LeftOut);
    }
    let (mut is_wrapped, mut together) = (false, Vec::new());
    if dialect.root.is_plain {
        let (before, told) = (schema.clone(), changes.len());
        (is_wrapped, together) =
            plain_root(&mut schema, &mut |path, keyword, became| changes.push(change(path, keyword, became)));
        if !is_wrapped && has_lost(&schema, &schema) {
            changes.truncate(told);
            changes.push(change("", "$ref", Became::Wrapped));
            (schema, is_wrapped, together) = (before, true, Vec::new());
        }
    }
    let mut changed = |path: &str, keyword: &str, became| changes.push(change(path, keyword, became));
    let mut members = Vec::new();
    if !is_wrapped && !takes_keys(&schema, dialect) {
        if are_keys_said_once(&schema) {
            members = renamed(&mut schema, dialect);
            changed("", "properties", Became::Renamed);
        } else {
            is_wrapped = true;
            changed("", "properties", Became::Wrapped);
        }
    }
    if let Some(root) = schema.as_object_mut() {
        let sent =
            |key: &str| members.iter().find(|member| member.key == key).map_or(key, |member| &member.sent).to_owned();
        for union in &together {
            say(root, &union.words(sent));
        }
    }
    if is_wrapped {
        schema = wrapped(&schema);
    }
    if dialect.root.lists_properties
        && let Some(root) = schema.as_object_mut()
        && !root.contains_key("properties")
    {
        root.insert("properties".into(), json!({}));
        changed("", "properties", Became::Added);
    }
    let undone = match (is_wrapped, members.is_empty()) {
        (true, _) => Some(Step::Wrapped(KEEP)),
        (false, false) => Some(Step::Object { members, rest: KEEP, spread: None }),
        (false, true) => None,
    };
    let root = if undone.is_some() { 1 } else { KEEP };
    let raise = Raise { steps: iter::once(Step::Keep).chain(undone).collect(), root };
    Lowered { schema: Some(schema), remark: None, changes, raise }
}

fn takes_keys(schema: &Value, dialect: &Dialect) -> bool {
    let declared = schema.get("properties").and_then(Value::as_object);
    declared.into_iter().flat_map(Map::keys).all(|key| (dialect.takes_key)(key))
}

/// Whether nothing but `properties` and `required` at the root speaks of the keys of the arguments, so that they can be others.
fn are_keys_said_once(schema: &Value) -> bool {
    const OF_NO_KEY: [&str; 12] = [
        "$schema",
        "$id",
        "id",
        "$comment",
        "$defs",
        "definitions",
        "type",
        "title",
        "description",
        "properties",
        "required",
        "additionalProperties",
    ];
    let is_simple = |keywords: &Map<String, Value>| keywords.keys().all(|keyword| OF_NO_KEY.contains(&&**keyword));
    schema.as_object().is_some_and(is_simple) && !refers_to_root(schema)
}

/// Whether a reference leads to the root or into its properties. Plain data that looks like one counts.
fn refers_to_root(schema: &Value) -> bool {
    let is_of_root = |keyword: &str, held: &Value| {
        let reference = held.as_str().filter(|_| matches!(keyword, "$ref" | "$dynamicRef" | "$recursiveRef"));
        reference
            .is_some_and(|reference| !reference.starts_with("#/$defs/") && !reference.starts_with("#/definitions/"))
    };
    match schema {
        Value::Object(members) => members.iter().any(|(key, held)| is_of_root(key, held) || refers_to_root(held)),
        Value::Array(elements) => elements.iter().any(refers_to_root),
        _ => false,
    }
}

/// Publishes the properties whose keys the provider refuses under others.
fn renamed(schema: &mut Value, dialect: &Dialect) -> Vec<Member> {
    let declared = schema.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
    let names = Names::of_keys(declared.keys().map(String::as_str), dialect.takes_key);
    let mut members: Vec<Member> =
        names.into_iter().map(|(key, sent)| Member { sent, key, step: KEEP, drops_null: false }).collect();
    let sent =
        |key: &str| members.iter().find(|member| member.key == key).map_or(key, |member| &member.sent).to_owned();
    let properties: Map<String, Value> = declared.iter().map(|(key, held)| (sent(key), held.clone())).collect();
    if let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) {
        for key in required {
            if let Some(own) = key.as_str() {
                *key = sent(own).into();
            }
        }
    }
    schema["properties"] = properties.into();
    members.sort_by(|one, other| one.sent.cmp(&other.sent));
    members
}

/// Whether a reference leads to what is not there. Plain data that looks like one counts.
fn has_lost(inner: &Value, schema: &Value) -> bool {
    let is_lost = |keyword: &str, held: &Value| {
        let reference = held.as_str().filter(|reference| keyword == "$ref" && reference.starts_with("#/"));
        reference.is_some_and(|reference| resolve(schema, reference).is_none())
    };
    match inner {
        Value::Object(members) => members.iter().any(|(key, held)| is_lost(key, held) || has_lost(held, schema)),
        Value::Array(elements) => elements.iter().any(|element| has_lost(element, schema)),
        _ => false,
    }
}

/// Makes the root a plain object; `true` where it can only be wrapped in one. With it comes what is to be said of properties
/// that go together.
fn plain_root(schema: &mut Value, changed: &mut impl FnMut(&str, &str, Became)) -> (bool, Vec<Together>) {
    let whole = schema.clone();
    let Some(root) = schema.as_object_mut() else { return (false, Vec::new()) };
    if root.contains_key("$ref") || root.contains_key("allOf") {
        let keyword = if root.contains_key("$ref") { "$ref" } else { "allOf" };
        let Ok(Some(mut merged)) = flattened(root, &whole) else {
            changed("", keyword, Became::Wrapped);
            return (true, Vec::new());
        };
        for of_document in ["$schema", "$id", "$defs", "definitions"] {
            if let Some(clause) = root.get(of_document) {
                merged.insert(of_document.into(), clause.clone());
            }
        }
        *root = merged;
        changed("", keyword, Became::Merged);
    }
    let together = take_together(root);
    for union in &together {
        changed("", union.keyword, Became::Described);
    }
    let mut dropped = Map::new();
    for keyword in ["enum", "const", "not"] {
        if let Some(clause) = root.shift_remove(keyword) {
            changed("", keyword, Became::Described);
            dropped.insert(keyword.into(), clause);
        }
    }
    let words = root.get("description").and_then(Value::as_str);
    if let Some(words) = described(words, &dropped, &[]).filter(|_| !dropped.is_empty()) {
        root.insert("description".into(), words.into());
    }
    let union = ["anyOf", "oneOf"].into_iter().find(|keyword| root.contains_key(*keyword));
    if let Some(keyword) = union {
        changed("", keyword, Became::Wrapped);
    }
    (union.is_some(), together)
}

/// The schema as the one property of an object. Definitions stay where they are.
fn wrapped(schema: &Value) -> Value {
    const SHARED: [&str; 2] = ["$defs", "definitions"];
    let mut schema = rerooted(schema, &format!("/properties/{WRAPPED}"), &["/$defs/", "/definitions/"]);
    let mut root = json!({"type": "object", "properties": {}, "required": [WRAPPED], "additionalProperties": false});
    for keyword in SHARED.into_iter().chain(["$schema", "$id", "id"]) {
        let shared = schema.as_object_mut().and_then(|keywords| keywords.shift_remove(keyword));
        if let Some(shared) = shared {
            root[keyword] = shared;
        }
    }
    root["properties"][WRAPPED] = schema;
    root
}

fn is_array(keywords: &Map<String, Value>) -> bool {
    keywords.get("type").is_some_and(|name| match name {
        Value::Array(names) => names.iter().any(|name| name == "array"),
        name => name == "array",
    })
}

/// Declares the keys that are only required, and tells of them.
fn declare(keywords: &mut Map<String, Value>) -> Vec<String> {
    let required = keywords.get("required").and_then(Value::as_array).into_iter().flatten();
    let required: Vec<String> = required.filter_map(Value::as_str).map(str::to_owned).collect();
    let is_known = |key: &String| keywords.get("properties").is_some_and(|properties| properties.get(key).is_some());
    let missing: Vec<String> = required.into_iter().filter(|key| !is_known(key)).collect();
    // A part of a schema may require what another part declares.
    if missing.is_empty() || keywords.get("type").is_none_or(|name| name != "object") {
        return Vec::new();
    }
    let rest =
        keywords.get("additionalProperties").filter(|rest| rest.is_object()).cloned().unwrap_or_else(|| json!({}));
    let properties = keywords.entry("properties").or_insert_with(|| json!({}));
    if let Some(properties) = properties.as_object_mut() {
        properties.extend(missing.iter().map(|key| (key.clone(), rest.clone())));
    }
    missing
}
