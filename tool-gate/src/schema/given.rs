//! A schema that is taken as given: what has to hold before it is compiled.

use serde_json::Value;

/// The deepest that a schema may nest. Compiling it descends as deep, and no schema in use comes near.
const MAX_DEPTH: usize = 64;

/// Why a schema cannot be that of a tool's arguments, in words that follow "does not compile:".
///
/// What stands behind each keyword is left to the compiler.
pub(crate) fn unusable(schema: &Value) -> Option<String> {
    if schema.get("type").is_none_or(|of_root| of_root != "object") {
        return Some("arguments are always an object, so it has to say `\"type\": \"object\"` at its root".into());
    }
    is_deeper(schema, MAX_DEPTH).then(|| format!("it nests deeper than {MAX_DEPTH} levels"))
}

/// Whether a value nests deeper than this. Looks no deeper than it has to, so that a hostile one costs nothing.
fn is_deeper(value: &Value, most: usize) -> bool {
    let Some(inside) = most.checked_sub(1) else { return value.is_array() || value.is_object() };
    match value {
        Value::Array(elements) => elements.iter().any(|element| is_deeper(element, inside)),
        Value::Object(members) => members.values().any(|member| is_deeper(member, inside)),
        _ => false,
    }
}
