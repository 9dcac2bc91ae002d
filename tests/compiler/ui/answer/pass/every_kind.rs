#[path = "../../support.rs"]
mod support;

use std::{convert::Infallible, error::Error, fmt, io};

use serde::Serialize;
use serde_json::{Value, json};
use support::{call, outcome};
use tool_gate::{OutcomeKind, Tell, ToolError, tool};

type Fallible<T> = Result<T, Box<dyn Error + Send + Sync>>;

#[derive(Serialize)]
struct Length {
    value: f64,
    unit: &'static str,
}

/// Implements what an error is, and nothing of ours.
#[derive(Debug)]
struct Own;

impl fmt::Display for Own {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("own")
    }
}

impl Error for Own {}

/// d
#[tool]
fn plain() -> Length {
    Length { value: 1.25, unit: "m" }
}

/// d
#[tool]
fn borrowed(text: &str) -> &str {
    text
}

/// d
#[tool]
fn unit() {}

/// d
#[tool]
async fn unit_result() -> Result<(), io::Error> {
    Ok(())
}

/// d
#[tool]
fn alias(fail: bool) -> Fallible<Option<u8>> {
    if fail { Err("secret".into()) } else { Ok(None) }
}

/// d
#[tool]
async fn opaque(text: String) -> Result<impl Serialize, Own> {
    if text.is_empty() { Err(Own) } else { Ok(text.len()) }
}

/// d
#[tool]
fn opaque_plain() -> impl Serialize {
    json!({"a": 1})
}

/// d
#[tool]
fn words(fail: bool) -> Result<Value, ToolError> {
    (!fail).then(|| json!([1])).tell("There is none.")
}

/// d
#[tool]
fn infallible() -> Result<&'static str, Infallible> {
    Ok("fine")
}

/// d
#[tool]
fn string_error() -> Result<u8, String> {
    Err("secret".into())
}

fn main() {
    assert_eq!(call::<plain, ()>(&(), json!({})), r#"{"value":1.25,"unit":"m"}"#);
    assert_eq!(call::<borrowed, ()>(&(), json!({"text": "as it is"})), "as it is");
    assert_eq!(call::<unit, ()>(&(), json!({})), "Done.");
    assert_eq!(call::<unit_result, ()>(&(), json!({})), "Done.");
    assert_eq!(call::<alias, ()>(&(), json!({"fail": false})), "null");
    assert_eq!(call::<opaque, ()>(&(), json!({"text": "abc"})), "3");
    assert_eq!(call::<opaque_plain, ()>(&(), json!({})), r#"{"a":1}"#);
    assert_eq!(call::<words, ()>(&(), json!({"fail": false})), "[1]");
    assert_eq!(call::<infallible, ()>(&(), json!({})), "fine");

    let (kind, text) = outcome::<words, ()>(&(), json!({"fail": true}));
    assert_eq!((kind, text.contains("There is none.")), (OutcomeKind::Failed, true), "{text}");
    let secrets = [
        outcome::<alias, ()>(&(), json!({"fail": true})),
        outcome::<string_error, ()>(&(), json!({})),
        outcome::<opaque, ()>(&(), json!({"text": ""})),
    ];
    for (kind, text) in secrets {
        assert_eq!(kind, OutcomeKind::Failed);
        assert!(!text.contains("secret") && !text.contains("own"), "{text}");
    }
}
