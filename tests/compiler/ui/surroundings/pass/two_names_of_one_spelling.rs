//! Two parameters of one spelling are two names to the compiler where one of them is a macro's own.
#![deny(warnings)]

#[path = "../../support.rs"]
mod support;

use serde_json::json;
use support::call;
use tool_gate::tool;

macro_rules! which {
    ($mine:ident) => {
        /// Tell which is which.
        #[tool]
        fn which(#[arg(rename = "callers")] $mine: u8, #[arg(rename = "macros")] number: u8) -> String {
            format!("callers {} macros {}", $mine, number)
        }
    };
}

which!(number);

fn main() {
    assert_eq!(call::<which, ()>(&(), json!({"callers": 1, "macros": 2})), "callers 1 macros 2");
}
