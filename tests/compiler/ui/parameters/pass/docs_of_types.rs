//! What is written at a type, a variant or a field, the model reads where it fills that in.
#![allow(dead_code)]

#[path = "../../support.rs"]
mod support;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use support::{call, declared};
use tool_gate::tool;

/// How an order stands.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Status {
    /// Not sent yet.
    Open,
    /// On its way.
    Shipped,
    Lost,
}

/// Which days are meant.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Period {
    /// All there are.
    Always,
    /// The last few of them.
    LastDays(u32),
    /// From one on.
    Between {
        /// The first of them.
        from: String,
        /// The last of them, if there is one.
        to: Option<String>,
    },
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Place {
    /// At one of our shops.
    Shop {
        /// The shop's number.
        number: u8,
    },
    /// At the customer's.
    Home(Address),
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Address {
    /// Without the number.
    street: String,
    /// Where the bell is.
    floor: Option<Floor>,
}

/// Counted from the ground.
#[derive(Debug, Deserialize, JsonSchema)]
struct Floor {
    /// The ground is 0.
    level: i8,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Filter {
    /// How it has to stand.
    status: Status,
    /// When it was made.
    period: Option<Period>,
    /// Where it goes.
    places: Vec<Place>,
}

/// Find orders.
#[tool]
fn find(
    /// All of it has to hold.
    filter: &Filter,
    status: Status,
    /// How it stood.
    before: Option<Status>,
) -> String {
    format!("{filter:?} {status:?} {before:?}")
}

/// What is said at the end of a path into the published schema.
fn said(path: &str) -> String {
    let parameters = declared::<find, ()>()["parameters"].take();
    let value = parameters.pointer(path).unwrap_or_else(|| panic!("nothing at {path}: {parameters:#}"));
    value["description"].as_str().unwrap_or_else(|| panic!("nothing is said at {path}: {value:#}")).to_owned()
}

fn main() {
    assert_eq!(said("/properties/filter"), "All of it has to hold.");
    assert_eq!(said("/properties/before"), "How it stood.");
    // Of an enum without data, the variants' words stand with the type's own.
    assert_eq!(said("/$defs/Status"), "How an order stands.\n\n- open: Not sent yet.\n- shipped: On its way.");

    assert_eq!(said("/$defs/Filter/properties/status"), "How it has to stand.");
    assert_eq!(said("/$defs/Filter/properties/period"), "When it was made.");
    assert_eq!(said("/$defs/Filter/properties/places"), "Where it goes.");
    assert_eq!(said("/$defs/Period"), "Which days are meant.");
    assert_eq!(said("/$defs/Period/oneOf/0"), "All there are.");
    assert_eq!(said("/$defs/Period/oneOf/1"), "The last few of them.");
    assert_eq!(said("/$defs/Period/oneOf/2"), "From one on.");
    let between = "/$defs/Period/oneOf/2/properties/between/properties";
    assert_eq!(said(&format!("{between}/from")), "The first of them.");
    assert_eq!(said(&format!("{between}/to")), "The last of them, if there is one.");

    assert_eq!(said("/$defs/Place/oneOf/0"), "At one of our shops.");
    assert_eq!(said("/$defs/Place/oneOf/0/properties/number"), "The shop's number.");
    assert_eq!(said("/$defs/Place/oneOf/1"), "At the customer's.");
    assert_eq!(said("/$defs/Place/oneOf/1/properties/street"), "Without the number.");
    assert_eq!(said("/$defs/Place/oneOf/1/properties/floor"), "Where the bell is.");
    assert_eq!(said("/$defs/Floor"), "Counted from the ground.");
    assert_eq!(said("/$defs/Floor/properties/level"), "The ground is 0.");

    let places = json!([{"kind": "shop", "number": 1}, {"kind": "home", "street": "s", "floor": {"level": -1}}]);
    let filter = json!({"status": "open", "period": {"last_days": 2}, "places": places});
    assert_eq!(
        call::<find, ()>(&(), json!({"filter": filter, "status": "lost", "before": "shipped"})),
        "Filter { status: Open, period: Some(LastDays(2)), places: [Shop { number: 1 }, \
         Home(Address { street: \"s\", floor: Some(Floor { level: -1 }) })] } Lost Some(Shipped)"
    );
}
