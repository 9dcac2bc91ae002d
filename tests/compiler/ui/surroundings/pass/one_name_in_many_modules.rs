//! Tools of one name, in modules of their own and of every visibility; which of them a registry takes, a path says.
#![deny(warnings)]

#[path = "../../support.rs"]
mod support;

use serde_json::json;
use support::call;
use tool_gate::{Registry, tool, toolbox};

toolbox! { static ALL: (); }

/// The root's.
#[tool(in = ALL)]
fn search() -> &'static str {
    "root"
}

mod orders {
    use tool_gate::tool;

    /// That of orders.
    #[tool(in = crate::ALL, name = "search_orders")]
    pub(crate) fn search() -> &'static str {
        "orders"
    }

    pub(crate) mod old {
        /// That of old orders.
        #[tool_gate::tool(in = super::super::ALL, name = "search_old_orders")]
        pub(in crate::orders) fn search() -> &'static str {
            "old orders"
        }

        pub(super) mod older {
            /// That of older orders, under two names.
            #[tool_gate::tool(as = Searched)]
            pub(in super::super) fn search() -> &'static str {
                "older orders"
            }

            pub(in crate::orders) type Search = Searched;
        }
    }

    pub(crate) fn of_old() -> [String; 2] {
        [
            super::call::<old::search, ()>(&(), super::json!({})),
            super::call::<old::older::Search, ()>(&(), super::json!({})),
        ]
    }
}

mod customers {
    /// That of customers.
    #[tool_gate::tool(in = super::ALL, name = "search_customers")]
    pub(super) fn search() -> &'static str {
        "customers"
    }
}

/// Module and function share a name, and so may a struct of the user's.
mod parcels {
    pub(crate) struct Parcels;

    /// Count parcels.
    #[tool_gate::tool(in = super::ALL, as = CountParcels)]
    pub(crate) fn parcels(#[state] (): &()) -> u8 {
        let Parcels = Parcels;
        3
    }
}

use parcels::parcels;
// The function and the type, under another name: both come along.
use customers::search as search_customers;

struct Shelf;

impl Shelf {
    /// A tool in the body of a method.
    fn count(&self) -> String {
        /// Count what is on the shelf.
        #[tool]
        fn count(number: u8) -> u8 {
            number + 1
        }

        let closure = || {
            /// Count twice.
            #[tool]
            fn count(number: u8) -> u8 {
                number + 2
            }
            call::<count, ()>(&(), json!({"number": 1}))
        };
        closure() + &call::<count, ()>(&(), json!({"number": 1}))
    }
}

fn main() {
    assert_eq!(call::<search, ()>(&(), json!({})), "root");
    assert_eq!(call::<orders::search, ()>(&(), json!({})), "orders");
    assert_eq!(orders::of_old(), ["old orders", "older orders"]);
    assert_eq!(call::<customers::search, ()>(&(), json!({})), "customers");
    assert_eq!(call::<search_customers, ()>(&(), json!({})), search_customers());
    assert_eq!(call::<parcels::CountParcels, ()>(&(), json!({})), parcels(&()).to_string());
    assert_eq!(Shelf.count(), "32");

    let names = ["parcels", "search", "search_customers", "search_old_orders", "search_orders"];
    assert_eq!(ALL.tool_names(), names);
    let registry = Registry::builder().list(&ALL).tool::<search>().build();
    assert!(registry.expect_err("one name twice").to_string().contains("search"));
}
