//! Values as JSON Schema sees them: their types, their equality and order, and how one is quoted.

use std::cmp::Ordering;

use serde_json::{Number, Value};

use super::violation::JsonType;
use crate::{
    json::{self, Node},
    text,
};

/// Whether a value is of a type that a schema names.
pub(super) fn is_of(value: Node<'_>, name: &str) -> bool {
    match name {
        "integer" => value.as_number().is_some_and(json::Number::is_integer),
        "null" => value.json_type() == JsonType::Null,
        "boolean" => value.json_type() == JsonType::Boolean,
        "number" => value.json_type() == JsonType::Number,
        "string" => value.json_type() == JsonType::String,
        "array" => value.json_type() == JsonType::Array,
        "object" => value.json_type() == JsonType::Object,
        _ => false,
    }
}

/// Equality as JSON Schema has it: numbers by their value.
pub(super) fn equal(value: Node<'_>, other: &Value) -> bool {
    match (value.kind(), other) {
        (json::Kind::Number, Value::Number(other)) => {
            value.as_number().is_some_and(|number| compare(number, other) == Ordering::Equal)
        }
        (json::Kind::Array, Value::Array(others)) => {
            value.len() == others.len() && value.elements().zip(others).all(|(element, other)| equal(element, other))
        }
        (json::Kind::Object, Value::Object(others)) => {
            value.len() == others.len()
                && value.members().all(|(name, member)| others.get(name).is_some_and(|other| equal(member, other)))
        }
        (json::Kind::String, Value::String(other)) => value.as_str() == Some(other),
        (json::Kind::Bool, Value::Bool(other)) => value.as_bool() == Some(*other),
        (json::Kind::Null, Value::Null) => true,
        _ => false,
    }
}

/// Compares integers exactly, however large, and as floats what is none.
pub(super) fn compare(number: json::Number<'_>, limit: &Number) -> Ordering {
    let exact = |signed: Option<i64>, unsigned: Option<u64>| signed.map(i128::from).or(unsigned.map(i128::from));
    let ours = exact(number.as_i64(), number.as_u64());
    let theirs = exact(limit.as_i64(), limit.as_u64());
    let (as_float, limit) = (number.as_f64(), limit.as_f64().unwrap_or(f64::NAN));
    match (ours, theirs) {
        (Some(ours), Some(theirs)) => ours.cmp(&theirs),
        // An integer beyond 64 bits is beyond every bound that is within them, whatever they are as floats.
        (None, Some(_)) if number.is_integer() && as_float > 0.0 => Ordering::Greater,
        (None, Some(_)) if number.is_integer() => Ordering::Less,
        _ => as_float.partial_cmp(&limit).unwrap_or(Ordering::Equal),
    }
}

/// The value as JSON, its numbers as they were written, cut to so many characters. What is cut is never written.
pub(crate) fn quote(value: Node<'_>, most: usize) -> String {
    fn write(value: Node<'_>, most: usize, out: &mut String) {
        if out.len() > most * 4 {
            return;
        }
        match value.kind() {
            json::Kind::Number => out.push_str(&value.as_number().map(json::Number::text).unwrap_or_default()),
            json::Kind::Array => {
                out.push('[');
                for (at, element) in value.elements().enumerate() {
                    if out.len() > most * 4 {
                        return;
                    }
                    out.push_str(if at > 0 { "," } else { "" });
                    write(element, most, out);
                }
                out.push(']');
            }
            json::Kind::Object => {
                out.push('{');
                for (at, (key, member)) in value.members().enumerate() {
                    if out.len() > most * 4 {
                        return;
                    }
                    out.push_str(if at > 0 { "," } else { "" });
                    out.push_str(&Value::from(cut(key, most)).to_string());
                    out.push(':');
                    write(member, most, out);
                }
                out.push('}');
            }
            json::Kind::String => {
                out.push_str(&Value::from(cut(value.as_str().unwrap_or_default(), most)).to_string());
            }
            json::Kind::Null | json::Kind::Bool => out.push_str(&value.to_value().to_string()),
        }
    }
    let mut quoted = String::new();
    write(value, most, &mut quoted);
    text::excerpt(&quoted, most)
}

/// One character more than is shown, so that the cut shows.
fn cut(text: &str, most: usize) -> &str {
    text.char_indices().nth(most + 1).map_or(text, |(at, _)| &text[..at])
}
