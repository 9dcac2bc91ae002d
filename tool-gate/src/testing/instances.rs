//! The values that a published schema is tried with.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value, json};

use super::{
    change,
    draw::Draw,
    edges,
    flat::{Form, count, forms, members, types},
    texts::{Reach, matching},
};
use crate::schema::{Formats, Oracle};

/// How many values are drawn that the schema should take.
const DRAWN: usize = 40;

/// How many changes are tried of each of them: of the first, which has all there may be, nearly every one.
const CHANGES: [usize; 3] = [1_500, 200, 200];
const CHANGES_OF_OTHERS: usize = 8;

/// How many bytes the changes of one value may come to as JSON, and how many changes are tried however large it is: each of them
/// is a value of its own, and with thousands of properties there are as many thousands of changes.
const BYTES: usize = 2 << 20;
const FEWEST: usize = 32;

/// How deep a schema is followed that refers to itself.
pub(super) const LEVELS: i32 = 5;

/// Values that a schema takes, and values that it refuses by a hair: several hundred of them, the same each time.
///
/// Numbers lie at the bounds, at the ends of Rust's types and beside them, and integers are written as floats too; texts are
/// empty, long, in and nearly in the format or the pattern; keys are missing, undeclared, unusual; elements are doubled;
/// types are wrong. References are followed five levels deep. Where a value is long, as with hundreds of properties, fewer of its
/// changes are tried, chosen among all of it. Which of them the schema takes is for a validator to say.
///
/// ```
/// use serde_json::json;
///
/// let schema = json!({"type": "object", "properties": {"age": {"type": "integer", "maximum": 150}}, "required": ["age"]});
/// let instances = tool_gate::testing::instances(&schema);
/// assert!(instances.contains(&json!({"age": 150})) && instances.contains(&json!({"age": 151})));
/// assert!(instances.contains(&json!({})));
/// ```
pub fn instances(schema: &Value) -> Vec<Value> {
    instances_between(schema, schema)
}

/// Values that one schema takes, and those that differ from them in one place, as another suggests that leaves more open.
pub(super) fn instances_between(schema: &Value, changing: &Value) -> Vec<Value> {
    let oracle = Oracle::new(schema, Formats::Asserted).ok();
    let takes = |value: &Value| oracle.as_ref().is_none_or(|oracle| oracle.takes(value));
    let mut good: Vec<Value> = Vec::new();
    let mut others: Vec<Value> = Vec::new();
    for seed in 0..DRAWN as u64 {
        let (reach, extreme) = match seed {
            0 | 2 => (Reach::Most, None),
            1 => (Reach::Least, None),
            3 | 4 => (Reach::Most, Some(if seed == 3 { Extreme::Greatest } else { Extreme::Least })),
            _ => (Reach::Any, None),
        };
        // What the drawing does not see to, it may meet by chance.
        let tries = (0..4).map(|again| {
            let mut source = Source::new(schema, seed * 64 + again, reach);
            source.extreme = extreme;
            source.value(schema, LEVELS)
        });
        for value in tries {
            let taken = takes(&value);
            let known = if taken { &mut good } else { &mut others };
            if !known.contains(&value) {
                known.push(value);
            }
            if taken {
                break;
            }
        }
    }
    let mut changed = Vec::new();
    for (place, value) in good.iter().enumerate() {
        let mut source = Source::new(changing, 7_919 + place as u64, Reach::Any);
        let (changes, most) = match CHANGES.get(place) {
            Some(most) => (change::everywhere(&mut source, changing, value), *most),
            None => (change::somewhere(&mut source, changing, value), CHANGES_OF_OTHERS),
        };
        let most = most.min((BYTES / value.to_string().len().max(1)).max(FEWEST));
        changed.extend(source.draw.sample(changes, most).iter().map(|change| change.made_to(value)));
    }
    let mut seen = HashSet::new();
    good.into_iter().chain(others).chain(changed).filter(|value| seen.insert(value.to_string())).collect()
}

/// Where values come from: a schema to follow, and choices.
#[derive(Debug)]
pub(super) struct Source<'s> {
    /// What references are looked up in.
    pub(super) root: &'s Value,
    pub(super) draw: Draw,
    /// How much of what may be left out is there.
    reach: Reach,
    /// Whether all numbers are as far out as they may be: some are too much only together.
    extreme: Option<Extreme>,
    /// Patterns of keys that were compiled; nothing for one that does not compile.
    patterns: HashMap<String, Option<Oracle>>,
}

#[derive(Clone, Copy, Debug)]
enum Extreme {
    Least,
    Greatest,
}

/// Keys for maps: some that types of keys refuse or mistake.
pub(super) const KEYS: [&str; 16] = [
    "a",
    "",
    "second key",
    "ü",
    "a/b",
    "a.b",
    "0",
    "17",
    "01",
    "-1",
    "+1",
    "4294967296",
    "18446744073709551616",
    "1.0",
    "true",
    "null",
];

impl<'s> Source<'s> {
    pub(super) fn new(root: &'s Value, seed: u64, reach: Reach) -> Self {
        Self { root, draw: Draw::new(seed), reach, extreme: None, patterns: HashMap::new() }
    }

    /// A value that the schema should take. `levels` is how deep it may still go.
    pub(super) fn value(&mut self, schema: &Value, levels: i32) -> Value {
        let forms = forms(schema, self.root);
        // Where it goes no deeper, the form that asks for the least.
        let form = if levels > 0 { self.draw.choose(&forms) } else { forms.iter().min_by_key(|form| asked(form)) };
        form.map_or(Value::Null, |form| self.of_form(form, levels))
    }

    /// A value of one form.
    pub(super) fn of_form(&mut self, form: &Map<String, Value>, levels: i32) -> Value {
        if let Some(options) = form.get("enum").and_then(Value::as_array) {
            return self.draw.choose(options).cloned().unwrap_or_default();
        }
        if let Some(only) = form.get("const") {
            return only.clone();
        }
        let types = types(form);
        match self.draw.choose(&types).copied() {
            Some("boolean") => self.draw.coin().into(),
            Some("integer" | "number") => self.number(form),
            Some("string") => {
                let texts = edges::good_texts(form, &mut self.draw);
                self.draw.choose(&texts).cloned().unwrap_or_default().into()
            }
            Some("array") if levels > -8 => self.array(form, levels - 1),
            Some("object") if levels > -8 => self.object(form, levels - 1),
            _ => Value::Null,
        }
    }

    fn number(&mut self, form: &Map<String, Value>) -> Value {
        if self.extreme.is_none()
            && let Some(number) = (0..4).find_map(|_| edges::number(form, &mut self.draw))
        {
            return number;
        }
        let fitting: Vec<Value> = edges::numbers(form).into_iter().filter(|number| edges::fits(form, number)).collect();
        let by_size = |one: &&Value, other: &&Value| edges::by_size(one, other);
        let chosen = match self.extreme {
            Some(Extreme::Least) => fitting.iter().min_by(by_size),
            Some(Extreme::Greatest) => fitting.iter().max_by(by_size),
            None => self.draw.choose(&fitting),
        };
        chosen.cloned().unwrap_or_else(|| json!(0))
    }

    /// The schema of the element at a place, and whether there may be one.
    pub(super) fn element(form: &Map<String, Value>, place: usize) -> Option<&Value> {
        const ANY: &Value = &Value::Bool(true);
        let listed = |keyword: &str| form.get(keyword).and_then(Value::as_array);
        // Before 2020-12 a list stands under `items`, and what follows it under `additionalItems`.
        let leading = listed("prefixItems").or_else(|| listed("items"));
        if let Some(schema) = leading.and_then(|schemas| schemas.get(place)) {
            return Some(schema);
        }
        let rest = if listed("items").is_some() { form.get("additionalItems") } else { form.get("items") };
        Some(rest.unwrap_or(ANY)).filter(|schema| **schema != Value::Bool(false))
    }

    fn array(&mut self, form: &Map<String, Value>, levels: i32) -> Value {
        let least = count(form, "minItems").unwrap_or(0);
        let most = count(form, "maxItems").unwrap_or(least.saturating_add(3)).max(least);
        let length = match self.reach {
            _ if levels <= 0 => least,
            Reach::Least => least,
            Reach::Most => most.min(least.max(if levels > 2 { 2 } else { 1 })),
            Reach::Any => least + self.draw.below(most.min(least + 3) - least + 1),
        };
        self.elements(form, length.min(500), levels)
    }

    /// An array of so many elements, or as many as there may be.
    pub(super) fn elements(&mut self, form: &Map<String, Value>, length: usize, levels: i32) -> Value {
        let unique = form.get("uniqueItems") == Some(&Value::Bool(true));
        let mut elements: Vec<Value> = Vec::new();
        for place in 0..length {
            let Some(of) = Self::element(form, place) else { break };
            let mut element = self.value(of, levels);
            for _ in 0..8 {
                if !unique || !elements.iter().any(|known| same(known, &element)) {
                    break;
                }
                element = self.value(of, levels);
            }
            elements.push(element);
        }
        elements.into()
    }

    fn object(&mut self, form: &Map<String, Value>, levels: i32) -> Value {
        let required: Vec<&str> =
            form.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
        let mut object = Map::new();
        for (name, property) in members(form, "properties") {
            let wanted = match self.reach {
                _ if required.contains(&name.as_str()) => true,
                _ if levels <= 0 || *property == Value::Bool(false) => false,
                Reach::Least => false,
                Reach::Most => true,
                Reach::Any => self.draw.coin(),
            };
            if wanted {
                object.insert(name.clone(), self.value(property, levels));
            }
        }
        for name in required {
            if !object.contains_key(name) {
                let of = self.entry(form, name).cloned().unwrap_or(Value::Bool(true));
                object.insert(name.to_owned(), self.value(&of, levels));
            }
        }
        let least = count(form, "minProperties").unwrap_or(0);
        let more = match self.reach {
            _ if levels <= 0 => 0,
            Reach::Least => 0,
            Reach::Most => 2,
            Reach::Any => self.draw.below(3),
        };
        let most = count(form, "maxProperties").unwrap_or(usize::MAX);
        let wanted = least.max(object.len() + more).min(most);
        for key in self.keys(form) {
            if object.len() >= wanted {
                break;
            }
            if let Some(of) = self.entry(form, &key).filter(|_| !object.contains_key(&key)) {
                object.insert(key, self.value(of, levels));
            }
        }
        object.into()
    }

    /// The schema of what stands under a key that is no declared property; nothing where there may be none.
    pub(super) fn entry<'f>(&mut self, form: &'f Map<String, Value>, key: &str) -> Option<&'f Value> {
        const ANY: &Value = &Value::Bool(true);
        let matched = members(form, "patternProperties").find(|(pattern, _)| self.matches(pattern, key));
        if let Some((_, schema)) = matched {
            return Some(schema);
        }
        let rest = form.get("additionalProperties").or_else(|| form.get("unevaluatedProperties"));
        Some(rest.unwrap_or(ANY)).filter(|schema| **schema != Value::Bool(false))
    }

    /// Whether a key matches, as jsonschema has it.
    fn matches(&mut self, pattern: &str, key: &str) -> bool {
        if !self.patterns.contains_key(pattern) {
            self.patterns.insert(pattern.to_owned(), Oracle::new(&json!({"pattern": pattern}), Formats::Asserted).ok());
        }
        self.patterns.get(pattern).is_some_and(|oracle| oracle.as_ref().is_some_and(|oracle| oracle.takes(&key.into())))
    }

    /// Keys that an object of this form may have, or may not by a hair, in an order of their own.
    pub(super) fn keys(&mut self, form: &Map<String, Value>) -> Vec<String> {
        let mut keys = Vec::new();
        for (pattern, _) in members(form, "patternProperties") {
            let reaches = [Reach::Any, Reach::Least, Reach::Any, Reach::Most];
            keys.extend(reaches.into_iter().filter_map(|reach| matching(pattern, reach, &mut self.draw)));
        }
        if let Some(names) = form.get("propertyNames") {
            keys.extend((0..4).filter_map(|_| self.value(names, 1).as_str().map(str::to_owned)));
        }
        let start = if keys.is_empty() { self.draw.below(KEYS.len()) } else { 0 };
        keys.extend(KEYS.iter().cycle().skip(start).take(KEYS.len()).map(|key| (*key).to_owned()));
        keys
    }
}

/// How much a form asks for at the least.
fn asked(form: &Form<'_>) -> usize {
    let required = form.get("required").and_then(Value::as_array).map_or(0, Vec::len);
    required + count(form, "minItems").unwrap_or(0) + count(form, "minProperties").unwrap_or(0)
}

/// Whether two drawn values are one to JSON Schema, which compares numbers by their value.
fn same(one: &Value, other: &Value) -> bool {
    one == other || (one.is_number() && one.as_f64() == other.as_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_large_schema_fewer_changes_are_made_and_all_of_it_is_among_them() {
        let property = |number: u32| (format!("p{number}"), json!({"type": "string"}));
        let properties: Map<String, Value> = (0..400).map(property).collect();
        let schema = json!({"type": "object", "properties": properties, "additionalProperties": false});
        let values = instances(&schema);
        let bytes: usize = values.iter().map(|value| value.to_string().len()).sum();
        assert!(values.len() > 300 && bytes < 8 << 20, "{} of {bytes} bytes", values.len());
        let is_changed = |value: &&Value| value.as_object().is_some_and(|all| all.values().any(|one| !one.is_string()));
        let changed = values.iter().filter(is_changed).filter_map(Value::as_object).flatten();
        let numbers =
            changed.filter(|(_, value)| !value.is_string()).filter_map(|(key, _)| key[1..].parse::<u32>().ok());
        assert!(numbers.clone().any(|number| number < 50) && numbers.clone().any(|number| number > 350));
    }
}
