//! What a model that keeps to a lowered schema sends.

use std::{cell::RefCell, collections::HashMap};

use serde_json::{Map, Value, json};
use tool_gate::lower::Lowered;

/// A lowered schema, judged by jsonschema alone.
pub(crate) struct Sender {
    /// With the words of OpenAPI in those of JSON Schema.
    schema: Value,
    whole: jsonschema::Validator,
    parts: RefCell<HashMap<String, jsonschema::Validator>>,
}

pub(crate) fn validator(schema: &Value) -> jsonschema::Validator {
    let options = jsonschema::options().should_validate_formats(true).offline();
    options.build(schema).unwrap_or_else(|error| panic!("{error}\n{schema:#}"))
}

impl Sender {
    pub(crate) fn new(schema: &Value) -> Self {
        let schema = without_nullable(schema);
        Self { whole: validator(&schema), schema, parts: RefCell::default() }
    }

    pub(crate) fn takes(&self, value: &Value) -> bool {
        self.whole.is_valid(value)
    }

    /// What is sent for canonical arguments: in the shapes that stand for them, with null for what is absent and must be there.
    pub(crate) fn sent(&self, lowered: &Lowered, canonical: &Value) -> Option<Value> {
        lowered.raise().sent(canonical).map(|sent| self.filled(&self.schema, sent))
    }

    fn filled(&self, schema: &Value, value: Value) -> Value {
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            let definition = self.schema.pointer(reference.trim_start_matches('#')).expect("a definition");
            return self.filled(definition, value);
        }
        if let Some(branches) = schema.get("anyOf").and_then(Value::as_array) {
            let fills = branches.iter().map(|branch| (branch, self.filled(branch, value.clone())));
            return fills
                .filter(|(branch, filled)| self.part_takes(branch, filled))
                .map(|(_, filled)| filled)
                .next()
                .unwrap_or(value);
        }
        match value {
            Value::Object(members) => self.object(schema, members),
            Value::Array(elements) => {
                let each = elements.into_iter().enumerate();
                each.map(|(place, element)| {
                    let own = schema.get("prefixItems").and_then(|leading| leading.get(place));
                    match own.or_else(|| schema.get("items")) {
                        Some(items) => self.filled(items, element),
                        None => element,
                    }
                })
                .collect()
            }
            other => other,
        }
    }

    fn object(&self, schema: &Value, members: Map<String, Value>) -> Value {
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let mut filled = Map::new();
        for (key, value) in members {
            let property = schema["properties"].get(&key);
            let inner = property.or_else(|| schema.get("additionalProperties").filter(|rest| rest.is_object()));
            let value = inner.map_or_else(|| value.clone(), |inner| self.filled(inner, value.clone()));
            // Where null is not taken, it is said by leaving the key out.
            let is_said_by_absence = value.is_null()
                && !required.contains(&key.as_str())
                && property.is_some_and(|property| !self.part_takes(property, &Value::Null));
            if !is_said_by_absence {
                filled.insert(key, value);
            }
        }
        for key in required {
            filled.entry(key).or_insert(Value::Null);
        }
        filled.into()
    }

    fn part_takes(&self, part: &Value, value: &Value) -> bool {
        let mut parts = self.parts.borrow_mut();
        let judge = parts.entry(part.to_string()).or_insert_with(|| {
            let mut whole = json!({"allOf": [part]});
            for definitions in ["$defs", "$def"] {
                self.schema.get(definitions).into_iter().for_each(|inner| whole[definitions] = inner.clone());
            }
            validator(&whole)
        });
        judge.is_valid(value)
    }
}

/// `nullable` in the words of JSON Schema.
fn without_nullable(schema: &Value) -> Value {
    match schema {
        Value::Object(members) => {
            let mut members: Map<String, Value> =
                members.iter().map(|(key, value)| (key.clone(), without_nullable(value))).collect();
            if members.shift_remove("nullable") == Some(Value::Bool(true)) {
                return json!({"anyOf": [members, {"type": "null"}]});
            }
            members.into()
        }
        Value::Array(elements) => elements.iter().map(without_nullable).collect(),
        other => other.clone(),
    }
}
