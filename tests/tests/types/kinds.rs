//! The types of the table that are not of a library: each stands for one attribute of serde's or one shape of Rust's.

#![allow(dead_code, reason = "they are bound and written, and their fields are not looked at")]

use std::{borrow::Cow, collections::BTreeMap, net::SocketAddr};

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Named {
    a: u8,
    b: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Strict {
    a: u8,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Newtype(u32);

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Pair(u8, String);

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Unit;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
pub(crate) struct Transparent {
    inner: i16,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Generic<T> {
    of: Vec<T>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Renamed {
    order_id: u8,
    #[serde(rename = "type")]
    of: u8,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Aliased {
    #[serde(alias = "zip")]
    post_code: u8,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Defaulted {
    #[serde(default)]
    a: u8,
    #[serde(default = "seven")]
    b: u8,
}

fn seven() -> u8 {
    7
}

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
pub(crate) struct AllDefaulted {
    a: u8,
    inner: AllDefaultedInner,
}

#[derive(Debug, Deserialize, Serialize, JsonSchema, Default)]
#[serde(default)]
pub(crate) struct AllDefaultedInner {
    b: Option<u8>,
}

impl Default for AllDefaulted {
    fn default() -> Self {
        Self { a: 3, inner: AllDefaultedInner { b: Some(1) } }
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Skipped {
    a: u8,
    #[serde(skip)]
    b: u8,
    #[serde(skip_deserializing)]
    c: u8,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct FlatStruct {
    id: u8,
    #[serde(flatten)]
    named: Named,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct FlatMap {
    id: u8,
    #[serde(flatten)]
    rest: BTreeMap<String, u8>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct FlatKeyedMap {
    id: u8,
    #[serde(flatten)]
    rest: BTreeMap<u32, u8>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct FlatValues {
    id: u8,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct FlatSeveral {
    #[serde(flatten)]
    one: Named,
    #[serde(flatten)]
    other: Renamed,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct FlatOption {
    id: u8,
    #[serde(flatten)]
    named: Option<Renamed>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct FlatStructAndMap {
    #[serde(flatten)]
    named: Named,
    #[serde(flatten)]
    rest: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct FlatEnum {
    id: u8,
    #[serde(flatten)]
    of: Internal,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct FlatExternal {
    id: u8,
    #[serde(flatten)]
    of: External,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct FlatUntagged {
    id: u8,
    #[serde(flatten)]
    of: OneOrOther,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct FlatEnums {
    #[serde(flatten)]
    one: Internal,
    #[serde(flatten)]
    other: External,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct FlatEnumAndMap {
    #[serde(flatten)]
    of: NumberOrName,
    #[serde(flatten)]
    rest: BTreeMap<String, u8>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct FlatUntaggedAndValues {
    #[serde(flatten)]
    of: NumberOrName,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum NumberOrName {
    Number { one: u8 },
    Name { other: String },
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged, deny_unknown_fields)]
pub(crate) enum OneOrOther {
    One { one: u8 },
    Other { other: u8 },
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FlatStrict {
    id: u8,
    #[serde(flatten)]
    named: Named,
}

#[derive(Debug, Deserialize, JsonSchema, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Color {
    Red,
    DarkBlue,
}

#[derive(Debug, Deserialize, JsonSchema, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Documented {
    /// It is on.
    On,
    /// It is off.
    #[serde(alias = "out")]
    Off,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) enum WithOther {
    Known,
    #[serde(other)]
    Else,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "kind")]
pub(crate) enum WithOtherTagged {
    Known {
        a: u8,
    },
    #[serde(other)]
    Else,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", rename_all_fields = "camelCase")]
pub(crate) enum External {
    Nothing,
    Newtype(u8),
    Pair(i8, String),
    Fields { size_of: u32, note: Option<String> },
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Internal {
    Nothing,
    Nested(Named),
    Fields { size: u64, ratio: f32 },
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "kind")]
pub(crate) enum InternalOfMap {
    Map(BTreeMap<String, u8>),
    Unit(Unit),
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "kind")]
pub(crate) enum InternalOfMaps {
    Map(BTreeMap<String, u8>),
    Any(BTreeMap<String, Value>),
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "kind")]
pub(crate) enum InternalOfKeys {
    Keyed { keyed: BTreeMap<u32, u8> },
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "kind")]
pub(crate) enum InternalOfNumber {
    Nothing,
    Number(u8),
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "kind", content = "of")]
pub(crate) enum Adjacent {
    Nothing,
    Newtype(u16),
    Pair(u8, u8),
    Fields { size: u32 },
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "kind", content = "of", deny_unknown_fields)]
pub(crate) enum AdjacentStrict {
    Nothing,
    Newtype(u16),
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Untagged {
    Number(u8),
    Word(String),
    List(Vec<i64>),
    Named(Named),
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum UntaggedNumbers {
    Integer(i64),
    Float(f64),
    Null,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum UntaggedValue {
    Small(u8),
    Any(Value),
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum UntaggedWide {
    Wide(u128),
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum UntaggedSwallows {
    Less { a: u8 },
    More { a: u8, b: u8 },
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum UntaggedList {
    Range(Transposed),
    List(Vec<u8>),
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Transposed {
    a: u8,
    b: u8,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum UntaggedKeys {
    Keyed(BTreeMap<u32, u8>),
    Named(BTreeMap<String, String>),
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum UntaggedTimes {
    Time(std::time::Duration),
    Address(SocketAddr),
    Ip(std::net::IpAddr),
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Branch {
    value: i32,
    children: Vec<Branch>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Ping {
    pong: Option<Box<Pong>>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Pong {
    ping: Ping,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "op", rename_all = "snake_case")]
pub(crate) enum Formula {
    Number { value: f64 },
    Not { of: Box<Formula> },
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(try_from = "u8")]
pub(crate) struct Even(u8);

impl TryFrom<u8> for Even {
    type Error = String;

    fn try_from(number: u8) -> Result<Self, String> {
        if number.is_multiple_of(2) { Ok(Self(number)) } else { Err(format!("{number} is odd")) }
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(from = "Newtype", into = "Newtype")]
pub(crate) struct From(u32);

impl std::convert::From<Newtype> for From {
    fn from(Newtype(number): Newtype) -> Self {
        Self(number)
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct With {
    #[serde(deserialize_with = "comma_separated")]
    #[schemars(with = "String")]
    list: Vec<String>,
}

fn comma_separated<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let text = String::deserialize(deserializer)?;
    Ok(text.split(',').map(str::to_owned).collect())
}

/// Of another crate, say.
#[derive(Debug)]
pub(crate) struct Foreign {
    x: u8,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(remote = "Foreign")]
pub(crate) struct ForeignDef {
    x: u8,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Remote {
    #[serde(with = "ForeignDef")]
    foreign: Foreign,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Borrowing {
    text: Cow<'static, str>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Holder {
    to: SocketAddr,
    by: BTreeMap<u8, Vec<Documented>>,
    on: Option<BTreeMap<bool, char>>,
}

/// A number as a key.
#[derive(Debug, Deserialize, JsonSchema, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key(u8);

/// Something with docs.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Either {
    Text(String),
    Many(Vec<String>),
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct FlatAddresses {
    by: std::net::IpAddr,
    #[serde(flatten)]
    address: Address,
    #[serde(flatten)]
    other: TaggedAddress,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Address {
    to: SocketAddr,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "kind", content = "of")]
pub(crate) enum TaggedAddress {
    Nothing,
    Socket(SocketAddr),
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum UntaggedFloats {
    Single(f32),
    Double(f64),
}
