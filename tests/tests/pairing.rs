//! The pairing rule: whatever a reply holds, every call in it gets exactly one result, under its id, in order.

use std::{
    cell::RefCell,
    collections::{BTreeMap, HashSet},
    future::{Future, pending},
    sync::LazyLock,
    time::Duration,
};

use proptest::{
    collection::vec,
    prelude::*,
    sample::select,
    test_runner::{Config, TestCaseError, TestCaseResult, TestRunner},
};
use serde_json::{Value, json};
use tokio::time::sleep;
use tool_gate::{Admitted, Decision, Offer, OutcomeKind, Registry, Run, Select, Settled, ToolError, tool, wire};

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

/// Panics, at once or later.
#[tool(read_only)]
async fn panic(late: bool) {
    if late {
        sleep(Duration::from_secs(1)).await;
    }
    panic!("a database that must not be named");
}

/// Takes its time.
#[tool]
async fn slow() -> &'static str {
    sleep(Duration::from_secs(5)).await;
    "at last"
}

/// Never answers.
#[tool(read_only)]
async fn never() {
    pending::<()>().await;
}

/// Not allowed.
#[tool(requires = "more")]
fn forbidden() {}

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
    Panicking,
    Slow,
    Never,
    Denied,
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
    Class::Panicking,
    Class::Slow,
    Class::Never,
    Class::Denied,
];

/// How a reply ends, and whether the host waits for it.
#[derive(Clone, Copy, Debug)]
struct Turned {
    stop_reason: &'static str,
    /// After how many milliseconds the host drops what runs.
    dropped_after: Option<u64>,
}

fn turned() -> impl Strategy<Value = Turned> {
    let reasons = prop_oneof![
        6 => Just("tool_use"),
        1 => select(vec!["max_tokens", "end_turn", "refusal", "pause_turn", "tomorrow"]),
    ];
    (reasons, prop_oneof![4 => Just(None), 1 => (0_u64..8_000).prop_map(Some)])
        .prop_map(|(stop_reason, dropped_after)| Turned { stop_reason, dropped_after })
}

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
            Class::MissingId => {
                Some(if self.salt % 3 == 1 { String::new() } else { format!("no id {place}: \u{7}\"") })
            }
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
            Class::Panicking => ("panic".into(), json!({"late": salt % 2 == 0}).to_string(), as_text),
            Class::Slow => ("slow".into(), "{}".into(), as_text),
            Class::Never => ("never".into(), "{}".into(), as_text),
            Class::Denied => ("forbidden".into(), "{}".into(), as_text),
            _ if salt.is_multiple_of(4) => ("rest".into(), "{}".into(), as_text),
            _ => ("count".into(), good, as_text),
        };
        Made { class, name, arguments, as_text, salt }
    })
}

/// A response body, with text between the calls.
fn anthropic(calls: &[Made], stop_reason: &str) -> String {
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
    format!(r#"{{"role": "assistant", "content": [{}], "stop_reason": "{stop_reason}"}}"#, blocks.join(", "))
}

/// A chat completion: the arguments are always text.
fn openai_chat(calls: &[Made]) -> String {
    let calls: Vec<Value> = calls
        .iter()
        .enumerate()
        .map(|(place, made)| {
            let function = json!({"name": made.name, "arguments": made.arguments});
            let mut call = json!({"type": "function", "function": function});
            if let Some(id) = made.id(place) {
                call["id"] = id.into();
            }
            call
        })
        .collect();
    let message = json!({"role": "assistant", "content": null, "tool_calls": calls});
    json!({"choices": [{"index": 0, "finish_reason": "tool_calls", "message": message}]}).to_string()
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

static REGISTRY: LazyLock<Registry<()>> = LazyLock::new(|| {
    let deny = |(): &(), call: &Admitted| match call.definition().requires() {
        Some(_) => Decision::deny("You may not."),
        None => Decision::Allow,
    };
    let quick = Registry::builder().tool::<count>().tool::<rest>().tool::<forbidden>().policy(deny);
    quick.tool::<panic>().tool::<slow>().tool::<never>().build().expect("all are declared well")
});

fn as_anthropic() -> Offer<()> {
    REGISTRY.offer(wire::Anthropic::default(), Select::All).expect("all are offered")
}

fn as_plain() -> Offer<()> {
    REGISTRY.offer(wire::Plain::default(), Select::All).expect("all are offered")
}

fn as_openai_chat() -> Offer<()> {
    REGISTRY.offer(wire::OpenAiChat::default(), Select::All).expect("all are offered")
}

/// A clock that does not wait: where nothing else can go on, it jumps to the next time-out.
fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    runtime.expect("a runtime").block_on(future)
}

/// Settles, and drops what runs where the host does.
fn settle(offer: &Offer<()>, reply: &str, dropped_after: Option<u64>, run: &mut Run) -> Settled {
    block_on(async {
        let Some(wait) = dropped_after else {
            return offer.settle(reply, &(), run).await.expect("the envelope is sound");
        };
        let mut turn = offer.open(reply, run).expect("the envelope is sound");
        let _ = tokio::time::timeout(Duration::from_millis(wait), turn.run(&())).await;
        turn.finish(run)
    })
}

/// One block a call; in the messages the same ids on both sides, each once, in order; nothing empty.
fn paired(calls: &[Made], settled: &Settled, turned: Turned) -> TestCaseResult {
    let blocks = settled.blocks();
    prop_assert_eq!(blocks.len(), calls.len());
    let mut ids = HashSet::new();
    for (place, (made, block)) in calls.iter().zip(blocks).enumerate() {
        prop_assert!(ids.insert(block.id().to_owned()), "{} stands twice", block.id());
        prop_assert!(!block.text().trim().is_empty());
        prop_assert!(!block.text().chars().any(|c| c.is_control() || c == '\u{202e}'), "{:?}", block.text());
        let expected = match made.class {
            Class::Good | Class::MissingId | Class::Slow => OutcomeKind::Completed,
            Class::FailingTool | Class::Panicking | Class::Never => OutcomeKind::Failed,
            Class::Denied => OutcomeKind::Denied,
            // Alone it shares its id with nobody.
            Class::DuplicateId if calls.iter().filter(|other| other.class == made.class).count() == 1 => {
                OutcomeKind::Completed
            }
            _ => OutcomeKind::Rejected,
        };
        let as_made = turned.stop_reason == "tool_use";
        if as_made && (turned.dropped_after.is_none() || block.kind() != OutcomeKind::Failed) {
            prop_assert_eq!(block.kind(), expected, "{:?}: {}", made, block.text());
        }
        if !matches!(made.class, Class::MissingId | Class::DuplicateId) {
            let sent = made.id(place);
            prop_assert_eq!(Some(block.id()), sent.as_deref());
        }
        prop_assert!(!block.text().contains("database"), "{}", block.text());
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

/// The same in messages of one result each.
fn tool_messages(settled: &Settled, id_is_needed: bool) -> TestCaseResult {
    let messages = settled.messages();
    let calls = settled.calls();
    let Some((assistant, results)) = messages.split_first() else {
        prop_assert!(calls.is_empty());
        return Ok(());
    };
    prop_assert_eq!(results.len(), calls.len());
    let asked = assistant["tool_calls"].as_array().cloned().unwrap_or_default();
    prop_assert_eq!(asked.len(), calls.len());
    for ((call, asked), answered) in calls.iter().zip(&asked).zip(results) {
        prop_assert_eq!(&asked["id"], &answered["tool_call_id"]);
        prop_assert_eq!(asked["id"].is_null(), !id_is_needed && call.id().is_none());
        prop_assert!(!answered["content"].as_str().unwrap_or_default().trim().is_empty());
        let arguments = &asked["function"]["arguments"];
        let parsed = arguments.as_str().map(serde_json::from_str::<Value>);
        prop_assert!(arguments.is_object() || matches!(parsed, Some(Ok(Value::Object(_)))), "{}", arguments);
    }
    Ok(())
}

/// How many cases: a few here, and as many as the variable says where there is time.
fn cases() -> u32 {
    std::env::var("PAIRING_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(2_000)
}

#[test]
fn every_call_is_answered_once_whatever_the_reply_holds() {
    let (as_anthropic, as_plain, as_openai_chat) = (as_anthropic(), as_plain(), as_openai_chat());
    let counted = RefCell::new(BTreeMap::<Class, u32>::new());
    let mut runner = TestRunner::new(Config::with_cases(cases()));
    std::panic::set_hook(Box::new(|_| ()));
    let found = runner.run(&(vec(made(), 0..9), turned()), |(calls, turned)| {
        let mut seen = counted.borrow_mut();
        for made in &calls {
            *seen.entry(made.class).or_default() += 1;
        }
        let whole = Turned { stop_reason: "tool_use", ..turned };
        let once = |offer: &Offer<()>, reply: &str| settle(offer, reply, turned.dropped_after, &mut Run::default());
        let settled = once(&as_anthropic, &anthropic(&calls, turned.stop_reason));
        paired(&calls, &settled, turned)?;
        anthropic_messages(&settled)?;
        let settled = once(&as_plain, &plain(&calls));
        paired(&calls, &settled, whole)?;
        tool_messages(&settled, false)?;
        let settled = once(&as_openai_chat, &openai_chat(&calls));
        paired(&calls, &settled, whole)?;
        tool_messages(&settled, true)
    });
    let _ = std::panic::take_hook();
    found.unwrap_or_else(|error| panic!("{error}"));
    let seen = counted.into_inner();
    let all: u32 = seen.values().sum();
    for class in CLASSES {
        let share = f64::from(seen[class]) / f64::from(all);
        assert!(share >= 0.05, "{class:?} makes up {share:.3} of {all} calls");
    }
}

#[test]
fn every_call_is_answered_once_up_to_a_stop_and_after_it() {
    let offer = as_anthropic();
    let stopped = RefCell::new(0_u32);
    let mut runner = TestRunner::new(Config::with_cases(cases() / 10));
    std::panic::set_hook(Box::new(|_| ()));
    let found = runner.run(&vec((vec(made(), 1..3), turned()), 1..12), |steps| {
        let mut run = Run::default();
        for (step, (calls, turned)) in steps.iter().enumerate() {
            let over = run.stop().cloned();
            let reply = anthropic(calls, turned.stop_reason).replace("toolu_", &format!("toolu_{step}_"));
            let settled = settle(&offer, &reply, turned.dropped_after, &mut run);
            prop_assert_eq!(settled.blocks().len(), calls.len());
            anthropic_messages(&settled)?;
            if let Some(stop) = over {
                prop_assert!(settled.blocks().iter().all(|block| block.kind() == OutcomeKind::Rejected));
                prop_assert_eq!(settled.finished(), Err(stop));
                *stopped.borrow_mut() += 1;
            }
            let saved = serde_json::to_string(&run).expect("a run is saved");
            run = serde_json::from_str(&saved).expect("a run is resumed");
        }
        Ok(())
    });
    let _ = std::panic::take_hook();
    found.unwrap_or_else(|error| panic!("{error}"));
    assert!(stopped.into_inner() > cases() / 100, "some runs are settled on after their stop");
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
        let mut bytes = anthropic(&calls, "tool_use").into_bytes();
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
    if let Ok(settled) = block_on(as_openai_chat().settle(text, &(), &mut Run::default())) {
        tool_messages(&settled, true)?;
    }
    let offer = as_plain();
    let settled = block_on(offer.settle(text, &(), &mut Run::default()));
    prop_assert!(settled.is_ok(), "the model wrote all of it: {:?}", settled.err());
    Ok(())
}
