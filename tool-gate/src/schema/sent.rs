//! A schema as a provider was sent it, read for the shape that it asks for.

use serde_json::{Map, Value};

use super::{
    explain::{Terms, Walk, told},
    violation::{Segment, Violation},
};
use crate::json::Node;

/// Which schema is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// The canonical one, all of it.
    Enforced,
    /// The one that a provider was sent, for the shape that it asks for.
    Sent,
}

/// The violation to tell of arguments as they were sent, or of one of them, by the schema that a provider was sent: of the
/// clauses that give them their shape. None where they keep to those, or where there is too much to look through. What may be
/// null may be absent too, for that is undone.
///
/// The terms are those of the schema as it was sent, but for the validator, which is the canonical schema's.
pub(crate) fn explain_sent(terms: Terms<'_>, argument: Option<&str>, arguments: Node<'_>) -> Option<Violation> {
    let mut walk = Walk::of(terms, Reading::Sent);
    let found = match argument {
        Some(key) => {
            let property = terms.schema.get("properties").and_then(|properties| properties.get(key))?;
            walk.inside(Segment::key(key), property, arguments.get(key)?)
        }
        None => walk.find(terms.schema, arguments),
    };
    found.filter(|_| !walk.is_exhausted()).map(|broken| told(terms, broken))
}

impl Walk<'_, '_> {
    /// Whether a key may be missing that is required: what is undone forgives that.
    pub(super) fn may_lack(&self, schema: &Map<String, Value>, name: &str) -> bool {
        let property = || schema.get("properties").and_then(|properties| properties.get(name));
        self.reading == Reading::Sent
            && property().is_some_and(|property| self.takes_null(property, 16) || is_list_of_other_keys(name, property))
    }

    /// Whether a schema takes null, as far as that is plain to see.
    fn takes_null(&self, schema: &Value, most: usize) -> bool {
        let (Some(keywords), Some(most)) = (schema.as_object(), most.checked_sub(1)) else {
            return *schema == Value::Bool(true);
        };
        if keywords.get("nullable") == Some(&Value::Bool(true)) {
            return true;
        }
        let by_type = keywords.get("type").is_none_or(|named| match named {
            Value::Array(names) => names.iter().any(|name| name == "null"),
            name => name == "null",
        });
        let list = |keyword: &str| keywords.get(keyword).and_then(Value::as_array);
        let by_branch = |branches: &Vec<Value>| branches.iter().any(|branch| self.takes_null(branch, most));
        let referred = keywords.get("$ref").and_then(Value::as_str).and_then(|reference| self.resolve(reference));
        by_type
            && list("enum").is_none_or(|options| options.iter().any(Value::is_null))
            && ["anyOf", "oneOf"].into_iter().filter_map(list).all(by_branch)
            && referred.is_none_or(|referred| self.takes_null(referred, most))
    }
}

/// The property whose list of pairs stands for keys that are not declared, or this with underscores behind it.
pub(crate) const OTHER_KEYS: &str = "other_keys";

/// Whether it looks like the list of pairs that stands for keys which are not declared: it may be left out as they may.
fn is_list_of_other_keys(name: &str, property: &Value) -> bool {
    let pair = property.pointer("/items/properties");
    name.starts_with(OTHER_KEYS) && pair.is_some_and(|pair| pair.get("key").is_some() && pair.get("value").is_some())
}
