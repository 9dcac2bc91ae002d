//! Schemas that are told in words. What they refer to is published nowhere, or under another name: it goes along.

use std::ptr;

use serde_json::{Map, Value, json};

use super::{
    merge::{OF_DOCUMENTS, REMARKS},
    modern::NAMED,
    names::Names,
};
use crate::{schema::resolve, text};

/// The longest that a schema is told which is said nowhere else.
const LONGEST: usize = 400;

/// The longest that a clause is told.
pub(super) const LONGEST_CLAUSE: usize = 120;

/// The most definitions that go along.
const MOST: usize = 12;

/// A schema in a text that refers to nothing outside it.
pub(super) fn shape(schema: &Value, root: &Value) -> String {
    text::excerpt(&told(schema, root, LONGEST).to_string(), LONGEST)
}

/// The same of the schemas that a clause holds.
pub(super) fn clause(keyword: &str, clause: &Value, root: &Value) -> Value {
    let told = |schema: &Value| told(schema, root, LONGEST_CLAUSE);
    match (keyword, clause) {
        ("contains" | "propertyNames" | "not" | "if" | "then" | "else", schema) => told(schema),
        ("dependentSchemas" | "patternProperties", Value::Object(schemas)) => {
            schemas.iter().map(|(name, schema)| (name.clone(), told(schema))).collect()
        }
        _ => clause.clone(),
    }
}

/// A schema that refers to itself as `#`, and to what goes along under `$defs`, as much as may be said. Beyond that, what is
/// referred to may be anything.
fn told(schema: &Value, root: &Value, longest: usize) -> Value {
    // A reference alone is what it names.
    let alone = schema.as_object().filter(|keywords| keywords.len() == 1);
    let named = alone.and_then(|keywords| resolve(root, keywords.get("$ref")?.as_str()?));
    let whole = named.unwrap_or(schema);
    let mut most = MOST;
    loop {
        let mut telling =
            Telling { whole, root, most, definitions: Vec::new(), names: Names::default(), left: longest };
        let told = telling.told();
        if telling.definitions.is_empty() || told.to_string().chars().count() <= longest {
            return told;
        }
        most = telling.definitions.len() - 1;
    }
}

struct Telling<'s> {
    whole: &'s Value,
    root: &'s Value,
    most: usize,
    /// The definitions that go along, each with its name.
    definitions: Vec<(&'s Value, String)>,
    names: Names,
    /// How many values are still told: more are cut off in any case.
    left: usize,
}

impl<'s> Telling<'s> {
    fn told(&mut self) -> Value {
        let mut told = self.schema(self.whole);
        let mut definitions = Map::new();
        // Those that go along may refer to more of them.
        while let Some((schema, name)) = self.definitions.get(definitions.len()).cloned() {
            definitions.insert(name, self.schema(schema));
        }
        if let Some(told) = told.as_object_mut()
            && !definitions.is_empty()
        {
            told.insert("$defs".into(), definitions.into());
        }
        told
    }

    fn schema(&mut self, schema: &'s Value) -> Value {
        let mut told = Map::new();
        match schema {
            Value::Object(keywords) => {
                for (keyword, inner) in keywords {
                    if OF_DOCUMENTS.contains(&keyword.as_str()) || self.is_too_much() {
                        continue;
                    }
                    let inner = match (keyword.as_str(), inner) {
                        ("$ref", Value::String(reference)) => self.reference(reference),
                        ("const" | "enum" | "default" | "examples", _) => Some(inner.clone()),
                        (named, Value::Object(schemas)) if NAMED.contains(&named) => Some(self.named(schemas)),
                        _ => Some(self.schema(inner)),
                    };
                    told.extend(inner.map(|inner| (keyword.clone(), inner)));
                }
                told.into()
            }
            Value::Array(elements) => {
                elements.iter().map_while(|element| (!self.is_too_much()).then(|| self.schema(element))).collect()
            }
            other => other.clone(),
        }
    }

    fn named(&mut self, schemas: &'s Map<String, Value>) -> Value {
        let told =
            schemas.iter().map_while(
                |(name, schema)| {
                    if self.is_too_much() { None } else { Some((name.clone(), self.schema(schema))) }
                },
            );
        told.collect()
    }

    fn is_too_much(&mut self) -> bool {
        self.left = self.left.saturating_sub(1);
        self.left == 0
    }

    /// Where a reference leads in what is told; none where what it names does not go along.
    fn reference(&mut self, reference: &str) -> Option<Value> {
        let named = resolve(self.root, reference)?;
        if asks_the_same(named, self.whole) {
            return Some("#".into());
        }
        let known = self.definitions.iter().find(|(known, _)| ptr::eq(*known, named)).map(|(_, name)| name.clone());
        let name = match known {
            Some(name) => name,
            None if self.definitions.len() < self.most => {
                let name = self.names.definition(reference);
                self.definitions.push((named, name.clone()));
                name
            }
            None => return None,
        };
        Some(json!(format!("#/$defs/{name}")))
    }
}

/// Whether two schemas take the same, as far as their keywords are the same.
fn asks_the_same(one: &Value, other: &Value) -> bool {
    let (Some(one), Some(other)) = (one.as_object(), other.as_object()) else { return one == other };
    let is_asked = |keyword: &String| {
        let keyword = keyword.as_str();
        !REMARKS.contains(&keyword) && !OF_DOCUMENTS.contains(&keyword)
    };
    one.keys().filter(|keyword| is_asked(keyword)).count() == other.keys().filter(|keyword| is_asked(keyword)).count()
        && one
            .iter()
            .filter(|(keyword, _)| is_asked(keyword))
            .all(|(keyword, clause)| other.get(keyword) == Some(clause))
}
