//! No parameter, and more of them than anyone should write; names of one letter, and the function's own.
#![deny(warnings)]

#[path = "../../support.rs"]
mod support;

use serde_json::{Map, Value, json};
use support::{call, declared};
use tool_gate::tool;

/// Take nothing.
#[tool]
fn none() -> u8 {
    1
}

/// Take twenty.
#[tool]
#[allow(clippy::too_many_arguments, clippy::many_single_char_names)]
async fn twenty(
    a: u8,
    mut b: u8,
    c: u8,
    d: u8,
    e: u8,
    f: &u8,
    g: u8,
    h: u8,
    mut i: &str,
    j: u8,
    k: u8,
    l: u8,
    m: u8,
    n: u8,
    o: u8,
    p: u8,
    q: u8,
    r: u8,
    s: u8,
    twenty: Vec<u8>,
) -> String {
    b += 1;
    i = &i[1..];
    format!("{a} {b} {c} {d} {e} {f} {g} {h} {i} {j} {k} {l} {m} {n} {o} {p} {q} {r} {s} {twenty:?}")
}

fn main() {
    assert_eq!(call::<none, ()>(&(), json!({})), "1");
    assert_eq!(declared::<none, ()>()["parameters"]["properties"], json!({}));

    let mut arguments = Map::new();
    for (index, letter) in ('a'..='s').enumerate() {
        let value = if letter == 'i' { "text".into() } else { Value::from(index) };
        arguments.insert(letter.into(), value);
    }
    arguments.insert("twenty".into(), json!([19]));
    let declared = declared::<twenty, ()>();
    let properties = declared["parameters"]["properties"].as_object().expect("an object");
    assert!(properties.keys().eq(arguments.keys()), "in the order of the signature: {properties:?}");
    assert_eq!(call::<twenty, ()>(&(), arguments.into()), "0 2 2 3 4 5 6 7 ext 9 10 11 12 13 14 15 16 17 18 [19]");
}
