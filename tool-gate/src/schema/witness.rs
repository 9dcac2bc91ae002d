//! The least value that a schema takes, as far as can be told without asking its type.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::patterns;

/// How deep a value may have to nest.
const MAX_DEPTH: usize = 12;

/// Looks through schemas as schemars writes them.
pub(super) struct Witness<'s> {
    pub(super) definitions: &'s Map<String, Value>,
    /// What stands for any text.
    pub(super) filler: &'static str,
    /// What stands for schemas of which a value is known that is taken.
    pub(super) samples: HashMap<*const Value, Value>,
}

impl<'s> Witness<'s> {
    /// A small value: the shallowest there is, with what is required and nothing else. `null` where none is found.
    pub(super) fn of(&self, schema: &Value) -> Value {
        (1..=MAX_DEPTH).find_map(|depth| self.within(schema, depth)).unwrap_or_default()
    }

    /// What a local reference names.
    pub(super) fn referred(&self, schema: &Value) -> Option<(&'s String, &'s Value)> {
        let reference = schema.get("$ref")?.as_str()?.strip_prefix("#/$defs/")?;
        self.definitions.get_key_value(&super::tighten::unescape(reference))
    }

    fn within(&self, schema: &Value, depth: usize) -> Option<Value> {
        let depth = depth.checked_sub(1)?;
        let Value::Object(keywords) = schema else { return Some(Value::Null) };
        if let Some(example) = keywords.get("examples").and_then(|examples| examples.get(0)) {
            return Some(example.clone());
        }
        if let Some(sample) = self.samples.get(&std::ptr::from_ref(schema)) {
            return Some(sample.clone());
        }
        if let Some(only) = keywords.get("const") {
            return Some(only.clone());
        }
        if let Some(options) = keywords.get("enum").and_then(Value::as_array) {
            return options.first().cloned();
        }
        self.composed(schema, keywords, None, depth)
    }

    /// What a schema asks for beside one of its parts: a union, its reference, or one place under `allOf`. Nothing where there is
    /// nothing else that makes it an object.
    pub(super) fn beside(&self, schema: &Value, part: (&str, usize)) -> Value {
        let Value::Object(keywords) = schema else { return Value::Null };
        let is_left = |keyword: &&str| match keywords.get(*keyword) {
            Some(Value::Array(parts)) if *keyword == "allOf" && part.0 == "allOf" => parts.len() > 1,
            clause => *keyword != part.0 && clause.is_some(),
        };
        if !["properties", "$ref", "anyOf", "oneOf", "allOf"].iter().any(is_left) {
            return Value::Null;
        }
        (1..=MAX_DEPTH).find_map(|depth| self.composed(schema, keywords, Some(part), depth)).unwrap_or_default()
    }

    /// A value of all parts, or of all but one.
    fn composed(
        &self,
        schema: &Value,
        keywords: &Map<String, Value>,
        but: Option<(&str, usize)>,
        depth: usize,
    ) -> Option<Value> {
        let is_asked = |keyword: &str| but.is_none_or(|(left_out, _)| left_out != keyword);
        let referred = self.referred(schema).filter(|_| is_asked("$ref"));
        let referred = referred.map(|(_, referred)| self.within(referred, depth));
        let unions = ["anyOf", "oneOf"].into_iter().filter(|union| is_asked(union));
        let branches = unions.filter_map(|union| keywords.get(union)?.as_array());
        let mut branches =
            branches.map(|branches| branches.iter().find_map(|branch| self.within(branch, depth))).peekable();
        let parts = keywords.get("allOf").and_then(Value::as_array).into_iter().flatten().enumerate();
        let parts = parts.filter(|(place, _)| but != Some(("allOf", *place)));
        let parts = parts.map(|(_, part)| Some(self.within(part, depth)));
        let own = (referred.is_none() && branches.peek().is_none()) || keywords.contains_key("properties");
        let mut value = if own { self.plain(keywords, depth)? } else { Value::Null };
        for part in parts.chain([referred]).chain(branches.map(Some)).flatten() {
            value = join(value, part?);
        }
        Some(value)
    }

    fn plain(&self, schema: &Map<String, Value>, depth: usize) -> Option<Value> {
        let names = schema
            .get("type")
            .map_or(&[][..], |names| names.as_array().map_or(std::slice::from_ref(names), Vec::as_slice));
        if names.iter().any(|name| name == "null") {
            return Some(Value::Null);
        }
        match names.first().and_then(Value::as_str) {
            Some("boolean") => Some(Value::Bool(false)),
            Some("integer" | "number") => Some(number(schema)),
            Some("string") => Some(self.text(schema)),
            Some("array") => {
                let count = schema.get("minItems").and_then(Value::as_u64).unwrap_or(0);
                let leading = schema.get("prefixItems").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
                let others = schema.get("items").unwrap_or(&Value::Bool(true));
                let count = usize::try_from(count).unwrap_or_default().min(64);
                (0..count).map(|place| self.within(leading.get(place).unwrap_or(others), depth)).collect()
            }
            None if !schema.contains_key("properties") => Some(Value::Null),
            _ => {
                let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
                let members = required.filter_map(Value::as_str).map(|name| {
                    let of = schema.get("properties").and_then(|properties| properties.get(name));
                    Some((name.to_owned(), self.within(of.unwrap_or(&Value::Bool(true)), depth)?))
                });
                members.collect::<Option<Map<_, _>>>().map(Value::Object)
            }
        }
    }

    fn text(&self, schema: &Map<String, Value>) -> Value {
        let keyword = |keyword: &str| schema.get(keyword).and_then(Value::as_str);
        let known = keyword("format").and_then(sample).or_else(|| patterns::sample(keyword("pattern")?));
        match (known, schema.get("minLength").and_then(Value::as_u64)) {
            (Some(known), _) => known.into(),
            (None, Some(length)) => "a".repeat(usize::try_from(length).unwrap_or_default().min(1024)).into(),
            (None, None) => self.filler.into(),
        }
    }
}

/// Two objects as one; of anything else the second, unless that is nothing.
pub(super) fn join(first: Value, second: Value) -> Value {
    match (first, second) {
        (Value::Object(mut first), Value::Object(second)) => {
            for (name, member) in second {
                first.entry(name).or_insert(member);
            }
            first.into()
        }
        (first @ Value::Object(_), _) | (first, Value::Null) => first,
        (_, second) => second,
    }
}

fn number(schema: &Map<String, Value>) -> Value {
    let bound = |keyword: &str| schema.get(keyword).filter(|bound| bound.is_number());
    let positive = |number: &&Value| number.as_f64().is_some_and(|number| number > 0.0);
    let negative = |number: &&Value| number.as_f64().is_some_and(|number| number < 0.0);
    let bound = bound("minimum").filter(positive).or_else(|| bound("maximum").filter(negative));
    let is_zero_refused = schema.get("not").is_some_and(|not| not == &json!({"const": 0}));
    bound.cloned().unwrap_or_else(|| u8::from(is_zero_refused).into())
}

/// A text in one of the formats of JSON Schema, or of schemars.
pub(super) fn sample(format: &str) -> Option<&'static str> {
    Some(match format {
        "date" => "2024-02-29",
        "date-time" => "2024-02-29T09:00:00Z",
        "time" => "09:00:00Z",
        "partial-time" => "09:00:00",
        "partial-date-time" => "2024-02-29T09:00:00",
        "duration" => "PT1S",
        "email" => "ann@example.org",
        "ip" | "ipv4" => "192.0.2.1",
        "ipv6" => "2001:db8::1",
        "uri" => "https://example.org/",
        "uuid" => "6fa459ea-ee8a-3ca4-894e-db77e160355e",
        _ => return None,
    })
}
