//! Values that a schema takes.

use serde_json::{Map, Number, Value, json};

use crate::{branches, members, resolved};

/// A source of choices: a small generator that gives the same draws for the same seed.
#[derive(Debug)]
pub struct Draw(u64);

impl Draw {
    /// Draws from this seed.
    pub fn new(seed: u64) -> Self {
        Self(seed | 1)
    }

    /// A number below `bound`, which is not 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        // xorshift64*: good enough to choose by.
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) % bound
    }

    fn choose<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        let place = self.below(items.len() as u64);
        &items[usize::try_from(place).unwrap_or_default()]
    }

    /// A value that `schema` takes; `root` holds its definitions. `levels` is how deep recursion may still go.
    ///
    /// # Panics
    ///
    /// Where a pattern has no example here.
    pub fn value(&mut self, schema: &Value, root: &Value, levels: u32) -> Value {
        let schema = resolved(schema, root);
        if let Some(options) = schema["enum"].as_array() {
            return self.choose(options).clone();
        }
        if let Some(only) = schema.get("const") {
            return only.clone();
        }
        if let Some(branches) = branches(schema) {
            // Without levels, the branch that ends soonest.
            let branch = if levels == 0 { branches.last() } else { Some(self.choose(branches)) };
            return branch.map_or(Value::Null, |branch| self.value(branch, root, levels.saturating_sub(1)));
        }
        let types: Vec<&str> = match &schema["type"] {
            Value::String(name) => vec![name],
            Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
            _ => vec!["null", "boolean", "integer", "number", "string"],
        };
        match *self.choose(&types) {
            "null" => Value::Null,
            "boolean" => Value::Bool(self.below(2) == 0),
            "integer" => self.integer(schema),
            "number" => self.number(schema),
            "string" => self.string(schema),
            "array" => self.array(schema, root, levels),
            "object" => self.object(schema, root, levels),
            other => panic!("no such type: {other}"),
        }
    }

    fn integer(&mut self, schema: &Value) -> Value {
        let low = bound(schema, "minimum", i128::from(i64::MIN));
        let high = bound(schema, "maximum", i128::from(u64::MAX));
        let span = u64::try_from(high - low).unwrap_or(u64::MAX).saturating_add(1);
        let mut picks = vec![low, high, low + i128::from(self.below(span))];
        picks.extend([0, 1, -1, 9_007_199_254_740_993].into_iter().filter(|pick| (low..=high).contains(pick)));
        let refused = schema["not"]["const"].as_i64().map(i128::from);
        picks.retain(|pick| Some(*pick) != refused);
        let pick = *self.choose(&picks);
        // One in four is written as a float, where that is exact: the same number to JSON Schema.
        if pick.unsigned_abs() < 1 << 53 && self.below(4) == 0 {
            #[allow(clippy::cast_precision_loss, reason = "below 2^53 nothing is lost")]
            return json!(pick as f64);
        }
        i64::try_from(pick).map_or_else(|_| json!(u64::try_from(pick).unwrap_or_default()), |pick| json!(pick))
    }

    fn number(&mut self, schema: &Value) -> Value {
        let low = schema["minimum"].as_f64().unwrap_or(-1e300);
        let high = schema["maximum"].as_f64().unwrap_or(1e300);
        let inside = [0.0, 0.5, -1.5, 1e-7, 1.0].into_iter().filter(|number| (low..=high).contains(number));
        let picks: Vec<f64> = inside.chain([low, high, f64::midpoint(low, high)]).collect();
        let pick = *self.choose(&picks);
        Number::from_f64(pick).map_or(Value::Null, Value::Number)
    }

    fn string(&mut self, schema: &Value) -> Value {
        if let Some(format) = schema["format"].as_str() {
            return example_of_format(format).into();
        }
        if let Some(pattern) = schema["pattern"].as_str() {
            return example_of_pattern(pattern).into();
        }
        let low = schema["minLength"].as_u64().unwrap_or(0);
        let high = schema["maxLength"].as_u64().unwrap_or(low + 6);
        let length = low + self.below(high - low + 1);
        let letters = ['a', 'Z', '0', ' ', 'é', '🦀', '"', '\\', '\n', '\u{0}'];
        (0..length).map(|_| *self.choose(&letters)).collect::<String>().into()
    }

    fn array(&mut self, schema: &Value, root: &Value, levels: u32) -> Value {
        let leading = schema["prefixItems"].as_array().cloned().unwrap_or_default();
        let low = schema["minItems"].as_u64().unwrap_or(0);
        let high = schema["maxItems"].as_u64().unwrap_or(low + 3);
        let length = if levels == 0 { low } else { low + self.below(high - low + 1) };
        let mut elements: Vec<Value> = Vec::new();
        for place in 0..usize::try_from(length).unwrap_or_default() {
            let of = leading.get(place).unwrap_or(&schema["items"]);
            let element = self.value(of, root, levels.saturating_sub(1));
            if schema["uniqueItems"] != true || !elements.iter().any(|known| same(known, &element)) {
                elements.push(element);
            }
        }
        elements.into()
    }

    fn object(&mut self, schema: &Value, root: &Value, levels: u32) -> Value {
        let required = |name: &str| schema["required"].as_array().is_some_and(|names| names.iter().any(|n| n == name));
        let mut object = Map::new();
        for (name, property) in members(schema, "properties") {
            if required(name) || (levels > 0 && self.below(2) == 0) {
                object.insert(name.clone(), self.value(property, root, levels.saturating_sub(1)));
            }
        }
        if schema["additionalProperties"].is_object() {
            for key in ["a", "second key", "ü"].iter().take(usize::try_from(self.below(4)).unwrap_or_default()) {
                object
                    .insert((*key).into(), self.value(&schema["additionalProperties"], root, levels.saturating_sub(1)));
            }
        }
        for (pattern, property) in members(schema, "patternProperties") {
            let key = example_of_pattern(pattern);
            object.insert(key.into(), self.value(property, root, levels.saturating_sub(1)));
        }
        object.into()
    }
}

/// Whether two drawn values are one to JSON Schema, which compares numbers by their value.
fn same(a: &Value, b: &Value) -> bool {
    a == b || (a.is_number() && a.as_f64() == b.as_f64())
}

fn bound(schema: &Value, keyword: &str, otherwise: i128) -> i128 {
    let number = schema.get(keyword);
    number.and_then(|n| n.as_i64().map(i128::from).or_else(|| n.as_u64().map(i128::from))).unwrap_or(otherwise)
}

/// A text in one of JSON Schema's formats.
fn example_of_format(format: &str) -> &'static str {
    match format {
        "date" => "2026-02-28",
        "date-time" => "2026-02-28T09:30:00Z",
        "email" => "ann@example.org",
        "uuid" => "6fa459ea-ee8a-3ca4-894e-db77e160355e",
        other => panic!("no example of {other}"),
    }
}

fn example_of_pattern(pattern: &str) -> &'static str {
    match pattern {
        "^c-[0-9]+$" => "c-1042",
        "^(0|[1-9][0-9]*)$" => "17",
        other => panic!("no example of {other}"),
    }
}
