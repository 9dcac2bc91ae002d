//! More tools for the lists of another library, through which alone it knows of tool-gate.
#![forbid(unsafe_code)]
#![deny(
    warnings,
    clippy::nursery,
    clippy::pedantic,
    missing_docs,
    rust_2024_compatibility,
    unreachable_pub,
    unused_crate_dependencies
)]

use shop_tools::{Stock, agent, agent::tool};

/// Count what is in stock.
#[tool(crate = agent, in = shop_tools::STAFF)]
const fn count(#[state] stock: &Stock) -> u32 {
    stock.parcels
}

mod private {
    /// Say where the shop is.
    #[shop_tools::agent::tool(crate = shop_tools::agent, in = shop_tools::CUSTOMERS, read_only)]
    fn address(#[arg(default = "en")] language: &str) -> String {
        format!("1 Harbour Road ({language})")
    }
}
