use std::{
    collections::{BTreeMap, HashMap},
    net::SocketAddr,
    time::Duration,
};

use schemars::{JsonSchema, generate::SchemaSettings};
use serde::{Deserialize, de::DeserializeOwned};

use super::*;

/// What is published of a type before it is closed, and what is wrong with it.
fn narrowed<T: DeserializeOwned + JsonSchema>() -> (Value, Vec<String>) {
    let mut generator = SchemaSettings::draft2020_12().for_deserialize().into_generator();
    let mut schema = generator.subschema_for::<T>().to_value();
    let mut definitions = generator.take_definitions(true);
    let problems = narrow(&mut schema, &mut definitions, &|value| {
        let tape = crate::json::view(value, &[], 64).map_err(serde::de::Error::custom)?;
        T::deserialize(tape.root()).map(drop)
    });
    (json!({"schema": schema, "$defs": definitions}), problems)
}

#[derive(Deserialize, JsonSchema, PartialEq, Eq, PartialOrd, Ord)]
#[serde(try_from = "String")]
struct Mail(String);

impl TryFrom<String> for Mail {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, &'static str> {
        if text.contains('@') { Ok(Self(text)) } else { Err("has no @") }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "kind")]
#[expect(dead_code, reason = "only its shape matters")]
enum Tagged {
    Mail { to: Mail, after: Duration },
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its shape matters")]
struct Both {
    tagged: Tagged,
    after: Duration,
}

#[test]
fn what_cannot_be_found_out_at_one_place_is_at_another() {
    let (schema, problems) = narrowed::<Both>();
    assert_eq!(schema["$defs"]["Duration"]["properties"]["nanos"]["maximum"], 999_999_999);
    assert_eq!(problems, Vec::<String>::new());
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "kind")]
#[expect(dead_code, reason = "only its shape matters")]
enum Many {
    A { to: Mail, after: Duration },
    B { to: Mail, after: Duration },
    C { to: Mail, after: Duration },
    D { to: Mail, after: Duration },
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its shape matters")]
struct Last {
    tagged: Many,
    after: Duration,
}

#[test]
fn places_where_nothing_can_be_found_out_do_not_count() {
    let (schema, problems) = narrowed::<Last>();
    assert_eq!(schema["$defs"]["Duration"]["properties"]["nanos"]["maximum"], 999_999_999, "{schema}");
    assert_eq!(problems, Vec::<String>::new());
}

#[test]
fn keys_and_text_of_a_users_own_type_are_left_to_it() {
    let (schema, problems) = narrowed::<BTreeMap<Mail, Vec<Mail>>>();
    assert_eq!(schema["schema"].get("propertyNames"), None);
    assert_eq!(problems, Vec::<String>::new());
}

/// A text of a user's own, which takes what fits and refuses the rest in its own words.
macro_rules! own_text {
    ($($name:ident($text:ident) $fits:expr;)*) => {
        $(
            #[derive(Deserialize, JsonSchema, PartialEq, Eq, PartialOrd, Ord)]
            #[serde(try_from = "String")]
            struct $name(String);

            impl TryFrom<String> for $name {
                type Error = &'static str;

                fn try_from($text: String) -> Result<Self, &'static str> {
                    if $fits { Ok(Self($text)) } else { Err("does not fit") }
                }
            }
        )*
    };
}

own_text! {
    Username(text) !text.is_empty() && !text.contains(char::is_whitespace);
    Short(text) text.len() <= 20 && !text.contains(' ');
    HostPort(text) text.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    StartsWithDigit(text) text.starts_with(|c: char| c.is_ascii_digit());
    Zip(text) text.len() <= 5 && text.bytes().all(|byte| byte.is_ascii_digit());
    Slug(text) !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    ThreeParts(text) text.split('-').count() == 3;
}

fn is_left_alone<T: DeserializeOwned + JsonSchema>() {
    let (schema, problems) = narrowed::<T>();
    let text = schema.to_string();
    assert!(!text.contains("\"pattern\"") && !text.contains("propertyNames") && !text.contains("format"), "{text}");
    assert!(!text.contains("\"true\""), "{text}");
    assert_eq!(problems, Vec::<String>::new());
}

#[test]
fn a_users_own_text_is_taken_for_no_other_type() {
    is_left_alone::<(Vec<Username>, Option<Short>, HostPort, StartsWithDigit)>();
    is_left_alone::<Vec<Zip>>();
    is_left_alone::<BTreeMap<Username, bool>>();
    is_left_alone::<BTreeMap<Short, bool>>();
    is_left_alone::<BTreeMap<HostPort, bool>>();
    is_left_alone::<BTreeMap<StartsWithDigit, bool>>();
    is_left_alone::<BTreeMap<Zip, bool>>();
    is_left_alone::<BTreeMap<Slug, bool>>();
    is_left_alone::<BTreeMap<ThreeParts, bool>>();
}

#[test]
fn maps_are_narrowed_at_every_depth() {
    let (schema, problems) = narrowed::<Vec<Option<HashMap<i8, HashMap<u16, SocketAddr>>>>>();
    let outer = &schema["schema"]["items"];
    assert_eq!(outer["propertyNames"]["description"], "a whole number from -128 to 127", "{schema}");
    let inner = &outer["additionalProperties"];
    assert_eq!(inner["propertyNames"]["description"], "a whole number from 0 to 65535", "{schema}");
    assert!(inner["additionalProperties"]["pattern"].is_string(), "{schema}");
    assert_eq!(problems, Vec::<String>::new());
}

/// A socket, by its address or by its path, and refused in the words of the former.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only whether it is read counts")]
struct Socket(#[schemars(example = "unix:/run/a")] String);

impl<'de> Deserialize<'de> for Socket {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let is_address = text.parse::<SocketAddr>().map(drop).map_err(serde::de::Error::custom);
        if text.starts_with("unix:/") { Ok(Self(text)) } else { is_address.map(|()| Self(text)) }
    }
}

#[test]
fn a_text_that_is_no_address_by_its_own_example_is_not_taken_for_one() {
    is_left_alone::<Vec<Socket>>();
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its shape matters")]
enum CountOrName {
    Count { count: u8 },
    Name { name: String },
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its shape matters")]
enum Counts {
    Small { small: u8 },
    Large { large: u16 },
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "kind")]
#[expect(dead_code, reason = "only its shape matters")]
enum Kinds {
    One { one: u8 },
    Other,
}

/// One of the enums, and what else there is.
#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its shape matters")]
struct Beside<T, V> {
    #[serde(flatten)]
    of: T,
    #[serde(flatten)]
    rest: BTreeMap<String, V>,
}

#[test]
fn an_enum_beside_a_map_that_does_not_read_its_fields_is_refused() {
    let found = |(_, problems): (Value, Vec<String>)| problems.join("; ");
    assert!(found(narrowed::<Beside<CountOrName, u8>>()).contains("flattened beside a map"));
    assert!(found(narrowed::<Vec<Beside<Counts, u8>>>()).contains("integer `65535`, expected u8"));
    assert!(found(narrowed::<Beside<Kinds, u8>>()).contains("flattened beside a map"));
    assert_eq!(found(narrowed::<Beside<Counts, u16>>()), "");
    assert_eq!(found(narrowed::<Beside<Kinds, Value>>()), "");
    assert_eq!(found(narrowed::<Beside<CountOrName, Value>>()), "");
}

#[test]
fn the_values_of_a_map_beside_an_enum_are_narrowed() {
    let (schema, problems) = narrowed::<Beside<Fielded, SocketAddr>>();
    let rest = &schema["$defs"]["Beside"]["unevaluatedProperties"];
    assert!(rest["pattern"].is_string(), "{schema}");
    assert_eq!(problems, Vec::<String>::new());
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its shape matters")]
enum Fielded {
    One { one: u8 },
    Other(u8),
}

/// A list whose schema has a word in its place, too.
#[derive(Deserialize)]
#[expect(dead_code, reason = "only its shape matters")]
struct Promised(Vec<u8>);

impl JsonSchema for Promised {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Promised".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"oneOf": [
            {"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 255}},
            {"type": "string", "enum": ["all"]},
        ]})
    }
}

#[test]
fn a_branch_that_is_never_read_is_refused() {
    let (_, problems) = narrowed::<Vec<Promised>>();
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(problems[0].starts_with("holds, at `0`, a union whose variant 2 its schema has"), "{problems:?}");
}

#[test]
fn of_a_text_of_the_system_the_form_of_this_platform_is_published() {
    let (schema, problems) = narrowed::<Vec<std::ffi::OsString>>();
    let platform = if cfg!(windows) { "Windows" } else { "Unix" };
    let items = schema
        .pointer("/schema/items/$ref")
        .and_then(Value::as_str)
        .map_or_else(|| schema["schema"]["items"].clone(), |_| schema["$defs"]["OsString"].clone());
    assert_eq!(items["required"], json!([platform]), "{schema}");
    assert_eq!(items.get("oneOf"), None);
    assert_eq!(problems, Vec::<String>::new());
}

/// A web address, and an odd number, of a user's own.
#[derive(Deserialize, JsonSchema)]
#[serde(try_from = "String")]
#[expect(dead_code, reason = "only whether it is read counts")]
struct Web(String);

impl TryFrom<String> for Web {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, &'static str> {
        if text.starts_with("https://") { Ok(Self(text)) } else { Err("is not on the web") }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(try_from = "u8")]
#[expect(dead_code, reason = "only whether it is read counts")]
struct Odd(u8);

impl TryFrom<u8> for Odd {
    type Error = &'static str;

    fn try_from(number: u8) -> Result<Self, &'static str> {
        if number % 2 == 1 { Ok(Self(number)) } else { Err("is even") }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "kind")]
#[expect(dead_code, reason = "only its shape matters")]
enum Own {
    Nothing,
    Sent {
        name: Short,
        to: Mail,
        alias: Username,
        by: Web,
        odd: Odd,
        after: Duration,
        ports: BTreeMap<String, SocketAddr>,
    },
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its shape matters")]
enum OwnUntagged {
    Mailed { to: Mail, from: SocketAddr },
    Odd { odd: Option<Odd>, after: Duration },
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its shape matters")]
struct OwnFlattened {
    #[serde(flatten)]
    sent: OwnPart,
    ports: BTreeMap<String, SocketAddr>,
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its shape matters")]
struct OwnPart {
    to: Mail,
    odd: Odd,
}

#[test]
fn types_of_a_users_own_do_not_keep_their_neighbours_from_being_asked() {
    let (schema, problems) = narrowed::<Vec<Own>>();
    let nanos = schema.pointer("/$defs/Duration/properties/nanos/maximum");
    assert_eq!((nanos, problems), (Some(&json!(999_999_999)), Vec::new()), "{schema}");
    let sent = &schema["$defs"]["Own"]["oneOf"][1]["properties"];
    assert!(sent["ports"]["additionalProperties"]["pattern"].is_string(), "{schema}");

    let (schema, problems) = narrowed::<Vec<OwnUntagged>>();
    let nanos = schema.pointer("/$defs/Duration/properties/nanos/maximum");
    assert_eq!((nanos, problems), (Some(&json!(999_999_999)), Vec::new()), "{schema}");
    let mailed = &schema["$defs"]["OwnUntagged"]["anyOf"][0]["properties"];
    assert!(mailed["from"]["pattern"].is_string(), "{schema}");

    let (schema, problems) = narrowed::<OwnFlattened>();
    let ports = &schema["$defs"]["OwnFlattened"]["properties"]["ports"];
    assert!(ports["additionalProperties"]["pattern"].is_string(), "{schema}");
    assert_eq!(problems, Vec::<String>::new());
}
