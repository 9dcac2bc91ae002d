//! Other attributes stand where they like: before the comment, after it, on both sides of `#[tool]`.
#![deny(warnings)]

#[path = "../../support.rs"]
mod support;

use serde_json::json;
use support::{argument, call, declared};
use tool_gate::{tool, toolbox};

toolbox! {
    #[allow(missing_docs)]
    /// What it may do.
    #[doc(hidden)]
    pub static SUPPORT: ();
}

#[inline]
/// One line,
#[allow(clippy::needless_pass_by_value)]
#[tool(in = SUPPORT)]
/// and the next.
#[must_use]
#[doc = "The last."]
#[doc(alias = "where")]
#[cfg_attr(all(), doc = "Or so.")]
#[cfg_attr(any(), doc = "Never.")]
fn around(
    #[allow(unused_variables)]
    /// One line,
    #[arg(range = 1..)]
    /// and the next.
    #[arg(default = 3)]
    /** The last. */
    count: u8,
    #[expect(unused_variables)] text: &str,
) -> u8 {
    7
}

/// Not of this build.
#[cfg(any())]
#[tool(in = SUPPORT)]
fn one_of_two(text: NoSuchType) -> u8 {
    1
}

/// Of this build.
#[tool(in = SUPPORT)]
#[cfg(not(any()))]
fn one_of_two(text: &str) -> usize {
    text.len()
}

#[cfg_attr(all(), tool(in = SUPPORT))]
#[cfg_attr(any(), no_such_attribute)]
/// Made a tool by a condition.
fn on_condition() {}

#[cfg_attr(any(), tool(in = SUPPORT))]
/// Made none by one.
#[allow(dead_code)]
fn on_another() {}

#[tool]
#[track_caller]
#[cold]
#[inline(never)]
/// Say where.
fn place() -> u32 {
    std::panic::Location::caller().line().min(1)
}

fn main() {
    assert_eq!(declared::<around, ()>()["description"], "One line, and the next. The last. Or so.");
    assert_eq!(argument::<around, ()>("count")["description"], "One line, and the next. The last.");
    assert_eq!(call::<around, ()>(&(), json!({"text": ""})), "7");
    assert_eq!(call::<one_of_two, ()>(&(), json!({"text": "abc"})), "3");
    assert_eq!(call::<place, ()>(&(), json!({})), "1");
    assert_eq!(SUPPORT.tool_names(), ["around", "on_condition", "one_of_two"]);
}
