//! A library of tools that is as strict with itself as the compiler and clippy can be.
#![forbid(unsafe_code)]
#![deny(
    warnings,
    clippy::all,
    clippy::cargo,
    clippy::nursery,
    clippy::pedantic,
    future_incompatible,
    let_underscore,
    missing_copy_implementations,
    missing_debug_implementations,
    missing_docs,
    nonstandard_style,
    redundant_imports,
    redundant_lifetimes,
    rust_2018_idioms,
    rust_2021_compatibility,
    rust_2024_compatibility,
    single_use_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    unit_bindings,
    unnameable_types,
    unreachable_pub,
    unused,
    unused_crate_dependencies,
    unused_import_braces,
    unused_lifetimes,
    unused_qualifications,
    unused_results
)]
#![deny(
    clippy::absolute_paths,
    clippy::allow_attributes,
    clippy::as_conversions,
    clippy::clone_on_ref_ptr,
    clippy::default_numeric_fallback,
    clippy::exhaustive_structs,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::let_underscore_must_use,
    clippy::let_underscore_untyped,
    clippy::missing_docs_in_private_items,
    clippy::multiple_inherent_impl,
    clippy::panic,
    clippy::partial_pub_fields,
    clippy::pattern_type_mismatch,
    clippy::same_name_method,
    clippy::semicolon_outside_block,
    clippy::shadow_reuse,
    clippy::shadow_same,
    clippy::shadow_unrelated,
    clippy::single_char_lifetime_names,
    clippy::str_to_string,
    clippy::unreachable,
    clippy::unwrap_used
)]
#![expect(clippy::multiple_crate_versions, reason = "what is underneath has them")]

use core::future::ready;
use gate::{CallInfo, Provides, ToolError, tool, toolbox};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The way to tool-gate for those who have no other.
pub mod agent {
    #[doc(no_inline)]
    pub use gate::*;
}

/// What the tools may borrow.
#[derive(Debug, Provides)]
#[provides(crate = gate)]
#[non_exhaustive]
pub struct Shop {
    /// What is in stock.
    #[provide]
    pub stock: Stock,
}

impl Shop {
    /// A shop with so many parcels in stock.
    #[must_use]
    pub const fn new(parcels: u32) -> Self {
        Self { stock: Stock { parcels, shelves: Vec::new() } }
    }
}

/// What is in stock.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Stock {
    /// How many parcels.
    pub parcels: u32,
    /// What is on each shelf.
    pub shelves: Vec<u32>,
}

#[gate::tools(crate = gate)]
impl Stock {
    /// Tell how many parcels there are.
    #[tool(read_only)]
    #[must_use]
    pub const fn parcel_count(&self) -> u32 {
        self.parcels
    }

    /// Tell how many shelves there are.
    #[tool(read_only)]
    pub async fn shelf_count(&self, #[arg(default = 10, range = 1..)] most: usize) -> usize {
        ready(self.shelves.len().min(most)).await
    }
}

toolbox! {
    /// What customers' agents may do.
    pub static CUSTOMERS: Shop;
}

toolbox! {
    /// What the staff's agents may do: this crate has no such tool.
    pub static STAFF: Shop;
}

/// How parcels are sorted.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Order {
    /// Newest first.
    #[default]
    Newest,
    /// Oldest first.
    Oldest,
}

/// A parcel, as the model reads of it.
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct Parcel {
    /// Its number.
    pub number: u32,
}

/// Whether there is such a parcel.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "a check takes a reference")]
const fn exists(number: &u32) -> Result<(), &'static str> {
    if *number < 1_000 { Ok(()) } else { Err("must be below 1000") }
}

/// Whether all of it goes together.
#[expect(clippy::trivially_copy_pass_by_ref, clippy::ref_option, reason = "a check takes references")]
fn fits(first: &u32, order: &Order, prefix: &Option<String>) -> Result<(), String> {
    if prefix.is_some() && matches!(*order, Order::Oldest) {
        return Err(format!("`prefix` does not go with the oldest, from {first} on"));
    }
    Ok(())
}

/// List parcels.
///
/// # Errors
///
/// Where there is none.
#[tool(crate = gate, in = CUSTOMERS, read_only, check = fits)]
pub fn list_parcels(
    #[state] stock: &Stock,
    /// The first one's number.
    #[arg(default = 1, range = 1.., check = exists)]
    first: u32,
    #[arg(default)] order: Order,
    #[arg(length = 1..=9, sensitive)] prefix: Option<String>,
    #[call] call: &CallInfo,
) -> Result<Vec<Parcel>, ToolError> {
    if stock.parcels < first {
        return Err(ToolError::new(format!("No parcel for {}{}.", call.tool(), prefix.unwrap_or_default())));
    }
    let mut parcels: Vec<_> = (first..=stock.parcels).map(|number| Parcel { number }).collect();
    if matches!(order, Order::Newest) {
        parcels.reverse();
    }
    Ok(parcels)
}

/// Greet a customer.
#[tool(crate = agent, in = CUSTOMERS, read_only)]
#[must_use]
pub fn greet(name: &str) -> String {
    format!("Good day, {name}.")
}

/// Tools that nobody can name from outside.
#[expect(clippy::redundant_pub_crate, reason = "`unreachable_pub` asks for it")]
mod hidden {
    use core::future::ready;

    /// Wait for a parcel.
    #[gate::tool(crate = crate::agent, in = super::CUSTOMERS, requires = "waiting")]
    pub(crate) async fn wait(number: u32) -> u32 {
        ready(number).await
    }

    /// Do nothing.
    #[gate::tool(crate = gate, in = crate::CUSTOMERS, destructive)]
    pub(super) const fn nothing() {}
}
