#[path = "../../support.rs"]
mod support;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use support::{call, outcome};
use tool_gate::{OutcomeKind, Registry, tool};

#[derive(Deserialize, JsonSchema, Serialize)]
struct Day(u32);

impl Day {
    fn is_past(&self) -> Result<(), String> {
        (self.0 < 100).then_some(()).ok_or_else(|| format!("day {} has not come yet", self.0))
    }
}

mod rules {
    pub fn even(number: &u32) -> Result<(), &'static str> {
        number.is_multiple_of(2).then_some(()).ok_or("must be even")
    }

    pub fn short(text: &str) -> Result<(), std::borrow::Cow<'static, str>> {
        (text.len() < 5).then_some(()).ok_or("is too long".into())
    }

    pub fn sorted<T: Ord>(list: &[T]) -> Result<(), Box<str>> {
        list.is_sorted().then_some(()).ok_or("must be sorted".into())
    }

    pub fn at_least<const LEAST: u32>(number: &u32) -> Result<(), String> {
        (*number >= LEAST).then_some(()).ok_or(format!("must be at least {LEAST}"))
    }
}

type Maybe<T> = Option<T>;

/// Check each by itself.
#[tool]
#[allow(clippy::too_many_arguments)]
fn each(
    #[arg(check = rules::even)] number: u32,
    #[arg(check = rules::even)] lent: &u32,
    #[arg(check = rules::short)] text: &str,
    #[arg(check = rules::short)] owned: String,
    #[arg(check = rules::sorted)] list: &[u8],
    #[arg(check = rules::sorted::<u8>)] vec: Vec<u8>,
    #[arg(check = Day::is_past)] day: Day,
    #[arg(check = rules::at_least::<3>, default = 4)] least: u32,
    #[arg(check = rules::short)] maybe: Option<String>,
    #[arg(check = <Day>::is_past)] alias: Maybe<Day>,
    #[arg(check = rules::even, sensitive)] secret: &Option<u32>,
) -> String {
    let _ = (number, lent, text, owned, list, vec, day.0, least, maybe, alias, secret);
    "ran".into()
}

fn in_order(from: &Day, text: &str, list: &[u8], to: &Option<Day>) -> Result<(), String> {
    match to {
        Some(to) if from.0 > to.0 => Err(format!("{} is after {}: {text}{list:?}.", from.0, to.0)),
        _ => Ok(()),
    }
}

/// Check all of them together.
#[tool(check = in_order)]
fn together(
    #[arg(check = Day::is_past)] from: Day,
    #[state] _state: &(),
    text: String,
    list: &[u8],
    to: Option<Day>,
) -> String {
    let _ = (from.0, text, list, to);
    "ran".into()
}

/// A default that is refused, which shows when the registry is built.
#[tool]
fn refused(#[arg(check = rules::even, default = 3)] number: u32) -> u32 {
    number
}

fn main() {
    let good = || {
        json!({
            "number": 2, "lent": 4, "text": "abcd", "owned": "abcd", "list": [1, 2], "vec": [], "day": 99, "maybe": "a",
            "alias": 1, "secret": 2,
        })
    };
    assert_eq!(call::<each, ()>(&(), good()), "ran");
    for (key, value, words) in [
        ("number", json!(3), "number is not acceptable: must be even"),
        ("lent", json!(3), "lent is not acceptable: must be even"),
        ("text", json!("abcde"), "text is not acceptable: is too long"),
        ("owned", json!("abcde"), "owned is not acceptable: is too long"),
        ("list", json!([2, 1]), "list is not acceptable: must be sorted"),
        ("vec", json!([2, 1]), "vec is not acceptable: must be sorted"),
        ("day", json!(100), "day is not acceptable: day 100 has not come yet"),
        ("least", json!(2), "least is not acceptable: must be at least 3"),
        ("maybe", json!("abcde"), "maybe is not acceptable: is too long"),
        ("alias", json!(101), "alias is not acceptable: day 101 has not come yet"),
        ("secret", json!(3), "secret is not acceptable."),
    ] {
        let mut bad = good();
        bad[key] = value;
        let (kind, text) = outcome::<each, ()>(&(), bad);
        assert!(kind == OutcomeKind::Rejected && text.contains(words), "{text}");
    }
    let mut absent = good();
    for key in ["maybe", "alias", "secret"] {
        absent[key] = Value::Null;
    }
    assert_eq!(call::<each, ()>(&(), absent), "ran");

    assert_eq!(call::<together, ()>(&(), json!({"from": 1, "text": "t", "list": [], "to": 2})), "ran");
    assert_eq!(call::<together, ()>(&(), json!({"from": 1, "text": "t", "list": []})), "ran");
    let (kind, text) = outcome::<together, ()>(&(), json!({"from": 9, "text": "t", "list": [1], "to": 2}));
    assert!(kind == OutcomeKind::Rejected && text.contains("9 is after 2: t[1]"), "{text}");
    let (_, text) = outcome::<together, ()>(&(), json!({"from": 100, "text": "t", "list": [], "to": 2}));
    assert!(text.contains("from is not acceptable: day 100 has not come yet"), "{text}");

    let problems = Registry::<()>::builder().tool::<refused>().build().expect_err("the default is odd");
    assert!(problems.to_string().contains("has a default that is refused: must be even"), "{problems}");
}
