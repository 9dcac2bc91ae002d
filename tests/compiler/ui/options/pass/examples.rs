//! What a model might send, shown in the schema.
#![deny(warnings)]

#[path = "../../support.rs"]
mod support;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use support::argument;
use tool_gate::{Registry, tool};

#[derive(Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Item {
    sku: String,
}

/// d
#[tool]
fn order(
    #[arg(example = "2026-01-31", format = "date")] day: Option<String>,
    #[arg(example = 3, range = 1..=9)] number: u8,
    #[arg(example = json!([{"sku": "A-1"}]))] items: &[Item],
    #[arg(example = "A", default = "B")] code: &str,
    #[arg(example = 5_000_000_000)] large: u64,
    #[arg(example = -5_000_000_000)] small: Option<i64>,
) {
    let _ = (day, number, items, code, large, small);
}

fn even(number: &u8) -> Result<(), &'static str> {
    if number.is_multiple_of(2) { Ok(()) } else { Err("must be even") }
}

/// d
#[tool]
fn unfit(
    #[arg(example = "today", format = "date")] day: String,
    #[arg(example = "three")] number: u8,
    #[arg(example = 3, check = even)] even: u8,
) {
    let _ = (day, number, even);
}

fn main() {
    assert_eq!(argument::<order, ()>("day")["examples"], json!(["2026-01-31"]));
    assert_eq!(argument::<order, ()>("number")["examples"], json!([3]));
    assert_eq!(argument::<order, ()>("items")["examples"], json!([[{"sku": "A-1"}]]));
    assert_eq!(argument::<order, ()>("large")["examples"], json!([5_000_000_000_u64]));
    assert_eq!(argument::<order, ()>("small")["examples"], json!([-5_000_000_000_i64]));
    assert_eq!(argument::<order, ()>("code")["examples"], json!(["A"]));
    let problems = Registry::<()>::builder().tool::<unfit>().build().expect_err("unfit").to_string();
    for problem in [
        "`day` of `unfit` has an example that its own schema refuses",
        "`number` of `unfit` has an example that is refused: invalid type: string \"three\", expected u8",
        "`even` of `unfit` has an example that is refused: must be even",
    ] {
        assert!(problems.contains(problem), "{problem}\n{problems}");
    }
    assert_eq!(problems.lines().count(), 4, "{problems}");
}
