#[path = "../../support.rs"]
mod support;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use support::{call, required};
use tool_gate::tool;

type Maybe<T> = Option<T>;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
struct Note(Option<String>);

/// Take what there is: the type says what may be left out, not its spelling.
#[tool]
fn optional(a: Option<u8>, b: Maybe<String>, c: Note, d: Option<Vec<u8>>, #[arg(default = 5)] e: u8, f: u8) -> String {
    format!("{a:?} {b:?} {c:?} {d:?} {e} {f}")
}

fn main() {
    assert_eq!(required::<optional, ()>(), json!(["f"]));
    assert_eq!(call::<optional, ()>(&(), json!({"f": 1})), "None None Note(None) None 5 1");
    assert_eq!(
        call::<optional, ()>(&(), json!({"a": null, "b": null, "c": null, "d": [1], "e": 6, "f": 1})),
        "None None Note(None) Some([1]) 6 1"
    );
}
