//! The pairing rule: whatever a reply holds, every call in it gets exactly one result, under its id, in order.

use std::{
    cell::RefCell,
    collections::{BTreeMap, HashSet},
    sync::LazyLock,
};

use pollster::block_on;
use proptest::{
    collection::vec,
    prelude::*,
    sample::select,
    test_runner::{Config, TestCaseError, TestCaseResult, TestRunner},
};
use serde_json::{Value, json};
use tool_gate::{Offer, OutcomeKind, Registry, Run, Select, Settled, ToolError, tool, wire};

/// Takes a number, and fails at 13.
#[tool(read_only)]
#[allow(clippy::needless_pass_by_value, reason = "a tool's arguments are its own")]
fn count(#[arg(range = 0..=100)] number: u8, note: Option<String>) -> Result<String, ToolError> {
    if number == 13 {
        return Err(std::io::Error::other("a database that must not be named").into());
    }
    Ok(format!("{number} {note:?}"))
}

/// Says nothing.
#[tool]
async fn rest() {
    std::future::ready(()).await;
}

/// What is wrong with one call, if anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    Good,
    UnknownName,
    Garbage,
    Truncated,
    UndeclaredKey,
    FailingTool,
    MissingId,
    DuplicateId,
}

const CLASSES: &[Class] = &[
    Class::Good,
    Class::UnknownName,
    Class::Garbage,
    Class::Truncated,
    Class::UndeclaredKey,
    Class::FailingTool,
    Class::MissingId,
    Class::DuplicateId,
];

#[derive(Clone, Debug)]
struct Made {
    class: Class,
    name: String,
    /// JSON, or not quite.
    arguments: String,
    /// Whether the arguments are sent as a string that holds them.
    as_text: bool,
    salt: u16,
}

impl Made {
    fn id(&self, place: usize) -> Option<String> {
        match self.class {
            Class::MissingId if self.salt.is_multiple_of(3) => None,
            Class::MissingId => Some(if self.salt % 3 == 1 { String::new() } else { "not an id: \u{7}\"".into() }),
            Class::DuplicateId => Some("the_same".into()),
            _ => Some(format!("toolu_{place}")),
        }
    }

    fn input(&self) -> String {
        if self.as_text { Value::from(self.arguments.as_str()).to_string() } else { self.arguments.clone() }
    }
}

fn made() -> impl Strategy<Value = Made> {
    let names = prop_oneof![
        select(vec!["cuont", "Count", "functions.count", "", " ", "rest\u{202e}", "no\"such\ntool"])
            .prop_map(str::to_owned),
        ".{0,40}",
    ];
    let garbage = prop_oneof![
        select(vec![
            "{\"number\": NaN}",
            "{'number': 1}",
            "{\"number\": 1,}",
            "{\"number\": 1, \"number\": 2}",
            "[]",
            "7"
        ])
        .prop_map(str::to_owned),
        select(vec!["{\"number\": 1e400}", "{\"note\": \"\\ud800\", \"number\": 1}", "\"text\"", "true"])
            .prop_map(str::to_owned),
    ];
    (select(CLASSES), names, garbage, any::<bool>(), any::<u16>()).prop_map(|(class, other, garbage, as_text, salt)| {
        let number = u32::from(salt) % 13;
        let good = json!({"number": number, "note": "{\"brackets\": [1, 2"}).to_string();
        let cut = usize::from(salt) % (good.len() - 1) + 1;
        let (name, arguments, as_text) = match class {
            Class::UnknownName => (other, good, as_text),
            Class::Garbage => ("count".into(), garbage, as_text),
            // Cut as a text in an otherwise whole reply: as an object it would cut the reply with it.
            Class::Truncated => ("count".into(), good[..cut].to_owned(), true),
            Class::UndeclaredKey => {
                ("count".into(), json!({"number": number, "exec\u{0}ute": true}).to_string(), as_text)
            }
            Class::FailingTool => ("count".into(), r#"{"number": 13}"#.into(), as_text),
            _ if salt.is_multiple_of(4) => ("rest".into(), "{}".into(), as_text),
            _ => ("count".into(), good, as_text),
        };
        Made { class, name, arguments, as_text, salt }
    })
}

/// A response body, with text between the calls.
fn anthropic(calls: &[Made]) -> String {
    let blocks: Vec<String> = calls
        .iter()
        .enumerate()
        .flat_map(|(place, made)| {
            let id = made.id(place).map_or(String::new(), |id| format!("\"id\": {}, ", Value::from(id)));
            let name = Value::from(made.name.as_str());
            [
                json!({"type": "text", "text": "I \u{2028} call."}).to_string(),
                format!(r#"{{"type": "tool_use", {id}"name": {name}, "input": {}}}"#, made.input()),
            ]
        })
        .collect();
    format!(r#"{{"role": "assistant", "content": [{}], "stop_reason": "tool_use"}}"#, blocks.join(", "))
}

/// Several proposals.
fn plain(calls: &[Made]) -> String {
    let proposals: Vec<String> = calls
        .iter()
        .enumerate()
        .map(|(place, made)| {
            let id = made.id(place).map_or(String::new(), |id| format!("\"id\": {}, ", Value::from(id)));
            format!(r#"{{{id}"name": {}, "arguments": {}}}"#, Value::from(made.name.as_str()), made.input())
        })
        .collect();
    format!("[{}]", proposals.join(", "))
}

static REGISTRY: LazyLock<Registry<()>> =
    LazyLock::new(|| Registry::builder().tool::<count>().tool::<rest>().build().expect("both are declared well"));

fn as_anthropic() -> Offer<()> {
    REGISTRY.offer(wire::Anthropic::default(), Select::All).expect("all are offered")
}

fn as_plain() -> Offer<()> {
    REGISTRY.offer(wire::Plain::default(), Select::All).expect("all are offered")
}

fn settle(offer: &Offer<()>, reply: &str) -> Settled {
    block_on(offer.settle(reply, &(), &mut Run::default())).expect("the envelope is sound")
}

/// One block a call; in the messages the same ids on both sides, each once, in order; nothing empty.
fn paired(calls: &[Made], settled: &Settled) -> TestCaseResult {
    let blocks = settled.blocks();
    prop_assert_eq!(blocks.len(), calls.len());
    let mut ids = HashSet::new();
    for (place, (made, block)) in calls.iter().zip(blocks).enumerate() {
        prop_assert!(ids.insert(block.id().to_owned()), "{} stands twice", block.id());
        prop_assert!(!block.text().trim().is_empty());
        prop_assert!(!block.text().chars().any(|c| c.is_control() || c == '\u{202e}'), "{:?}", block.text());
        let expected = match made.class {
            Class::Good | Class::MissingId => OutcomeKind::Completed,
            Class::FailingTool => OutcomeKind::Failed,
            // Alone it shares its id with nobody.
            Class::DuplicateId if calls.iter().filter(|other| other.class == made.class).count() == 1 => {
                OutcomeKind::Completed
            }
            _ => OutcomeKind::Rejected,
        };
        prop_assert_eq!(block.kind(), expected, "{:?}: {}", made, block.text());
        if !matches!(made.class, Class::MissingId | Class::DuplicateId) {
            let sent = made.id(place);
            prop_assert_eq!(Some(block.id()), sent.as_deref());
        }
        prop_assert!(!block.text().contains("database"));
    }
    Ok(())
}

fn anthropic_messages(settled: &Settled) -> TestCaseResult {
    let messages = settled.messages();
    let blocks = |message: &Value, kind: &str| -> Vec<Value> {
        let content = message["content"].as_array().cloned().unwrap_or_default();
        content.into_iter().filter(|block| block["type"] == kind).collect()
    };
    if settled.blocks().is_empty() {
        return Ok(());
    }
    prop_assert_eq!(messages.len(), 2);
    let (asked, answered) = (blocks(&messages[0], "tool_use"), blocks(&messages[1], "tool_result"));
    let ids = |blocks: &[Value], key: &str| -> Vec<Value> { blocks.iter().map(|block| block[key].clone()).collect() };
    let of_blocks: Vec<Value> = settled.blocks().iter().map(|block| block.id().into()).collect();
    prop_assert_eq!(ids(&asked, "id"), of_blocks.clone());
    prop_assert_eq!(ids(&answered, "tool_use_id"), of_blocks);
    prop_assert_eq!(messages[1]["content"].as_array().map(Vec::len), Some(answered.len()));
    for block in asked {
        prop_assert!(block["input"].is_object());
        let name = block["name"].as_str().unwrap_or_default();
        prop_assert!(!name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-'));
    }
    Ok(())
}

fn plain_messages(calls: &[Made], settled: &Settled) -> TestCaseResult {
    let messages = settled.messages();
    if calls.is_empty() {
        prop_assert!(messages.is_empty());
        return Ok(());
    }
    prop_assert_eq!(messages.len(), calls.len() + 1);
    let asked = messages[0]["tool_calls"].as_array().cloned().unwrap_or_default();
    for ((made, asked), answered) in calls.iter().zip(&asked).zip(&messages[1..]) {
        prop_assert_eq!(&asked["id"], &answered["tool_call_id"]);
        let none_sent = made.id(0).is_none_or(|id| id.is_empty());
        prop_assert_eq!(asked["id"].is_null(), none_sent);
        prop_assert_eq!(&asked["function"]["name"], &answered["name"]);
    }
    Ok(())
}

#[test]
fn every_call_is_answered_once_whatever_the_reply_holds() {
    let (as_anthropic, as_plain) = (as_anthropic(), as_plain());
    let counted = RefCell::new(BTreeMap::<Class, u32>::new());
    let mut runner = TestRunner::new(Config::with_cases(3_000));
    runner
        .run(&vec(made(), 0..9), |calls| {
            let mut seen = counted.borrow_mut();
            for made in &calls {
                *seen.entry(made.class).or_default() += 1;
            }
            let settled = settle(&as_anthropic, &anthropic(&calls));
            paired(&calls, &settled)?;
            anthropic_messages(&settled)?;
            let settled = settle(&as_plain, &plain(&calls));
            paired(&calls, &settled)?;
            plain_messages(&calls, &settled)
        })
        .unwrap_or_else(|error| panic!("{error}"));
    let seen = counted.into_inner();
    let all: u32 = seen.values().sum();
    for class in CLASSES {
        let share = f64::from(seen[class]) / f64::from(all);
        assert!(share >= 0.05, "{class:?} makes up {share:.3} of {all} calls");
    }
}

proptest! {
    #![proptest_config(Config::with_cases(2_000))]

    #[test]
    fn arbitrary_bytes_never_panic(bytes in vec(any::<u8>(), 0..200)) {
        read_anything(&bytes)?;
    }

    #[test]
    fn a_reply_with_some_bytes_changed_never_panics(
        calls in vec(made(), 0..4),
        changes in vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut bytes = anthropic(&calls).into_bytes();
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        if calls.len() % 2 == 1 {
            bytes.truncate(cut.index(bytes.len()));
        }
        read_anything(&bytes)?;
    }
}

/// Reads, checks and settles bytes on every wire. Only a reply that is not the provider's shape is an error.
fn read_anything(bytes: &[u8]) -> Result<(), TestCaseError> {
    let Ok(text) = std::str::from_utf8(bytes) else {
        prop_assert!(wire::Reply::from_utf8(bytes).is_err());
        return Ok(());
    };
    let offer = as_anthropic();
    if let Ok(settled) = block_on(offer.settle(text, &(), &mut Run::default())) {
        anthropic_messages(&settled)?;
    }
    let _ = offer.check(&wire::Call::new(None, text, text.into()));
    let _ = offer.check(&wire::Call::new(None, "count", text.into()));
    let offer = as_plain();
    let settled = block_on(offer.settle(text, &(), &mut Run::default()));
    prop_assert!(settled.is_ok(), "the model wrote all of it: {:?}", settled.err());
    Ok(())
}
