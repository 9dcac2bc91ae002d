//! `assert_no_drift` on schemas that were narrowed by asking the type: what the type reads must not have been lost.

#![allow(clippy::needless_pass_by_value, reason = "as tools are written")]
#![allow(dead_code, reason = "arguments are bound, and not looked at")]

use std::{
    collections::BTreeMap,
    net::SocketAddr,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, de::Error};
use serde_json::json;
use tool_gate::{
    Registry, Tool,
    testing::{self, Drift, DriftKind},
    tool,
};

/// What is found in one tool, once the registry is built and `settled` is told.
fn drift<T: Tool<()>>(settled: &AtomicBool) -> Result<(), Drift> {
    let registry = Registry::<()>::builder().tool::<T>().build().expect("it is declared well");
    settled.store(true, Ordering::Relaxed);
    testing::drift(&registry)
}

/// Text that answers like a socket address when it is asked, and takes any from then on.
#[derive(JsonSchema)]
struct Fickle(String);

static FICKLE_IS_ASKED: AtomicBool = AtomicBool::new(false);

impl<'de> Deserialize<'de> for Fickle {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let as_address = text.parse::<SocketAddr>().map(drop).map_err(D::Error::custom);
        if FICKLE_IS_ASKED.load(Ordering::Relaxed) { Ok(Self(text)) } else { as_address.map(|()| Self(text)) }
    }
}

/// Reaches a host.
#[tool]
fn reach(known: SocketAddr, hosts: Vec<Option<Fickle>>) {
    let _ = (known, hosts);
}

#[test]
fn text_that_narrowing_lost_is_found_beside_text_that_it_did_not() {
    let drift = drift::<reach>(&FICKLE_IS_ASKED).expect_err("it takes any text by now");
    let [found] = drift.findings() else { panic!("{drift}") };
    assert_eq!(found.kind(), DriftKind::SchemaTooNarrow);
    assert_eq!((found.path().to_string().as_str(), &found.arguments()["hosts"]), ("hosts.0", &json!([""])));
    assert!(found.published().is_err() && found.gate().is_err() && found.function().is_ok(), "{found}");
    assert!(drift.to_string().contains("hosts.0 of reach: its schema was narrowed to forbid what its type takes"));
}

/// A key that answers like a truth value when it is asked, and takes any text from then on.
#[derive(JsonSchema, PartialEq, Eq, PartialOrd, Ord)]
struct FickleKey(String);

static FICKLE_KEY_IS_ASKED: AtomicBool = AtomicBool::new(false);

impl<'de> Deserialize<'de> for FickleKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let is_taken = FICKLE_KEY_IS_ASKED.load(Ordering::Relaxed) || text == "true" || text == "false";
        if is_taken { Ok(Self(text)) } else { Err(D::Error::custom("neither of two")) }
    }
}

/// Sets switches.
#[tool]
fn switch(all: BTreeMap<FickleKey, u8>) {
    let _ = all;
}

#[test]
fn keys_that_narrowing_lost_are_found() {
    let drift = drift::<switch>(&FICKLE_KEY_IS_ASKED).expect_err("it takes any key by now");
    let [found] = drift.findings() else { panic!("{drift}") };
    assert_eq!((found.kind(), found.path().to_string().as_str()), (DriftKind::SchemaTooNarrow, "all"));
    assert_eq!(found.arguments(), &json!({"all": {"": 0}}));
}

/// Waits.
#[tool]
fn wait(by_place: BTreeMap<std::num::NonZeroI8, Duration>, of_wide: BTreeMap<u128, bool>) {
    let _ = (by_place, of_wide);
}

#[test]
fn other_ways_to_write_the_same_are_not_missed() {
    let registry = Registry::<()>::builder().tool::<wait>().build().expect("it is declared well");
    testing::assert_no_drift(&registry);
}
