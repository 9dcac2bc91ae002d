//! The rows of the table: one type each, with values that it takes and values that are refused.

use std::{
    borrow::Cow,
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, BinaryHeap, LinkedList, VecDeque},
    marker::PhantomData,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6},
    num::{NonZeroI8, NonZeroU8, Wrapping},
    ops::{Bound, Range, RangeInclusive},
    path::PathBuf,
    sync::{Arc, Mutex, atomic::AtomicU8},
    time::{Duration, SystemTime},
};

use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Utc, Weekday};
use serde_json::{Map, Number, Value};
use tool_gate::{BuildError, Registry, tool};
use url::Url;
use uuid::Uuid;

use crate::kinds::*;

/// One type.
pub(crate) struct Row {
    pub(crate) group: &'static str,
    pub(crate) tool: &'static str,
    /// The type, or for one of our own what is particular about it.
    pub(crate) label: &'static str,
    pub(crate) build: fn() -> Result<Registry<()>, BuildError>,
    pub(crate) takes: &'static [&'static str],
    pub(crate) refuses: &'static [&'static str],
    pub(crate) remark: &'static str,
}

macro_rules! rows {
    ($($group:literal {
        $($tool:ident: $type:ty = $label:literal, [$($takes:literal),*], [$($refuses:literal),*], $remark:literal;)*
    })*) => {
        $($(
            /// Takes one value.
            #[tool]
            fn $tool(value: $type) -> String {
                format!("{value:?}")
            }
        )*)*

        /// All of them, in the order of the page.
        pub(crate) fn rows() -> Vec<Row> {
            vec![$($(
                Row {
                    group: $group,
                    tool: stringify!($tool),
                    label: $label,
                    build: || Registry::builder().tool::<$tool>().build(),
                    takes: &[$($takes),*],
                    refuses: &[$($refuses),*],
                    remark: $remark,
                },
            )*)*]
        }
    };
}

rows! {
    "Numbers" {
        of_u8: u8 = "u8", ["5", "5.0", "1e2", "-0"], ["256", "-1", "0.5", r#""5""#], "`u16`, `u32` and all others with the bounds of theirs";
        of_i64: i64 = "i64", ["-9223372036854775808", "9007199254740993.0"], ["9223372036854775808"], "exact, however it is written";
        of_u64: u64 = "u64, usize", ["18446744073709551615"], ["18446744073709551616"], "";
        of_u128: u128 = "u128", ["18446744073709551615"], ["18446744073709551616"], "at most 64 bits: beyond them few readers of JSON are exact";
        of_i128: i128 = "i128", ["-9223372036854775808"], ["9223372036854775808"], "the same";
        of_non_zero: NonZeroU8 = "NonZeroU8", ["1"], ["0", "256"], "";
        of_non_zero_i: NonZeroI8 = "NonZeroI8", ["-128"], ["0", "128"], "";
        of_f32: f32 = "f32", ["0.1", "1e38"], ["1e39", "NaN", r#""1""#], "there is no NaN in JSON, and no infinity";
        of_f64: f64 = "f64", ["1", "1e300"], ["1e400"], "";
        of_wrapping: Wrapping<u8> = "Wrapping<u8>", ["255"], ["256"], "";
        of_reverse: Reverse<u8> = "Reverse<u8>", ["1"], ["256"], "";
        of_atomic: AtomicU8 = "AtomicU8", ["1"], ["256"], "";
        of_number: Number = "serde_json::Number", ["1", "0.5"], [r#""1""#], "";
    }
    "Text and scalars" {
        of_bool: bool = "bool", ["true"], ["1", r#""true""#], "";
        of_char: char = "char", [r#""é""#], [r#""ab""#, r#""""#], "";
        of_string: String = "String", [r#""""#, r#""a\n""#], ["5", "null"], "also `&str`, `Box<str>`, `Arc<str>`";
        of_cow: Cow<'static, str> = "Cow<'static, str>", [r#""a""#], ["5"], "";
        of_path: PathBuf = "PathBuf", [r#""/a/b""#], ["5"], "also `&Path`";
        of_c_string: std::ffi::CString = "CString", [r#""a""#, "[97]"], [r#""\u0000""#, "[0]"], "";
        of_unit: () = "()", ["null"], ["{}"], "";
        of_phantom: PhantomData<u8> = "PhantomData<T>", ["null"], ["{}"], "";
        of_uuid: Uuid = "uuid::Uuid", [r#""6fa459ea-ee8a-3ca4-894e-db77e160355e""#], [r#""6fa459eaee8a3ca4894edb77e160355e""#], "with its strokes";
        of_url: Url = "url::Url", [r#""https://example.org/a?b""#, r#""urn:x""#], [r#""/a""#, r#""http://a b""#, r#""http://a:99999""#], "what RFC 3986 takes and the URL standard does not is refused in the type's words";
    }
    "Optional" {
        of_option: Option<u8> = "Option<u8>", ["null", "1"], ["256"], "or absent";
        of_options: Option<Option<u8>> = "Option<Option<u8>>", ["null", "1"], ["256"], "`null` and absence are both `None`";
    }
    "Sequences" {
        of_vec: Vec<u8> = "Vec<u8>", ["[]", "[1.0, 2]"], ["[256]", "{}"], "also `&[T]`, `Box<[T]>`";
        of_deque: VecDeque<u8> = "VecDeque<u8>", ["[1]"], ["[256]"], "";
        of_list: LinkedList<u8> = "LinkedList<u8>", ["[1]"], ["[256]"], "";
        of_heap: BinaryHeap<u8> = "BinaryHeap<u8>", ["[1]"], ["[256]"], "";
        of_set: BTreeSet<u8> = "BTreeSet<u8>, HashSet<u8>", ["[2, 1]"], ["[1, 1.0]"], "serde would drop the second";
        of_array: [u8; 2] = "[u8; 2]", ["[1, 2]"], ["[1]", "[1, 2, 3]"], "";
        of_tuple: (u8, String) = "(u8, String)", [r#"[1, "a"]"#], ["[1]", r#"["a", 1]"#], "";
    }
    "Maps" {
        of_map: BTreeMap<String, u8> = "BTreeMap<String, u8>, HashMap<…>", [r#"{"a b": 1.0}"#], [r#"{"a": 256}"#], "";
        of_map_u8: BTreeMap<u8, bool> = "BTreeMap<u8, bool>", [r#"{"0": true, "255": true}"#], [r#"{"256": true}"#, r#"{"01": true}"#, r#"{"+1": true}"#, r#"{"-0": true}"#, r#"{"1.0": true}"#], "one way to write each";
        of_map_u32: BTreeMap<u32, bool> = "BTreeMap<u32, bool>", [r#"{"4294967295": true}"#], [r#"{"4294967296": true}"#], "";
        of_map_i64: BTreeMap<i64, bool> = "BTreeMap<i64, bool>", [r#"{"-9223372036854775808": true}"#], [r#"{"9223372036854775808": true}"#], "";
        of_map_u128: BTreeMap<u128, bool> = "BTreeMap<u128, bool>", [r#"{"18446744073709551616": true}"#], [r#"{"100000000000000000000000000000000000000": true}"#], "keys of up to 38 digits";
        of_map_non_zero: BTreeMap<NonZeroU8, bool> = "BTreeMap<NonZeroU8, bool>", [r#"{"1": true}"#], [r#"{"0": true}"#, r#"{"-1": true}"#], "";
        of_map_newtype: BTreeMap<Key, bool> = "BTreeMap<Newtype(u8), bool>", [r#"{"7": true}"#], [r#"{"256": true}"#], "";
        of_map_bool: BTreeMap<bool, u8> = "BTreeMap<bool, u8>", [r#"{"true": 1}"#], [r#"{"yes": 1}"#], "";
        of_map_char: BTreeMap<char, u8> = "BTreeMap<char, u8>", [r#"{"é": 1}"#], [r#"{"ab": 1}"#, r#"{"": 1}"#], "";
        of_map_enum: BTreeMap<Color, u8> = "BTreeMap<Color, u8>", [r#"{"dark_blue": 1}"#], [r#"{"blue": 1}"#], "a unit enum";
        of_map_documented: BTreeMap<Documented, u8> = "BTreeMap<Documented, u8>", [r#"{"on": 1, "out": 2}"#], [r#"{"up": 1}"#], "a unit enum with docs on its variants; aliases are keys as well";
        of_map_uuid: BTreeMap<Uuid, u8> = "BTreeMap<Uuid, u8>", [r#"{"6fa459ea-ee8a-3ca4-894e-db77e160355e": 1}"#], [r#"{"6fa459ea": 1}"#], "";
        of_map_date: BTreeMap<NaiveDate, u8> = "BTreeMap<NaiveDate, u8>", [r#"{"2026-02-28": 1}"#], [r#"{"2026-2-28": 1}"#], "";
        of_map_ip: BTreeMap<IpAddr, u8> = "BTreeMap<IpAddr, u8>", [r#"{"::1": 1}"#], [r#"{"localhost": 1}"#], "";
        of_maps: BTreeMap<u8, BTreeMap<bool, Vec<SocketAddr>>> = "BTreeMap<u8, BTreeMap<bool, Vec<SocketAddr>>>", [r#"{"1": {"true": ["[::1]:80"]}}"#], [r#"{"1": {"yes": []}}"#, r#"{"256": {}}"#, r#"{"1": {"true": ["x"]}}"#], "";
        of_json_map: Map<String, Value> = "serde_json::Map", [r#"{"a": [1.0]}"#], ["[]"], "";
        of_value: Value = "serde_json::Value", ["5.0", r#"{"a": null}"#], ["NaN"], "";
    }
    "Pointers and cells" {
        of_box: Box<Named> = "Box<T>", [r#"{"a": 1}"#], ["[]"], "also `Arc<T>` with serde's `rc`";
        of_arc: Arc<str> = "Arc<str>", [r#""a""#], ["1"], "";
        of_mutex: Mutex<u8> = "Mutex<T>, RwLock<T>", ["1"], ["256"], "`Cell` and `Rc` cannot be sent between threads";
    }
    "Time" {
        of_duration: Duration = "Duration", [r#"{"secs": 1, "nanos": 5}"#, r#"{"secs": 18446744073709551615, "nanos": 999999999}"#], [r#"{"secs": 1, "nanos": 1000000000}"#, r#"{"secs": 1, "nanos": 0, "ms": 1}"#, r#"{"secs": 1}"#], "serde would carry the nanoseconds over, and overflow";
        of_system_time: SystemTime = "SystemTime", [r#"{"secs_since_epoch": 1, "nanos_since_epoch": 5}"#], [r#"{"secs_since_epoch": 9223372036854775808, "nanos_since_epoch": 0}"#], "as far as the platform's clock goes";
        of_date: NaiveDate = "chrono::NaiveDate", [r#""2024-02-29""#], [r#""2026-02-29""#, r#""2026-1-3""#, r#"" 2026-01-03""#], "";
        of_time: NaiveTime = "chrono::NaiveTime", [r#""09:30:00""#, r#""23:59:60.5""#], [r#""09:30""#, r#""24:00:00""#], "";
        of_date_time: NaiveDateTime = "chrono::NaiveDateTime", [r#""2024-02-29T09:30:00""#], [r#""2026-02-29T09:30:00""#, r#""2026-02-28T09:30:00Z""#, r#""2026-02-28 09:30:00""#], "";
        of_utc: DateTime<Utc> = "chrono::DateTime<Utc>", [r#""2026-02-28T09:30:00+01:00""#], [r#""2026-02-28T09:30:00""#, r#""2026-02-28 09:30:00Z""#, r#""2026-02-28T24:00:00Z""#], "";
        of_fixed: DateTime<FixedOffset> = "chrono::DateTime<FixedOffset>", [r#""2026-02-28T09:30:00+01:00""#], [r#""2026-02-28T09:30:00""#], "";
        of_weekday: Weekday = "chrono::Weekday", [r#""Mon""#], [r#""Monday""#], "";
        of_delta: TimeDelta = "chrono::TimeDelta", ["[1, 5]", "[-9223372036854775, 0]"], ["[9223372036854775, 0]", "[1, 1000000000]", "[1]"], "all that it holds but its last second";
    }
    "Addresses" {
        of_ip: IpAddr = "IpAddr", [r#""192.0.2.1""#, r#""::ffff:192.0.2.1""#], [r#""192.0.2.256""#, r#""fe80::1%eth0""#], "";
        of_ip_v4: Ipv4Addr = "Ipv4Addr", [r#""192.0.2.1""#], [r#""192.0.2.01""#], "";
        of_ip_v6: Ipv6Addr = "Ipv6Addr", [r#""2001:db8::1""#], [r#""1::2::3""#], "";
        of_socket: SocketAddr = "SocketAddr", [r#""192.0.2.1:80""#, r#""[::1]:80""#], [r#""192.0.2.1""#, r#""192.0.2.1:65536""#, r#""localhost:80""#, r#""[fe80::1%1]:80""#], "no scopes, and no IPv4 inside IPv6";
        of_socket_v4: SocketAddrV4 = "SocketAddrV4", [r#""192.0.2.1:80""#], [r#""[::1]:80""#], "";
        of_socket_v6: SocketAddrV6 = "SocketAddrV6", [r#""[::1]:80""#], [r#""192.0.2.1:80""#], "";
    }
    "Of the standard library" {
        of_range: Range<u8> = "Range<u8>", [r#"{"start": 1, "end": 5}"#], [r#"{"start": 1}"#, "[1, 5]"], "";
        of_range_inclusive: RangeInclusive<u8> = "RangeInclusive<u8>", [r#"{"start": 1, "end": 5}"#], [r#"{"start": 1, "end": 256}"#], "";
        of_bound: Bound<u8> = "Bound<u8>", [r#"{"Included": 1}"#, r#""Unbounded""#], [r#"{"Included": 256}"#, r#"{"Unbounded": null}"#], "";
        of_result: Result<u8, String> = "Result<u8, String>", [r#"{"Ok": 1}"#], [r#"{"Ok": 1, "Err": "a"}"#], "";
    }
    "Structs" {
        of_named: Named = "struct { a: u8, b: Option<String> }", [r#"{"a": 1}"#, r#"{"a": 1, "b": null}"#], [r#"{"a": 1, "c": 2}"#, "{}", r#"[1, "x"]"#], "closed, and never an array";
        of_strict: Strict = "#[serde(deny_unknown_fields)]", [r#"{"a": 1}"#], [r#"{"a": 1, "c": 2}"#, "[1]"], "the same: all are closed";
        of_newtype: Newtype = "struct (u32)", ["1"], ["[1]"], "";
        of_pair: Pair = "struct (u8, String)", [r#"[1, "a"]"#], ["[1]"], "";
        of_unit_struct: Unit = "struct;", ["null"], ["{}"], "";
        of_transparent: Transparent = "#[serde(transparent)]", ["1"], [r#"{"inner": 1}"#], "";
        of_generic: Generic<i8> = "Generic<i8>", [r#"{"of": [1]}"#], [r#"{"of": [128]}"#], "";
        of_renamed: Renamed = "#[serde(rename_all, rename)]", [r#"{"orderId": 1, "type": 2}"#], [r#"{"order_id": 1, "type": 2}"#], "";
        of_aliased: Aliased = "#[serde(alias = \"zip\")]", [r#"{"post_code": 1}"#], [r#"{"zip": 1}"#, r#"{"post_code": 1, "zip": 1}"#], "only the published name is taken";
        of_defaulted: Defaulted = "#[serde(default)] on fields", ["{}", r#"{"a": 1}"#], [r#"{"a": null}"#], "";
        of_all_defaulted: AllDefaulted = "#[serde(default)] on the struct", ["{}", r#"{"inner": {}}"#], [r#"{"inner": null}"#], "";
        of_skipped: Skipped = "#[serde(skip)]", [r#"{"a": 1}"#], [r#"{"a": 1, "b": 1}"#], "a skipped field is undeclared";
        of_with: With = "#[serde(deserialize_with)] #[schemars(with)]", [r#"{"list": "a,b"}"#], [r#"{"list": ["a"]}"#], "what `schemars(with)` says is what is checked";
        of_from: From = "#[serde(from = \"Newtype\")]", ["1"], ["4294967296"], "";
        of_try_from: Even = "#[serde(try_from = \"u8\")]", ["2"], ["256", "1"], "what the conversion refuses is refused in its words";
        of_remote: Remote = "#[serde(with = \"ForeignDef\")] (remote)", [r#"{"foreign": {"x": 1}}"#], [r#"{"foreign": {"y": 1}}"#], "";
        of_branch: Branch = "recursive", [r#"{"value": 1, "children": [{"value": 2.0, "children": []}]}"#], [r#"{"value": 1, "children": [{}]}"#], "to the depth that `Limits` allows";
        of_ping: Ping = "mutually recursive", [r#"{"pong": {"ping": {}}}"#], [r#"{"pong": {}}"#], "";
        of_holder: Holder = "all of it, inside one another", [r#"{"to": "[::1]:1", "by": {"7": ["on"]}, "on": {"true": "é"}}"#], [r#"{"to": "x", "by": {}}"#, r#"{"to": "[::1]:1", "by": {"256": []}}"#, r#"{"to": "[::1]:1", "by": {}, "on": {"true": "éé"}}"#], "";
    }
    "#[serde(flatten)]" {
        of_flat: FlatStruct = "a struct", [r#"{"id": 1, "a": 2.0}"#], [r#"{"id": 1}"#, r#"{"id": 1, "a": 2, "c": 3}"#], "";
        of_flat_several: FlatSeveral = "several structs", [r#"{"a": 1, "orderId": 2, "type": 3}"#], [r#"{"a": 1}"#], "";
        of_flat_map: FlatMap = "a map", [r#"{"id": 1, "x": 2.0}"#], [r#"{"id": 1, "x": "y"}"#], "";
        of_flat_both: FlatStructAndMap = "a struct and a map", [r#"{"a": 1, "x": "y"}"#], [r#"{"a": 1, "x": 1}"#], "the map has what is left";
        of_flat_values: FlatValues = "serde_json::Map", [r#"{"id": 1, "x": [2]}"#], ["{}"], "";
        of_flat_internal: FlatEnum = "an internally tagged enum", [r#"{"id": 1, "kind": "nested", "a": 2}"#], [r#"{"id": 1, "kind": "nothing", "a": 2}"#], "";
        of_flat_external: FlatExternal = "an externally tagged enum", [r#"{"id": 1, "newtype": 2}"#], [r#"{"id": 1, "newtype": 2, "pair": [1, "a"]}"#], "";
        of_flat_untagged: FlatUntagged = "an untagged enum", [r#"{"id": 1, "one": 2.0}"#], [r#"{"id": 1, "one": 2, "other": 3}"#], "";
        of_flat_enums: FlatEnums = "two enums", [r#"{"kind": "nothing", "newtype": 1.0}"#], [r#"{"kind": "nothing"}"#, r#"{"kind": "nothing", "newtype": 1, "a": 2}"#], "";
        of_flat_untagged_map: FlatUntaggedAndValues = "an untagged enum and a serde_json::Map", [r#"{"one": 2.0, "x": [1]}"#], [r#"{"x": 1}"#], "the map has the fields of the enum as well";
        of_flat_addresses: FlatAddresses = "a struct and an enum that hold addresses", [r#"{"to": "[::1]:80", "by": "::1", "kind": "Socket", "of": "192.0.2.1:80"}"#], [r#"{"to": "x", "by": "::1", "kind": "Nothing"}"#, r#"{"to": "[::1]:80", "by": "::1", "kind": "Socket", "of": "x"}"#], "";
        of_flat_strict: FlatStrict = "a struct, and deny_unknown_fields", [r#"{"id": 1, "a": 2}"#], [r#"{"id": 1, "a": 2, "c": 3}"#], "";
    }
    "Enums" {
        of_units: Color = "units", [r#""dark_blue""#], [r#""DarkBlue""#, r#"{"red": null}"#], "";
        of_documented: Documented = "units with docs, one with an alias", [r#""on""#], [r#""out""#], "one `enum`; only the published name is taken";
        of_other: WithOther = "#[serde(other)]", [r#""Known""#, r#""Else""#], [r#""other""#], "only what is published";
        of_external: External = "externally tagged", [r#""nothing""#, r#"{"newtype": 1.0}"#, r#"{"pair": [1, "a"]}"#, r#"{"fields": {"sizeOf": 1}}"#], [r#"{"nothing": null}"#, r#"{"fields": {"size_of": 1}}"#], "also with `rename_all_fields`";
        of_internal: Internal = "internally tagged", [r#"{"kind": "nested", "a": 1.0}"#, r#"{"size": 1e2, "ratio": 1, "kind": "fields"}"#], [r#"{"kind": "nothing", "a": 1}"#, r#"{"kind": "fields", "size": 1, "ratio": 1e39}"#, r#"["nothing"]"#], "";
        of_internal_map: InternalOfMap = "internally tagged, a map in it", [r#"{"kind": "Map", "x": 1.0}"#, r#"{"kind": "Unit"}"#], [r#"{"kind": "Unit", "x": 1}"#], "";
        of_internal_maps: InternalOfMaps = "internally tagged, a map of numbers and one of values", [r#"{"kind": "Map", "x": 1.0}"#, r#"{"kind": "Any", "x": 1.0}"#], [r#"{"kind": "Map", "x": 0.5}"#], "only the variant that is meant makes integers";
        of_internal_other: WithOtherTagged = "internally tagged, #[serde(other)]", [r#"{"kind": "Else"}"#], [r#"{"kind": "else"}"#], "";
        of_adjacent: Adjacent = "adjacently tagged", [r#"{"of": 1.0, "kind": "Newtype"}"#, r#"{"kind": "Nothing"}"#], [r#"{"kind": "Nothing", "of": null}"#, r#"{"kind": "Pair", "of": [1]}"#], "";
        of_adjacent_strict: AdjacentStrict = "adjacently tagged, deny_unknown_fields", [r#"{"kind": "Newtype", "of": 1}"#], [r#"{"kind": "Newtype", "of": 1, "x": 2}"#], "";
        of_untagged: Untagged = "untagged", ["5.0", r#""a""#, "[1.0]", r#"{"a": 1}"#], ["256", "null", r#"{"a": 1, "c": 2}"#], "";
        of_untagged_numbers: UntaggedNumbers = "untagged: i64, f64, unit", ["5.0", "5.5", "9223372036854775808", "null"], ["true"], "the first variant that fits";
        of_untagged_value: UntaggedValue = "untagged: u8, Value", ["5.0", "256", "[]"], ["NaN"], "";
        of_untagged_texts: UntaggedTimes = "untagged: Duration, SocketAddr, IpAddr", [r#""192.0.2.1:80""#, r#""::1""#, r#"{"secs": 1, "nanos": 0}"#], [r#""localhost""#, r#"{"secs": 1, "nanos": 1000000000}"#], "";
        of_either: Either = "untagged: String, Vec<String>", [r#""a""#, r#"["a"]"#], ["1"], "";
        of_formula: Formula = "recursive", [r#"{"op": "not", "of": {"op": "number", "value": 1}}"#], [r#"{"op": "not"}"#], "";
    }
    "Refused when the registry is built" {
        bad_flat_keys: FlatKeyedMap = "flattened: BTreeMap<u32, u8>", [], [], "";
        bad_internal_keys: InternalOfKeys = "internally tagged: BTreeMap<u32, u8>", [], [], "";
        bad_untagged_keys: UntaggedKeys = "untagged: BTreeMap<u32, u8>, BTreeMap<String, String>", [], [], "";
        bad_internal_number: InternalOfNumber = "internally tagged: Number(u8)", [], [], "";
        bad_flat_option: FlatOption = "flattened: Option<T>", [], [], "";
        bad_flat_enum: FlatEnumAndMap = "flattened: an untagged enum, BTreeMap<String, u8>", [], [], "";
        bad_wide: UntaggedWide = "untagged: u128", [], [], "";
        bad_swallows: UntaggedSwallows = "untagged: { a }, { a, b }", [], [], "";
        bad_single: UntaggedFloats = "untagged: f32, f64", [], [], "";
        bad_list: UntaggedList = "untagged: a struct { a, b }, Vec<u8>", [], [], "";
    }
}
