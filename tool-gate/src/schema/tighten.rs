//! From what schemars says of the parameters to the canonical schema: one that takes exactly what the function takes.
//!
//! serde and schemars disagree by themselves: schemars leaves integers without their type's bounds and objects open,
//! names formats that JSON Schema does not know, and turns a documented unit enum into a union. Each is mended here, once,
//! and what comes out is what is published, compiled and enforced.

use std::{collections::BTreeSet, fmt};

use serde_json::{Map, Number, Value, json};

use super::validator::Validator;
use crate::argument::{BadDefault, Constraints, Described};

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

/// A mistake in one parameter's declaration that only shows once its schema is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    /// `#[arg(default = …)]` on a parameter that may be absent anyway.
    DefaultOnOptional,
    /// The default could not be written as JSON.
    DefaultUnwritable(String),
    /// The pattern is no regular expression, or none that is matched in linear time.
    Pattern(&'static str),
    /// The argument's own check refuses its default.
    DefaultRefused(String),
    /// A lower bound above the upper one.
    EmptyBounds(&'static str),
    /// Two types that share a schema name and differ; or a type that contains itself at the place where it is merged.
    Unresolvable(String),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DefaultOnOptional => f.write_str("has a default and may be absent: drop `Option` or the default"),
            Self::DefaultUnwritable(reason) => write!(f, "has a default that cannot be written as JSON: {reason}"),
            Self::Pattern(pattern) => write!(
                f,
                "has the pattern `{pattern}`, which cannot be matched in linear time: write it without look-around and back-references"
            ),
            Self::DefaultRefused(reason) => write!(f, "has a default that its own `check` refuses: {reason}"),
            Self::EmptyBounds(which) => write!(f, "has an empty `{which}`: nothing would be accepted"),
            Self::Unresolvable(reference) => write!(f, "has a schema with an unusable reference `{reference}`"),
        }
    }
}

/// Makes the canonical schema of one tool from its parameters and the definitions they refer to, and says what is wrong
/// with them: every [`Problem`], with the name of its parameter. The schema is complete where there is none.
pub(crate) fn assemble(
    parameters: Vec<Described>,
    mut definitions: Map<String, Value>,
) -> (Value, Vec<(&'static str, Problem)>) {
    let mut problems = Vec::new();
    let mut properties = Map::new();
    let mut required = Vec::new();
    let raw_definitions = definitions.clone();
    for definition in definitions.values_mut() {
        if let Err(reference) = tighten(definition, &raw_definitions) {
            problems.push(("", Problem::Unresolvable(reference)));
        }
    }
    for parameter in parameters {
        if parameter.default.is_none() && !parameter.optional {
            required.push(parameter.name);
        }
        let name = parameter.name;
        let mut found = Vec::new();
        properties.insert(name.to_owned(), Value::Object(property(parameter, &raw_definitions, &mut found)));
        problems.extend(found.into_iter().map(|problem| (name, problem)));
    }
    if problems.iter().any(|(_, problem)| matches!(problem, Problem::Unresolvable(_))) {
        // A schema that goes in circles would take whoever compiles it along.
        return (json!({"type": "object"}), problems);
    }
    let mut schema = json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    });
    let used = referred(&schema, &definitions);
    definitions.retain(|name, _| used.contains(name));
    if !definitions.is_empty() {
        schema["$defs"] = Value::Object(definitions);
    }
    (schema, problems)
}

fn property(parameter: Described, definitions: &Map<String, Value>, problems: &mut Vec<Problem>) -> Map<String, Value> {
    let mut schema = parameter.schema;
    problems.extend(tighten(&mut schema, definitions).map_err(Problem::Unresolvable).err());
    let mut schema = match schema {
        Value::Object(schema) => schema,
        // `true`, from `serde_json::Value`: anything goes, and the empty schema can carry a description.
        _ => Map::new(),
    };
    problems.extend(constrain(&mut schema, &parameter.constraints).err());
    if let Some(pattern) = parameter.constraints.pattern
        && Validator::new(&json!({"pattern": pattern})).is_err()
    {
        // Told of the argument, and left out of the schema: as a whole it could not say which.
        problems.push(Problem::Pattern(pattern));
        schema.remove("pattern");
    }
    match parameter.default {
        Some(_) if parameter.optional => problems.push(Problem::DefaultOnOptional),
        Some(Ok(default)) => {
            schema.insert("default".into(), default);
        }
        Some(Err(BadDefault::Unwritable(reason))) => problems.push(Problem::DefaultUnwritable(reason)),
        Some(Err(BadDefault::Refused(reason))) => problems.push(Problem::DefaultRefused(reason)),
        None => {}
    }
    if !parameter.doc.is_empty() {
        // What the parameter is for, first; what its type says of itself, after.
        let of_type = schema.remove("description").and_then(|words| words.as_str().map(str::to_owned));
        let words = of_type.map_or_else(|| parameter.doc.to_owned(), |words| format!("{}\n\n{words}", parameter.doc));
        schema.insert("description".into(), words.into());
    }
    schema
}

/// Adds what `#[arg(…)]` asks for to what the type asks for. The narrower bound stands.
fn constrain(schema: &mut Map<String, Value>, constraints: &Constraints) -> Result<(), Problem> {
    let Constraints { minimum, maximum, exclusive_minimum, exclusive_maximum, .. } = constraints;
    narrow(schema, "minimum", minimum.as_ref(), |new, old| new > old);
    narrow(schema, "maximum", maximum.as_ref(), |new, old| new < old);
    narrow(schema, "exclusiveMinimum", exclusive_minimum.as_ref(), |new, old| new > old);
    narrow(schema, "exclusiveMaximum", exclusive_maximum.as_ref(), |new, old| new < old);
    let counts = [
        ("minLength", constraints.min_length),
        ("maxLength", constraints.max_length),
        ("minItems", constraints.min_items),
        ("maxItems", constraints.max_items),
    ];
    for (keyword, bound) in counts {
        let bound = bound.map(Number::from);
        narrow(
            schema,
            keyword,
            bound.as_ref(),
            |new, old| if keyword.starts_with("min") { new > old } else { new < old },
        );
    }
    for (keyword, text) in [("pattern", constraints.pattern), ("format", constraints.format)] {
        if let Some(text) = text {
            schema.insert(keyword.into(), text.into());
        }
    }
    let empty = [
        ("range", "minimum", "maximum", false),
        ("range", "exclusiveMinimum", "maximum", true),
        ("range", "minimum", "exclusiveMaximum", true),
        ("range", "exclusiveMinimum", "exclusiveMaximum", true),
        ("length", "minLength", "maxLength", false),
        ("items", "minItems", "maxItems", false),
    ];
    for (which, low, high, touching_is_empty) in empty {
        let bound = |keyword| schema.get(keyword).and_then(Value::as_number).map(size);
        if let (Some(low), Some(high)) = (bound(low), bound(high))
            && (low > high || (touching_is_empty && low >= high))
        {
            return Err(Problem::EmptyBounds(which));
        }
    }
    Ok(())
}

fn narrow(
    schema: &mut Map<String, Value>,
    keyword: &str,
    bound: Option<&Number>,
    narrower: impl Fn(Size, Size) -> bool,
) {
    if let Some(bound) = bound {
        let standing = schema.get(keyword).and_then(Value::as_number);
        if standing.is_none_or(|standing| narrower(size(bound), size(standing))) {
            schema.insert(keyword.to_owned(), Value::Number(plain(bound)));
        }
    }
}

/// `1000000` for `1000000.0`: the same number, and how a person would publish it.
#[allow(clippy::cast_possible_truncation, reason = "only where the float is that integer")]
fn plain(number: &Number) -> Number {
    match number.as_f64() {
        Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() < 9e15 => (float as i64).into(),
        _ => number.clone(),
    }
}

/// A number's size, exact for integers.
#[derive(Clone, Copy)]
enum Size {
    Integer(i128),
    Float(f64),
}

impl Size {
    #[allow(clippy::cast_precision_loss, reason = "a float bound is compared as a float")]
    fn as_f64(self) -> f64 {
        match self {
            Self::Integer(integer) => integer as f64,
            Self::Float(float) => float,
        }
    }
}

impl PartialEq for Size {
    fn eq(&self, other: &Self) -> bool {
        self.partial_cmp(other) == Some(std::cmp::Ordering::Equal)
    }
}

impl PartialOrd for Size {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        match (self, other) {
            (Self::Integer(a), Self::Integer(b)) => a.partial_cmp(b),
            (a, b) => a.as_f64().partial_cmp(&b.as_f64()),
        }
    }
}

fn size(number: &Number) -> Size {
    let integer = number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from));
    integer.map_or_else(|| Size::Float(number.as_f64().unwrap_or(f64::NAN)), Size::Integer)
}

/// Mends one schema and all inside it. `definitions` are as schemars made them: merging must not close an object twice.
///
/// # Errors
///
/// A reference that cannot be merged.
fn tighten(schema: &mut Value, definitions: &Map<String, Value>) -> Result<(), String> {
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
    let is_composed = schema.contains_key("properties");
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
    let lists = schema.contains_key("properties");
    let is_object = schema.get("type").is_some_and(|name| name == "object");
    let is_map = ["additionalProperties", "patternProperties", "unevaluatedProperties"];
    if is_map.iter().any(|keyword| schema.contains_key(*keyword)) || (composed && !lists) {
        // With parts that have properties of their own, what is closed is the whole of them.
        if composed && lists && schema.get("additionalProperties") == Some(&Value::Bool(false)) {
            schema.remove("additionalProperties");
            schema.insert("unevaluatedProperties".into(), false.into());
        }
        return;
    }
    if lists || is_object {
        let keyword = if composed { "unevaluatedProperties" } else { "additionalProperties" };
        schema.insert(keyword.into(), false.into());
    }
}

/// The names of the definitions that a schema refers to, directly or through others.
fn referred(schema: &Value, definitions: &Map<String, Value>) -> BTreeSet<String> {
    let mut used = BTreeSet::new();
    let mut waiting = vec![schema];
    while let Some(value) = waiting.pop() {
        match value {
            Value::Object(members) => {
                if let Some(name) = members.get("$ref").and_then(Value::as_str).and_then(|r| r.strip_prefix("#/$defs/"))
                    && let Some((name, definition)) = definitions.get_key_value(&unescape(name))
                    && used.insert(name.clone())
                {
                    waiting.push(definition);
                }
                waiting.extend(members.values());
            }
            Value::Array(elements) => waiting.extend(elements),
            _ => {}
        }
    }
    used
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
    fn references_are_read_without_their_escapes() {
        assert_eq!(unescape("Gr%C3%B6%C3%9Fe"), "Größe");
        assert_eq!(unescape("a~1b~0c%25"), "a/b~c%");
        assert_eq!(unescape("100%"), "100%");
    }
}
