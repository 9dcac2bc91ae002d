//! Every kind of type that serde and schemars share: what is published of it binds, and `TYPES.md` shows it.
//!
//! `UPDATE_TABLES=1` writes the page anew.

#![allow(
    clippy::needless_pass_by_value,
    clippy::boxed_local,
    clippy::option_option,
    clippy::linkedlist,
    reason = "kinds of parameters"
)]

mod kinds;
mod page;
mod pool;
mod rows;

use std::{env, fs, path::Path};

use tool_gate::{
    Contract, English, Gate, Offer, Rejection, Run, Select, Sentences, testing,
    wire::{self, Call},
};

use crate::rows::{Row, rows};

/// Types that refuse in their own words what no schema can say.
const IN_OWN_WORDS: [&str; 2] = ["of_url", "of_try_from"];

/// The one tool of a row; nothing where it is refused when the registry is built.
fn offer(row: &Row) -> Option<Offer<()>> {
    let registry = (row.build)().ok()?;
    Some(registry.offer(wire::Plain::default(), Select::All).expect("there is one tool"))
}

fn check(row: &Row, offer: &Offer<()>, value: &str) -> Result<(), Rejection> {
    let arguments = format!(r#"{{"value": {value}}}"#);
    offer.check(&Call::new(None, row.tool, arguments.as_str().into())).map(drop)
}

/// What the function was given, as it writes it.
fn bound(row: &Row, offer: &Offer<()>, value: &str) -> String {
    let reply = format!(r#"{{"name": "{}", "arguments": {{"value": {value}}}}}"#, row.tool);
    let settled = pollster::block_on(offer.settle(&reply, &(), &mut Run::default())).expect("a call");
    settled.blocks()[0].text().to_owned()
}

#[test]
fn the_page_holds_what_was_run() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../TYPES.md");
    let page = page::page();
    if env::var_os("UPDATE_TABLES").is_some() {
        fs::write(&path, &page).expect("the page can be written");
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == page,
        "TYPES.md is not what was run: write it anew with UPDATE_TABLES=1, and read the difference"
    );
}

#[test]
fn what_a_row_says_is_so() {
    for row in rows() {
        let Some(offer) = offer(&row) else {
            assert!(row.tool.starts_with("bad_"), "{} is refused: {:?}", row.label, (row.build)().err());
            continue;
        };
        assert!(!row.tool.starts_with("bad_"), "{} is refused", row.label);
        assert!(!row.takes.is_empty() && !row.refuses.is_empty(), "{} has examples", row.label);
        for value in row.takes {
            let verdict = check(&row, &offer, value);
            assert!(verdict.is_ok(), "{} takes {value}: {verdict:?}", row.label);
        }
        for value in row.refuses {
            let rejection = check(&row, &offer, value).expect_err(row.label);
            let is_own = rejection.gate() == Gate::Bind;
            assert!(!is_own || IN_OWN_WORDS.contains(&row.tool), "{} and {value}: {rejection:?}", row.label);
        }
    }
}

#[test]
fn whatever_the_schema_takes_binds() {
    let values = pool::values();
    assert!(values.len() > 500, "{}", values.len());
    let mut taken = 0;
    for row in rows() {
        let Some(offer) = offer(&row) else { continue };
        let schema = offer.definitions().next().expect("one tool").input_schema().clone();
        for value in &values {
            match check(&row, &offer, value) {
                Ok(()) => taken += 1,
                Err(Rejection::Value { .. }) if IN_OWN_WORDS.contains(&row.tool) => {}
                Err(rejection @ Rejection::Value { .. }) => {
                    panic!("{} takes {value}, and it does not bind: {rejection:?}\n{schema:#}", row.label)
                }
                // A sentence of its own for each clause that was put in.
                Err(Rejection::Schema { violation, .. }) => {
                    assert!(
                        !matches!(violation.contract, Contract::Other { .. }),
                        "{}: {value}: {violation:?}",
                        row.label
                    );
                }
                Err(_) => {}
            }
        }
    }
    assert!(taken > 3_000, "{taken}");
}

#[test]
fn no_row_drifts() {
    for row in rows().iter().filter(|row| !IN_OWN_WORDS.contains(&row.tool)) {
        if let Ok(registry) = (row.build)() {
            testing::assert_no_drift(&registry);
        }
    }
}

/// The sentence about a value that is refused.
fn told(tool: &str, value: &str) -> String {
    let rows = rows();
    let row = rows.iter().find(|row| row.tool == tool).expect("a row");
    let rejection = check(row, &offer(row).expect("a sound type"), value).expect_err("it is refused");
    English.rejection(&rejection).trim_start_matches(&format!("{tool} rejected: ")).to_owned()
}

#[test]
fn what_is_asked_beyond_schemars_is_told_in_words() {
    for (tool, value, sentence) in [
        (
            "of_map_u32",
            r#"{"01": true}"#,
            r#"each key of value must be a whole number from 0 to 4294967295, and 01 is not. Received {"01":true}."#,
        ),
        (
            "of_map_char",
            r#"{"ab": 1}"#,
            r#"each key of value must be a single character, and ab is not. Received {"ab":1}."#,
        ),
        ("of_map_bool", r#"{"yes": 1}"#, "yes is not declared in value. Declared: true, false."),
        ("of_map_ip", r#"{"x": 1}"#, r#"each key of value must be an IP address, and x is not. Received {"x":1}."#),
        (
            "of_ip",
            r#""x""#,
            r#"value must be a string in the format ipv4 or a string in the format ipv6. Received "x"."#,
        ),
        (
            "of_socket",
            r#""localhost:80""#,
            r#"value must be an IP address and a port, such as 192.0.2.1:8080. Received "localhost:80"."#,
        ),
        (
            "of_date_time",
            r#""2026-02-10 09:00:00""#,
            r#"value must be a date and time without an offset, such as 2026-02-10T09:00:00. Received "2026-02-10 09:00:00"."#,
        ),
        ("of_duration", r#"{"secs": 1, "nanos": 1e9}"#, "value.nanos must be at most 999999999. Received 1e9."),
        (
            "of_flat_external",
            r#"{"id": 1}"#,
            r#"value must be an object with newtype, an object with pair, an object with fields or an object with nothing. Received {"id":1}."#,
        ),
        (
            "of_flat_untagged",
            r#"{"id": 1, "one": 2, "other": 3}"#,
            r#"value must be an object with one or an object with other. Received {"id":1,"one":2,"other":3}."#,
        ),
    ] {
        assert_eq!(told(tool, value), sentence);
    }
}
