#[path = "../../support.rs"]
mod support;

use std::collections::HashSet;
use std::num::NonZeroU8;
use std::ops::RangeInclusive;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use support::{argument, outcome};
use tool_gate::{OutcomeKind, tool};

const LEAST: i16 = -5;
const RATIOS: RangeInclusive<f32> = 0.1..=0.9;

#[derive(Deserialize, JsonSchema)]
struct Cents(u32);

impl tool_gate::Number for Cents {
    type Primitive = u32;
}

#[derive(Deserialize, JsonSchema)]
struct Sku(String);

impl tool_gate::Text for Sku {}

#[derive(Deserialize, JsonSchema)]
struct Skus(Vec<Sku>);

impl tool_gate::Items for Skus {}

/// Be precise.
#[tool]
fn numbers(
    #[arg(range = 1..=100)] a: u32,
    #[arg(range = 1..)] b: u64,
    #[arg(range = ..10)] c: i8,
    #[arg(range = LEAST..=i16::MAX)] d: i16,
    #[arg(range = 0.5..2.5)] e: f64,
    #[arg(range = RATIOS)] f: f32,
    #[arg(range = 2..=9)] g: Option<NonZeroU8>,
    #[arg(range = 1..=50_000)] h: Cents,
    #[arg(range = ..=7)] i: &u8,
) {
    let _ = (a, b, c, d, e, f, g, h.0, i);
}

/// Be precise.
#[tool]
fn texts(
    #[arg(length = 1..=80, pattern = r"^[a-z]+$")] a: &str,
    #[arg(format = "date")] b: String,
    #[arg(format = "uuid", sensitive)] c: Option<String>,
    #[arg(items = 1..=3)] d: &[u8],
    #[arg(items = ..4)] e: Option<HashSet<String>>,
    #[arg(length = 4..=8)] f: Sku,
    #[arg(items = 1..)] g: Skus,
) {
    let _ = (a, b, c, d, e, f.0, g.0.first().map(|sku| &sku.0));
}

fn bounds(argument: &Value) -> (Value, Value) {
    (argument["minimum"].clone(), argument["maximum"].clone())
}

fn main() {
    let number = argument::<numbers, ()>;
    assert_eq!(bounds(&number("a")), (json!(1), json!(100)));
    assert_eq!(number("b")["minimum"], 1);
    assert_eq!(number("c")["maximum"], 9);
    assert_eq!(bounds(&number("d")), (json!(-5), json!(32767)));
    assert_eq!((number("e")["minimum"].clone(), number("e")["exclusiveMaximum"].clone()), (json!(0.5), json!(2.5)));
    assert_eq!(bounds(&number("f")), (json!(0.1), json!(0.9)));
    assert_eq!(bounds(&number("h")), (json!(1), json!(50_000)));
    assert_eq!(number("i")["maximum"], 7);

    let text = argument::<texts, ()>;
    assert_eq!(text("a"), json!({"type": "string", "minLength": 1, "maxLength": 80, "pattern": "^[a-z]+$"}));
    assert_eq!(text("b")["format"], "date");
    assert_eq!((text("d")["minItems"].clone(), text("d")["maxItems"].clone()), (json!(1), json!(3)));

    let valid = json!({"a": "x", "b": "2026-01-03", "d": [1], "f": "A123", "g": ["x"]});
    assert_eq!(outcome::<texts, ()>(&(), valid.clone()).0, OutcomeKind::Completed);
    for (key, value) in
        [("a", json!("X")), ("b", json!("3 May")), ("d", json!([])), ("f", json!("A")), ("g", json!([]))]
    {
        let mut invalid = valid.clone();
        invalid[key] = value;
        assert_eq!(outcome::<texts, ()>(&(), invalid).0, OutcomeKind::Rejected, "{key}");
    }
}
