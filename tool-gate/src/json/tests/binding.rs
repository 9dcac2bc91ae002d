use std::{
    collections::{BTreeMap, HashMap},
    fmt::Debug,
    num::NonZeroU8,
    time::Duration,
};

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, value::RawValue};

use crate::{
    json::{Step, read, read_envelope, view},
    schema::Path,
};

/// What a type makes of a text: through the tape, and whether `serde_json` agrees.
fn same<T: DeserializeOwned + Debug>(text: &str) {
    let tape = read(text, 64).unwrap();
    let ours = T::deserialize(tape.root());
    let theirs = serde_json::from_str::<T>(text);
    match (&ours, &theirs) {
        (Ok(ours), Ok(theirs)) => assert_eq!(format!("{ours:?}"), format!("{theirs:?}"), "{text}"),
        (Err(_), Err(_)) => {}
        _ => panic!("{text}: {ours:?}, and serde_json: {theirs:?}"),
    }
}

fn bind<T: DeserializeOwned>(text: &str) -> T {
    let tape = read(text, 64).unwrap();
    T::deserialize(tape.root()).unwrap_or_else(|refused| panic!("{text}: {refused}"))
}

fn refused<T: DeserializeOwned + Debug>(text: &str) -> (String, String) {
    let tape = read(text, 64).unwrap();
    let (path, message) = T::deserialize(tape.root()).unwrap_err().into_parts();
    (dotted(&path), message)
}

fn dotted(path: &Path) -> String {
    let steps: Vec<String> = path.segments().iter().map(|segment| format!("{segment:?}")).collect();
    steps.join(" ")
}

#[derive(Debug, Deserialize)]
#[allow(dead_code, reason = "looked at through `Debug`")]
struct Order {
    id: String,
    #[serde(default)]
    items: Vec<Item>,
    note: Option<String>,
    address: Option<Box<Address>>,
    weight: f64,
    ratio: f32,
    code: char,
    pair: (u8, String),
    big: u64,
    small: i64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "looked at through `Debug`")]
struct Item {
    sku: String,
    #[serde(rename = "qty", alias = "quantity")]
    count: NonZeroU8,
}

#[derive(Debug, Deserialize)]
#[allow(dead_code, reason = "looked at through `Debug`")]
struct Address {
    city: String,
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(dead_code, reason = "looked at through `Debug`")]
enum External {
    Unit,
    New(u32),
    Tuple(u8, String),
    Struct { a: u8, b: Option<u8> },
}

#[derive(Debug, Deserialize)]
#[serde(tag = "kind")]
#[allow(dead_code, reason = "looked at through `Debug`")]
enum Internal {
    Unit,
    New(Small),
    Struct { a: u8, b: f64, c: Option<External> },
}

#[derive(Debug, Deserialize)]
#[serde(tag = "t", content = "c")]
#[allow(dead_code, reason = "looked at through `Debug`")]
enum Adjacent {
    Unit,
    New(Small),
    Tuple(u8, i64),
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
#[allow(dead_code, reason = "looked at through `Debug`")]
enum Untagged {
    Number(u32),
    Float(f64),
    Text(String),
    Many(Vec<Untagged>),
    Struct { a: u8 },
}

#[derive(Debug, Deserialize)]
#[allow(dead_code, reason = "looked at through `Debug`")]
struct Small {
    a: u8,
}

#[derive(Debug, Deserialize, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[serde(rename_all = "lowercase")]
enum Colour {
    Red,
    Blue,
}

#[derive(Debug, Deserialize, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Id(u32);

#[derive(Debug, Deserialize)]
struct Nothing;

#[test]
fn ordinary_values_bind_as_with_serde_json() {
    same::<Order>(
        r#"{"id":"a\nb","items":[{"sku":"x","qty":3},{"sku":"y","quantity":1}],"note":null,"address":{"city":"Bern","zip":[1,2.5],
        "deep":{"a":null}},"weight":1.25,"ratio":0.1,"code":"é","pair":[7,"z"],"big":18446744073709551615,"small":-9223372036854775808,
        "unknown":{"skipped":[1,2,{"a":1}]}}"#,
    );
    same::<Order>(r#"["id",[["x",1]],null,null,1,1,"c",[1,"z"],1,1]"#);
    same::<Order>(r#"{"id":"a"}"#);
    for text in [r#"[1,"a"]"#, "[1]", r#"[1,"a",2]"#, r#"{"0":1}"#, "[]", "1", "\"a\"", "[256,\"a\"]"] {
        same::<(u8, String)>(text);
        same::<[Value; 2]>(text);
    }
    for text in ["null", "{}", "[]", "[null]", "1", "\"\"", "true", "-1", "1.5"] {
        same::<()>(text);
        same::<Nothing>(text);
        same::<Option<i8>>(text);
        same::<Option<()>>(text);
        same::<bool>(text);
        same::<String>(text);
        same::<Vec<u8>>(text);
        same::<char>(text);
        same::<f64>(text);
        same::<f32>(text);
        same::<Value>(text);
        same::<serde::de::IgnoredAny>(text);
        same::<BTreeMap<String, Value>>(text);
        same::<Box<Id>>(text);
    }
}

#[test]
fn every_enum_form_binds_as_with_serde_json() {
    for text in [
        r#""unit""#,
        r#"{"unit":null}"#,
        r#"{"unit":1}"#,
        r#""new""#,
        r#"{"new":7}"#,
        r#"{"new":-7}"#,
        r#"{"tuple":[1,"a"]}"#,
        r#"{"tuple":[1]}"#,
        r#"{"tuple":[1,"a",2]}"#,
        r#"{"tuple":1}"#,
        r#""tuple""#,
        r#"{"struct":{"a":1}}"#,
        r#"{"struct":[1,2]}"#,
        r#"{"struct":{"b":1}}"#,
        r#"{"struct":{"a":1},"more":1}"#,
        r#""struct""#,
        r#""other""#,
        r#"{"other":1}"#,
        "{}",
        "[]",
        "1",
        "null",
    ] {
        same::<External>(text);
        same::<Option<External>>(text);
    }
    for text in [
        r#"{"kind":"Unit"}"#,
        r#"{"a":1,"kind":"New"}"#,
        r#"{"kind":"Struct","a":1,"b":2,"c":{"new":3}}"#,
        r#"{"kind":"Struct","a":1,"b":2.5,"c":"unit"}"#,
        r#"{"kind":"Struct","a":"1","b":2.5}"#,
        r#"{"kind":"Other"}"#,
        r#"{"a":1}"#,
        r#"["Unit"]"#,
    ] {
        same::<Internal>(text);
    }
    for text in [
        r#"{"t":"Unit"}"#,
        r#"{"t":"New","c":{"a":1}}"#,
        r#"{"c":[1,-2],"t":"Tuple"}"#,
        r#"{"c":[1],"t":"Tuple"}"#,
        r#"{"t":"New"}"#,
    ] {
        same::<Adjacent>(text);
    }
    for text in ["7", "-7", "1.5", "\"x\"", r#"[1,"a",[2.5],{"a":1}]"#, "null", r#"{"a":300}"#, "4294967296"] {
        same::<Untagged>(text);
    }
}

#[test]
fn keys_bind_as_with_serde_json() {
    let keys = [
        "1",
        "-1",
        "01",
        "1.0",
        "1e0",
        "-0",
        " 1",
        "1 ",
        "+1",
        "",
        "true",
        "false",
        "red",
        "blue",
        "4294967296",
        "a",
        "0x1",
        "NaN",
        "18446744073709551615",
        "340282366920938463463374607431768211455",
        "-170141183460469231731687303715884105728",
        "1.5",
    ];
    for key in keys {
        let text = format!(r#"{{"{key}":1}}"#);
        same::<HashMap<u32, u8>>(&text);
        same::<HashMap<i64, u8>>(&text);
        same::<HashMap<u128, u8>>(&text);
        same::<HashMap<i128, u8>>(&text);
        same::<HashMap<bool, u8>>(&text);
        same::<HashMap<Colour, u8>>(&text);
        same::<HashMap<Id, u8>>(&text);
        same::<HashMap<Option<u8>, u8>>(&text);
        same::<HashMap<String, u8>>(&text);
        same::<HashMap<char, u8>>(&text);
    }
}

#[test]
fn integers_bind_exactly_however_they_are_written() {
    assert_eq!(bind::<Vec<u8>>("[5.0, 1e2, -0, 2.50e1, 0.0]"), [5, 100, 0, 25, 0]);
    assert_eq!(
        bind::<Vec<i64>>("[-0, -5.0, 9007199254740993.0, -9.223372036854775808e18]"),
        [0, -5, (1 << 53) + 1, i64::MIN]
    );
    assert_eq!(bind::<u64>("18446744073709551615.0"), u64::MAX);
    assert_eq!(bind::<u128>("340282366920938463463374607431768211455"), u128::MAX);
    assert_eq!(bind::<u128>("3.40282366920938463463374607431768211455e38"), u128::MAX);
    assert_eq!(bind::<i128>("-170141183460469231731687303715884105728.0"), i128::MIN);
    assert_eq!(bind::<i128>("-5.0"), -5);
    assert_eq!(bind::<Duration>(r#"{"secs":1e1,"nanos":5.0}"#), Duration::new(10, 5));
    assert_eq!(bind::<NonZeroU8>("3.0").get(), 3);

    let value = serde_json::json!([5.0, -3.0, 1e2]);
    let tape = view(&value, &[], 1).unwrap();
    assert_eq!(Vec::<i8>::deserialize(tape.root()).unwrap(), [5, -3, 100]);
}

#[test]
fn what_is_no_integer_of_the_type_is_refused() {
    let refusals = [
        (refused::<u8>("2.5"), "invalid type: floating point `2.5`, expected u8"),
        (refused::<u8>("256"), "invalid value: integer `256`, expected u8"),
        (refused::<u8>("-1.0"), "invalid value: integer `-1`, expected u8"),
        (refused::<u32>("4294967296.0"), "invalid value: integer `4294967296`, expected u32"),
        (refused::<u64>("18446744073709551616.0"), "invalid value: integer `18446744073709551616.0`, expected u64"),
        (refused::<i64>("1e300"), "invalid value: integer `1e300`, expected i64"),
        (refused::<u128>("1e300"), "invalid value: integer `1e300`, expected u128"),
        (refused::<u128>("-1e20"), "invalid value: integer `-1e20`, expected u128"),
        (refused::<u8>("true"), "invalid type: boolean `true`, expected u8"),
        (refused::<u8>("\"5\""), "invalid type: string \"5\", expected u8"),
        (refused::<String>("5"), "invalid type: integer `5`, expected a string"),
        (refused::<bool>("0"), "invalid type: integer `0`, expected a boolean"),
        (refused::<f32>("1e39"), "invalid value: floating point `1e39`, expected f32"),
    ];
    for ((path, message), expected) in refusals {
        assert_eq!((path.as_str(), message.as_str()), ("", expected));
    }
}

#[test]
fn floats_bind_as_written_and_rounded_once() {
    assert_eq!(bind::<f64>("0.1").to_bits(), 0.1_f64.to_bits());
    assert_eq!(bind::<f32>("0.1").to_bits(), 0.1_f32.to_bits());
    // Rounded to an `f64` first, this would be a tie and go the other way.
    let text = "1.00000017881393432617187499";
    assert_eq!(bind::<f32>(text).to_bits(), text.parse::<f32>().unwrap().to_bits());
    assert!(bind::<f64>("-0").is_sign_negative());
    assert_eq!(bind::<Value>("[1, -1, 1.0, 1e2]"), serde_json::json!([1, -1, 1.0, 100.0]));
}

#[test]
fn types_that_buffer_see_what_the_schema_saw() {
    let mut tape = read(r#"{"kind":"Struct","a":5.0,"b":2.0,"c":{"new":1e2}}"#, 64).unwrap();
    assert!(Internal::deserialize(tape.root()).is_err());
    let root = tape.root();
    let integers = [root.get("a").unwrap().index(), root.get("c").unwrap().get("new").unwrap().index()];
    tape.integers_exact(&integers);
    let bound = Internal::deserialize(tape.root()).unwrap();
    assert_eq!(format!("{bound:?}"), "Struct { a: 5, b: 2.0, c: Some(New(100)) }");
}

#[test]
fn a_refusal_says_where() {
    #[derive(Debug, Deserialize)]
    #[allow(dead_code, reason = "looked at through `Debug`")]
    struct Args {
        items: Vec<Item>,
        #[serde(default)]
        by_id: HashMap<u32, External>,
        #[serde(default)]
        limit: u32,
    }
    let cases = [
        (r#"{"items":[{"sku":"a","qty":1},{"sku":7,"qty":1}]}"#, r#"Key("items") Index(1) Key("sku")"#),
        (r#"{"items":[{"sku":"a","qty":0}]}"#, r#"Key("items") Index(0) Key("qty")"#),
        (r#"{"items":[{"sku":"a"}]}"#, r#"Key("items") Index(0)"#),
        (r#"{"items":[{"sku":"a","qty":1,"x":1}]}"#, r#"Key("items") Index(0)"#),
        (r#"{"items":[],"limit":4294967296}"#, r#"Key("limit")"#),
        (r#"{"items":[],"by_id":{"7":{"tuple":[1,2]}}}"#, r#"Key("by_id") Key("7") Key("tuple") Index(1)"#),
        (r#"{"items":[],"by_id":{"7":{"struct":{"a":-1}}}}"#, r#"Key("by_id") Key("7") Key("struct") Key("a")"#),
        (r#"{"items":[],"by_id":{"01":"unit"}}"#, r#"Key("by_id")"#),
        (r#"{"items":{}}"#, r#"Key("items")"#),
        ("[]", ""),
    ];
    for (text, path) in cases {
        assert_eq!(refused::<Args>(text).0, path, "{text}");
    }
    assert_eq!(refused::<Args>(cases[4].0).1, "invalid value: integer `4294967296`, expected u32");
    assert_eq!(refused::<Args>(cases[0].0).1, "invalid type: integer `7`, expected a string");
}

#[test]
fn a_message_is_bounded_on_a_character() {
    let text = format!("\"{}\"", "é".repeat(1000));
    let (_, message) = refused::<u8>(&text);
    assert!(message.starts_with("invalid type: string \"éé"));
    assert!((298..=300).contains(&message.len()), "{}", message.len());
}

#[test]
fn strings_and_bytes_are_lent() {
    #[derive(Deserialize)]
    struct Lent<'a> {
        plain: &'a str,
        escaped: &'a str,
        #[serde(borrow)]
        bytes: &'a [u8],
    }
    let tape = read(r#"{"plain":"abc","escaped":"a\nb","bytes":"xyz"}"#, 64).unwrap();
    let lent = Lent::deserialize(tape.root()).unwrap();
    assert_eq!((lent.plain, lent.escaped, lent.bytes), ("abc", "a\nb", &b"xyz"[..]));
}

#[test]
fn raw_values_bind_as_text() {
    let text = r#"{"a":[1,{"b":"c"}]}"#;
    let raw: BTreeMap<String, Box<RawValue>> = bind(text);
    assert_eq!(raw["a"].get(), r#"[1,{"b":"c"}]"#);
}

#[test]
fn a_captured_value_binds_too() {
    #[derive(Debug, Deserialize)]
    #[allow(dead_code, reason = "looked at through `Debug`")]
    struct Reply {
        a: BTreeMap<String, Vec<f64>>,
        b: External,
        c: Option<u8>,
        d: Option<External>,
    }
    let tape = read_envelope(
        r#"{"a":{"x":[1,2.0]},"b":"unit","c":null,"d":{"new":5}}"#,
        &[&[Step::Key("a")], &[Step::Key("b")], &[Step::Key("c")], &[Step::Key("d")]],
        1,
    )
    .unwrap();
    let reply = Reply::deserialize(tape.root()).unwrap();
    assert_eq!(format!("{reply:?}"), r#"Reply { a: {"x": [1.0, 2.0]}, b: Unit, c: None, d: Some(New(5)) }"#);
}
