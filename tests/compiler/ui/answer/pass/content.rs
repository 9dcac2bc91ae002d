//! Blocks of content, alone and together, with and without a `Result`.
#![deny(warnings)]

#[path = "../../support.rs"]
mod support;

use serde_json::json;
use support::{call, outcome};
use tool_gate::{Content, OutcomeKind, ToolError, tool};

type Drawn<T> = Result<T, ToolError>;

/// d
#[tool(read_only)]
fn one() -> Content {
    Content::image("image/png", [1, 2, 3])
}

/// d
#[tool(read_only)]
async fn some(caption: String) -> Drawn<Vec<Content>> {
    Ok(vec![Content::text(caption), Content::json(&[1])?])
}

/// d
#[tool(read_only)]
fn both() -> [Content; 2] {
    [Content::text("See:"), Content::file("a.pdf", "application/pdf", vec![0])]
}

/// d
#[tool(read_only)]
fn none() -> Drawn<Content> {
    Err(ToolError::new("There is no picture."))
}

fn main() {
    assert_eq!(call::<one, ()>(&(), json!({})), "[image/png, 3 bytes: not shown]");
    assert_eq!(call::<some, ()>(&(), json!({"caption": "One:"})), "One:\n[1]");
    assert_eq!(call::<some, ()>(&(), json!({"caption": ""})), "[1]");
    assert_eq!(call::<both, ()>(&(), json!({})), "See:\n[a.pdf, application/pdf, 1 bytes: not shown]");
    assert_eq!(outcome::<none, ()>(&(), json!({})), (OutcomeKind::Failed, "There is no picture.".into()));
}
