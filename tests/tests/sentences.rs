//! What the model reads of a rejection, clause by clause.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use tool_gate::{
    English, Offer, Registry, Rejection, Select, Sentences, tool,
    wire::{self, Call},
};

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Status {
    Open,
    Shipped,
    Cancelled,
}

#[derive(Deserialize, JsonSchema)]
#[allow(dead_code, reason = "only its schema is looked at")]
struct Item {
    sku: String,
    #[serde(default)]
    count: u8,
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[allow(dead_code, reason = "only its schema is looked at")]
enum Payment {
    Card { last_digits: String },
    Invoice { due_days: u16 },
    Nothing,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[allow(dead_code, reason = "only its schema is looked at")]
enum Target {
    Everyone,
    Customer { id: u32 },
    Region(String),
}

macro_rules! options {
    ($($name:ident)*) => {
        #[derive(Deserialize, JsonSchema)]
        #[serde(rename_all = "snake_case")]
        enum Many { $($name),* }
    };
}

options! { Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron }

/// An address that its own type looks at.
#[derive(Deserialize, JsonSchema)]
#[serde(try_from = "String")]
struct Email(String);

impl TryFrom<String> for Email {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if text.contains('@') { Ok(Self(text)) } else { Err(format!("{text:?} has no @")) }
    }
}

/// Takes everything.
#[tool]
#[allow(clippy::too_many_arguments, reason = "one for each clause")]
fn everything(
    status: Option<Status>,
    many: Option<Many>,
    items: Option<Vec<Item>>,
    payment: Option<Payment>,
    target: Option<Target>,
    email: Option<Email>,
    by_sku: Option<BTreeMap<String, u8>>,
    pair: Option<(u8, String)>,
    #[arg(range = 0.5..2.0)] ratio: Option<f64>,
    #[arg(length = 2..=3)] code: Option<String>,
    #[arg(items = 1..=2)] list: Option<Vec<u8>>,
    #[arg(pattern = "^c-[0-9]+$")] customer: Option<String>,
    #[arg(format = "date")] day: Option<String>,
    #[arg(sensitive, length = 8..)] password: Option<String>,
    #[arg(sensitive)] secrets: Option<BTreeMap<String, u8>>,
    anything: Option<Value>,
) {
    let email = email.map(|Email(text)| text);
    let _ = (email, status, many, items, payment, target, by_sku, pair, ratio, code, list, customer, day, password);
    let _ = (secrets, anything);
}

/// Takes two, of which one is needed.
#[tool]
fn needs(order_id: &str, note: Option<String>) {
    let _ = (order_id, note);
}

/// Takes none.
#[tool]
fn nothing() {}

fn offer() -> Offer<()> {
    let registry = Registry::builder().tool::<everything>().tool::<needs>().tool::<nothing>().build();
    registry
        .unwrap_or_else(|error| panic!("{error}"))
        .offer(wire::Anthropic::default(), Select::All)
        .expect("all are offered")
}

fn refused(tool: &str, arguments: &str) -> Rejection {
    match offer().check(&Call::new(None, tool, arguments.into())) {
        Ok(_) => panic!("{tool} takes {arguments}"),
        Err(rejection) => rejection,
    }
}

#[test]
fn each_clause_has_its_sentence() {
    for (arguments, sentence) in [
        (r#"{"status": "shiped"}"#, "status must be one of shipped, open or cancelled. Received \"shiped\"."),
        (r#"{"status": 3}"#, "status must be one of open, shipped or cancelled. Received 3."),
        (
            r#"{"many": "lamda"}"#,
            "many must be one of lambda, gamma, kappa, alpha, beta, delta, zeta, eta, theta, iota, mu or nu (and 3 more). Received \"lamda\".",
        ),
        (r#"{"items": {"sku": "x"}}"#, "items must be an array or null. Received {\"sku\":\"x\"}."),
        (r#"{"items": [{"sku": "x"}, {"count": 1}]}"#, "items.1.sku is required."),
        (r#"{"items": [{"sku": "x", "count": 256}]}"#, "items.0.count must be at most 255. Received 256."),
        (
            r#"{"items": [{"sku": "x", "counts": 2}]}"#,
            "counts is not declared in items.0; did you mean count? Declared: sku, count.",
        ),
        (r#"{"items": [{"Sku": "x"}]}"#, "Sku is not declared in items.0, and sku is required. Declared: sku, count."),
        (
            r#"{"payment": {"kind": "crad", "last_digits": "1"}}"#,
            "payment.kind must be one of card, invoice or nothing. Received \"crad\".",
        ),
        (r#"{"payment": {"last_digits": "1"}}"#, "payment.kind is required."),
        (r#"{"payment": {"kind": "card"}}"#, "payment.last_digits is required."),
        (r#"{"payment": {"kind": "invoice", "due_days": -1}}"#, "payment.due_days must be at least 0. Received -1."),
        (r#"{"payment": "card"}"#, "payment must be an object or null. Received \"card\"."),
        (r#"{"target": {"customer": {"id": "7"}}}"#, "target.customer.id must be an integer. Received \"7\"."),
        (
            r#"{"target": {"custmer": {"id": 7}}}"#,
            "custmer is not declared in target; did you mean customer? Declared: customer, region.",
        ),
        (
            r#"{"target": "everybody"}"#,
            "target must be \"everyone\", an object with customer or an object with region. Received \"everybody\".",
        ),
        (r#"{"target": 7}"#, "target must be a string, an object or null. Received 7."),
        (r#"{"email": "ann"}"#, "email is not acceptable: \"ann\" has no @."),
        (r#"{"by_sku": {"a b": 1, "c": -1}}"#, "by_sku.c must be at least 0. Received -1."),
        (r#"{"by_sku": {"a </b>": -1}}"#, "by_sku.(key) must be at least 0. Received -1."),
        (r#"{"pair": [1]}"#, "pair must have at least 2 items. Received [1]."),
        (r#"{"pair": ["a", "b"]}"#, "pair.0 must be an integer. Received \"a\"."),
        (r#"{"ratio": 2}"#, "ratio must be less than 2. Received 2."),
        (r#"{"ratio": 0}"#, "ratio must be at least 0.5. Received 0."),
        (r#"{"ratio": true}"#, "ratio must be a number or null. Received true."),
        (r#"{"code": "x"}"#, "code must have at least 2 characters. Received \"x\"."),
        (r#"{"code": "wxyz"}"#, "code must have at most 3 characters. Received \"wxyz\"."),
        (r#"{"list": []}"#, "list must have at least 1 item. Received []."),
        (r#"{"customer": "c-x"}"#, "customer must match the pattern ^c-[0-9]+$. Received \"c-x\"."),
        (r#"{"day": "20260210"}"#, "day must be in the format date, such as 2026-02-10. Received \"20260210\"."),
        (r#"{"password": "secret"}"#, "password must have at least 8 characters. Received a string."),
        (r#"{"password": ["secret"]}"#, "password must be a string or null. Received an array."),
        (r#"{"secrets": {"my key": 300}}"#, "secrets.(key) must be at most 255. Received a number."),
        (r#"{"<b>": 1}"#, "one key is not declared. Declared: "),
    ] {
        let told = English.rejection(&refused("everything", arguments));
        let expected = format!("everything rejected: {sentence}");
        if sentence.ends_with(": ") {
            assert!(told.starts_with(&expected), "{arguments}\n{told}");
        } else {
            assert_eq!(told, expected, "{arguments}");
        }
    }
}

#[test]
fn a_missing_key_is_told_with_the_undeclared_one_it_resembles() {
    for (arguments, sentence) in [
        ("{}", "needs rejected: order_id is required."),
        ("", "needs rejected: order_id is required."),
        ("null", "needs rejected: order_id is required."),
        (
            r#"{"orderId": "1"}"#,
            "needs rejected: orderId is not declared, and order_id is required. Declared: order_id, note.",
        ),
        (
            r#"{"order_id": "1", "notes": ""}"#,
            "needs rejected: notes is not declared; did you mean note? Declared: order_id, note.",
        ),
        (r#"{"order_id": "1", "execute": true}"#, "needs rejected: execute is not declared. Declared: order_id, note."),
    ] {
        assert_eq!(English.rejection(&refused("needs", arguments)), sentence, "{arguments}");
    }
    assert_eq!(
        English.rejection(&refused("nothing", r#"{"verbose": true}"#)),
        "nothing rejected: verbose is not declared. No keys are declared."
    );
    assert_eq!(
        English.rejection(&refused("nothing", "[]")),
        "Arguments for nothing are an array, not a JSON object. Send an object with no keys."
    );
}

#[test]
fn each_fault_of_the_text_has_its_sentence() {
    for (arguments, sentence) in [
        (r#"{"ratio": NaN}"#, "NaN and Infinity are not JSON numbers, at byte 10"),
        (r#"{"ratio": 1e400}"#, "a number is too large, at byte 10"),
        (r#"{"code": "\ud800"}"#, "an escape is half of a surrogate pair, at byte 10"),
        (r#"{"code": "a", "code": "b"}"#, "a key stands twice in one object, at byte 14"),
        ("{\"code\": \"a\nb\"}", "a raw control character is in a string (write a line break as \\n), at byte 11"),
        (r#"{"code": "E:\Docs"}"#, "an escape is not one of JSON's (write a backslash as \\\\), at byte 12"),
        ("{'code': 1}", "strings take double quotes, at byte 1"),
        (r#"{"code": "a",}"#, "a comma has nothing after it, at byte 12"),
        (r#"{"code": "a"} {}"#, "something follows the first value, at byte 14"),
    ] {
        let told = English.rejection(&refused("everything", arguments));
        assert_eq!(told, format!("Arguments for everything are not valid JSON: {sentence}. Send one JSON object."));
    }
    let deep = format!("{}1{}", r#"{"anything":"#.repeat(65), "}".repeat(65));
    assert!(English.rejection(&refused("everything", &deep)).contains("it is nested too deep"));
    let long = format!(r#"{{"code": "{}"}}"#, "x".repeat(262_144));
    assert_eq!(
        English.rejection(&refused("everything", &long)),
        "Arguments for everything are longer than 262144 bytes. Send fewer items."
    );
}

#[test]
fn nothing_long_or_hidden_is_repeated() {
    let hostile = format!(r#"{{"code": "{}\u202e\u0007"}}"#, "🦀".repeat(500));
    let told = English.rejection(&refused("everything", &hostile));
    assert!(told.chars().count() < 250, "{told}");
    assert!(told.contains('…'));
    let name = format!("serch\u{202e}\n{}", "x".repeat(1_000));
    let told = English.rejection(&refused(&name, "{}"));
    assert!(told.starts_with("No tool named \"serch\u{fffd}\u{fffd}xxx"), "{told}");
    assert!(told.chars().count() < 200 && !told.contains('\n'), "{told}");
}

#[test]
fn a_rejection_is_data_that_survives_being_saved() {
    for (tool, arguments) in [
        ("needs", "{}"),
        ("needs", "[1"),
        ("needs", "[1]"),
        ("needs", "{'a': 1}"),
        ("nope", "{}"),
        ("everything", r#"{"status": "x"}"#),
        ("everything", r#"{"email": "x"}"#),
        ("everything", r#"{"target": {"custmer": 1}}"#),
    ] {
        let rejection = refused(tool, arguments);
        let saved = serde_json::to_string(&rejection).unwrap();
        assert_eq!(serde_json::from_str::<Rejection>(&saved).unwrap(), rejection, "{saved}");
    }
    let saved = serde_json::to_value(refused("needs", "{}")).unwrap();
    assert_eq!(
        saved,
        serde_json::json!({
            "kind": "schema",
            "tool": "needs",
            "violation": {
                "path": [],
                "contract": {"keyword": "required", "key": "order_id"},
                "received": {"json_type": "object", "excerpt": null},
            },
        })
    );
}
