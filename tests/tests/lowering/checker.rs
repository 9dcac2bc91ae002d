//! What a provider refuses in a schema, by the table in `tests/cases/dialects.json`. The table is written from the providers'
//! own pages, specifications and error texts, and shares nothing with the library.

use std::{fs, path::Path};

use serde_json::{Map, Value};

/// A row of the table.
pub(crate) struct Rules(Value);

impl Rules {
    pub(crate) fn of(dialect: &str) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/dialects.json");
        let table: Value = serde_json::from_str(&fs::read_to_string(path).expect("the table")).expect("JSON");
        let row = &table[dialect];
        Self(row.get("like").and_then(Value::as_str).map_or(row, |other| &table[other]).clone())
    }

    fn list(&self, name: &str) -> Option<Vec<&str>> {
        Some(self.0.get(name)?.as_array()?.iter().filter_map(Value::as_str).collect())
    }

    fn is(&self, name: &str) -> Option<bool> {
        self.0.get(name)?.as_bool()
    }

    /// All that is refused of a schema.
    pub(crate) fn violations(&self, schema: &Value) -> Vec<String> {
        let mut found = Vec::new();
        self.root(schema, &mut found);
        self.node(schema, "", true, &mut found);
        if self.is("recursion") == Some(false) && is_recursive(schema) {
            found.push("it is recursive".to_owned());
        }
        found.extend(lost(schema, schema).map(|reference| format!("{reference} is not there")));
        found
    }

    fn root(&self, schema: &Value, found: &mut Vec<String>) {
        let Some(rules) = self.0.get("root") else { return };
        if schema["type"] != rules["type"] {
            found.push(format!("the root has the type {}", schema["type"]));
        }
        let listed = |name: &str| -> Vec<String> {
            rules[name].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
        };
        found.extend(
            listed("without")
                .iter()
                .filter(|keyword| schema.get(keyword).is_some())
                .map(|k| format!("the root has {k}")),
        );
        found.extend(
            listed("has")
                .iter()
                .filter(|keyword| schema.get(keyword).is_none())
                .map(|k| format!("the root has no {k}")),
        );
    }

    fn node(&self, schema: &Value, at: &str, is_root: bool, found: &mut Vec<String>) {
        let Some(keywords) = schema.as_object() else {
            if self.list("keywords").is_some() {
                found.push(format!("{at} is {schema}"));
            }
            return;
        };
        let mut refuse = |why: String| found.push(format!("{at}: {why}"));
        if let Some(known) = self.list("keywords") {
            let unknown = keywords.keys().filter(|keyword| !known.contains(&keyword.as_str()));
            unknown.for_each(|keyword| refuse(format!("`{keyword}` is not taken")));
        }
        let beside = |keyword: &str, allowed: &[&str]| -> Vec<String> {
            let others = keywords.keys().filter(|key| *key != keyword && !allowed.contains(&key.as_str()));
            others.filter(|_| keywords.contains_key(keyword)).cloned().collect()
        };
        if let Some(allowed) = self.list("beside_union") {
            for key in beside("anyOf", &allowed) {
                refuse(format!("`{key}` beside `anyOf`"));
            }
        }
        if let Some(allowed) = self.list("beside_ref") {
            for key in beside("$ref", &allowed) {
                refuse(format!("`{key}` beside `$ref`"));
            }
        }
        self.types(keywords, &mut refuse);
        self.values(keywords, &mut refuse);
        self.clauses(keywords, &mut refuse);
        let is_any = ["type", "anyOf", "$ref", "enum", "const"].iter().all(|keyword| !keywords.contains_key(*keyword));
        if self.is("any") == Some(false) && is_any {
            refuse("it takes anything".to_owned());
        }
        if keywords.get("type").is_some_and(|name| name == "object" || list_has(name, "object")) {
            self.object(keywords, is_root, &mut refuse);
        }
        self.inside(keywords, at, found);
    }

    fn types(&self, keywords: &Map<String, Value>, refuse: &mut impl FnMut(String)) {
        let named: Vec<&Value> = match keywords.get("type") {
            Some(Value::Array(names)) => {
                if self.is("type_lists") == Some(false) {
                    refuse("a list of types".to_owned());
                }
                names.iter().collect()
            }
            Some(name) => vec![name],
            None => Vec::new(),
        };
        if let Some(known) = self.list("types") {
            let unknown = named.iter().filter(|name| !name.as_str().is_some_and(|name| known.contains(&name)));
            unknown.for_each(|name| refuse(format!("the type {name}")));
        }
        let is_array = named.iter().any(|name| **name == "array");
        if self.is("items") == Some(true) && is_array {
            match keywords.get("items") {
                None => refuse("no `items`".to_owned()),
                Some(items) if self.list("keywords").is_some() && !items.is_object() => {
                    refuse("odd `items`".to_owned());
                }
                _ => {}
            }
        }
    }

    fn values(&self, keywords: &Map<String, Value>, refuse: &mut impl FnMut(String)) {
        let options = keywords.get("enum").and_then(Value::as_array).into_iter().flatten().chain(keywords.get("const"));
        if let Some(known) = self.list("values") {
            let unknown = options.clone().filter(|option| !known.contains(&kind(option)));
            unknown.for_each(|option| refuse(format!("the value {option}")));
        }
        if self.is("typed_values") == Some(true) && options.count() > 0 && !keywords.contains_key("type") {
            refuse("values without a type".to_owned());
        }
    }

    fn clauses(&self, keywords: &Map<String, Value>, refuse: &mut impl FnMut(String)) {
        let text = |keyword: &str| keywords.get(keyword).and_then(Value::as_str);
        if let (Some(known), Some(format)) = (self.list("formats"), text("format"))
            && !known.contains(&format)
        {
            refuse(format!("the format {format}"));
        }
        if let (Some(marks), Some(pattern)) = (self.list("pattern_without"), text("pattern")) {
            marks
                .iter()
                .filter(|mark| pattern.contains(**mark))
                .for_each(|mark| refuse(format!("{mark} in a pattern")));
        }
        let least = keywords.get("minItems").and_then(Value::as_u64).unwrap_or(0);
        if self.0.get("most_min_items").and_then(Value::as_u64).is_some_and(|most| least > most) {
            refuse(format!("minItems of {least}"));
        }
        if let Some(draft) = self.0.get("draft").and_then(Value::as_str) {
            if keywords.get("items").is_some_and(Value::is_array) {
                refuse("a list of items".to_owned());
            }
            let exclusive = ["exclusiveMinimum", "exclusiveMaximum"];
            let of_draft_4 = exclusive.iter().filter(|bound| keywords.get(**bound).is_some_and(Value::is_boolean));
            of_draft_4.for_each(|bound| refuse(format!("an {bound} of draft 4")));
            if keywords.contains_key("dependencies") {
                refuse("the dependencies of draft 7".to_owned());
            }
            if text("$schema").is_some_and(|named| !named.contains(draft)) {
                refuse("another draft".to_owned());
            }
        }
    }

    fn object(&self, keywords: &Map<String, Value>, is_root: bool, refuse: &mut impl FnMut(String)) {
        let keys: Vec<&str> = keywords
            .get("properties")
            .and_then(Value::as_object)
            .into_iter()
            .flat_map(Map::keys)
            .map(String::as_str)
            .collect();
        let required: Vec<&str> = keywords
            .get("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        if self.is("closed") == Some(true) && keywords.get("additionalProperties") != Some(&Value::Bool(false)) {
            refuse("it is open".to_owned());
        }
        if self.is("all_required") == Some(true) {
            if !keywords.contains_key("required") {
                refuse("no `required`".to_owned());
            }
            keys.iter().filter(|key| !required.contains(key)).for_each(|key| refuse(format!("{key} is not required")));
        }
        if self.is("declared") == Some(true) || self.is("all_required") == Some(true) {
            required.iter().filter(|key| !keys.contains(key)).for_each(|key| refuse(format!("{key} is not declared")));
        }
        if self.is("some_required") == Some(true) && required.is_empty() {
            refuse("nothing is required".to_owned());
        }
        if self.is("empty_objects") == Some(false) && keys.is_empty() && !is_root {
            refuse("no properties".to_owned());
        }
        let rule = self.0.get("keys").or_else(|| self.0.get("root_keys").filter(|_| is_root));
        let is_key: fn(&str) -> bool = match rule.and_then(Value::as_str) {
            Some("anthropic") => |key| key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte)),
            Some("word") => |key| {
                key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
                    && !key.starts_with(|first: char| first.is_ascii_digit())
            },
            _ => return,
        };
        let bad = keys.iter().filter(|key| !(1..=64).contains(&key.len()) || !is_key(key));
        bad.for_each(|key| refuse(format!("the key {key:?}")));
    }

    fn inside(&self, keywords: &Map<String, Value>, at: &str, found: &mut Vec<String>) {
        for (keyword, inner) in keywords {
            let place = format!("{at}/{keyword}");
            match (keyword.as_str(), inner) {
                ("properties" | "$defs" | "$def" | "patternProperties" | "definitions", Value::Object(schemas)) => {
                    schemas
                        .iter()
                        .for_each(|(name, schema)| self.node(schema, &format!("{place}/{name}"), false, found));
                }
                ("anyOf" | "oneOf" | "allOf" | "prefixItems", Value::Array(schemas)) => {
                    let each = schemas.iter().enumerate();
                    each.for_each(|(index, schema)| self.node(schema, &format!("{place}/{index}"), false, found));
                }
                ("items" | "additionalProperties", Value::Object(_)) => self.node(inner, &place, false, found),
                _ => {}
            }
        }
    }
}

fn list_has(name: &Value, wanted: &str) -> bool {
    name.as_array().is_some_and(|names| names.iter().any(|name| name == wanted))
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// The references that lead to nothing.
pub(crate) fn lost<'s>(schema: &'s Value, root: &'s Value) -> Box<dyn Iterator<Item = &'s str> + 's> {
    match schema {
        Value::Object(members) => Box::new(members.iter().flat_map(move |(key, value)| match (key.as_str(), value) {
            ("$ref", Value::String(reference)) => {
                let pointer = reference.strip_prefix('#').filter(|pointer| root.pointer(pointer).is_none());
                Box::new(pointer.into_iter()) as Box<dyn Iterator<Item = &str>>
            }
            ("const" | "enum" | "default" | "examples", _) => Box::new(std::iter::empty()),
            _ => lost(value, root),
        })),
        Value::Array(elements) => Box::new(elements.iter().flat_map(move |element| lost(element, root))),
        _ => Box::new(std::iter::empty()),
    }
}

/// Whether following references leads back to one of them.
fn is_recursive(schema: &Value) -> bool {
    fn references<'s>(schema: &'s Value, found: &mut Vec<&'s str>) {
        match schema {
            Value::Object(members) => members.iter().for_each(|(key, value)| match value {
                Value::String(reference) if key == "$ref" => found.push(reference),
                _ if key == "$defs" || key == "$def" => {}
                _ => references(value, found),
            }),
            Value::Array(elements) => elements.iter().for_each(|element| references(element, found)),
            _ => {}
        }
    }
    fn leads_to(from: &str, to: &str, root: &Value, left: usize) -> bool {
        let mut found = Vec::new();
        root.pointer(from.trim_start_matches('#')).into_iter().for_each(|schema| references(schema, &mut found));
        left > 0 && found.iter().any(|next| *next == to || leads_to(next, to, root, left - 1))
    }
    let mut all = Vec::new();
    references(schema, &mut all);
    for definitions in ["$defs", "$def"] {
        let schemas = schema.get(definitions).and_then(Value::as_object).into_iter().flat_map(Map::values);
        schemas.for_each(|schema| references(schema, &mut all));
    }
    all.iter().any(|reference| leads_to(reference, reference, schema, 8))
}
