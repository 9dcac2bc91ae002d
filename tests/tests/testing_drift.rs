//! `assert_no_drift`: silent about types that serde and schemars see in the same way, and each kind of drift is found, with
//! the smallest arguments that show it.

#![allow(
    clippy::needless_pass_by_value,
    clippy::trivially_copy_pass_by_ref,
    reason = "as tools and checks are written"
)]
#![allow(dead_code, reason = "arguments are bound, and not looked at")]

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    net::IpAddr,
};

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, de::Error};
use serde_json::{Value, json};
use tool_gate::{
    DynamicTool, Registry, Tool,
    testing::{self, Drift, DriftKind, Finding},
    tool,
};

/// What is found in one tool.
fn findings<T: Tool<()>>() -> Vec<Finding> {
    let registry = Registry::<()>::builder().tool::<T>().build().expect("it is declared well");
    testing::drift(&registry).err().map(|drift| drift.findings().to_vec()).unwrap_or_default()
}

/// The one thing that is found in a tool whose type refuses something: where, the smallest value, and the type's words.
#[track_caller]
fn refused<T: Tool<()>>() -> (String, Value, String) {
    let found = findings::<T>();
    let [found] = found.as_slice() else { panic!("{} findings: {found:#?}", found.len()) };
    assert_eq!((found.kind(), found.published(), found.gate()), (DriftKind::TypeRefuses, Ok(()), Ok(())), "{found}");
    let words = found.function().expect_err("the type refuses it");
    let words = words.split_once(": ").map_or(words, |(_, words)| words);
    (found.path().to_string(), found.arguments()["value"].clone(), words.to_owned())
}

/// Declares a tool that takes one value of a type.
macro_rules! takes {
    ($($(#[$arg:meta])* $name:ident: $type:ty),* $(,)?) => {$(
        /// Takes one value.
        #[tool]
        fn $name($(#[$arg])* value: $type) {
            let _ = value;
        }
    )*};
}

/// Asserts the place, the smallest value and the words of each tool's one drift.
macro_rules! drifts {
    ($($tool:ident at $path:literal: $value:tt, $words:literal;)*) => {$(
        assert_eq!(refused::<$tool>(), ($path.to_owned(), json!($value), $words.to_owned()));
    )*};
}

#[derive(Deserialize, JsonSchema)]
struct Fraction {
    #[schemars(with = "f64")]
    n: u32,
}

#[derive(Deserialize, JsonSchema)]
struct Wide {
    #[schemars(with = "u64")]
    n: u32,
}

#[derive(Deserialize, JsonSchema)]
struct Signed {
    #[schemars(with = "Vec<u64>")]
    list: Vec<i64>,
}

takes! { takes_fraction: Fraction, takes_wide: Wide, takes_signed: Signed }

#[test]
fn an_integer_that_holds_less_than_its_schema_says() {
    drifts! {
        takes_fraction at "value.n": {"n": (-1)}, "invalid value: integer `-1`, expected u32";
        takes_wide at "value.n": {"n": 4_294_967_296_u64}, "invalid value: integer `4294967296`, expected u32";
        takes_signed at "value.list.0": {"list": [9_223_372_036_854_775_808_u64]},
            "invalid value: integer `9223372036854775808`, expected i64";
    }
}

/// An address, whose schema says no more than that it is text.
#[derive(Deserialize, JsonSchema, PartialEq, Eq, Hash)]
#[serde(try_from = "String")]
struct Mail(String);

impl TryFrom<String> for Mail {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, &'static str> {
        if text.contains('@') { Ok(Self(text)) } else { Err("has no @") }
    }
}

#[derive(Deserialize, JsonSchema)]
struct Keyed {
    map: HashMap<Mail, u8>,
}

takes! { takes_keyed: Keyed }

#[test]
fn a_map_whose_keys_are_not_any_text() {
    drifts! {
        takes_keyed at "value.map": {"map": {"": 0}}, "has no @";
    }
}

/// Two numbers, which may be too much together.
#[derive(Deserialize, JsonSchema)]
struct Seats {
    adults: u8,
    children: u8,
}

#[derive(Deserialize, JsonSchema)]
#[serde(try_from = "Seats")]
#[schemars(with = "Seats")]
struct Party(#[expect(dead_code, reason = "only whether it is read counts")] u8);

impl TryFrom<Seats> for Party {
    type Error = &'static str;

    fn try_from(seats: Seats) -> Result<Self, &'static str> {
        seats.adults.checked_add(seats.children).map(Self).ok_or("too much together")
    }
}

takes! { takes_party: Party }

#[test]
fn numbers_that_overflow_together_only() {
    let (path, value, words) = refused::<takes_party>();
    assert_eq!((path.as_str(), words.as_str()), ("value", "too much together"));
    let seats = ["adults", "children"].map(|seats| value[seats].as_u64().unwrap_or_default());
    assert_eq!(seats[0] + seats[1], 256, "the smallest that is too much: {value}");
}

/// Two names of one field, and a schema that has both.
#[derive(Deserialize)]
struct Named {
    #[serde(alias = "label")]
    name: Option<String>,
}

impl JsonSchema for Named {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Named".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "object",
            "properties": {"name": {"type": "string"}, "label": {"type": "string"}},
        })
    }
}

/// A field that the schema does not ask for, and the type does.
#[derive(Deserialize)]
struct Needed {
    id: u8,
}

impl JsonSchema for Needed {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Needed".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": "object", "properties": {"id": {"type": "integer", "minimum": 0, "maximum": 255}}})
    }
}

takes! { takes_named: Named, takes_needed: Needed }

#[test]
fn keys_that_the_type_counts_otherwise() {
    drifts! {
        takes_named at "value": {"name": "", "label": ""}, "duplicate field `name`";
        takes_needed at "value": {}, "missing field `id`";
    }
}

/// Reads a string, and refuses it where the function says so.
fn text_unless<'de, D: Deserializer<'de>>(
    deserializer: D,
    refused: impl FnOnce(&str) -> bool,
    words: &str,
) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    if refused(&text) { Err(D::Error::custom(words)) } else { Ok(text) }
}

/// A day, in a type without leap years.
struct Day(String);

impl<'de> Deserialize<'de> for Day {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        text_unless(deserializer, |day| day.ends_with("02-29"), "there is no such day").map(Self)
    }
}

impl JsonSchema for Day {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Day".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": "string", "format": "date"})
    }
}

/// An order number: the pattern matches somewhere, and the type means all of it.
#[derive(JsonSchema)]
struct OrderNumber(#[schemars(regex(pattern = "A-[0-9]{3}"))] String);

impl<'de> Deserialize<'de> for OrderNumber {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        text_unless(deserializer, |text| text.len() != 5 || !text.starts_with("A-"), "no order number").map(Self)
    }
}

/// A word that is measured in bytes.
#[derive(JsonSchema)]
struct Word(#[schemars(length(max = 4))] String);

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        text_unless(deserializer, |text| text.len() > 4, "more than 4 bytes").map(Self)
    }
}

/// Fewer variants than the schema lists.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Colour {
    Red,
    Green,
}

impl JsonSchema for Colour {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Colour".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"enum": ["red", "green", "blue"]})
    }
}

/// An address, whose schema says no more than that it is text.
#[derive(Deserialize, JsonSchema)]
struct Host(#[schemars(with = "String")] IpAddr);

takes! {
    takes_day: Day,
    takes_order_number: OrderNumber,
    takes_word: Word,
    takes_colour: Colour,
    takes_address: Host,
}

#[test]
fn a_text_that_means_less_than_its_schema_says() {
    drifts! {
        takes_day at "value": "0000-02-29", "there is no such day";
        takes_order_number at "value": "aA-000", "no order number";
        takes_word at "value": "a🦀", "more than 4 bytes";
        takes_colour at "value": "blue", "unknown variant `blue`, expected one of `red`, `green`";
        takes_address at "value": "", "invalid IP address syntax";
    }
}

/// A set that takes no element twice, and whose schema is a list's.
struct Distinct(BTreeSet<u8>);

impl<'de> Deserialize<'de> for Distinct {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut set = BTreeSet::new();
        for element in Vec::<u8>::deserialize(deserializer)? {
            if !set.insert(element) {
                return Err(D::Error::custom("an element stands there twice"));
            }
        }
        Ok(Self(set))
    }
}

impl JsonSchema for Distinct {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Distinct".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Vec::<u8>::json_schema(generator)
    }
}

/// A number that is even.
#[derive(JsonSchema)]
#[schemars(transparent)]
struct Even(u8);

impl<'de> Deserialize<'de> for Even {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = u8::deserialize(deserializer)?;
        if number.is_multiple_of(2) { Ok(Self(number)) } else { Err(D::Error::custom("it is odd")) }
    }
}

/// A list that is never empty.
#[derive(JsonSchema)]
#[schemars(transparent)]
struct Filled(Vec<u8>);

impl<'de> Deserialize<'de> for Filled {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let list = Vec::deserialize(deserializer)?;
        if list.is_empty() { Err(D::Error::custom("it is empty")) } else { Ok(Self(list)) }
    }
}

takes! { takes_distinct: Distinct, takes_even: BTreeMap<String, Vec<Option<Even>>>, takes_filled: Filled }

#[test]
fn a_deserialize_that_asks_for_more() {
    drifts! {
        takes_distinct at "value": [0, 0], "an element stands there twice";
        takes_even at "value.(key).0": {"": [1]}, "it is odd";
        takes_filled at "value": [], "it is empty";
    }
}

/// A number that is divided by.
#[derive(JsonSchema)]
#[schemars(transparent)]
struct Part(u8);

impl<'de> Deserialize<'de> for Part {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        u8::deserialize(deserializer).map(|number| Self(100 / number))
    }
}

takes! { takes_part: Part }

#[test]
fn a_deserialize_that_panics() {
    let found = findings::<takes_part>();
    let [found] = found.as_slice() else { panic!("{found:#?}") };
    assert_eq!((found.kind(), found.arguments()), (DriftKind::CodePanics, &json!({"value": 0})));
    assert_eq!(found.function(), Err("panics: attempt to divide by zero"));
}

/// Books a room.
#[tool]
fn book(host: Host, on: Option<Day>, #[arg(check = not_seven)] seats: Wide, word: Word) {
    let _ = (host, on, seats, word);
}

fn not_seven(wide: &Wide) -> Result<(), String> {
    if wide.n == 7 { Err("seven is no number of seats".into()) } else { Ok(()) }
}

#[test]
fn each_argument_that_drifts_is_found_behind_others_that_do() {
    let found: Vec<(String, Value)> = findings::<book>()
        .iter()
        .map(|found| {
            (
                found.path().to_string(),
                found.arguments()[found.path().to_string().split('.').next().unwrap_or_default()].clone(),
            )
        })
        .collect();
    let expected = [
        ("host", json!("")),
        ("on", json!("0000-02-29")),
        ("seats.n", json!({"n": 4_294_967_296_u64})),
        ("word", json!("aéé")),
    ];
    assert_eq!(found, expected.map(|(path, value)| (path.to_owned(), value)));
}

#[derive(Deserialize, JsonSchema)]
struct Line {
    sku: String,
    count: u8,
    note: Option<String>,
    price: f64,
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "by", rename_all = "snake_case")]
enum Payment {
    Card {
        number: String,
        expires: u32,
    },
    Invoice {
        address: Vec<String>,
    },
    Points {
        #[schemars(with = "u64")]
        count: u32,
    },
}

/// Orders much.
#[tool]
#[expect(clippy::too_many_arguments, reason = "that is what is tried")]
fn order(
    id: &str,
    lines: Vec<Line>,
    by_name: BTreeMap<String, i64>,
    paid: Option<Payment>,
    weight: Option<f32>,
    height: u16,
    width: u16,
    tags: BTreeSet<String>,
    #[arg(range = 1..=5)] stars: u8,
    seats: Wide,
) {
    let _ = (id, lines, by_name, paid, weight, height, width, tags, stars, seats);
}

#[test]
fn it_is_found_among_many_arguments_and_in_one_variant_of_many() {
    let found = findings::<order>();
    let paths: Vec<String> = found.iter().map(|found| found.path().to_string()).collect();
    // Of what stands behind a tag, serde does not tell the place.
    assert_eq!(paths, ["paid", "seats.n"]);
    assert_eq!(found[0].arguments()["paid"], json!({"by": "points", "count": 4_294_967_296_u64}));
    assert_eq!(found[1].arguments()["seats"], json!({"n": 4_294_967_296_u64}));
}

/// Takes what is picked.
#[tool(check = in_order)]
fn pick(#[arg(check = is_even)] first: u8, #[arg(check = never)] second: u8) {
    let _ = (first, second);
}

fn is_even(number: &u8) -> Result<(), String> {
    if number.is_multiple_of(2) { Ok(()) } else { Err("it is odd".into()) }
}

fn never(_: &u8) -> Result<(), String> {
    Err("never".into())
}

fn in_order(first: &u8, second: &u8) -> Result<(), String> {
    assert_eq!(first % 2, 0, "its own check sees to that");
    if first < second { Ok(()) } else { Err("out of order".into()) }
}

/// Looks behind a check that refuses everything.
#[tool]
fn behind(#[arg(check = never)] number: u8, day: Day) {
    let _ = (number, day);
}

#[test]
fn what_a_check_refuses_is_no_drift_and_hides_none() {
    assert_eq!(findings::<pick>(), []);
    let found = findings::<behind>();
    let [found] = found.as_slice() else { panic!("{found:#?}") };
    assert_eq!((found.path().to_string().as_str(), &found.arguments()["day"]), ("day", &json!("0000-02-29")));
}

#[test]
fn the_message_tells_the_tool_the_place_the_arguments_and_the_three_views() {
    let registry = Registry::<()>::builder().tool::<takes_wide>().tool::<takes_even>().build().expect("declared well");
    let drift = testing::drift(&registry).expect_err("both drift");
    assert_eq!(drift.to_string(), MESSAGE);
    assert_eq!(message(|| testing::assert_no_drift(&registry)), MESSAGE);
}

/// What an assertion panics with.
fn message(assertion: impl FnOnce()) -> String {
    let asserted = std::panic::catch_unwind(std::panic::AssertUnwindSafe(assertion));
    asserted.expect_err("it panics").downcast_ref::<String>().cloned().unwrap_or_default()
}

const MESSAGE: &str = "\
the published schema, the gate and the function do not take the same:

value.(key).0 of takes_even: its schema takes what its type refuses
  arguments:        {\"value\":{\"\":[1]}}
  published schema: takes them
  gate:             takes them
  function:         refuses value.(key).0: it is odd
  Say it in the schema (`#[arg(range = …, pattern = …, format = …)]`, `#[schemars(…)]`), or let the type take it.

value.n of takes_wide: its schema takes what its type refuses
  arguments:        {\"value\":{\"n\":4294967296}}
  published schema: takes them
  gate:             takes them
  function:         refuses value.n: invalid value: integer `4294967296`, expected u32
  Say it in the schema (`#[arg(range = …, pattern = …, format = …)]`, `#[schemars(…)]`), or let the type take it.";

#[test]
fn what_is_known_to_drift_is_named_and_taken_off_the_list_when_it_does_no_more() {
    let registry = Registry::<()>::builder().tool::<takes_address>().tool::<pick>().build().expect("declared well");
    testing::assert_no_drift_but(&registry, &["takes_address.value"]);
    let message = |known: &[&str]| message(|| testing::assert_no_drift_but(&registry, known));
    assert!(message(&[]).contains("value of takes_address"));
    assert_eq!(
        message(&["takes_address.value", "pick.first"]),
        "known to drift, and no longer drifting: take `pick.first` off the list"
    );
}

/// What is drawn for a tool that takes schemas as they are given.
fn of_dynamic(schema: Value) -> Result<(), Drift> {
    let tool =
        DynamicTool::new("given", "Take it.", schema, |(): &(), arguments, _| Box::pin(async move { Ok(arguments) }));
    testing::drift(&Registry::builder().dynamic(tool).build().expect("the schema compiles"))
}

#[test]
fn dynamic_tools_do_not_drift_whatever_their_schema_says() {
    let schemas = [
        json!({"type": "object"}),
        json!({"type": "object", "additionalProperties": {"type": "integer", "multipleOf": 3}, "minProperties": 2, "maxProperties": 3}),
        json!({"type": "object", "propertyNames": {"pattern": "^[a-z]{1,3}$"}, "patternProperties": {"^x": {"type": "number", "exclusiveMinimum": 0}}}),
        json!({"type": "object", "properties": {"a": {"uniqueItems": true, "minItems": 2, "items": {"enum": [1, "1", null, 1.5]}}}, "required": ["a"]}),
        json!({"type": "object", "allOf": [{"properties": {"a": {"type": "integer"}}}, {"properties": {"a": {"minimum": 3}}, "required": ["a"]}], "unevaluatedProperties": false}),
        json!({"type": "object", "properties": {"a": {"const": "x"}}, "if": {"required": ["a"]}, "then": {"required": ["b"]}, "else": {"maxProperties": 1}}),
        json!({"type": "object", "properties": {"next": {"$ref": "#"}, "id": {"type": "string", "format": "uuid"}}, "required": ["id"], "additionalProperties": false}),
        json!({"type": "object", "properties": {"n": {"not": {"const": 0}, "type": "integer"}, "t": {"contains": {"type": "string"}, "type": "array"}}}),
        json!({"type": "object", "properties": {"n": {"type": "integer", "minimum": -9_223_372_036_854_775_808_i64, "maximum": u64::MAX}}}),
        json!({"type": "object", "properties": {"n": {"type": "number", "multipleOf": 0.5}, "m": {"exclusiveMaximum": 1e300}}}),
        json!({"type": "object", "dependentRequired": {"a": ["b"]}, "properties": {"a": {}, "b": {"anyOf": [{"type": "string"}, {"oneOf": [{"type": "null"}, {"minimum": 5}]}]}}}),
        json!({"$schema": "http://json-schema.org/draft-04/schema#", "type": "object", "properties": {"n": {"type": "integer"}}}),
        json!({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": {"t": {"items": [{"type": "string"}, {"type": "integer"}], "additionalItems": false}}}),
        json!({"type": "object", "$ref": "#"}),
        json!({"type": "object", "properties": {"deep": {"$ref": "#/$defs/deep"}}, "$defs": {"deep": {"type": "array", "items": {"$ref": "#/$defs/deep"}, "maxItems": 2}}}),
    ];
    for schema in schemas {
        if let Err(drift) = of_dynamic(schema.clone()) {
            panic!("{schema}\n{drift}");
        }
    }
}

#[test]
fn formats_that_are_remarks_are_no_drift() {
    let schemas = [
        json!({"type": "object", "properties": {"on": {"type": "string", "format": "date"}}}),
        json!({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": {"on": {"contentEncoding": "base64"}}}),
    ];
    for schema in schemas {
        let tool =
            DynamicTool::new("given", "Take it.", schema, |(): &(), given, _| Box::pin(async move { Ok(given) }));
        let registry = Registry::builder().dynamic(tool.without_formats()).build().expect("the schema compiles");
        testing::assert_no_drift(&registry);
    }
}
