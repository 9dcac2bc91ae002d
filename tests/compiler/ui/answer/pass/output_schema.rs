//! The schema of an answer: there where the type has one, and in nobody's way where it has none.
#![deny(warnings)]
#![allow(dead_code)]

use std::{borrow::Cow, fmt};

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use tool_gate::{Content, Provides, Registry, Tool, ToolError, tool};

macro_rules! listed {
    ($ty:ty) => { Vec<$ty> };
}

type Answered<T> = std::result::Result<T, fmt::Error>;

/// A length.
#[derive(Serialize, JsonSchema)]
struct Length {
    /// How many of the unit.
    value: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<String>,
}

#[derive(Serialize)]
struct Bare(u8);

#[derive(Provides)]
struct Session {
    #[provide]
    name: String,
}

/// d
#[tool]
fn length() -> Answered<Length> {
    Ok(Length { value: 1.0, unit: None })
}

/// d
#[tool]
fn lengths() -> Result<listed!(Length), ToolError> {
    Ok(vec![])
}

/// d
#[tool]
fn borrowed<'s>(#[state] name: &'s String) -> Cow<'s, str> {
    Cow::Borrowed(name)
}

/// d
#[tool]
fn nothing() -> Result<(), ToolError> {
    Ok(())
}

/// d
#[tool]
fn bare() -> Bare {
    Bare(1)
}

/// d
#[tool]
fn opaque() -> impl Serialize {
    1
}

/// d
#[tool]
fn content() -> Vec<Content> {
    vec![]
}

fn answers<T: Tool<Session>>() -> Option<Value> {
    let registry = Registry::<Session>::builder().tool::<T>().build().expect("a tool");
    registry.definitions().next().expect("one tool").output_schema().cloned()
}

fn main() {
    let length_schema = json!({
        "description": "A length.",
        "type": "object",
        "properties": {
            "value": {"description": "How many of the unit.", "type": "number", "format": "double"},
            "unit": {"type": ["string", "null"]},
        },
        "required": ["value"],
    });
    assert_eq!(answers::<length>(), Some(length_schema.clone()));
    let lengths_schema = json!({"type": "array", "items": {"$ref": "#/$defs/Length"}, "$defs": {"Length": length_schema}});
    assert_eq!(answers::<lengths>(), Some(lengths_schema));
    assert_eq!(answers::<borrowed>(), Some(json!({"type": "string"})));
    assert_eq!(answers::<nothing>(), None);
    assert_eq!(answers::<bare>(), None);
    assert_eq!(answers::<opaque>(), None);
    assert_eq!(answers::<content>(), None);
}
