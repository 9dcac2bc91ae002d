//! References: kept alone, or written out.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::{
    Lowering,
    change::{Became, Unfit},
    dialect::{Recursion, References},
    finish::Form,
    merge::{OF_DOCUMENTS, REMARKS, flattened},
    modern::schemas_in,
    node::{Made, unfit, unsound},
    raise::{KEEP, Step},
};
use crate::schema::resolve;

impl Lowering<'_> {
    /// A schema that refers to another; none where it does not.
    pub(super) fn reference(&mut self, keywords: &Map<String, Value>, at: &str) -> Result<Option<Made>, Unfit> {
        let dynamic = ["$dynamicRef", "$recursiveRef"].iter().find(|keyword| keywords.contains_key(**keyword));
        if let Some(keyword) = dynamic {
            return Err(unsound(at, keyword));
        }
        let Some(reference) = keywords.get("$ref") else { return Ok(None) };
        let reference = reference.as_str().ok_or_else(|| unsound(at, "$ref"))?.to_owned();
        let target = resolve(&self.root, &reference).ok_or_else(|| unsound(at, "$ref"))?.clone();
        let beside: Vec<&str> =
            keywords.keys().map(String::as_str).filter(|key| *key != "$ref" && !OF_DOCUMENTS.contains(key)).collect();
        let is_recursive = self.is_recursive(&reference);
        if is_recursive && self.dialect.recursion == Recursion::Refused {
            return Err(Unfit::Recursion { path: reference.trim_start_matches('#').to_owned() });
        }
        let is_kept = self.dialect.references == References::Alone
            && (beside.is_empty() || (is_recursive && beside.iter().all(|key| REMARKS.contains(key))))
            && !(is_recursive && self.dialect.recursion == Recursion::Text);
        if is_kept {
            let made = self.definition(&reference, &target)?;
            if beside.is_empty() {
                return Ok(Some(made));
            }
            // Beside a reference there may be nothing, which a union of one can have.
            let body = Map::from_iter([("anyOf".to_owned(), json!([made.schema]))]);
            let form = Form { body, step: made.step, handled: &["$ref"], about: &[], of_type: "" };
            return Ok(Some(self.remarked(keywords, form, at)));
        }
        if self.inside.contains(&reference) {
            return Ok(Some(self.text(keywords, "", Some(&target), at)));
        }
        self.changed(at, "$ref", Became::Inlined);
        let merged = flattened(keywords, &self.root).map_err(|unmerged| unfit(&unmerged, at, "$ref"))?;
        // What is said beside a reference is about this place, and goes before what is said of what it names.
        let merged = merged.map_or(target, Value::Object);
        self.inside.push(reference);
        let made = self.node(&merged, at);
        self.inside.pop();
        made.map(Some)
    }

    /// A reference alone, to what is published under the definitions.
    fn definition(&mut self, reference: &str, target: &Value) -> Result<Made, Unfit> {
        let (name, step) = match self.referred.get(reference) {
            Some((name, step)) => (name.clone(), *step),
            None => self.define(reference, target)?,
        };
        let reference = format!("#/{}/{name}", self.dialect.definitions);
        Ok(Made { schema: Map::from_iter([("$ref".to_owned(), reference.into())]), step })
    }

    fn define(&mut self, reference: &str, target: &Value) -> Result<(String, usize), Unfit> {
        let name = self.names.definition(reference);
        let step = self.push(Step::Same(KEEP));
        // Known before it is rewritten: it may refer to itself.
        self.referred.insert(reference.to_owned(), (name.clone(), step));
        self.definitions.insert(name.clone(), Value::Null);
        let made = self.node(target, reference.trim_start_matches('#'))?;
        if let Some(known) = self.steps.get_mut(step) {
            *known = Step::Same(made.step);
        }
        self.definitions.insert(name.clone(), Value::Object(made.schema));
        Ok((name, step))
    }

    /// Whether what is referred to leads back to itself.
    fn is_recursive(&self, reference: &str) -> bool {
        let mut seen = HashSet::new();
        let mut waiting = vec![reference.to_owned()];
        while let Some(next) = waiting.pop() {
            let mut found = Vec::new();
            if let Some(schema) = resolve(&self.root, &next) {
                references(schema, &mut found);
            }
            for inner in found {
                if inner == reference {
                    return true;
                }
                if seen.insert(inner.clone()) {
                    waiting.push(inner);
                }
            }
        }
        false
    }
}

/// All references in a schema, but in what it only defines.
fn references(schema: &Value, found: &mut Vec<String>) {
    let Some(keywords) = schema.as_object() else { return };
    found.extend(keywords.get("$ref").and_then(Value::as_str).map(str::to_owned));
    let inner = schemas_in(keywords).filter(|(keyword, _)| !matches!(*keyword, "$defs" | "definitions"));
    inner.for_each(|(_, schema)| references(schema, found));
}
