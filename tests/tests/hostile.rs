//! What someone sends who means no good: refused within bounds, and every call answered all the same.
//!
//! Memory is measured. Under the default limits a reply takes at most four times its own size, some kilobytes for each call, and
//! a few megabytes. Where the host takes arguments of any size, they are turned into values, which take more.

#![allow(clippy::unwrap_used, reason = "a test fails where it is wrong")]

use std::{
    fmt::Write,
    sync::{Mutex, PoisonError},
};

use peak_alloc::PeakAlloc;
use pollster::block_on;
use serde_json::{Value, json};
use tool_gate::{
    DynamicTool, Limits, Offer, OutcomeKind, Registry, RejectionKind, ResultBlock, Run, Select, tool,
    wire::{self, Wire},
};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// One test at a time: they all look at the same memory.
static TURNS: Mutex<()> = Mutex::new(());

/// What a reply of no size may take.
const FLAT: usize = 16 << 20;

/// What a call may take: its block, and its part of the messages.
const CALL: usize = 6 << 10;

/// How many times its own size a reply may take: its text, and what is kept of it.
const TIMES: usize = 4;

/// The same, where its arguments are turned into values.
const TIMES_AS_VALUES: usize = 96;

/// Take a text.
#[tool(read_only)]
fn take(text: String, #[arg(default = Vec::new())] list: Vec<u32>) {
    let _ = (text, list);
}

fn limits(any_size: bool) -> Limits {
    let mut limits = Limits::default();
    if any_size {
        limits.argument_bytes = usize::MAX;
    }
    limits
}

fn offer(wire: impl Wire, any_size: bool) -> Offer<()> {
    let registry = Registry::builder().tool::<take>().limits(limits(any_size)).build().unwrap();
    registry.offer(wire, Select::All).unwrap()
}

/// A reply of Anthropic's whose calls have these names and arguments, each as JSON.
fn anthropic<'c>(calls: impl IntoIterator<Item = (&'c str, &'c str)>) -> String {
    let mut reply = String::from(r#"{"role": "assistant", "stop_reason": "tool_use", "content": ["#);
    for (index, (name, arguments)) in calls.into_iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        let name = Value::from(name);
        write!(reply, r#"{comma}{{"type": "tool_use", "id": "t{index}", "name": {name}, "input": {arguments}}}"#)
            .unwrap();
    }
    reply.push_str("]}");
    reply
}

/// Settles a reply within the bound on memory: the blocks, one for each call, and the messages.
fn settle(offer: &Offer<()>, reply: &str, calls: usize, times: usize) -> Vec<ResultBlock> {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let settled = block_on(offer.settle(reply, &(), &mut Run::default())).unwrap();
    let messages = settled.messages();
    let taken = MEMORY.peak_usage().saturating_sub(before);
    let most = times * reply.len() + calls * CALL + FLAT;
    assert!(taken <= most, "{taken} bytes for a reply of {}", reply.len());
    assert_eq!(settled.blocks().len(), calls);
    let ids = messages.iter().flat_map(|message| message["content"].as_array().into_iter().flatten());
    let results = ids.filter(|block| block["type"] == "tool_result").count();
    assert_eq!(results, calls, "each call has a result");
    settled.blocks().to_vec()
}

fn rejected(arguments: &str, any_size: bool) -> (RejectionKind, String) {
    let times = if any_size { TIMES_AS_VALUES } else { TIMES };
    let _turn = TURNS.lock().unwrap_or_else(PoisonError::into_inner);
    let blocks = settle(&offer(wire::Anthropic::default(), any_size), &anthropic([("take", arguments)]), 1, times);
    (blocks[0].rejection().expect("it is rejected").kind(), blocks[0].text().to_owned())
}

#[test]
fn a_hundred_megabytes_of_text_are_not_read() {
    let (kind, text) = rejected(&format!(r#"{{"text": "{}"}}"#, "a".repeat(100 << 20)), false);
    assert_eq!(kind, RejectionKind::OverLimit);
    assert_eq!(text, "Arguments for take are longer than 262144 bytes. Send fewer items.");
}

#[test]
fn nesting_of_a_hundred_thousand_levels_is_not_followed() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let deep = format!(r#"{{"text": {}1{}}}"#, open.repeat(100_000), close.repeat(100_000));
        for any_size in [false, true] {
            let (kind, text) = rejected(&deep, any_size);
            assert!(matches!(kind, RejectionKind::Unparsable | RejectionKind::OverLimit), "{text}");
            assert!(text.contains("nested too deep") || text.contains("are longer than"), "{text}");
        }
    }
}

#[test]
fn a_million_keys_are_one_violation() {
    let mut keys = String::from("{");
    for key in 0..1_000_000 {
        write!(keys, r#""k{key}":0,"#).unwrap();
    }
    keys.push_str(r#""text": "t"}"#);
    assert_eq!(rejected(&keys, false).0, RejectionKind::OverLimit);
    let (kind, text) = rejected(&keys, true);
    assert_eq!(kind, RejectionKind::Schema);
    assert_eq!(text, "take rejected: k0 is not declared. Declared: text, list.");
}

#[test]
fn a_list_of_a_million_wrong_elements_is_one_violation() {
    let list = format!(r#"{{"text": "t", "list": [{}-1]}}"#, "-1,".repeat(1_000_000));
    let (kind, text) = rejected(&list, true);
    assert_eq!(kind, RejectionKind::Schema);
    assert_eq!(text, "take rejected: list.0 must be at least 0. Received -1.");
}

#[test]
fn a_name_of_a_megabyte_is_a_tool_that_does_not_exist() {
    let _turn = TURNS.lock().unwrap_or_else(PoisonError::into_inner);
    let name = "take".repeat(1 << 18);
    let blocks = settle(&offer(wire::Anthropic::default(), false), &anthropic([(name.as_str(), "{}")]), 1, TIMES);
    assert_eq!(blocks[0].rejection().unwrap().kind(), RejectionKind::UnknownName);
    assert!(blocks[0].text().len() < 400, "{}", blocks[0].text());
}

#[test]
fn ten_thousand_calls_are_ten_thousand_answers() {
    let _turn = TURNS.lock().unwrap_or_else(PoisonError::into_inner);
    let calls = std::iter::repeat_n(("take", r#"{"text": "t"}"#), 10_000);
    let blocks = settle(&offer(wire::Anthropic::default(), false), &anthropic(calls), 10_000, TIMES);
    let completed = blocks.iter().filter(|block| block.kind() == OutcomeKind::Completed).count();
    assert_eq!(completed, 128);
    assert!(blocks[128..].iter().all(|block| block.rejection().unwrap().kind() == RejectionKind::OverLimit));
}

/// What hides in a text, or turns it around: control characters, and those that set a direction.
fn hidden() -> impl Iterator<Item = char> {
    let controls = ('\0'..='\u{1f}').chain('\u{7f}'..='\u{9f}').filter(|c| *c != '\n');
    controls
        .chain(['\u{61c}', '\u{200e}', '\u{200f}', '\u{2028}', '\u{2029}'])
        .chain('\u{202a}'..='\u{202e}')
        .chain('\u{2066}'..='\u{2069}')
}

#[test]
fn what_hides_in_a_text_is_not_repeated() {
    let _turn = TURNS.lock().unwrap_or_else(PoisonError::into_inner);
    let offer = offer(wire::Anthropic::default(), false);
    for hidden in hidden() {
        let text = Value::from(format!("a{hidden}b"));
        let calls = [
            (format!("take{hidden}it"), "{}".to_owned()),
            ("take".to_owned(), format!(r#"{{"text": "t", "list": {text}}}"#)),
            ("take".to_owned(), format!(r#"{{"text": "t", {text}: 1}}"#)),
            ("take".to_owned(), format!(r#"{{"text": "t", "list": [{{{text}: {text}}}]}}"#)),
        ];
        let reply = anthropic(calls.iter().map(|(name, arguments)| (name.as_str(), arguments.as_str())));
        for block in settle(&offer, &reply, 4, TIMES) {
            assert!(block.rejection().is_some(), "{:?}", block.text());
            assert!(!block.text().contains(hidden), "{:?}", block.text());
        }
    }
}

fn dynamic(schema: Value) -> Offer<()> {
    let tool = DynamicTool::new("take", "Take.", schema, |(), _, _| Box::pin(async { Ok(Value::Null) }));
    let registry = Registry::builder().dynamic(tool.read_only()).limits(limits(true)).build().unwrap();
    registry.offer(wire::Anthropic::default(), Select::All).unwrap()
}

#[test]
fn of_a_hundred_thousand_options_a_dozen_are_told() {
    let _turn = TURNS.lock().unwrap_or_else(PoisonError::into_inner);
    let options: Vec<String> = (0..100_000).map(|option| format!("option-{option}")).collect();
    let offer = dynamic(json!({"type": "object", "properties": {"one": {"enum": options}}}));
    let calls = [("take", r#"{"one": "option-99999x"}"#), ("take", r#"{"one": "option-7"}"#)];
    let blocks = settle(&offer, &anthropic(calls), 2, TIMES);
    assert_eq!(blocks[1].kind(), OutcomeKind::Completed);
    let text = blocks[0].text();
    assert!(text.contains("option-99999") && text.len() < 400, "{text}");
}

#[test]
fn of_the_keys_that_another_server_declared_a_few_are_told_and_nothing_hides_in_them() {
    let _turn = TURNS.lock().unwrap_or_else(PoisonError::into_inner);
    let mut properties: serde_json::Map<String, Value> =
        (0..9_000).map(|key| (format!("{}{key}", "k".repeat(60)), json!({}))).collect();
    properties.insert("a\n\u{202e}b\u{1b}[31m".into(), json!({}));
    properties.sort_keys();
    let offer = dynamic(json!({"type": "object", "properties": properties, "additionalProperties": false}));
    for arguments in ["[]", r#"{"other": 1}"#] {
        let blocks = settle(&offer, &anthropic([("take", arguments)]), 1, TIMES);
        let text = blocks[0].text();
        assert!(text.len() < 4_000 && text.contains("and 8961 more"), "{} {text}", text.len());
        assert!(!text.contains(['\u{202e}', '\u{1b}', '\n']), "{text}");
    }
}

#[test]
fn a_pattern_that_backtracks_elsewhere_does_not_here() {
    let _turn = TURNS.lock().unwrap_or_else(PoisonError::into_inner);
    let offer = dynamic(json!({"type": "object", "properties": {"text": {"type": "string", "pattern": "^(a+)+$"}}}));
    let text = format!(r#"{{"text": "{}!"}}"#, "a".repeat(1 << 20));
    let blocks = settle(&offer, &anthropic([("take", text.as_str())]), 1, TIMES_AS_VALUES);
    assert_eq!(blocks[0].rejection().unwrap().keyword(), Some("pattern"));
}

#[test]
fn a_hundred_thousand_items_are_told_apart() {
    let _turn = TURNS.lock().unwrap_or_else(PoisonError::into_inner);
    let offer = dynamic(json!({"type": "object", "properties": {"list": {"type": "array", "uniqueItems": true}}}));
    let items = |last: &str| {
        let mut list = String::from(r#"{"list": ["#);
        for item in 0..100_000 {
            write!(list, r#"{{"a": [{item}, "{item}"]}},"#).unwrap();
        }
        list + last + "]}"
    };
    let reply = anthropic([("take", items("0").as_str()), ("take", items(r#"{"a": [1e0, "1"]}"#).as_str())]);
    let blocks = settle(&offer, &reply, 2, TIMES_AS_VALUES);
    assert_eq!(blocks[0].kind(), OutcomeKind::Completed);
    assert_eq!(blocks[1].rejection().unwrap().keyword(), Some("uniqueItems"));
}
