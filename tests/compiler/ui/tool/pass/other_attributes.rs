//! What else stands on the function goes on meaning what it says, above `#[tool]` and below, and no lint fires for our part.
#![deny(warnings)]
#[path = "../../support.rs"]
mod support;

use serde_json::json;
use support::call;
use tool_gate::{Registry, Tool, ToolError, tool};

/// Tell the time in UTC.
#[deprecated = "the model is not told"]
#[tool]
fn old_above() -> &'static str {
    "12:00"
}

/// Tell the time in UTC.
#[tool]
#[deprecated]
async fn old_below() -> Result<&'static str, ToolError> {
    Ok("12:00")
}

#[must_use]
#[inline]
#[cold]
#[track_caller]
#[doc(hidden)]
#[doc(alias = "clock")]
/// Tell the time in UTC.
#[tool]
#[expect(unused_variables)]
#[cfg_attr(all(), allow(clippy::needless_pass_by_value))]
pub fn decorated(zone: String) -> &'static str {
    "12:00"
}

/// Tell the time in UTC.
#[tool]
#[must_use = "or do not ask"]
#[inline(always)]
#[doc(hidden)]
#[cfg_attr(any(), must_use)]
pub fn decorated_below() -> &'static str {
    "12:00"
}

/// Tell the time in UTC.
#[cfg(any())]
#[tool]
fn conditional(there: NoSuchType) {}

/// Tell the time in UTC.
#[tool]
#[cfg(any())]
fn conditional(there_is: NoSuchType) {}

/// Tell the time in UTC.
#[tool(name = "conditionally")]
#[cfg(all())]
#[must_use]
#[cfg(not(any()))]
fn conditional(zone: &str) -> String {
    zone.to_owned()
}

fn main() {
    assert_eq!(call::<old_above, ()>(&(), json!({})), "12:00");
    assert_eq!(call::<old_below, ()>(&(), json!({})), "12:00");
    assert_eq!(call::<decorated, ()>(&(), json!({"zone": "UTC"})), "12:00");
    assert_eq!(call::<decorated_below, ()>(&(), json!({})), "12:00");
    assert_eq!(call::<conditional, ()>(&(), json!({"zone": "UTC"})), "UTC");
    assert_eq!(conditional("UTC"), "UTC");

    fn name<T: Tool<()>>() -> String {
        let registry = Registry::<()>::builder().tool::<T>().build().expect("one tool");
        registry.definitions().next().expect("one tool").name().to_owned()
    }
    assert_eq!(name::<conditional>(), "conditionally");
}
