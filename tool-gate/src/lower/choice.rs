//! Which branch of a union a value belongs to.

use serde_json::{Map, Value};

use super::{node::types, raise::StepId};
use crate::schema::Judge;

/// A branch of a union.
#[derive(Debug)]
pub(super) struct Branch {
    /// What the branch takes, as it is enforced.
    pub canonical: Value,
    pub step: StepId,
    /// Compiled once it is known that there is something to choose.
    pub judge: Option<Judge>,
}

impl Branch {
    pub(super) fn takes(&self, value: &Value) -> bool {
        self.judge.as_ref().is_none_or(|judge| judge.takes(value))
    }

    /// Whether the value is of the branch's type and has its constants, or all its keys where it has none: enough to speak of
    /// this branch where no branch takes it.
    pub(super) fn resembles(&self, value: &Value) -> bool {
        let Some(keywords) = self.canonical.as_object() else { return false };
        let is_of = |name: &str| types(keywords).is_some_and(|types| types.is_empty() || types.contains(&name));
        match value {
            Value::Object(members) if is_of("object") => {
                let constants = constants(keywords);
                let has_all = |keyword: &str| {
                    let names = keywords.get(keyword).and_then(Value::as_array);
                    names.into_iter().flatten().filter_map(Value::as_str).all(|name| members.contains_key(name))
                };
                let has_tag = constants.iter().all(|(key, only)| members.get(*key) == Some(*only));
                if constants.is_empty() { has_all("required") } else { has_tag }
            }
            Value::Array(_) => !keywords.is_empty() && is_of("array"),
            _ => false,
        }
    }
}

/// The properties that have one value.
fn constants(keywords: &Map<String, Value>) -> Vec<(&str, &Value)> {
    let properties = keywords.get("properties").and_then(Value::as_object).into_iter().flatten();
    properties
        .filter_map(|(key, property)| {
            let only = match (property.get("const"), property.get("enum")) {
                (Some(only), _) => only,
                (None, Some(Value::Array(options))) if options.len() == 1 => options.first()?,
                _ => return None,
            };
            Some((key.as_str(), only))
        })
        .collect()
}
