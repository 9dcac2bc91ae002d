#[path = "../../support.rs"]
mod support;

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    num::NonZeroU32,
};

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use support::{argument, call, required};
use tool_gate::tool;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Status {
    Open,
    Shipped,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Period {
    Since { day: String },
    LastDays { count: u32 },
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Filter {
    status: Status,
    period: Option<Period>,
}

/// Take one of each.
#[tool]
#[allow(clippy::too_many_arguments)]
fn scalars(a: bool, b: i8, c: u64, d: f32, e: char, f: String, g: NonZeroU32, h: (u8, String), i: [u8; 2]) -> String {
    format!("{a} {b} {c} {d} {e} {f} {g} {h:?} {i:?}")
}

/// Take some of each.
#[tool]
fn collections(
    a: Vec<Filter>,
    b: BTreeMap<String, u8>,
    c: HashMap<String, Vec<String>>,
    d: BTreeSet<u8>,
    e: Value,
    f: Box<str>,
) -> String {
    format!("{a:?} {b:?} {c:?} {d:?} {e} {f}")
}

fn main() {
    let arguments =
        json!({"a": true, "b": -1, "c": 2, "d": 1.5, "e": "x", "f": "text", "g": 3, "h": [1, "one"], "i": [1, 2]});
    assert_eq!(call::<scalars, ()>(&(), arguments), r#"true -1 2 1.5 x text 3 (1, "one") [1, 2]"#);
    assert_eq!(required::<scalars, ()>(), json!(["a", "b", "c", "d", "e", "f", "g", "h", "i"]));
    assert_eq!(argument::<scalars, ()>("f")["type"], "string");

    let filter = json!({"status": "shipped", "period": {"kind": "last_days", "count": 7}});
    let arguments = json!({"a": [filter, {"status": "open"}], "b": {"x": 1}, "c": {"y": ["z"]}, "d": [2, 1], "e": {"any": [1]}, "f": "t"});
    assert_eq!(
        call::<collections, ()>(&(), arguments),
        r#"[Filter { status: Shipped, period: Some(LastDays { count: 7 }) }, Filter { status: Open, period: None }] {"x": 1} {"y": ["z"]} {1, 2} {"any":[1]} t"#
    );
    let _ = Period::Since { day: String::new() };
}
