//! From a tool's parameters to one schema of its arguments.

use std::{collections::BTreeSet, fmt};

use serde_json::{Map, Number, Value, json};

use super::{
    bounds::{narrow, size},
    regex,
    tighten::{tighten, unescape},
    validator::{Formats, Validator},
};
use crate::argument::{Constraints, Described, Unfit};

/// A mistake in one parameter's declaration that only shows once its schema is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    /// `#[arg(default = …)]` on a parameter that may be absent anyway.
    DefaultOnOptional,
    /// The default, or the example, could not be written as JSON, or is refused by the argument's own type or check.
    Unfit(&'static str, Unfit),
    /// The pattern is no regular expression, or none that is matched in linear time.
    Pattern(&'static str),
    /// A lower bound above the upper one.
    EmptyBounds(&'static str),
    /// Two types that share a schema name and differ; or a type that contains itself at the place where it is merged.
    Unresolvable(String),
    /// Something that the schema takes and the type does not, and that no schema can say.
    Unreadable(String),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DefaultOnOptional => f.write_str("has a default and may be absent: drop `Option` or the default"),
            Self::Unfit(which, Unfit::Unwritable(reason)) => {
                write!(f, "has {which} that cannot be written as JSON: {reason}")
            }
            Self::Unfit(which, Unfit::Refused(reason)) => write!(f, "has {which} that is refused: {reason}"),
            Self::Pattern(pattern) => {
                write!(f, "has the pattern `{}`, which {}", regex::shown(pattern), regex::unusable(pattern))
            }
            Self::Unreadable(reason) => f.write_str(reason),
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
    problems.extend(parameter.problems.into_iter().map(Problem::Unreadable));
    problems.extend(tighten(&mut schema, definitions).map_err(Problem::Unresolvable).err());
    let mut schema = match schema {
        Value::Object(schema) => schema,
        // `true`, from `serde_json::Value`: anything goes, and the empty schema can carry a description.
        _ => Map::new(),
    };
    problems.extend(constrain(&mut schema, &parameter.constraints).err());
    if let Some(pattern) = parameter.constraints.pattern
        && Validator::new(&json!({"pattern": pattern}), Formats::Asserted).is_err()
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
        Some(Err(unfit)) => problems.push(Problem::Unfit("a default", unfit)),
        None => {}
    }
    match parameter.example {
        Some(Ok(example)) => {
            schema.insert("examples".into(), Value::Array(vec![example]));
        }
        Some(Err(unfit)) => problems.push(Problem::Unfit("an example", unfit)),
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
