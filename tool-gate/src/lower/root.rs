//! The schema of all arguments, which has to be a plain object.

use serde_json::{Map, Value};

use super::{
    Lowering,
    change::{Became, Unfit},
    dialect::WithoutArguments,
    merge::flattened,
    names::Names,
    node::{Made, unfit, unsound},
    object::{Property, declared},
    raise::{Step, WRAPPED},
    words::{cut, some_of},
};

impl Lowering<'_> {
    /// None where a tool without arguments is sent without a schema.
    pub(super) fn root(&mut self) -> Result<Option<Made>, Unfit> {
        let Value::Object(root) = self.root.clone() else { return Err(unsound("", "type")) };
        // It is no reference, whatever the dialect takes elsewhere.
        let mut root = flattened(&root, &self.root).map_err(|unmerged| unfit(&unmerged, "", "$ref"))?.unwrap_or(root);
        root.entry("type").or_insert_with(|| "object".into());
        let together = take_together(&mut root);
        let names = Names::of_keys(declared(&root).iter().map(|(key, _)| *key), self.dialect.takes_key);
        for union in together {
            self.changed("", union.keyword, Became::Described);
            say(&mut root, &union.words(|key| names.get(key).map_or(key, String::as_str).to_owned()));
        }
        let is_union = ["anyOf", "oneOf", "enum", "const"].iter().any(|keyword| root.contains_key(*keyword));
        let is_map = declared(&root).is_empty()
            && (root.get("additionalProperties").is_some_and(Value::is_object)
                || root.contains_key("patternProperties"));
        if !is_union && !is_map {
            return self.plain_root(&root);
        }
        self.changed("", if is_union { "anyOf" } else { "additionalProperties" }, Became::Wrapped);
        let made = self.node(&root.into(), "")?;
        let inner = made.step;
        let property = Property { sent: WRAPPED.to_owned(), made, is_required: true, takes_null: true };
        let schema = self.closed(vec![property]);
        let step = self.push(Step::Wrapped(inner));
        Ok(Some(Made { schema, step }))
    }

    fn plain_root(&mut self, root: &Map<String, Value>) -> Result<Option<Made>, Unfit> {
        let declared = declared(root);
        if declared.is_empty() && self.dialect.root.without_arguments == WithoutArguments::None {
            return Ok(None);
        }
        let rest = match root.get("additionalProperties").or_else(|| root.get("unevaluatedProperties")) {
            Some(Value::Bool(true)) if self.is_derived => Some(Value::Bool(true)),
            Some(rest @ Value::Object(_)) => Some(rest.clone()),
            _ if !declared.is_empty() => self.rest(root, true),
            _ => None,
        };
        let made = self.properties(root, &declared, rest.as_ref(), "")?;
        // There may be some that nothing can be sent for.
        let is_empty = made.schema.get("properties").and_then(Value::as_object).is_none_or(Map::is_empty);
        match self.dialect.root.without_arguments {
            WithoutArguments::None if is_empty => Ok(None),
            WithoutArguments::Refused if is_empty => Err(Unfit::NoArguments),
            _ => Ok(Some(made)),
        }
    }
}

/// A union that only says which properties go together.
pub(super) struct Together {
    pub keyword: &'static str,
    ask: &'static str,
    groups: Vec<Vec<String>>,
}

impl Together {
    /// What it says, of the keys that are sent for those that are declared.
    pub(super) fn words(&self, sent: impl Fn(&str) -> String) -> String {
        let quoted = |key: &String| format!("`{}`", cut(&sent(key)));
        let group = |keys: &Vec<String>| keys.iter().map(quoted).collect::<Vec<_>>().join(" with ");
        format!("{}: {}.", self.ask, some_of(self.groups.iter().map(group).collect()))
    }
}

/// Takes such unions off.
pub(super) fn take_together(root: &mut Map<String, Value>) -> Vec<Together> {
    let mut taken = Vec::new();
    for (keyword, ask) in [("anyOf", "Give at least one of"), ("oneOf", "Give exactly one of")] {
        let branches = root.get(keyword).and_then(Value::as_array);
        if let Some(groups) = branches.and_then(|branches| branches.iter().map(required_alone).collect()) {
            root.shift_remove(keyword);
            taken.push(Together { keyword, ask, groups });
        }
    }
    taken
}

/// What a branch requires, where it does nothing else.
fn required_alone(branch: &Value) -> Option<Vec<String>> {
    let keywords = branch.as_object()?;
    let is_bare = keywords.iter().all(|(keyword, clause)| {
        matches!(keyword.as_str(), "required" | "description" | "title") || (keyword == "type" && clause == "object")
    });
    let names = keywords.get("required")?.as_array()?.iter();
    let names: Option<Vec<String>> = names.map(|name| name.as_str().map(str::to_owned)).collect();
    names.filter(|names| is_bare && !names.is_empty())
}

/// Adds a sentence to a description.
pub(super) fn say(schema: &mut Map<String, Value>, words: &str) {
    let own = schema.get("description").and_then(Value::as_str);
    if let Some(words) = super::described(own, &Map::new(), &[words]) {
        schema.insert("description".into(), words.into());
    }
}
