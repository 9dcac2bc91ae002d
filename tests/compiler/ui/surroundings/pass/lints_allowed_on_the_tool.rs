//! What a tool allows for itself, or makes the compiler warn of, is no complaint about the code beside it.
#![deny(warnings, unused_qualifications)]

#[path = "../../support.rs"]
mod support;

use serde_json::json;
use support::call;
use tool_gate::tool;

#[allow(deprecated)]
mod old {
    #[deprecated = "there is a newer one"]
    #[derive(schemars::JsonSchema, serde::Deserialize)]
    pub struct Old {
        pub size: u8,
    }
}

/// Of a type that nobody should use any more.
#[tool]
#[allow(deprecated)]
fn takes_old(old: old::Old, list: &[old::Old]) -> u8 {
    old.size + list[0].size
}

/// Nobody should use it any more.
#[deprecated]
#[tool]
fn deprecated_itself(size: u8) -> u8 {
    size
}

/// More of a path than there need be.
#[tool]
#[expect(unused_qualifications)]
fn qualified(size: std::option::Option<u8>) -> u8 {
    size.unwrap_or_default()
}

#[allow(deprecated)]
fn main() {
    assert_eq!(call::<takes_old, ()>(&(), json!({"old": {"size": 1}, "list": [{"size": 2}]})), "3");
    assert_eq!(call::<deprecated_itself, ()>(&(), json!({"size": 1})), "1");
    assert_eq!(call::<qualified, ()>(&(), json!({"size": 1})), "1");
}
