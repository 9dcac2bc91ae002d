//! From what schemars says of the parameters to the canonical schema: one that takes exactly what the function takes.
//!
//! serde and schemars disagree by themselves: schemars leaves integers without their type's bounds and objects open,
//! names formats that JSON Schema does not know, and turns a documented unit enum into a union. Each is mended here, once,
//! and what comes out is what is published, compiled and enforced.

use std::{collections::BTreeSet, fmt};

use serde_json::{Map, Number, Value, json};

use crate::argument::{Constraints, Described};

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
    match parameter.default {
        Some(_) if parameter.optional => problems.push(Problem::DefaultOnOptional),
        Some(Ok(default)) => {
            schema.insert("default".into(), default);
        }
        Some(Err(reason)) => problems.push(Problem::DefaultUnwritable(reason)),
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
    let Value::Object(schema) = schema else { return Ok(()) };
    merge_reference(schema, definitions)?;
    unite_constants(schema);
    for (keyword, inner) in schema.iter_mut() {
        match (keyword.as_str(), inner) {
            ("properties" | "patternProperties" | "$defs" | "dependentSchemas", Value::Object(schemas)) => {
                schemas.values_mut().try_for_each(|schema| tighten(schema, definitions))?;
            }
            ("anyOf" | "oneOf" | "allOf" | "prefixItems", Value::Array(schemas)) => {
                schemas.iter_mut().try_for_each(|schema| tighten(schema, definitions))?;
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
            ) => tighten(schema, definitions)?,
            _ => {}
        }
    }
    bound(schema);
    close(schema);
    Ok(())
}

/// `{"$ref": …, "properties": …}`, as a tagged enum with a struct inside is published: one object of both, since the
/// referred one, once closed, would refuse the tag.
fn merge_reference(schema: &mut Map<String, Value>, definitions: &Map<String, Value>) -> Result<(), String> {
    // As many merges as there are definitions reach the end of every chain that has one.
    for _ in 0..=definitions.len() {
        if !schema.contains_key("properties") {
            return Ok(());
        }
        let Some(Value::String(reference)) = schema.remove("$ref") else { return Ok(()) };
        let Some(Value::Object(referred)) =
            reference.strip_prefix("#/$defs/").and_then(|name| definitions.get(&unescape(name)))
        else {
            return Err(reference);
        };
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
    Err("a chain of references that never ends".into())
}

/// A JSON pointer's own escapes.
pub(crate) fn unescape(token: &str) -> String {
    token.replace("~1", "/").replace("~0", "~")
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

/// An object that lists its properties has no others.
fn close(schema: &mut Map<String, Value>) {
    if let Some(Value::Array(required)) = schema.get_mut("required") {
        let mut seen = BTreeSet::new();
        required.retain(|name| name.as_str().is_none_or(|name| seen.insert(name.to_owned())));
    }
    if schema.contains_key("properties")
        && !schema.contains_key("additionalProperties")
        && !schema.contains_key("unevaluatedProperties")
    {
        let composed = ["allOf", "anyOf", "oneOf", "$ref"].iter().any(|keyword| schema.contains_key(*keyword));
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
