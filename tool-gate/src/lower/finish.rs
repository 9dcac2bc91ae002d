//! What is the same for every form: remarks and words, and the steps that are left when all is rewritten.

use serde_json::{Map, Value, json};

use super::{
    Lowered, Lowering,
    change::{Became, Unfit},
    dialect::Defaults,
    merge::OF_DOCUMENTS,
    modern::{refers, rerooted},
    node::{Made, is_about, unsound},
    raise::{KEEP, Raise, Step, StepId},
    shape,
    words::{SAID, described, is_said},
};
use crate::schema::Judge;

/// What a schema is rewritten to, but for what is said of it.
pub(super) struct Form<'f> {
    pub body: Map<String, Value>,
    pub step: StepId,
    /// The keywords that are in the body, or have no place in it.
    pub handled: &'f [&'f str],
    /// What is said of the form itself.
    pub about: &'f [&'f str],
    /// The type whose keywords count; empty for all.
    pub of_type: &'f str,
}

impl Lowering<'_> {
    /// A rewritten schema with the remarks of the one that it stands for. All keywords that the form does not handle are not
    /// taken: of those that speak of its type, what is known in words goes to the description.
    pub(super) fn remarked(&mut self, keywords: &Map<String, Value>, form: Form<'_>, at: &str) -> Made {
        let Form { body, step, handled, about, of_type } = form;
        let mut dropped = Map::new();
        let mut kept = Map::new();
        for (keyword, clause) in keywords {
            let name = keyword.as_str();
            let is_passed_over = name == "description" || OF_DOCUMENTS.contains(&name) || !is_about(name, of_type);
            if handled.contains(&name) || is_passed_over {
                continue;
            }
            if (name == "title" && self.dialect.takes("title"))
                || (name == "default" && self.takes_default(clause, step))
            {
                kept.insert(keyword.clone(), clause.clone());
            } else if SAID.contains(&name) && !is_idle(name, clause) {
                dropped.insert(keyword.clone(), shape::clause(name, clause, &self.root));
                self.changed(at, name, if is_said(name, clause) { Became::Described } else { Became::LeftOut });
            } else {
                self.changed(at, name, Became::LeftOut);
            }
        }
        let mut schema = Map::new();
        schema.extend(kept.shift_remove_entry("title"));
        let words = keywords.get("description").and_then(Value::as_str);
        if let Some(words) = described(words, &dropped, about) {
            schema.insert("description".into(), words.into());
        }
        schema.extend(body);
        schema.extend(kept);
        Made { schema, step }
    }

    /// Whether a default can be sent as it is: it is in the canonical form, and what is published may not be.
    fn takes_default(&self, default: &Value, step: StepId) -> bool {
        let is_in_form = matches!(self.steps.get(step), Some(Step::Keep | Step::Capitals(_)));
        let is_taken = match self.dialect.defaults {
            Defaults::Any => true,
            Defaults::Numbers => default.is_number(),
            Defaults::None => false,
        };
        is_taken && is_in_form && !default.is_null()
    }

    /// What came of it, with the steps that do nothing taken out and the branches that are to be chosen from compiled.
    pub(super) fn finish(mut self, made: Option<Made>) -> Result<Lowered, Unfit> {
        let (schema, step) = match made {
            Some(made) => (Some(made.schema), made.step),
            None => (None, KEEP),
        };
        let root = self.prune(step);
        self.compile()?;
        let mut remark = None;
        let schema = schema.map(|mut schema| {
            if !self.dialect.root.is_described {
                remark = schema.shift_remove("description").and_then(|words| words.as_str().map(str::to_owned));
            }
            if !self.definitions.is_empty() {
                schema.insert(self.dialect.definitions.into(), Value::Object(std::mem::take(&mut self.definitions)));
            }
            Value::Object(schema)
        });
        Ok(Lowered { schema, remark, changes: self.changes, raise: Raise { steps: self.steps, root } })
    }

    /// Puts [`KEEP`] in the place of every step that leads to nothing.
    fn prune(&mut self, root: StepId) -> StepId {
        let mut does: Vec<bool> = self.steps.iter().map(does_something).collect();
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for (id, step) in self.steps.iter().enumerate() {
                if !does[id] && children(step).into_iter().any(|child| does.get(child) == Some(&true)) {
                    does[id] = true;
                    is_changed = true;
                }
            }
        }
        let pruned = |id: &mut StepId| {
            if does.get(*id) != Some(&true) {
                *id = KEEP;
            }
        };
        for (id, step) in self.steps.iter_mut().enumerate() {
            if does[id] { children_mut(step).into_iter().for_each(pruned) } else { *step = Step::Keep }
        }
        let mut root = root;
        pruned(&mut root);
        root
    }

    fn compile(&mut self) -> Result<(), Unfit> {
        const PREFIX: &str = "/$defs/canonical";
        let mut rooted = None;
        for step in &mut self.steps {
            let Step::Union(branches) = step else { continue };
            for branch in branches {
                let mut schema = json!({"allOf": [rerooted(&branch.canonical, PREFIX, &[])]});
                if refers(&branch.canonical) {
                    let root = rooted.get_or_insert_with(|| {
                        let mut root = rerooted(&self.root, PREFIX, &[]);
                        // Its references would be looked for in another document.
                        if let Some(root) = root.as_object_mut() {
                            root.retain(|keyword, _| !matches!(keyword.as_str(), "$id" | "id" | "$schema"));
                        }
                        root
                    });
                    schema["$defs"] = json!({"canonical": root});
                }
                let judge = Judge::new(&schema, self.formats).map_err(|_| unsound("", "anyOf"))?;
                branch.judge = Some(judge);
            }
        }
        Ok(())
    }
}

/// Whether a clause asks for nothing.
fn is_idle(keyword: &str, clause: &Value) -> bool {
    match keyword {
        "minItems" | "minLength" | "minProperties" => *clause == 0,
        "uniqueItems" | "deprecated" => *clause == Value::Bool(false),
        "propertyNames" => *clause == Value::Bool(true),
        "default" => clause.is_null(),
        _ => false,
    }
}

fn does_something(step: &Step) -> bool {
    match step {
        Step::Keep | Step::Same(_) | Step::Array { .. } | Step::Union(_) => false,
        Step::Object { members, spread, .. } => {
            spread.is_some() || members.iter().any(|member| member.drops_null || member.sent != member.key)
        }
        _ => true,
    }
}

pub(super) fn children(step: &Step) -> Vec<StepId> {
    match step {
        Step::Keep | Step::Text | Step::Options(_) | Step::Capitals(_) => Vec::new(),
        Step::Same(id) | Step::Wrapped(id) => vec![*id],
        Step::Object { members, rest, spread } => {
            let spread = spread.iter().flat_map(|(_, pairs)| [pairs.key, pairs.value]);
            members.iter().map(|member| member.step).chain([*rest]).chain(spread).collect()
        }
        Step::Array { leading, rest } => leading.iter().copied().chain([*rest]).collect(),
        Step::Pairs(pairs) => vec![pairs.key, pairs.value],
        Step::Tuple(elements) => elements.iter().map(|element| element.step).collect(),
        Step::Union(branches) => branches.iter().map(|branch| branch.step).collect(),
    }
}

fn children_mut(step: &mut Step) -> Vec<&mut StepId> {
    match step {
        Step::Keep | Step::Text | Step::Options(_) | Step::Capitals(_) => Vec::new(),
        Step::Same(id) | Step::Wrapped(id) => vec![id],
        Step::Object { members, rest, spread } => {
            let spread = spread.iter_mut().flat_map(|(_, pairs)| [&mut pairs.key, &mut pairs.value]);
            members.iter_mut().map(|member| &mut member.step).chain([rest]).chain(spread).collect()
        }
        Step::Array { leading, rest } => leading.iter_mut().chain([rest]).collect(),
        Step::Pairs(pairs) => vec![&mut pairs.key, &mut pairs.value],
        Step::Tuple(elements) => elements.iter_mut().map(|element| &mut element.step).collect(),
        Step::Union(branches) => branches.iter_mut().map(|branch| &mut branch.step).collect(),
    }
}
