//! The schema of all arguments, which has to be a plain object.

use serde_json::{Map, Value};

use super::{
    Lowering,
    change::{Became, Unfit},
    dialect::WithoutArguments,
    merge::flattened,
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
        for (keyword, words) in unions_in_words(&mut root) {
            self.changed("", keyword, Became::Described);
            say(&mut root, &words);
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

/// Takes unions off that only say which properties go together, and says in words what they said.
pub(super) fn unions_in_words(root: &mut Map<String, Value>) -> Vec<(&'static str, String)> {
    let mut said = Vec::new();
    for (keyword, ask) in [("anyOf", "Give at least one of"), ("oneOf", "Give exactly one of")] {
        let Some(groups) = root.get(keyword).and_then(Value::as_array).and_then(|branches| required_groups(branches))
        else {
            continue;
        };
        root.shift_remove(keyword);
        said.push((keyword, format!("{ask}: {}.", some_of(groups))));
    }
    said
}

/// What each branch requires, where it does nothing else.
fn required_groups(branches: &[Value]) -> Option<Vec<String>> {
    let group = |branch: &Value| {
        let keywords = branch.as_object()?;
        let is_bare = keywords.iter().all(|(keyword, clause)| {
            matches!(keyword.as_str(), "required" | "description" | "title")
                || (keyword == "type" && clause == "object")
        });
        let names: Option<Vec<&str>> = keywords.get("required")?.as_array()?.iter().map(Value::as_str).collect();
        let names = names.filter(|names| is_bare && !names.is_empty())?;
        Some(names.iter().map(|name| format!("`{}`", cut(name))).collect::<Vec<_>>().join(" with "))
    };
    branches.iter().map(group).collect()
}

/// Adds a sentence to a description.
pub(super) fn say(schema: &mut Map<String, Value>, words: &str) {
    let own = schema.get("description").and_then(Value::as_str);
    if let Some(words) = super::described(own, &Map::new(), &[words]) {
        schema.insert("description".into(), words.into());
    }
}
