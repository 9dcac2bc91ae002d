#[path = "../../support.rs"]
mod support;

use std::path::Path;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use support::{argument, call};
use tool_gate::tool;

#[derive(Debug, Deserialize, JsonSchema)]
struct Filter {
    text: String,
}

/// Borrow one of each.
#[tool]
fn borrow(text: &str, list: &[Filter], one: &Filter, path: &Path, maybe: &Option<String>) -> String {
    format!("{text} {list:?} {one:?} {} {maybe:?}", path.display())
}

/// Lifetimes may have names.
#[tool]
async fn named<'a, 'b>(text: &'a str, other: &'b str) -> (&'a str, &'b str) {
    (text, other)
}

fn main() {
    let arguments = json!({"text": "a", "list": [{"text": "b"}], "one": {"text": "c"}, "path": "/tmp"});
    assert_eq!(call::<borrow, ()>(&(), arguments), r#"a [Filter { text: "b" }] Filter { text: "c" } /tmp None"#);
    assert_eq!(argument::<borrow, ()>("text"), json!({"type": "string"}));
    assert_eq!(call::<named, ()>(&(), json!({"text": "a", "other": "b"})), r#"["a","b"]"#);
}
