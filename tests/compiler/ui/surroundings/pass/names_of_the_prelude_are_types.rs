//! A shop whose options, results, boxes and strings are goods: what a type is counts, and not its name.
#![deny(warnings)]

#[path = "../../support.rs"]
mod support;

mod goods {
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(Debug, Deserialize, JsonSchema)]
    pub struct Option {
        pub size: u8,
    }

    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum Box {
        Small,
        Large,
    }

    #[derive(Debug, Deserialize, JsonSchema)]
    pub struct String {
        pub tension: u8,
    }

    #[derive(Debug, Deserialize, JsonSchema)]
    pub struct Vec {
        pub x: i8,
    }

    /// Neither of them is an error, and neither is a `Result` of the standard library.
    #[derive(Serialize)]
    pub enum Result<T, E> {
        Ok(T),
        Err(E),
    }

    #[derive(Serialize)]
    pub enum Found {
        Some,
        None,
    }
}

use goods::{Box, Found, Found::None, Found::Some, Option, Result, Result::Err, Result::Ok, String, Vec};
use serde_json::json;
use support::{argument, call, required};
use tool_gate::tool;

/// Pack it.
#[tool]
fn pack(option: Option, parcel: Box, strings: &[String], vec: &Vec) -> Result<u8, u8> {
    match parcel {
        Box::Small => Ok(option.size),
        Box::Large => Err(strings[0].tension + vec.x.unsigned_abs()),
    }
}

/// Look for it.
#[tool]
async fn look(yes: bool) -> Found {
    if yes { Some } else { None }
}

fn main() {
    assert_eq!(required::<pack, ()>(), json!(["option", "parcel", "strings", "vec"]));
    assert_eq!(argument::<pack, ()>("parcel"), json!({"$ref": "#/$defs/Box"}));
    let packed = |parcel| {
        let strings = [json!({"tension": 3})];
        call::<pack, ()>(&(), json!({"option": {"size": 5}, "parcel": parcel, "strings": strings, "vec": {"x": -4}}))
    };
    assert_eq!(packed("small"), r#"{"Ok":5}"#);
    assert_eq!(packed("large"), r#"{"Err":7}"#);
    assert_eq!(call::<look, ()>(&(), json!({"yes": true})), "Some");
    assert_eq!(call::<look, ()>(&(), json!({"yes": false})), "None");
}
