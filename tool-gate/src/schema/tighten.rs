//! From what schemars says of a type to a schema that takes exactly what the type takes.
//!
//! serde and schemars disagree by themselves: schemars leaves integers without their type's bounds and objects open,
//! names formats that JSON Schema does not know, and turns a documented unit enum into a union. Each is mended here, once,
//! and what comes out is what is published, compiled and enforced.

use std::collections::BTreeSet;

use serde_json::{Map, Number, Value, json};

use super::{bounds::narrow, patterns};

/// The formats of JSON Schema 2020-12 that the validator asserts.
const FORMATS: &[&str] = &[
    "date",
    "date-time",
    "duration",
    "email",
    "hostname",
    "idn-email",
    "idn-hostname",
    "ipv4",
    "ipv6",
    "iri",
    "iri-reference",
    "json-pointer",
    "regex",
    "relative-json-pointer",
    "time",
    "uri",
    "uri-reference",
    "uri-template",
    "uuid",
];

/// Mends one schema and all inside it. `definitions` are as schemars made them: merging must not close an object twice.
///
/// # Errors
///
/// A reference that cannot be merged.
pub(super) fn tighten(schema: &mut Value, definitions: &Map<String, Value>) -> Result<(), String> {
    mend(schema, definitions, Closing::Whole, &mut Vec::new())
}

/// Who refuses undeclared properties of an object.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Closing {
    /// The schema itself.
    Whole,
    /// The schema around it, of which it is a part: closed by itself, it would refuse the properties of the others.
    Part,
}

/// `merging` are the references that are being merged into one another.
fn mend(
    schema: &mut Value,
    definitions: &Map<String, Value>,
    closing: Closing,
    merging: &mut Vec<String>,
) -> Result<(), String> {
    let Value::Object(schema) = schema else { return Ok(()) };
    let merged = merging.len();
    merge_references(schema, definitions, closing, merging)?;
    unite_constants(schema);
    // Of what stands beside its parts, they would refuse the properties, and the entries of a map.
    let is_beside = ["properties", "patternProperties", "additionalProperties", "unevaluatedProperties"];
    let is_composed = merges(schema) || is_beside.iter().any(|keyword| schema.contains_key(*keyword));
    for (keyword, inner) in schema.iter_mut() {
        match (keyword.as_str(), inner) {
            ("properties" | "patternProperties" | "$defs" | "dependentSchemas", Value::Object(schemas)) => {
                for schema in schemas.values_mut() {
                    mend(schema, definitions, Closing::Whole, &mut Vec::new())?;
                }
            }
            ("anyOf" | "oneOf" | "allOf", Value::Array(schemas)) => {
                let of_parts = if is_composed { Closing::Part } else { closing };
                schemas.iter_mut().try_for_each(|schema| mend(schema, definitions, of_parts, merging))?;
            }
            ("prefixItems", Value::Array(schemas)) => {
                for schema in schemas {
                    mend(schema, definitions, Closing::Whole, &mut Vec::new())?;
                }
            }
            (
                "items"
                | "contains"
                | "additionalProperties"
                | "unevaluatedProperties"
                | "propertyNames"
                | "not"
                | "if"
                | "then"
                | "else",
                schema @ Value::Object(_),
            ) => mend(schema, definitions, Closing::Whole, &mut Vec::new())?,
            _ => {}
        }
    }
    merging.truncate(merged);
    bound(schema);
    name_keys(schema);
    close(schema, closing);
    Ok(())
}

/// `{"$ref": …, "properties": …}`, as a tagged enum with a type inside is published: one object of both, since the referred
/// one, once closed, would refuse the tag. The same for a part that is nothing but a reference.
fn merge_references(
    schema: &mut Map<String, Value>,
    definitions: &Map<String, Value>,
    closing: Closing,
    merging: &mut Vec<String>,
) -> Result<(), String> {
    while closing == Closing::Part || schema.contains_key("properties") {
        let Some(Value::String(reference)) = schema.remove("$ref") else { return Ok(()) };
        let name = reference.strip_prefix("#/$defs/").map(unescape);
        let Some(Value::Object(referred)) = name.and_then(|name| definitions.get(&name)) else {
            return Err(reference);
        };
        // A type that holds itself at the place where it is merged would be merged for ever.
        if merging.contains(&reference) {
            return Err(reference);
        }
        merging.push(reference);
        for (keyword, theirs) in referred {
            match (schema.get_mut(keyword), theirs) {
                (Some(Value::Object(ours)), Value::Object(theirs)) if keyword == "properties" => {
                    for (name, property) in theirs {
                        ours.entry(name.clone()).or_insert_with(|| property.clone());
                    }
                }
                (Some(Value::Array(ours)), Value::Array(theirs)) if keyword == "required" => {
                    ours.extend(theirs.iter().cloned());
                }
                (Some(_), _) => {}
                (None, theirs) => {
                    schema.insert(keyword.clone(), theirs.clone());
                }
            }
        }
    }
    Ok(())
}

/// A token of a reference, without the escapes of a URI's fragment and of a JSON pointer.
pub(crate) fn unescape(token: &str) -> String {
    let bytes = token.as_bytes();
    let mut plain = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let escaped = bytes.get(at + 1..at + 3).filter(|_| byte == b'%');
        let code =
            escaped.and_then(|digits| std::str::from_utf8(digits).ok()).and_then(|d| u8::from_str_radix(d, 16).ok());
        plain.push(code.unwrap_or(byte));
        at += if code.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&plain).replace("~1", "/").replace("~0", "~")
}

/// A unit enum whose variants have docs comes as a union of constants: one `enum`, the docs moved to the description.
fn unite_constants(schema: &mut Map<String, Value>) {
    let Some(Value::Array(branches)) = schema.get("oneOf") else { return };
    let mut options = Vec::new();
    let mut lines = Vec::new();
    for branch in branches {
        let Value::Object(branch) = branch else { return };
        if !branch.keys().all(|keyword| matches!(keyword.as_str(), "type" | "const" | "enum" | "description")) {
            return;
        }
        let of_branch = match (branch.get("const"), branch.get("enum")) {
            (Some(option @ Value::String(_)), None) => vec![option.clone()],
            (None, Some(Value::Array(options))) if options.iter().all(Value::is_string) => options.clone(),
            _ => return,
        };
        if let (Some(words), [Value::String(option)]) =
            (branch.get("description").and_then(Value::as_str), of_branch.as_slice())
        {
            lines.push(format!("- {option}: {words}"));
        }
        options.extend(of_branch);
    }
    schema.remove("oneOf");
    schema.insert("type".into(), "string".into());
    schema.insert("enum".into(), Value::Array(options));
    if !lines.is_empty() {
        let lines = lines.join("\n");
        let words = match schema.get("description").and_then(Value::as_str) {
            Some(words) => format!("{words}\n\n{lines}"),
            None => lines,
        };
        schema.insert("description".into(), words.into());
    }
}

/// Puts the Rust type's bounds in the place of a format that only schemars knows, and drops every other unknown format.
fn bound(schema: &mut Map<String, Value>) {
    let Some(Value::String(format)) = schema.get("format") else { return };
    if FORMATS.contains(&format.as_str()) {
        return;
    }
    let pattern = match format.as_str() {
        "partial-time" => Some(patterns::TIME),
        "partial-date-time" => Some(patterns::DATE_TIME),
        _ => None,
    };
    if let Some(pattern) = pattern {
        schema.remove("format");
        schema.insert("pattern".into(), pattern.into());
        return;
    }
    if format == "ip" && !schema.contains_key("anyOf") {
        schema.remove("format");
        let mut versions =
            vec![json!({"type": "string", "format": "ipv4"}), json!({"type": "string", "format": "ipv6"})];
        if schema.shift_remove("type").is_some_and(|names| names.is_array()) {
            versions.push(json!({"type": "null"}));
        }
        schema.insert("anyOf".into(), versions.into());
        return;
    }
    let bounds: Option<(Number, Number)> = match format.as_str() {
        "uint8" => Some((0.into(), u8::MAX.into())),
        "uint16" => Some((0.into(), u16::MAX.into())),
        "uint32" => Some((0.into(), u32::MAX.into())),
        "uint" if usize::BITS == 32 => Some((0.into(), u32::MAX.into())),
        // JSON has no larger number that every reader keeps exact.
        "uint" | "uint64" | "uint128" => Some((0.into(), u64::MAX.into())),
        "int8" => Some((i8::MIN.into(), i8::MAX.into())),
        "int16" => Some((i16::MIN.into(), i16::MAX.into())),
        "int32" => Some((i32::MIN.into(), i32::MAX.into())),
        "int" if isize::BITS == 32 => Some((i32::MIN.into(), i32::MAX.into())),
        "int" | "int64" | "int128" => Some((i64::MIN.into(), i64::MAX.into())),
        "float" => Number::from_f64(f32::MIN.into()).zip(Number::from_f64(f32::MAX.into())),
        _ => None,
    };
    schema.remove("format");
    if let Some((minimum, maximum)) = bounds {
        narrow(schema, "minimum", Some(&minimum), |new, old| new > old);
        narrow(schema, "maximum", Some(&maximum), |new, old| new < old);
    }
}

/// The keys of a map of integers, written as integers are: `01` is no key that the map can hold.
fn name_keys(schema: &mut Map<String, Value>) {
    let Some(Value::Object(patterns)) = schema.get_mut("patternProperties") else { return };
    for (loose, exact) in [(r"^\d+$", "^(0|[1-9][0-9]*)$"), (r"^-?\d+$", "^(0|-?[1-9][0-9]*)$")] {
        if let Some(of_values) = patterns.shift_remove(loose) {
            patterns.insert(exact.to_owned(), of_values);
        }
    }
}

/// An object that lists its properties has no others; nor has one that lists none and is no map.
fn close(schema: &mut Map<String, Value>, closing: Closing) {
    if let Some(Value::Array(required)) = schema.get_mut("required") {
        let mut seen = BTreeSet::new();
        required.retain(|name| name.as_str().is_none_or(|name| seen.insert(name.to_owned())));
    }
    let composed = ["allOf", "anyOf", "oneOf", "$ref"].iter().any(|keyword| schema.contains_key(*keyword));
    if closing == Closing::Part {
        if schema.get("additionalProperties") == Some(&Value::Bool(false)) && !schema.contains_key("patternProperties")
        {
            schema.remove("additionalProperties");
        }
        return;
    }
    let lists = schema.contains_key("properties") || merges(schema);
    let is_object = schema.get("type").is_some_and(|name| name == "object");
    let is_map = ["additionalProperties", "patternProperties", "unevaluatedProperties"];
    if is_map.iter().any(|keyword| schema.contains_key(*keyword)) || (composed && !lists) {
        // With parts that have properties of their own, what is closed is the whole of them.
        if lists && schema.contains_key("anyOf") {
            close_branches(schema);
        }
        if composed && lists && schema.get("additionalProperties") == Some(&Value::Bool(false)) {
            schema.remove("additionalProperties");
            schema.insert("unevaluatedProperties".into(), false.into());
        }
        return;
    }
    if lists && schema.contains_key("anyOf") {
        close_branches(schema);
    }
    if lists || is_object {
        let keyword = if composed { "unevaluatedProperties" } else { "additionalProperties" };
        schema.insert(keyword.into(), false.into());
    }
}

/// Whether it is made of several parts that may have properties each, as of two enums that are flattened into one struct.
fn merges(schema: &Map<String, Value>) -> bool {
    let all = schema.get("allOf").and_then(Value::as_array).map_or(0, Vec::len);
    all + ["anyOf", "oneOf"].iter().filter(|keyword| schema.contains_key(**keyword)).count() > 1
}

/// An untagged enum inside an object: a variant does not have the properties of another, so each is closed over its own and the
/// object's. As a whole they would be open to both at once, of which serde reads one.
fn close_branches(schema: &mut Map<String, Value>) {
    let is_open = |keyword: &&str| schema.get(*keyword).is_some_and(|open| *open != false);
    let is_map = ["additionalProperties", "patternProperties", "unevaluatedProperties"].iter().any(is_open);
    if is_map || ["allOf", "oneOf", "$ref"].iter().any(|keyword| schema.contains_key(*keyword)) {
        return;
    }
    let of_object: Vec<String> =
        schema.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::keys).cloned().collect();
    let branches = schema.get_mut("anyOf").and_then(Value::as_array_mut).into_iter().flatten();
    for branch in branches.filter_map(Value::as_object_mut) {
        let is_open = ["additionalProperties", "patternProperties", "allOf", "anyOf", "oneOf", "$ref"];
        if is_open.iter().any(|keyword| branch.contains_key(*keyword)) {
            continue;
        }
        if let Some(Value::Object(properties)) = branch.get_mut("properties") {
            for name in &of_object {
                properties.entry(name.clone()).or_insert(Value::Bool(true));
            }
            branch.insert("additionalProperties".into(), false.into());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tightened(mut schema: Value, definitions: &Value) -> Result<Value, String> {
        let definitions = definitions.as_object().cloned().unwrap_or_default();
        tighten(&mut schema, &definitions).map(|()| schema)
    }

    #[test]
    fn a_tag_and_the_struct_behind_it_are_closed_as_one() {
        let definitions = json!({"In": {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}});
        let schema = json!({"$ref": "#/$defs/In", "properties": {"kind": {"const": "x"}}, "required": ["kind"]});
        assert_eq!(
            tightened(schema, &definitions),
            Ok(json!({
                "properties": {"kind": {"const": "x"}, "a": {"type": "string"}},
                "required": ["kind", "a"],
                "type": "object",
                "additionalProperties": false,
            }))
        );
    }

    #[test]
    fn what_would_be_merged_for_ever_is_named() {
        let tagged = |next: &str| json!({"oneOf": [{"type": "object", "properties": {"tag": {"const": "x"}}, "$ref": format!("#/$defs/{next}")}]});
        let definitions = json!({"One": tagged("Two"), "Two": tagged("One")});
        let found = tightened(definitions["One"].clone(), &definitions);
        assert_eq!(found, Err("#/$defs/Two".into()));
    }

    #[test]
    fn an_integer_has_the_narrower_of_its_types_bounds_and_its_own() {
        let schema = json!({"type": "integer", "format": "uint8", "minimum": 0, "maximum": 1000});
        let bounded = json!({"type": "integer", "minimum": 0, "maximum": 255});
        assert_eq!(tightened(schema, &Value::Null), Ok(bounded));
        let schema = json!({"type": ["integer", "null"], "format": "int64", "minimum": -5});
        let bounded = json!({"type": ["integer", "null"], "minimum": -5, "maximum": i64::MAX});
        assert_eq!(tightened(schema, &Value::Null), Ok(bounded));
    }

    #[test]
    fn a_map_beside_an_enum_takes_what_no_variant_has() {
        let branch = json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]});
        let schema = json!({"type": "object", "anyOf": [branch], "unevaluatedProperties": {"type": "boolean"}});
        assert_eq!(tightened(schema.clone(), &Value::Null), Ok(schema));
    }

    #[test]
    fn enums_beside_one_another_are_closed_as_one() {
        let branch =
            |name: &str| json!({"type": "object", "properties": {name: {"type": "string"}}, "required": [name]});
        let schema = json!({"type": "object", "allOf": [{"oneOf": [branch("a")]}, {"oneOf": [branch("b")]}]});
        let mut closed = schema.clone();
        closed["unevaluatedProperties"] = false.into();
        assert_eq!(tightened(schema, &Value::Null), Ok(closed));
    }

    #[test]
    fn references_are_read_without_their_escapes() {
        assert_eq!(unescape("Gr%C3%B6%C3%9Fe"), "Größe");
        assert_eq!(unescape("a~1b~0c%25"), "a/b~c%");
        assert_eq!(unescape("100%"), "100%");
    }
}
