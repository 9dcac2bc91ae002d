//! Nothing generated trips a lint that the user's own code does not.
#![forbid(unsafe_code)]
#![deny(
    warnings,
    missing_copy_implementations,
    missing_debug_implementations,
    missing_docs,
    private_bounds,
    private_interfaces,
    unnameable_types,
    unreachable_pub,
    unused_qualifications,
    unused
)]

use schemars::JsonSchema;
use serde::Deserialize;
use tool_gate::{Registry, ToolError, tool, toolbox};

#[derive(Deserialize, JsonSchema)]
struct Private {
    text: String,
}

struct Orders;

toolbox! {
    /// What our agent may do.
    static SUPPORT: Orders;
}

/// Find orders.
#[tool(in = SUPPORT, read_only)]
pub(crate) async fn search(
    #[state] _orders: &Orders,
    filter: Option<Private>,
    #[arg(default = 20, range = 1..=100)] limit: u32,
    #[arg(default = "x", length = 1..)] text: &str,
) -> Result<String, ToolError> {
    Ok(format!("{} {limit} {text}", filter.map(|filter| filter.text).unwrap_or_default()))
}

mod inner {
    /// Do nothing.
    #[tool_gate::tool]
    pub(crate) fn nothing() {}
}

fn main() {
    let registry = Registry::builder().list(&SUPPORT).tool::<inner::nothing>().build();
    assert!(registry.is_ok());
}
