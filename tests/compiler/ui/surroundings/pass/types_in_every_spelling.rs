//! Types that are generic, computed, projected or written by a macro, as arguments, as state and as answers.
#![deny(warnings)]

#[path = "../../support.rs"]
mod support;

use std::{collections::BTreeMap, fmt};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use support::{argument, call, outcome};
use tool_gate::{OutcomeKind, tool};

#[derive(Debug, Deserialize, JsonSchema, Serialize)]
struct Page<T, const N: usize = 1> {
    of: T,
    rows: Rows<N>,
}

/// Any array: serde and schemars know those of some lengths.
#[derive(Debug, Deserialize, JsonSchema, Serialize)]
#[serde(transparent)]
struct Rows<const N: usize>(Vec<u8>);

trait Kind {
    type Of;
}

struct Small;

impl Kind for Small {
    type Of = u8;
}

const WIDTH: usize = 2;

macro_rules! ty {
    () => {
        u8
    };
    ($($ty:tt)*) => {
        $($ty)*
    };
}

type Table<T> = BTreeMap<String, Vec<T>>;

/// Take what has parameters.
#[tool]
fn generic(
    page: Page<Option<u8>>,
    pages: &[Page<String, { 1 + 1 }>],
    table: Table<Page<bool, WIDTH>>,
    row: [i8; WIDTH * WIDTH],
    projected: <Small as Kind>::Of,
    #[allow(unused_parens)] parenthesised: (Vec<(u8,)>),
) -> String {
    format!("{page:?} {pages:?} {table:?} {row:?} {projected} {parenthesised:?}")
}

/// Take what macros write.
#[tool]
fn written(
    a: ty!(),
    b: &ty![str],
    c: ty! { Option<Vec<ty!()>> },
    d: Vec<ty!((u8, ty!()))>,
    #[state] e: &ty!(u16),
    #[arg(default = 2, range = ..9)] f: ty!(),
) -> ty!(Result<String, fmt::Error>) {
    Ok(format!("{a} {b} {c:?} {d:?} {e} {f}"))
}

mod aliased {
    pub type Result<T = u8> = std::result::Result<T, std::fmt::Error>;
    pub type Answer = Result;
}

/// Fail.
#[tool]
fn fails() -> aliased::Result<()> {
    Err(fmt::Error)
}

/// Fail.
#[tool]
async fn fails_too() -> aliased::Answer {
    Err(fmt::Error)
}

/// Fail.
#[tool]
fn fails_as_well() -> fmt::Result {
    Err(fmt::Error)
}

/// Answer.
#[tool]
fn answers() -> Page<(), 2> {
    Page { of: (), rows: Rows(vec![1, 2]) }
}

fn main() {
    let arguments = json!({
        "page": {"of": null, "rows": [1]}, "pages": [{"of": "a", "rows": [1, 2]}],
        "table": {"x": [{"of": true, "rows": [3, 4]}]}, "row": [1, 2, 3, -4], "projected": 5, "parenthesised": [[6]],
    });
    assert_eq!(
        call::<generic, ()>(&(), arguments),
        r#"Page { of: None, rows: Rows([1]) } [Page { of: "a", rows: Rows([1, 2]) }] {"x": [Page { of: true, rows: Rows([3, 4]) }]} [1, 2, 3, -4] 5 [(6,)]"#
    );
    let projected = argument::<generic, ()>("projected");
    assert_eq!((&projected["minimum"], &projected["maximum"]), (&json!(0), &json!(255)));
    assert_eq!(argument::<generic, ()>("row")["maxItems"], 4);

    let arguments = json!({"a": 1, "b": "b", "c": [2], "d": [[3, 4]]});
    assert_eq!(call::<written, u16>(&7, arguments), "1 b Some([2]) [(3, 4)] 7 2");
    assert_eq!(argument::<written, u16>("f")["maximum"], 8);

    for (kind, _) in [
        outcome::<fails, ()>(&(), json!({})),
        outcome::<fails_too, ()>(&(), json!({})),
        outcome::<fails_as_well, ()>(&(), json!({})),
    ] {
        assert_eq!(kind, OutcomeKind::Failed);
    }
    assert_eq!(call::<answers, ()>(&(), json!({})), r#"{"of":null,"rows":[1,2]}"#);
}
