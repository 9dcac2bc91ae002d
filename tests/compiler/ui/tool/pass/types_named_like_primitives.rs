#[path = "../../support.rs"]
mod support;

use serde_json::json;
use support::call;
use tool_gate::tool;

/// Say yes or no.
#[tool(as = Bool)]
fn bool(yes: bool) -> bool {
    yes
}

/// Repeat a text.
#[tool(as = Text)]
fn str(text: &str) -> String {
    text.to_owned()
}

fn main() {
    assert_eq!(call::<Bool, ()>(&(), json!({"yes": true})), "true");
    assert_eq!(call::<Text, ()>(&(), json!({"text": "so"})), "so");
    assert_eq!(str("so"), "so");
    assert!(bool(true));
}
