//! The pairing rule: whatever a reply holds, every call in it gets exactly one result, under its id, in order.

use std::{
    cell::RefCell,
    collections::{BTreeMap, HashSet},
    future::{Future, pending},
    sync::LazyLock,
    thread,
    time::Duration,
};

use proptest::{
    collection::vec,
    prelude::*,
    sample::{select, subsequence},
    test_runner::{Config, TestCaseError, TestCaseResult, TestRunner},
};
use serde_json::{Value, json};
use tokio::time::sleep;
use tool_gate::{Admitted, Decision, Offer, OutcomeKind, Registry, Run, Select, Settled, ToolError, tool, wire};
use tool_gate_tests::provider::{Asked, Ending, Provider, faults};

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
    ending: Ending,
    /// After how many milliseconds the host drops what runs.
    dropped_after: Option<u64>,
}

fn turned() -> impl Strategy<Value = Turned> {
    let endings = prop_oneof![6 => Just(Ending::ToolUse), 1 => select(Ending::ALL[1..].to_vec())];
    (endings, prop_oneof![4 => Just(None), 1 => (0_u64..8_000).prop_map(Some)])
        .prop_map(|(ending, dropped_after)| Turned { ending, dropped_after })
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
    /// The id that is sent. Nine letters and digits are what every provider takes.
    fn id(&self, provider: Provider, step: usize, place: usize) -> Option<String> {
        match self.class {
            // A request without an id asks for no response.
            Class::MissingId if provider == Provider::Mcp => Some(format!("missing{step:02}{place:02}")),
            Class::MissingId if self.salt.is_multiple_of(3) => None,
            Class::MissingId => {
                Some(if self.salt % 3 == 1 { String::new() } else { format!("no id {place}: \u{7}\"") })
            }
            Class::DuplicateId => Some("thesame00".into()),
            _ => Some(format!("tool{step:03}{place:02}")),
        }
    }
}

/// The response body in which a provider makes these calls.
fn body(provider: Provider, step: usize, calls: &[Made], ending: Ending) -> String {
    // Nobody streams MCP, where a string is none but a string.
    let as_text = |made: &Made| made.as_text && (provider != Provider::Mcp || made.class == Class::Truncated);
    let asked: Vec<Asked> = calls
        .iter()
        .enumerate()
        .map(|(place, made)| Asked {
            id: made.id(provider, step, place).map_or(Value::Null, Value::from),
            name: made.name.as_str().into(),
            arguments: made.arguments.as_str().into(),
            as_written: !as_text(made),
        })
        .collect();
    let body = provider.body(&asked, ending).or_else(|| provider.body(&asked, Ending::ToolUse));
    body.expect("every provider asks for tools")
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

static REGISTRY: LazyLock<Registry<()>> = LazyLock::new(|| {
    let deny = |(): &(), call: &Admitted| match call.definition().requires() {
        Some(_) => Decision::deny("You may not."),
        None => Decision::Allow,
    };
    let quick = Registry::builder().tool::<count>().tool::<rest>().tool::<forbidden>().policy(deny);
    quick.tool::<panic>().tool::<slow>().tool::<never>().build().expect("all are declared well")
});

fn offer(provider: Provider) -> Offer<()> {
    REGISTRY.offer(provider.wire(), Select::All).expect("all are offered")
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
fn paired(provider: Provider, calls: &[Made], settled: &Settled, turned: Turned) -> TestCaseResult {
    let blocks = settled.blocks();
    prop_assert_eq!(blocks.len(), calls.len());
    written(provider, settled)?;
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
        let as_made = turned.ending == Ending::ToolUse
            || provider.reply(&[Asked::new("", "", Value::Null)], turned.ending).is_none();
        if as_made && (turned.dropped_after.is_none() || block.kind() != OutcomeKind::Failed) {
            prop_assert_eq!(block.kind(), expected, "{:?}: {}", made, block.text());
        }
        if !matches!(made.class, Class::MissingId | Class::DuplicateId) {
            let sent = made.id(provider, 0, place);
            prop_assert_eq!(Some(block.id()), sent.as_deref());
        }
        prop_assert!(!block.text().contains("database"), "{}", block.text());
    }
    Ok(())
}

/// Nothing in the messages is what the provider would refuse, and its error flags say what happened.
fn written(provider: Provider, settled: &Settled) -> TestCaseResult {
    let messages = settled.messages();
    let found = faults(provider, &messages, settled.blocks().len());
    prop_assert!(found.is_empty(), "{provider:?}: {found:?}: {}", Value::from(messages));
    let written = provider.written(&messages).map_err(TestCaseError::fail)?;
    for (answer, block) in written.answered.iter().zip(settled.blocks()) {
        prop_assert!(answer.is_error.is_none_or(|is_error| is_error == block.is_error()), "{answer:?}");
    }
    Ok(())
}

/// The same of a reply that no server sends: what is no call goes back as it came, and the provider may refuse that.
fn written_of_anything(provider: Provider, settled: &Settled) -> TestCaseResult {
    prop_assert_eq!(settled.blocks().len(), settled.calls().len());
    if provider.written(&settled.messages()).is_ok() { written(provider, settled) } else { Ok(()) }
}

/// How many cases: a few here, and as many as the variable says where there is time.
fn cases() -> u32 {
    std::env::var("PAIRING_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(2_000)
}

/// How many calls of each class there were, and how many replies of each provider.
#[derive(Default)]
struct Counted {
    seen: BTreeMap<Class, u32>,
    asked: BTreeMap<Provider, u32>,
}

/// Looks at so many cases.
fn answered_once(offers: &[(Provider, Offer<()>)], cases: u32) -> Result<Counted, String> {
    let counted = RefCell::new(Counted::default());
    let mut runner = TestRunner::new(Config::with_cases(cases));
    // Two providers a case: all of them have their turn soon enough.
    let all = (vec(made(), 0..9), turned(), subsequence(offers.to_vec(), 2));
    let found = runner.run(&all, |(calls, turned, offers)| {
        let mut counted = counted.borrow_mut();
        for made in &calls {
            *counted.seen.entry(made.class).or_default() += 1;
        }
        for (provider, offer) in offers {
            // An empty array is no request.
            if provider == Provider::Mcp && calls.is_empty() {
                continue;
            }
            *counted.asked.entry(provider).or_default() += 1;
            let body = body(provider, 0, &calls, turned.ending);
            let settled = settle(&offer, &body, turned.dropped_after, &mut Run::default());
            paired(provider, &calls, &settled, turned)?;
        }
        Ok(())
    });
    found.map(|()| counted.into_inner()).map_err(|error| error.to_string())
}

#[test]
fn every_call_is_answered_once_whatever_the_reply_holds() {
    let offers = Provider::ALL.map(|provider| (provider, offer(provider)));
    std::panic::set_hook(Box::new(|_| ()));
    // A part for each core.
    let parts = thread::available_parallelism().map_or(1, |parts| u32::try_from(parts.get()).unwrap_or(1));
    let found: Vec<_> = thread::scope(|scope| {
        let part = || answered_once(&offers, cases().div_ceil(parts));
        let threads: Vec<_> = (0..parts).map(|_| scope.spawn(part)).collect();
        threads.into_iter().map(|thread| thread.join().expect("what panics is caught")).collect()
    });
    let _ = std::panic::take_hook();
    let mut counted = Counted::default();
    for part in found {
        let part = part.unwrap_or_else(|error| panic!("{error}"));
        part.seen.into_iter().for_each(|(class, count)| *counted.seen.entry(class).or_default() += count);
        part.asked.into_iter().for_each(|(provider, count)| *counted.asked.entry(provider).or_default() += count);
    }
    let all: u32 = counted.seen.values().sum();
    for class in CLASSES {
        let share = f64::from(counted.seen[class]) / f64::from(all);
        assert!(share >= 0.05, "{class:?} makes up {share:.3} of {all} calls");
    }
    for provider in Provider::ALL {
        assert!(counted.asked[&provider] >= cases() / 10, "{provider:?} had {} replies", counted.asked[&provider]);
    }
}

#[test]
fn every_call_is_answered_once_up_to_a_stop_and_after_it() {
    let offer = offer(Provider::Anthropic);
    let stopped = RefCell::new(0_u32);
    let mut runner = TestRunner::new(Config::with_cases(cases() / 10));
    std::panic::set_hook(Box::new(|_| ()));
    let found = runner.run(&vec((vec(made(), 1..3), turned()), 1..12), |steps| {
        let mut run = Run::default();
        for (step, (calls, turned)) in steps.iter().enumerate() {
            let over = run.stop().cloned();
            let reply = body(Provider::Anthropic, step, calls, turned.ending);
            let settled = settle(&offer, &reply, turned.dropped_after, &mut run);
            prop_assert_eq!(settled.blocks().len(), calls.len());
            written(Provider::Anthropic, &settled)?;
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
        provider in select(Provider::ALL.to_vec()),
        calls in vec(made(), 0..4),
        changes in vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut bytes = body(provider, 0, &calls, Ending::ToolUse).into_bytes();
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
    for provider in Provider::ALL {
        let offer = offer(provider);
        match block_on(offer.settle(text, &(), &mut Run::default())) {
            Ok(settled) => written_of_anything(provider, &settled)?,
            Err(error) => prop_assert!(provider != Provider::Plain, "the model wrote all of it: {error}"),
        }
        if let Some(mut assembler) = offer.assembler() {
            let _ = text.lines().map(|line| assembler.push(line)).filter(Result::is_err).count();
            if let Ok(settled) = block_on(offer.settle(assembler.finish(), &(), &mut Run::default())) {
                written_of_anything(provider, &settled)?;
            }
        }
    }
    let offer = offer(Provider::Plain);
    let _ = offer.check(&wire::Call::new(None, text, text.into()));
    let _ = offer.check(&wire::Call::new(None, "count", text.into()));
    Ok(())
}
