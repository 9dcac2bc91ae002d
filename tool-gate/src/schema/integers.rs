//! Where a schema speaks of integers.

use std::collections::HashSet;

use serde_json::Value;

use super::{explain::resolve, values::equal};
use crate::json::{Kind, Node, Number};

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
                ("allOf", Value::Array(parts)) => parts.iter().for_each(|part| self.visit(part, value)),
                ("anyOf" | "oneOf", Value::Array(branches)) => {
                    let root = self.root;
                    for branch in branches.iter().filter(|branch| may_be_meant(root, branch, value)) {
                        self.visit(branch, value);
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

/// Whether a branch of a union may be the one that takes the value: where another is, by its tag or its keys, what this one says
/// of integers is not said of the value.
fn may_be_meant(root: &Value, branch: &Value, value: Node<'_>) -> bool {
    let referred = branch.get("$ref").and_then(Value::as_str).and_then(|reference| resolve(root, reference));
    let branch = referred.unwrap_or(branch);
    let properties = branch.get("properties").and_then(Value::as_object).into_iter().flatten();
    let mut tags = properties.filter_map(|(name, property)| Some((value.get(name)?, property.get("const")?)));
    let mut required = branch.get("required").and_then(Value::as_array).into_iter().flatten();
    value.kind() != Kind::Object
        || (tags.all(|(member, only)| equal(member, only))
            && required.all(|name| name.as_str().is_none_or(|name| value.get(name).is_some())))
}

fn says_integer(names: &Value) -> bool {
    names == "integer" || names.as_array().is_some_and(|names| names.iter().any(|name| name == "integer"))
}
