//! Values that a schema refuses for one reason.

use serde_json::{Map, Value, json};

use crate::{branches, members, resolved, types};

/// A value that was good, spoilt in one place.
#[derive(Clone, Debug)]
pub struct Spoilt {
    /// What was done to it.
    pub how: String,
    /// The value, which the schema now refuses.
    pub value: Value,
}

/// Everything that can be done to a value so that the schema refuses it for that alone.
pub fn spoil(schema: &Value, root: &Value, value: &Value) -> Vec<Spoilt> {
    let schema = resolved(schema, root);
    let mut spoilt = Vec::new();
    let mut add = |how: &str, value: Value| spoilt.push(Spoilt { how: how.to_owned(), value });
    let types = types(schema, root);
    let takes = |name: &str| types.is_empty() || types.iter().any(|known| known == name);
    let of_types = [
        ("null", json!(null)),
        ("boolean", json!(true)),
        ("number", json!(0.5)),
        ("string", json!("5")),
        ("array", json!([])),
        ("object", json!({})),
    ];
    for (name, other) in of_types {
        if !takes(name) && (name != "number" || !takes("integer")) {
            add(&format!("a {name} in its place"), other);
        }
    }
    if takes("integer") && !takes("number") {
        add("a fraction", json!(0.5));
        add("a number in quotes", json!("1"));
        add("a size beyond any integer", json!(1e300));
    }
    if let Some(branches) = branches(schema) {
        // Only the branch that the value is of is spoilt: tags keep the others from taking it.
        for branch in branches {
            if is_shaped(branch, root, value) {
                spoilt.extend(spoil(branch, root, value).into_iter().filter(|spoilt| {
                    !spoilt.value.is_null()
                        && !branches.iter().any(|other| is_shaped(other, root, &spoilt.value) && scalar(other, root))
                }));
            }
        }
        return spoilt;
    }
    match value {
        Value::Number(_) => number(schema, &mut spoilt),
        Value::String(text) => string(schema, text, &mut spoilt),
        Value::Array(elements) => array(schema, root, elements, &mut spoilt),
        Value::Object(object) => self::object(schema, root, object, &mut spoilt),
        _ => {}
    }
    spoilt
}

/// Whether the branch is of a type whose values are not told apart by their inside.
fn scalar(branch: &Value, root: &Value) -> bool {
    let branch = resolved(branch, root);
    branch.get("enum").is_none() && branch.get("const").is_none() && branch.get("properties").is_none()
}

/// Whether the value has the type, and where there is one the tag, of the branch.
fn is_shaped(branch: &Value, root: &Value, value: &Value) -> bool {
    let branch = resolved(branch, root);
    let name = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let types = types(branch, root);
    let of_type =
        types.is_empty() || types.iter().any(|known| known == name || (name == "number" && known == "integer"));
    let in_enum = branch["enum"].as_array().is_none_or(|options| options.contains(value));
    let tagged = members(branch, "properties")
        .all(|(key, property)| property.get("const").is_none_or(|tag| value.get(key) == Some(tag)));
    let keyed = branch["required"]
        .as_array()
        .is_none_or(|names| names.iter().filter_map(Value::as_str).all(|name| value.get(name).is_some()));
    of_type && in_enum && tagged && keyed
}

fn number(schema: &Value, spoilt: &mut Vec<Spoilt>) {
    let integer =
        schema["type"] == "integer" || schema["type"].as_array().is_some_and(|names| names.contains(&json!("integer")));
    for (keyword, step) in [("minimum", -1.0), ("maximum", 1.0)] {
        let Some(limit) = schema.get(keyword) else { continue };
        let beyond = match (limit.as_i64(), limit.as_u64(), integer) {
            (Some(limit), _, true) if step < 0.0 && limit > i64::MIN => json!(limit - 1),
            (Some(limit), _, true) if step > 0.0 && limit < i64::MAX => json!(limit + 1),
            (Some(i64::MAX), _, true) => json!(9_223_372_036_854_775_808_u64),
            (_, Some(_), true) => json!(18_446_744_073_709_551_616.0),
            _ => {
                let limit = limit.as_f64().unwrap_or_default();
                json!(limit + step * (limit.abs() * 1e-9).max(1e-3))
            }
        };
        spoilt.push(Spoilt { how: format!("beyond its {keyword}"), value: beyond });
    }
}

fn string(schema: &Value, text: &str, spoilt: &mut Vec<Spoilt>) {
    let mut add = |how: &str, value: String| spoilt.push(Spoilt { how: how.to_owned(), value: value.into() });
    if schema.get("enum").is_some() || schema.get("const").is_some() {
        add("another word", format!("{text}~"));
        add("another case", format!("{}~", text.to_uppercase()));
    }
    if let Some(limit) = schema["minLength"].as_u64().filter(|limit| *limit > 0) {
        add("too short", "é".repeat(usize::try_from(limit).unwrap_or_default() - 1));
    }
    if let Some(limit) = schema["maxLength"].as_u64() {
        add("too long", "é".repeat(usize::try_from(limit).unwrap_or_default() + 1));
    }
    if schema.get("pattern").is_some() || schema.get("format").is_some() {
        add("outside its pattern", "~".into());
        add("with a space before", format!(" {text}"));
    }
}

fn array(schema: &Value, root: &Value, elements: &[Value], spoilt: &mut Vec<Spoilt>) {
    let mut add = |how: String, value: Vec<Value>| spoilt.push(Spoilt { how, value: value.into() });
    if let Some(limit) = schema["minItems"].as_u64().filter(|limit| *limit > 0) {
        let fewer = usize::try_from(limit).unwrap_or_default() - 1;
        add("an element too few".into(), elements.iter().take(fewer).cloned().collect());
    }
    if let Some(limit) = schema["maxItems"].as_u64() {
        let more = usize::try_from(limit).unwrap_or_default() + 1;
        let last = elements.last().cloned().unwrap_or(Value::Null);
        add("an element too many".into(), elements.iter().cloned().chain(std::iter::repeat(last)).take(more).collect());
    }
    if schema["uniqueItems"] == true
        && let Some(first) = elements.first()
    {
        add("an element twice".into(), elements.iter().chain([first]).cloned().collect());
    }
    for (place, element) in elements.iter().enumerate() {
        let of = schema["prefixItems"].get(place).unwrap_or(&schema["items"]);
        for inner in spoil(of, root, element) {
            let mut elements = elements.to_vec();
            elements[place] = inner.value;
            add(format!("{place}: {}", inner.how), elements);
        }
    }
}

fn object(schema: &Value, root: &Value, object: &Map<String, Value>, spoilt: &mut Vec<Spoilt>) {
    let mut add = |how: String, value: Map<String, Value>| spoilt.push(Spoilt { how, value: value.into() });
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        let mut object = object.clone();
        object.remove(name);
        add(format!("without {name}"), object);
    }
    if schema["additionalProperties"] == false {
        let mut object = object.clone();
        object.insert("nobody_declared_this".into(), Value::Null);
        add("with an undeclared key".into(), object);
    }
    for (name, member) in object {
        let of = members(schema, "properties").find(|(key, _)| *key == name).map(|(_, property)| property);
        let of = of.or_else(|| schema.get("additionalProperties").filter(|open| open.is_object()));
        for inner in of.map(|of| spoil(of, root, member)).unwrap_or_default() {
            let mut object = object.clone();
            object.insert(name.clone(), inner.value);
            add(format!("{name}: {}", inner.how), object);
        }
    }
}
