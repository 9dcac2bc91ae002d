//! One schema rewritten: which form it has, and who rewrites that form.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value, json};

use super::{
    Lowered, Source,
    ambiguous::MOST_COMPARED,
    change::{Became, Change, Unfit},
    dialect::{Anything, Dialect, Types, Values},
    finish::Form,
    merge::{OF_DOCUMENTS, REMARKS, Unmerged, flattened},
    modern::modernise,
    names::Names,
    raise::{KEEP, Step, StepId},
    shape::shape,
};
use crate::schema::Formats;

/// The most schemas that one may come to. The registry has the same bound, references written out.
const MAX_NODES: usize = 20_000;

/// The deepest that schemas nest once they are rewritten.
const MAX_DEPTH: usize = 200;

/// One schema being rewritten.
pub(super) struct Lowering<'s> {
    pub tool: &'s str,
    pub formats: Formats,
    pub is_derived: bool,
    pub dialect: &'s Dialect,
    /// In the words of 2020-12.
    pub root: Value,
    pub changes: Vec<Change>,
    told: HashSet<Change>,
    pub steps: Vec<Step>,
    /// What is published under `$defs`.
    pub definitions: Map<String, Value>,
    /// The names of them.
    pub names: Names,
    pub left_to_compare: usize,
    /// The name and the step of each reference.
    pub referred: HashMap<String, (String, StepId)>,
    /// The references that are being written out.
    pub inside: Vec<String>,
    nodes: usize,
    depth: usize,
}

/// A schema that was rewritten, and what undoes it.
#[derive(Clone, Debug)]
pub(super) struct Made {
    pub schema: Map<String, Value>,
    pub step: StepId,
}

impl Made {
    pub(super) fn kept(schema: Map<String, Value>) -> Self {
        Self { schema, step: KEEP }
    }
}

impl<'s> Lowering<'s> {
    pub(super) fn new(source: &Source<'s>, dialect: &'s Dialect) -> Self {
        let Source { tool, schema, formats, is_derived } = *source;
        let mut root = schema.clone();
        let mut changes = Vec::new();
        modernise(&mut root, |path, keyword| changes.push(change(tool, path, keyword, Became::Modern)));
        Self {
            tool,
            formats,
            is_derived,
            dialect,
            root,
            told: changes.iter().cloned().collect(),
            changes,
            steps: vec![Step::Keep],
            definitions: Map::new(),
            names: Names::default(),
            left_to_compare: MOST_COMPARED,
            referred: HashMap::new(),
            inside: Vec::new(),
            nodes: 0,
            depth: 0,
        }
    }

    pub(super) fn run(mut self) -> Result<Lowered, Unfit> {
        let made = self.root()?;
        self.finish(made)
    }

    pub(super) fn changed(&mut self, at: &str, keyword: &str, became: Became) {
        let change = change(self.tool, at, keyword, became);
        // What is written out in several places is said of once.
        if self.told.insert(change.clone()) {
            self.changes.push(change);
        }
    }

    pub(super) fn push(&mut self, step: Step) -> StepId {
        self.steps.push(step);
        self.steps.len() - 1
    }

    /// Rewrites a schema.
    pub(super) fn node(&mut self, schema: &Value, at: &str) -> Result<Made, Unfit> {
        self.nodes += 1;
        if self.nodes > MAX_NODES || self.depth == MAX_DEPTH {
            return Err(Unfit::TooLarge);
        }
        self.depth += 1;
        let made = match schema {
            Value::Bool(true) => Ok(self.anything(&Map::new(), at)),
            Value::Object(keywords) => self.keyed(keywords, at),
            _ => Err(Unfit::Nothing { path: at.to_owned() }),
        };
        self.depth -= 1;
        made
    }

    fn keyed(&mut self, keywords: &Map<String, Value>, at: &str) -> Result<Made, Unfit> {
        if let Some(made) = self.reference(keywords, at)? {
            return Ok(made);
        }
        if let Some(merged) = flattened(keywords, &self.root).map_err(|unmerged| unfit(&unmerged, at, "allOf"))? {
            self.changed(at, "allOf", Became::Merged);
            return self.node(&merged.into(), at);
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(Value::Array(branches)) = keywords.get(keyword) {
                return self.union(keywords, keyword, branches, at);
            }
        }
        if keywords.contains_key("enum") || keywords.contains_key("const") {
            return self.values(keywords, at);
        }
        let types = types(keywords).ok_or_else(|| unsound(at, "type"))?;
        let others: Vec<&str> = types.iter().copied().filter(|name| *name != "null").collect();
        let takes_null = others.len() < types.len();
        match others.as_slice() {
            [] if takes_null => Ok(self.null(keywords, at)),
            [] => Ok(self.anything(keywords, at)),
            [only] => {
                let made = self.of_type(keywords, only, at)?;
                Ok(if takes_null { self.nullable(made) } else { made })
            }
            several => {
                let is_flat = several.iter().all(|name| !matches!(*name, "object" | "array"));
                if is_flat && self.dialect.types == Types::Listed {
                    return Ok(self.scalar(keywords, &types, at));
                }
                let branches: Vec<Value> = types.iter().map(|name| Self::only(keywords, name)).collect();
                self.changed(at, "type", Became::Union);
                let remarks = keywords.iter().filter(|(keyword, _)| REMARKS.contains(&keyword.as_str()));
                let remarks: Map<String, Value> = remarks.map(|(key, value)| (key.clone(), value.clone())).collect();
                self.union(&remarks, "anyOf", &branches, at)
            }
        }
    }

    fn of_type(&mut self, keywords: &Map<String, Value>, name: &str, at: &str) -> Result<Made, Unfit> {
        match name {
            "object" => self.object(keywords, at),
            "array" => self.array(keywords, at),
            _ => Ok(self.scalar(keywords, &[name], at)),
        }
    }

    /// What a schema says of one of its types.
    fn only(keywords: &Map<String, Value>, name: &str) -> Value {
        let about = |keyword: &&String| {
            !REMARKS.contains(&keyword.as_str()) && !OF_DOCUMENTS.contains(&keyword.as_str()) && is_about(keyword, name)
        };
        let mut only: Map<String, Value> =
            keywords.iter().filter(|(keyword, _)| about(keyword)).map(|(k, v)| (k.clone(), v.clone())).collect();
        only.insert("type".into(), name.into());
        Value::Object(only)
    }

    fn null(&mut self, keywords: &Map<String, Value>, at: &str) -> Made {
        if self.dialect.types != Types::Nullable {
            let body = Map::from_iter([("type".to_owned(), "null".into())]);
            return self.remarked(
                keywords,
                Form { body, step: KEEP, handled: &["type"], about: &[], of_type: "null" },
                at,
            );
        }
        self.changed(at, "type", Became::Strings);
        let step = self.push(Step::Options(vec![("null".to_owned(), Value::Null)]));
        let body = Map::from_iter([("type".to_owned(), "string".into()), ("enum".to_owned(), json!(["null"]))]);
        self.remarked(keywords, Form { body, step, handled: &["type"], about: &[], of_type: "null" }, at)
    }

    fn anything(&mut self, keywords: &Map<String, Value>, at: &str) -> Made {
        match self.dialect.anything {
            Anything::Kept => {
                let form = Form { body: Map::new(), step: KEEP, handled: &[], about: &[], of_type: "" };
                self.remarked(keywords, form, at)
            }
            Anything::Text => self.text(keywords, "", None, at),
        }
    }

    /// A value as JSON in a string.
    pub(super) fn text(&mut self, keywords: &Map<String, Value>, of: &str, fits: Option<&Value>, at: &str) -> Made {
        let kind = match (of, fits) {
            ("object", _) => "A JSON object",
            ("array", _) => "A JSON array",
            (_, Some(_)) => "A JSON value",
            _ => "Any JSON value",
        };
        let shape = fits.map(|schema| format!(" that fits {}", shape(schema, &self.root))).unwrap_or_default();
        let words = format!("{kind}{shape}, written as JSON text.");
        self.changed(at, if of.is_empty() { "{}" } else { "type" }, Became::Text);
        let step = self.push(Step::Text);
        let body = Map::from_iter([("type".to_owned(), "string".into())]);
        let handled = [
            "type",
            "properties",
            "required",
            "additionalProperties",
            "unevaluatedProperties",
            "items",
            "prefixItems",
            "$ref",
        ];
        self.remarked(keywords, Form { body, step, handled: &handled, about: &[&words], of_type: of }, at)
    }

    /// Whether `null` may not stand in its list of values.
    fn needs_a_branch_for_null(&self, schema: &Map<String, Value>) -> bool {
        self.dialect.values != Values::Scalars && (schema.contains_key("enum") || schema.contains_key("const"))
    }

    /// Whether what is published takes `null` as it is, references followed. What is still being rewritten does where the
    /// canonical schema does.
    pub(super) fn publishes_null(&self, schema: &Map<String, Value>) -> bool {
        let mut seen = HashSet::new();
        let mut waiting = vec![schema];
        while let Some(schema) = waiting.pop() {
            if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
                let name = reference.rsplit('/').next().unwrap_or_default();
                match self.definitions.get(name).and_then(Value::as_object) {
                    Some(definition) => waiting.extend(seen.insert(name).then_some(definition)),
                    None => return true,
                }
            } else if let Some(branches) = schema.get("anyOf").and_then(Value::as_array) {
                waiting.extend(branches.iter().filter_map(Value::as_object));
            }
            if lists_null(schema) {
                return true;
            }
        }
        false
    }

    /// The same schema, `null` taken as well.
    pub(super) fn nullable(&self, Made { mut schema, step }: Made) -> Made {
        if lists_null(&schema) {
            return Made { schema, step };
        }
        let nothing = json!({"type": "null"});
        match self.dialect.types {
            Types::Nullable => {
                in_first_branch(&mut schema, |first| drop(first.insert("nullable".into(), true.into())));
            }
            Types::Listed if schema.contains_key("type") && !self.needs_a_branch_for_null(&schema) => {
                let listed = match schema.get("type") {
                    Some(Value::Array(names)) => names.iter().cloned().chain(["null".into()]).collect(),
                    Some(name) => json!([name, "null"]),
                    None => Value::Null,
                };
                schema.insert("type".into(), listed);
                if let Some(only) = schema.shift_remove("const") {
                    schema.insert("enum".into(), json!([only]));
                }
                if let Some(Value::Array(options)) = schema.get_mut("enum") {
                    options.push(Value::Null);
                }
            }
            _ => {
                if let Some(Value::Array(branches)) = schema.get_mut("anyOf") {
                    branches.push(nothing);
                } else {
                    let remarks = ["title", "description", "default"];
                    let outside: Map<String, Value> = remarks
                        .iter()
                        .filter_map(|remark| Some(((*remark).to_owned(), schema.shift_remove(*remark)?)))
                        .collect();
                    let inside = Value::Object(std::mem::replace(&mut schema, outside));
                    schema.insert("anyOf".into(), json!([inside, nothing]));
                }
            }
        }
        Made { schema, step }
    }
}

/// Says something of a union beside which nothing may stand: of its first branch that is none itself.
pub(super) fn in_first_branch(schema: &mut Map<String, Value>, say: impl FnOnce(&mut Map<String, Value>)) {
    match schema.get_mut("anyOf").and_then(|branches| branches.get_mut(0)).and_then(Value::as_object_mut) {
        Some(first) => in_first_branch(first, say),
        None => say(schema),
    }
}

/// A number of items or characters, which JSON Schema lets be written as `2.0`.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is whole and in the range")]
pub(super) fn count(clause: &Value) -> Option<u64> {
    let is_count = |count: &f64| count.fract() == 0.0 && (0.0..9e15).contains(count);
    clause.as_u64().or_else(|| clause.as_f64().filter(is_count).map(|count| count as u64))
}

/// Whether a rewritten schema takes `null` as it is.
pub(super) fn lists_null(schema: &Map<String, Value>) -> bool {
    let is_null = |name: &Value| name == "null";
    match (schema.get("type"), schema.get("anyOf")) {
        (Some(Value::Array(names)), _) => names.iter().any(is_null),
        (Some(name), _) => is_null(name) || schema.contains_key("nullable"),
        (None, Some(Value::Array(branches))) => branches.iter().filter_map(Value::as_object).any(lists_null),
        (None, _) => !schema.contains_key("$ref") && !schema.contains_key("enum"),
    }
}

fn change(tool: &str, path: &str, keyword: &str, became: Became) -> Change {
    Change { tool: tool.to_owned(), path: path.to_owned(), keyword: keyword.to_owned(), became }
}

pub(super) fn unsound(at: &str, keyword: &str) -> Unfit {
    Unfit::Unsound { path: at.to_owned(), keyword: keyword.to_owned() }
}

pub(super) fn unfit(unmerged: &Unmerged, at: &str, keyword: &str) -> Unfit {
    match unmerged {
        Unmerged::Contradiction => Unfit::Nothing { path: at.to_owned() },
        Unmerged::TooLarge => Unfit::TooLarge,
        Unmerged::Keyword(inner) => unsound(at, if inner.is_empty() { keyword } else { inner }),
    }
}

/// The types that a schema is of: those that it names, or the one that its keywords speak of; none of them where it takes
/// anything, and nothing where it names what is no type.
pub(super) fn types(keywords: &Map<String, Value>) -> Option<Vec<&str>> {
    const TYPES: [&str; 7] = ["null", "boolean", "object", "array", "number", "string", "integer"];
    let named: Vec<&str> = match keywords.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().map(Value::as_str).collect::<Option<_>>()?,
        Some(_) => return None,
        None => TYPES
            .into_iter()
            .find(|name| keywords.keys().any(|keyword| of(keyword) == Some(name)))
            .into_iter()
            .collect(),
    };
    named.iter().all(|name| TYPES.contains(name)).then_some(named)
}

/// The type that a keyword speaks of.
fn of(keyword: &str) -> Option<&'static str> {
    Some(match keyword {
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => "number",
        "minLength" | "maxLength" | "pattern" | "format" => "string",
        "items" | "prefixItems" | "minItems" | "maxItems" | "uniqueItems" | "contains" | "minContains"
        | "maxContains" | "unevaluatedItems" | "additionalItems" => "array",
        "properties"
        | "required"
        | "additionalProperties"
        | "unevaluatedProperties"
        | "patternProperties"
        | "propertyNames"
        | "minProperties"
        | "maxProperties"
        | "dependentRequired"
        | "dependentSchemas" => "object",
        _ => return None,
    })
}

/// Whether a keyword says anything of values of a type.
pub(super) fn is_about(keyword: &str, name: &str) -> bool {
    of(keyword).is_none_or(|of| of == name || (of == "number" && name == "integer") || name.is_empty())
}

/// Whether a schema takes `null`. What it comes to is one value, which few keywords speak of.
pub(super) fn takes_null(schema: &Value, root: &Value) -> bool {
    // What a reference comes to, as far as is known: none takes it at first, and each round sees every one once.
    let mut known: HashMap<*const Value, bool> = HashMap::new();
    for _ in 0..ROUNDS {
        let mut round = Nullable { root, known: &mut known, seen: HashSet::new(), has_learnt: false };
        let takes = round.takes(schema);
        if !round.has_learnt {
            return takes;
        }
    }
    false
}

/// More rounds than references lead to one another in any sound schema.
const ROUNDS: usize = 64;

struct Nullable<'s, 'k> {
    root: &'s Value,
    known: &'k mut HashMap<*const Value, bool>,
    seen: HashSet<*const Value>,
    has_learnt: bool,
}

impl<'s> Nullable<'s, '_> {
    fn takes(&mut self, schema: &'s Value) -> bool {
        let Some(keywords) = schema.as_object() else { return *schema == Value::Bool(true) };
        let branches = |keyword: &str| keywords.get(keyword).and_then(Value::as_array);
        let of_type = match keywords.get("type") {
            Some(Value::String(name)) => name == "null",
            Some(Value::Array(names)) => names.iter().any(|name| name == "null"),
            _ => true,
        };
        of_type
            && keywords.get("const").is_none_or(Value::is_null)
            && branches("enum").is_none_or(|options| options.contains(&Value::Null))
            && keywords.get("if").is_none_or(|condition| {
                let consequence = if self.takes(condition) { "then" } else { "else" };
                keywords.get(consequence).is_none_or(|schema| self.takes(schema))
            })
            && branches("allOf").is_none_or(|parts| parts.iter().all(|part| self.takes(part)))
            && branches("anyOf").is_none_or(|parts| parts.iter().any(|part| self.takes(part)))
            && branches("oneOf").is_none_or(|parts| parts.iter().filter(|part| self.takes(part)).count() == 1)
            && keywords.get("not").is_none_or(|refused| !self.takes(refused))
            && keywords.get("$ref").and_then(Value::as_str).is_none_or(|reference| self.refers(reference))
    }

    fn refers(&mut self, reference: &str) -> bool {
        let Some(target) = crate::schema::resolve(self.root, reference) else { return false };
        let address = std::ptr::from_ref(target);
        if self.seen.insert(address) {
            let takes = self.takes(target);
            self.has_learnt |= self.known.insert(address, takes).unwrap_or_default() != takes;
        }
        self.known.get(&address).copied().unwrap_or_default()
    }
}
