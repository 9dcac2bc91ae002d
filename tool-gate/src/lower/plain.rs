//! Dialects that take all of JSON Schema: the schema as it is, but for its root and a few quirks.

use serde_json::{Map, Value, json};

use super::{
    Lowered, Source,
    change::{Became, Change},
    dialect::{Dialect, Quirk},
    merge::flattened,
    modern::{each_schema, modernise, rerooted},
    raise::{KEEP, Raise, Step, WRAPPED},
    root::{say, unions_in_words},
    words::described,
};

pub(super) fn lower(source: &Source<'_>, dialect: &Dialect) -> Lowered {
    let mut schema = source.schema.clone();
    let mut changes: Vec<Change> = Vec::new();
    let mut changed = |path: &str, keyword: &str, became| {
        let (tool, path, keyword) = (source.tool.to_owned(), path.to_owned(), keyword.to_owned());
        changes.push(Change { tool, path, keyword, became });
    };
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
    let is_wrapped = dialect.root.is_plain && plain_root(&mut schema, &mut changed);
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
    let raise = if is_wrapped {
        Raise { steps: vec![Step::Keep, Step::Wrapped(KEEP)], root: 1 }
    } else {
        Raise { steps: vec![Step::Keep], root: KEEP }
    };
    Lowered { schema: Some(schema), remark: None, changes, raise }
}

/// Makes the root a plain object; `true` where it can only be wrapped in one.
fn plain_root(schema: &mut Value, changed: &mut impl FnMut(&str, &str, Became)) -> bool {
    let whole = schema.clone();
    let Some(root) = schema.as_object_mut() else { return false };
    if root.contains_key("$ref") || root.contains_key("allOf") {
        let keyword = if root.contains_key("$ref") { "$ref" } else { "allOf" };
        let Ok(Some(mut merged)) = flattened(root, &whole) else {
            changed("", keyword, Became::Wrapped);
            return true;
        };
        for of_document in ["$schema", "$id", "$defs", "definitions"] {
            if let Some(clause) = root.get(of_document) {
                merged.insert(of_document.into(), clause.clone());
            }
        }
        *root = merged;
        changed("", keyword, Became::Merged);
    }
    for (keyword, words) in unions_in_words(root) {
        changed("", keyword, Became::Described);
        say(root, &words);
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
    union.is_some()
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
