//! What is published in the dialects of providers, and how arguments come back from it.

#![allow(
    clippy::needless_pass_by_value,
    clippy::boxed_local,
    clippy::option_option,
    clippy::linkedlist,
    reason = "kinds of parameters"
)]
#![allow(dead_code, reason = "the rows of another test, of which not everything is looked at here")]

mod calls;
mod checker;
mod costs;
#[path = "../types/kinds.rs"]
mod kinds;
mod offering;
mod offers;
mod page;
mod raising;
mod real;
#[path = "../types/rows.rs"]
mod rows;
mod schemas;
mod sending;
mod surviving;
mod told;
mod types;

use tool_gate_tests::lowered::{dialects, same};
