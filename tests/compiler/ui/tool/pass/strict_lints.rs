//! Nothing generated trips a lint that the user's own code does not.
#![forbid(unsafe_code)]
#![deny(
    warnings,
    absolute_paths_not_starting_with_crate,
    closure_returning_async_block,
    elided_lifetimes_in_paths,
    explicit_outlives_requirements,
    future_incompatible,
    keyword_idents,
    let_underscore_drop,
    macro_use_extern_crate,
    meta_variable_misuse,
    missing_copy_implementations,
    missing_debug_implementations,
    missing_docs,
    private_bounds,
    private_interfaces,
    redundant_imports,
    redundant_lifetimes,
    single_use_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    unit_bindings,
    unnameable_types,
    unreachable_pub,
    unused,
    unused_import_braces,
    unused_lifetimes,
    unused_qualifications,
    unused_results,
    variant_size_differences
)]

use schemars::JsonSchema;
use serde::Deserialize;
// With every name imported, a path to one of them on the user's own tokens would be longer than it need be.
use tool_gate::*;

#[derive(Deserialize, JsonSchema)]
struct Private {
    text: String,
}

#[derive(Clone)]
struct Orders;

#[derive(Provides)]
struct Session {
    #[provide]
    orders: Orders,
}

toolbox! {
    /// What our agent may do.
    static SUPPORT: Session;
}

/// Find orders.
#[tool(in = SUPPORT, read_only, timeout = "5s", check = all)]
pub(crate) async fn search(
    #[state] _orders: &Orders,
    #[call] _call: &CallInfo,
    #[arg(check = one)] filter: Option<Private>,
    #[arg(default = 20, range = 1..=100)] limit: u32,
    #[arg(default = "x", length = 1.., check = short)] text: &str,
) -> Result<String, ToolError> {
    Ok(format!("{} {limit} {text}", filter.map(|filter| filter.text).unwrap_or_default()))
}

/// Find orders, and block.
#[tool(in = SUPPORT, blocking, destructive, requires = "orders")]
pub(crate) fn find(#[state] _orders: &Orders, #[call] call: &CallInfo, #[arg(items = 1..)] list: &[String]) -> String {
    format!("{} {list:?}", call.id())
}

fn one(filter: &Private) -> Result<(), String> {
    if filter.text.is_empty() { Err("is empty".to_owned()) } else { Ok(()) }
}

fn short(text: &str) -> Result<(), &'static str> {
    if text.len() > 9 { Err("is too long") } else { Ok(()) }
}

fn all(filter: &Option<Private>, limit: &u32, text: &str) -> Result<(), String> {
    let _ = (filter, limit, text);
    Ok(())
}

mod inner {
    /// Do nothing.
    #[tool_gate::tool]
    pub(crate) fn nothing() {}
}

fn main() {
    let registry = Registry::builder().list(&SUPPORT).tool::<inner::nothing>().build();
    assert!(registry.is_err());
    let _ = Session { orders: Orders }.orders;
}
