//! The calls.

use crate::{Became, by_hand, closed, rig, rmcp, tool_gate};

type Way = fn(&str, &str) -> Became;

/// The ways, and what they are called in a table's head.
pub(crate) const WAYS: [(&str, Way); 5] = [
    ("tool-gate", tool_gate::call),
    ("rmcp", rmcp::call),
    ("rig", rig::call),
    ("serde", by_hand::called),
    ("serde, jsonschema", by_hand::checked::called),
];

/// The same, their type marked `deny_unknown_fields` where that makes a difference.
const CLOSED: [Way; 5] = [tool_gate::call, closed::rmcp, closed::rig, closed::by_hand, closed::by_hand_checked];

/// One call, made in every way.
pub(crate) struct Made {
    pub what: &'static str,
    pub name: &'static str,
    pub arguments: &'static str,
    pub became: Vec<Became>,
}

pub(crate) fn all() -> Vec<Made> {
    let of = |what, name, arguments, ways: [Way; 5]| {
        let became = ways.iter().map(|way| way(name, arguments)).collect();
        Made { what, name, arguments, became }
    };
    let open = WAYS.map(|(_, way)| way);
    let orders = |what, arguments| of(what, "search_orders", arguments, open);
    let undeclared = r#"{"customer_id": "c-1042", "max": 5}"#;
    vec![
        orders("as it should be", r#"{"customer_id": "c-1042", "status": "open"}"#),
        orders("a wrong enum value", r#"{"customer_id": "c-1042", "status": "shiped"}"#),
        orders("out of range", r#"{"customer_id": "c-1042", "limit": 500}"#),
        orders("an undeclared key", undeclared),
        of("the same, `deny_unknown_fields`", "search_orders", undeclared, CLOSED),
        orders("a missing key", r#"{"status": "open"}"#),
        orders("an integer as a float", r#"{"customer_id": "c-1042", "limit": 5.0}"#),
        orders("a key twice", r#"{"customer_id": "c-1042", "limit": 5, "limit": 50}"#),
        orders("an array", r#"["c-1042", "open", 5]"#),
        orders("cut off", r#"{"customer_id": "c-1042", "sta"#),
        of("an unknown name", "serch_orders", r#"{"customer_id": "c-1042"}"#, open),
        orders("a panic in the tool", r#"{"customer_id": "c"}"#),
    ]
}
