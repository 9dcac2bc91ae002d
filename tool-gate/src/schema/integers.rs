//! Where a schema speaks of integers.

use std::collections::HashSet;

use serde_json::Value;

use super::explain::resolve;
use crate::json::{Node, Number};

/// The slots of integers, however they were written, at places where the schema speaks of integers.
///
/// `5.0` and `-0` have the same value either way, so writing them as integers changes no verdict: it only lets types that
/// buffer their input, as tagged enums do, see what the schema saw.
pub(crate) fn integers(schema: &Value, arguments: Node<'_>) -> Vec<usize> {
    let mut search = Integers { root: schema, seen: HashSet::new(), found: Vec::new() };
    search.visit(schema, arguments);
    search.found
}

struct Integers<'s> {
    root: &'s Value,
    /// Each schema looks at each value once, by their addresses: unions inside unions multiply, and references may go in
    /// circles.
    seen: HashSet<(*const Value, usize)>,
    found: Vec<usize>,
}

impl<'s> Integers<'s> {
    fn visit(&mut self, schema: &'s Value, value: Node<'_>) {
        let Value::Object(keywords) = schema else { return };
        if !self.seen.insert((std::ptr::from_ref(schema), value.index())) {
            return;
        }
        for (keyword, clause) in keywords {
            match (keyword.as_str(), clause) {
                ("anyOf" | "oneOf" | "allOf", Value::Array(parts)) => {
                    for part in parts {
                        self.visit(part, value);
                    }
                }
                ("properties", Value::Object(properties)) => {
                    for (name, member) in value.members() {
                        if let Some(property) = properties.get(name) {
                            self.visit(property, member);
                        }
                    }
                }
                ("patternProperties", Value::Object(patterns)) => {
                    for part in patterns.values() {
                        value.members().for_each(|(_, member)| self.visit(part, member));
                    }
                }
                ("additionalProperties" | "unevaluatedProperties", part) => {
                    value.members().for_each(|(_, member)| self.visit(part, member));
                }
                ("items", part) => value.elements().for_each(|element| self.visit(part, element)),
                ("prefixItems", Value::Array(parts)) => {
                    value.elements().zip(parts).for_each(|(element, part)| self.visit(part, element));
                }
                ("$ref", Value::String(reference)) => {
                    if let Some(referred) = resolve(self.root, reference) {
                        self.visit(referred, value);
                    }
                }
                ("type", names) if says_integer(names) && value.as_number().is_some_and(Number::is_integer) => {
                    self.found.push(value.index());
                }
                _ => {}
            }
        }
    }
}

fn says_integer(names: &Value) -> bool {
    names == "integer" || names.as_array().is_some_and(|names| names.iter().any(|name| name == "integer"))
}
