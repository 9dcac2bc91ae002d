//! For every kind of parameter: what the published schema takes binds, and what it refuses for one reason is refused.

#![allow(clippy::needless_pass_by_value, clippy::boxed_local, clippy::option_option, reason = "kinds of parameters")]

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    num::{NonZeroI32, NonZeroU8},
};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tool_gate::{
    Contract, Gate, Offer, Registry, Rejection, Select, testing, tool,
    wire::{self, Call},
};

#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code, reason = "it is bound, and not looked at")]
struct Address {
    street: String,
    number: Option<u16>,
    #[serde(default)]
    tags: Vec<String>,
    inner: Inner,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "it is bound, and not looked at")]
struct Inner {
    ratio: f32,
    flag: bool,
}

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Status {
    Open,
    /// On its way.
    Shipped,
    CancelledByCustomer,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[allow(dead_code, reason = "it is bound, and not looked at")]
enum External {
    Nothing,
    /// One.
    Newtype(u8),
    Pair(i8, String),
    Fields {
        size: u32,
        note: Option<String>,
    },
    Nested(Inner),
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[allow(dead_code, reason = "it is bound, and not looked at")]
enum Internal {
    Nothing,
    Nested(Inner),
    Fields { size: u32, big: u64, list: Vec<i64> },
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "kind", content = "of")]
#[allow(dead_code, reason = "it is bound, and not looked at")]
enum Adjacent {
    Nothing,
    Newtype(i16),
    Fields { size: u32 },
}

#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code, reason = "it is bound, and not looked at")]
struct Branch {
    value: i32,
    children: Vec<Branch>,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Cents(#[allow(dead_code, reason = "it is bound, and not looked at")] u32);

/// Declares one tool for each kind, and the list of them.
macro_rules! kinds {
    ($($(#[$arg:meta])* $name:ident: $type:ty),* $(,)?) => {
        $(
            /// Takes one value.
            #[tool]
            fn $name($(#[$arg])* value: $type) {
                let _ = value;
            }
        )*

        fn registry() -> Registry<()> {
            Registry::builder()$(.tool::<$name>())*.build().expect("every kind is declared well")
        }

        fn offer() -> Offer<()> {
            registry().offer(wire::Plain::default(), Select::All).expect("all of them")
        }

        const KINDS: &[&str] = &[$(stringify!($name)),*];
    };
}

kinds! {
    takes_bool: bool,
    takes_u8: u8,
    takes_u16: u16,
    takes_u32: u32,
    takes_u64: u64,
    takes_usize: usize,
    takes_i8: i8,
    takes_i16: i16,
    takes_i32: i32,
    takes_i64: i64,
    takes_isize: isize,
    takes_non_zero: NonZeroU8,
    takes_non_zero_signed: NonZeroI32,
    takes_f32: f32,
    takes_f64: f64,
    takes_char: char,
    takes_string: String,
    takes_str: &str,
    takes_unit: (),
    takes_vec: Vec<u32>,
    takes_slice: &[String],
    takes_array: [i8; 3],
    takes_tuple: (u8, String, bool),
    takes_set: BTreeSet<u8>,
    takes_map: BTreeMap<String, u16>,
    takes_hash_map: HashMap<String, Vec<f64>>,
    takes_keyed_map: BTreeMap<u32, String>,
    takes_option: Option<u32>,
    takes_option_struct: Option<Address>,
    takes_option_enum: Option<Status>,
    takes_nested_option: Option<Option<bool>>,
    takes_struct: Address,
    takes_struct_ref: &Address,
    takes_newtype: Cents,
    takes_enum: Status,
    takes_external: External,
    takes_internal: Internal,
    takes_adjacent: Adjacent,
    takes_vec_of_enums: Vec<Internal>,
    takes_recursion: Branch,
    takes_box: Box<Inner>,
    takes_value: Value,
    #[arg(range = 1..=100)] takes_range: u32,
    #[arg(range = -5..5)] takes_range_end: i64,
    #[arg(range = 0.5..=2.5)] takes_float_range: f64,
    #[arg(range = ..=10)] takes_range_of_option: Option<u8>,
    #[arg(length = 2..=4)] takes_length: String,
    #[arg(items = 1..=2)] takes_items: Vec<bool>,
    #[arg(pattern = "^c-[0-9]+$")] takes_pattern: &str,
    #[arg(format = "date")] takes_date: String,
    #[arg(format = "uuid")] takes_uuid: Option<String>,
    #[arg(default = 20)] takes_default: u8,
    #[arg(rename = "other-name")] takes_renamed: u8,
}

#[test]
fn what_the_schema_takes_binds_and_what_it_refuses_is_refused() {
    let registry = registry();
    testing::assert_no_drift(&registry);
    let untried: Vec<_> =
        KINDS.iter().filter(|kind| !registry.definitions().any(|tool| tool.name() == **kind)).collect();
    assert_eq!(untried, Vec::<&&str>::new());
}

#[test]
fn each_kind_is_refused_in_words_of_its_own() {
    let offer = offer();
    let mut told = 0_u32;
    for definition in offer.definitions() {
        let (name, of_kind) = (definition.name(), told);
        for value in testing::instances(definition.input_schema()) {
            let verdict = offer.check(&Call::new(None, name, value.clone().into()));
            if let Some(rejection) = verdict.err().filter(|rejection| rejection.gate() != Gate::Bind) {
                assert!(is_told(&rejection), "{name}: {value} is not told by the schema gate: {rejection:?}");
                told += 1;
            }
        }
        assert!(told - of_kind >= 10, "{name} was refused {} times", told - of_kind);
    }
    assert!(told >= 6_000, "{told}");
}

/// Whether it is the schema gate's, or that the whole is no object, and speaks of one clause.
fn is_told(rejection: &Rejection) -> bool {
    match rejection {
        Rejection::Schema { violation, .. } => !matches!(violation.contract, Contract::Other { .. }),
        other => other.gate() == Gate::Parse,
    }
}

fn verdict(tool: &str, arguments: &str) -> Result<(), String> {
    let rejection = offer().check(&Call::new(None, tool, arguments.into())).map(drop);
    rejection
        .map_err(|rejection| format!("{} {}", rejection.kind(), rejection.keyword().unwrap_or_default()).trim().into())
}

#[test]
fn integers_are_exact_however_they_are_written() {
    for (tool, taken) in [
        ("takes_u64", "18446744073709551615"),
        ("takes_u64", "9007199254740993"),
        ("takes_u64", "9007199254740993.0"),
        ("takes_u64", "1e19"),
        ("takes_i64", "-9223372036854775808"),
        ("takes_u8", "5.0"),
        ("takes_u8", "1e2"),
        ("takes_u8", "-0"),
        ("takes_u8", "2.55e2"),
        ("takes_vec", "[1.0, 2e0]"),
        ("takes_internal", r#"{"kind": "fields", "size": 5.0, "big": 1e2, "list": [-0, 7.0]}"#),
    ] {
        assert_eq!(verdict(tool, &format!(r#"{{"value": {taken}}}"#)), Ok(()), "{tool} {taken}");
    }
    for (tool, refused, keyword) in [
        ("takes_u64", "18446744073709551616", "schema maximum"),
        ("takes_u64", "18446744073709551616.0", "schema maximum"),
        ("takes_i64", "9223372036854775808", "schema maximum"),
        ("takes_u32", "4294967296", "schema maximum"),
        ("takes_u8", "-1", "schema minimum"),
        ("takes_u8", "0.5", "schema type"),
        ("takes_u64", "9007199254740992.5", "schema type"),
        ("takes_u8", "true", "schema type"),
        ("takes_u8", "\"5\"", "schema type"),
        ("takes_f64", "true", "schema type"),
        ("takes_f64", "\"NaN\"", "schema type"),
        ("takes_f64", "NaN", "unparsable"),
        ("takes_f64", "-Infinity", "unparsable"),
        ("takes_f64", "1e400", "unparsable"),
        ("takes_f32", "1e39", "schema maximum"),
        ("takes_string", r#""\ud800""#, "unparsable"),
        ("takes_u8", r#"1, "value": 2"#, "unparsable"),
    ] {
        assert_eq!(verdict(tool, &format!(r#"{{"value": {refused}}}"#)), Err(keyword.into()), "{tool} {refused}");
    }
}

/// Answers what it was given, to see what was bound.
#[tool]
fn echo(value: u64, signed: i64, list: Vec<u8>) -> String {
    format!("{value} {signed} {list:?}")
}

#[test]
fn what_is_bound_is_what_was_written() {
    let registry = Registry::<()>::builder().tool::<echo>().build().unwrap();
    let offer = registry.offer(wire::Plain::default(), Select::All).unwrap();
    let text = r#"{"name": "echo", "arguments": {"value": 9007199254740993.0, "signed": -9223372036854775808, "list": [1e2, 255.0, -0]}}"#;
    let settled = pollster::block_on(offer.settle(text, &(), &mut tool_gate::Run::default())).unwrap();
    assert_eq!(settled.blocks()[0].text(), "9007199254740993 -9223372036854775808 [100, 255, 0]");
}

#[test]
fn every_object_that_is_published_is_closed() {
    fn walk(value: &Value, open: &mut Vec<Value>) {
        if let Some(members) = value.as_object() {
            if members.contains_key("properties") && members.get("type") == Some(&json!("object")) {
                let closed = ["additionalProperties", "unevaluatedProperties"]
                    .iter()
                    .any(|k| members.get(*k) == Some(&json!(false)));
                if !closed {
                    open.push(value.clone());
                }
            }
            members.values().for_each(|inner| walk(inner, open));
        }
        value.as_array().into_iter().flatten().for_each(|inner| walk(inner, open));
    }
    let mut open = Vec::new();
    offer().definitions().for_each(|definition| walk(definition.input_schema(), &mut open));
    assert_eq!(open, Vec::<Value>::new());
}
