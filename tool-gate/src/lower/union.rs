//! Unions: a branch of `anyOf` for each, nothing but remarks beside it.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::{
    Lowering,
    change::{Became, Unfit},
    choice::Branch,
    dialect::Types,
    finish::Form,
    merge::{OF_DOCUMENTS, REMARKS, Unmerged, merge},
    node::{Made, in_first_branch, types, unfit},
    raise::{KEEP, Step, StepId},
    words::say_of_both,
};

impl Lowering<'_> {
    pub(super) fn union(
        &mut self,
        keywords: &Map<String, Value>,
        keyword: &str,
        branches: &[Value],
        at: &str,
    ) -> Result<Made, Unfit> {
        if keyword == "oneOf" {
            self.changed(at, "oneOf", Became::Union);
        }
        let is_remark = |key: &str| REMARKS.contains(&key) || OF_DOCUMENTS.contains(&key);
        let beside: Map<String, Value> = keywords
            .iter()
            .filter(|(key, _)| key.as_str() != keyword && !is_remark(key))
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        let remarks: Map<String, Value> = keywords
            .iter()
            .filter(|(key, _)| is_remark(key))
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        if branches.iter().all(is_null) && !branches.is_empty() {
            let mut null = remarks;
            null.insert("type".into(), "null".into());
            return self.node(&null.into(), at);
        }
        let mut made = Vec::new();
        let mut seen = HashSet::new();
        // What is said twice in `anyOf` is said once; in `oneOf` it excludes itself, which the gate sees to.
        for (place, branch) in branches.iter().enumerate().filter(|(_, branch)| seen.insert(branch.to_string())) {
            let place = format!("{at}/{keyword}/{place}");
            let Some(branch) = self.branch(&beside, branch, &place)? else { continue };
            if self.dialect.types == Types::Nullable && is_null(&branch) {
                // It is said of the others, and sent as it is.
                let null = Map::from_iter([("type".to_owned(), "null".into())]);
                made.push((branch, Made::kept(null)));
                continue;
            }
            match self.node(&branch, &place) {
                Ok(lowered) => made.push((branch, lowered)),
                // A branch that nothing conforms to is none.
                Err(Unfit::Nothing { .. }) => {}
                Err(unfit) => return Err(unfit),
            }
        }
        if made.is_empty() {
            return Err(Unfit::Nothing { path: at.to_owned() });
        }
        if self.is_ambiguous(&made) {
            return Ok(self.text(&remarks, "", Some(&json!({keyword: branches})), at));
        }
        Ok(self.united(&remarks, made, at))
    }

    /// A branch with what stands beside the union; none where the two exclude one another.
    fn branch(&mut self, beside: &Map<String, Value>, branch: &Value, at: &str) -> Result<Option<Value>, Unfit> {
        if beside.is_empty() {
            return Ok((*branch != Value::Bool(false)).then(|| branch.clone()));
        }
        let own = match branch {
            Value::Bool(true) => return Ok(Some(Value::Object(beside.clone()))),
            Value::Object(keywords) => super::merge::flattened(keywords, &self.root)
                .map_err(|unmerged| unfit(&unmerged, at, "allOf"))?
                .unwrap_or_else(|| keywords.clone()),
            _ => return Ok(None),
        };
        match merge(beside, &own, &self.root) {
            Ok(merged) => Ok(Some(merged.into())),
            Err(Unmerged::Contradiction) => Ok(None),
            Err(unmerged) => Err(unfit(&unmerged, at, "anyOf")),
        }
    }

    fn united(&mut self, remarks: &Map<String, Value>, mut made: Vec<(Value, Made)>, at: &str) -> Made {
        let step = self.step_of(&made);
        let mut takes_null = false;
        if self.dialect.types == Types::Nullable {
            let count = made.len();
            made.retain(|(canonical, _)| !is_null(canonical));
            takes_null = made.len() < count;
        }
        // Beside a reference there may be nothing, which a union of one can have.
        let is_bare = |only: &Made| remarks.is_empty() || !only.schema.contains_key("$ref");
        if let [(_, only)] = made.as_mut_slice()
            && is_bare(only)
        {
            let mut body = std::mem::take(&mut only.schema);
            let mut own = remarks.clone();
            if let Some(theirs) = body.shift_remove("title") {
                own.entry("title").or_insert(theirs);
            }
            say_of_both(&mut own, body.shift_remove("description").as_ref());
            let single = self.remarked(&own, Form { body, step, handled: &[], about: &[], of_type: "" }, at);
            return if takes_null { self.nullable(single) } else { single };
        }
        let mut branches: Vec<Value> = made.into_iter().map(|(_, made)| Value::Object(made.schema)).collect();
        let mut remarks = remarks.clone();
        if !self.dialect.describes_unions {
            // Nothing may stand beside the union: what is said of it, its first branch says.
            let first = branches.first_mut().and_then(Value::as_object_mut);
            if let (Some(first), Some(Value::String(words))) = (first, remarks.shift_remove("description")) {
                in_first_branch(first, |first| {
                    let theirs = first.insert("description".into(), words.into());
                    say_of_both(first, theirs.as_ref());
                });
            }
            for keyword in ["title", "default"] {
                if remarks.shift_remove(keyword).is_some() {
                    self.changed(at, keyword, Became::LeftOut);
                }
            }
        }
        let body = Map::from_iter([("anyOf".to_owned(), json!(branches))]);
        let united = self.remarked(&remarks, Form { body, step, handled: &[], about: &[], of_type: "" }, at);
        if takes_null { self.nullable(united) } else { united }
    }

    fn step_of(&mut self, made: &[(Value, Made)]) -> StepId {
        if made.iter().all(|(_, made)| made.step == KEEP) {
            return KEEP;
        }
        let branch =
            |(canonical, made): &(Value, Made)| Branch { canonical: typed(canonical), step: made.step, judge: None };
        let branches = made.iter().map(branch).collect();
        self.push(Step::Union(branches))
    }
}

/// A branch of the type that it is published with: what names none takes values of all others as well, and those are not sent.
fn typed(canonical: &Value) -> Value {
    let mut typed = canonical.clone();
    if let Value::Object(keywords) = &mut typed
        && !["type", "enum", "const", "$ref", "allOf", "anyOf", "oneOf"]
            .iter()
            .any(|keyword| keywords.contains_key(*keyword))
        && let Some([only]) = types(keywords).as_deref()
    {
        let only = Value::from(*only);
        keywords.insert("type".into(), only);
    }
    typed
}

pub(super) fn is_null(canonical: &Value) -> bool {
    canonical.get("type").is_some_and(|name| name == "null") || canonical.get("const").is_some_and(Value::is_null)
}
