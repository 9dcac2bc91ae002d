//! Clauses that a derived schema does not have: conditions, what keys ask of one another, and the words of older drafts.

use serde_json::{Map, Value};

use super::{
    explain::{Broken, Walk},
    patterns,
    sent::Reading,
    union::words,
    validator::LEAVES,
    violation::{Contract, MAX_KEY},
};
use crate::{json::Node, text};

/// The drafts before 2019-09.
pub(super) const OLDER: &[&str] = &["draft-03", "draft-04", "draft-06", "draft-07"];

/// The schemas of the first elements of an array, and that of the others. Before 2020-12 the first stand under `items`.
pub(super) fn elements(schema: &Map<String, Value>) -> (&[Value], Option<&Value>) {
    let list = |keyword: &str| schema.get(keyword).and_then(Value::as_array).map(Vec::as_slice);
    match (list("prefixItems"), list("items")) {
        (None, Some(leading)) => (leading, schema.get("additionalItems")),
        (leading, _) => (leading.unwrap_or_default(), schema.get("items").filter(|items| !items.is_array())),
    }
}

impl<'s, 'n> Walk<'s, 'n> {
    /// What the presence of one key asks of the object: other keys, or another schema.
    pub(super) fn dependent(&mut self, schema: &'s Map<String, Value>, value: Node<'n>) -> Option<Broken<'n>> {
        let older = self.is_of_drafts(OLDER);
        let keywords = if older { &["dependencies"][..] } else { &["dependentRequired", "dependentSchemas"] };
        for keyword in keywords {
            for (key, asked) in schema.get(*keyword).and_then(Value::as_object).into_iter().flatten() {
                if value.get(key).is_none() {
                    continue;
                }
                let broken = match asked {
                    Value::Array(keys) => {
                        let missing = keys.iter().filter_map(Value::as_str).find(|key| value.get(key).is_none());
                        missing.map(|key| self.broken(Contract::Required { key: key.to_owned() }, value))
                    }
                    // With this key beside it, nothing is taken.
                    Value::Bool(false) => {
                        let value = value.get(key)?;
                        Some(Broken { path: self.path.child(key), contract: Contract::Nothing, value })
                    }
                    asked => self.find(asked, value),
                };
                if broken.is_some() {
                    return broken;
                }
            }
        }
        None
    }

    /// What follows where a condition holds, or where it does not.
    pub(super) fn conditional(&mut self, schema: &'s Map<String, Value>, value: Node<'n>) -> Option<Broken<'n>> {
        let condition = schema.get("if").filter(|_| !self.is_of_drafts(&["draft-03", "draft-04", "draft-06"]))?;
        let follows = if self.find(condition, value).is_none() { "then" } else { "else" };
        self.find(schema.get(follows)?, value)
    }

    /// A clause that jsonschema judges by itself.
    pub(super) fn leaf(&self, keyword: &str, schema: &'s Map<String, Value>, value: Node<'n>) -> Option<Broken<'n>> {
        debug_assert!(LEAVES.contains(&keyword), "{keyword} is not compiled by itself");
        if self.reading == Reading::Sent {
            return None;
        }
        let clause = schema.get(keyword).filter(|clause| !self.terms.validator.keeps(keyword, clause, value))?;
        let contract = match (keyword, clause) {
            ("pattern", Value::String(pattern)) => Contract::Pattern { pattern: pattern.clone() },
            ("format", Value::String(format)) => Contract::Format { format: format.clone() },
            ("contentEncoding", Value::String(encoding)) => other(keyword, encoding),
            ("multipleOf", Value::Number(step)) => Contract::MultipleOf { step: step.clone() },
            ("uniqueItems", _) => Contract::UniqueItems,
            ("propertyNames", names) => Contract::PropertyNames {
                key: value
                    .members()
                    .map(|(key, _)| key)
                    .find(|key| !self.terms.validator.keeps_key(clause, key))
                    .filter(|key| text::is_plain(key, MAX_KEY))
                    .map(str::to_owned),
                expected: of_keys(names),
            },
            _ => other(keyword, described(clause)),
        };
        Some(self.broken(contract, value))
    }

    pub(super) fn is_of_drafts(&self, drafts: &[&str]) -> bool {
        let named = self.terms.schema.get("$schema").and_then(Value::as_str);
        named.is_some_and(|named| drafts.iter().any(|draft| named.contains(draft)))
    }
}

/// A clause that has no contract of its own.
pub(super) fn other(keyword: &str, clause: impl AsRef<str>) -> Contract {
    Contract::Other { name: keyword.to_owned(), clause: text::excerpt(clause.as_ref(), 200) }
}

/// What a schema takes, in words that follow "must be".
pub(super) fn described(schema: &Value) -> String {
    schema.as_object().and_then(words).unwrap_or_else(|| format!("what {schema} takes"))
}

/// What each key must be.
pub(super) fn of_keys(names: &Value) -> String {
    let keyword = |keyword: &str| names.get(keyword);
    if let Some(words) = keyword("description").and_then(Value::as_str) {
        return text::excerpt(words, 200);
    }
    let options = keyword("enum").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let options: Vec<String> = options.take(12).map(|option| text::excerpt(option, 64)).collect();
    let pattern = keyword("pattern").and_then(Value::as_str);
    let asked = [
        (!options.is_empty()).then(|| format!("one of {}", text::alternatives(&options))),
        pattern.map(|pattern| {
            patterns::words(pattern).map_or_else(|| format!("text that matches {pattern}"), str::to_owned)
        }),
        keyword("format").and_then(Value::as_str).map(|format| format!("in the format {format}")),
        keyword("minLength").map(|least| format!("at least {least} characters long")),
        keyword("maxLength").map(|most| format!("at most {most} characters long")),
    ];
    let asked: Vec<String> = asked.into_iter().flatten().collect();
    text::excerpt(&if asked.is_empty() { described(names) } else { asked.join(" and ") }, 200)
}
