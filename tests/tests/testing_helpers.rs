//! The helpers for tests: a tool called with JSON, a scripted model, and what is published held against a file.

use std::{env, fs, path::PathBuf, process::Command, time::Duration};

use serde_json::{Value, json};
use tool_gate::{
    Admitted, Decision, DynamicTool, Failure, FailureKind, Limits, Offer,
    OutcomeKind::{self, Completed, Denied, Failed, Rejected},
    Provides, Registry, Rejection, RejectionKind, Select, StopReason, Tell, ToolError, TurnOutcome,
    testing::{self, Played, Script, block_on, call, call_named},
    tool, tools,
    wire::{self, Ending, Wire},
};

#[derive(Provides)]
struct Shop {
    #[provide]
    stock: Stock,
    may_refund: bool,
}

struct Stock(Vec<&'static str>);

/// Find what is in stock.
#[tool(read_only)]
async fn search(#[state] stock: &Stock, word: &str, #[arg(default = 2, range = 1..=5)] limit: u8) -> Vec<String> {
    let found = stock.0.iter().filter(|name| name.contains(word)).take(limit.into());
    std::future::ready(found.map(|name| (*name).to_owned()).collect()).await
}

/// Refund an order.
#[tool(requires = "refunds")]
fn refund(order: &str, #[arg(range = 1..=500)] cents: u32) -> Result<String, ToolError> {
    assert_ne!(order, "torn", "the paper is torn");
    (order == "A-1").then_some(()).tell("There is no such order.")?;
    Ok(format!("{cents} cents are on their way."))
}

/// Wait.
#[tool(timeout = "10ms", read_only)]
async fn wait() {
    std::future::pending::<()>().await;
}

#[tools]
impl Stock {
    /// Tell how many there are.
    #[tool(read_only)]
    fn count(&self) -> usize {
        self.0.len()
    }
}

fn shop() -> Shop {
    Shop { stock: Stock(vec!["lamp", "lampshade", "desk"]), may_refund: false }
}

fn registry() -> Registry<Shop> {
    let echo = DynamicTool::new("echo", "Answer it.", json!({"type": "object"}), |_: &Shop, given, _| {
        Box::pin(async move { Ok(given) })
    });
    let policy = |shop: &Shop, call: &Admitted| match call.definition().requires() {
        Some(_) if !shop.may_refund => Decision::deny("Refunds need a colleague."),
        _ => Decision::Allow,
    };
    let builder = Registry::builder().tool::<search>().tool::<refund>().tool::<wait>().methods::<Stock>().dynamic(echo);
    builder.policy(policy).build().expect("the tools are declared well")
}

fn offer(wire: impl Wire) -> Offer<Shop> {
    registry().offer(wire, Select::All).expect("all are offered")
}

#[test]
fn a_tool_is_called_with_a_value_or_a_text_and_with_as_much_state_as_it_takes() {
    let answer = block_on(call::<search, _>(&shop(), json!({"word": "lamp"}))).expect("it is found");
    assert_eq!(answer.to_value(), json!(["lamp", "lampshade"]));
    let answer = block_on(call::<search, _>(&shop().stock, r#"{"word": "lamp", "limit": 1e0}"#)).expect("it is found");
    assert_eq!(answer.json(), r#"["lamp"]"#);
}

#[test]
fn a_call_passes_all_gates_and_no_policy() {
    let refused = |arguments: &str| block_on(call::<refund, _>(&(), arguments)).expect_err("it is refused");
    let kind = |arguments: &str| refused(arguments).rejection().map(Rejection::kind);
    assert_eq!(kind(r#"{"order": "A-1", "cents": 501}"#), Some(RejectionKind::Schema));
    assert_eq!(kind(r#"{"order": "A-1", "ce"#), Some(RejectionKind::Truncated));
    assert_eq!(kind("[]"), Some(RejectionKind::NotAnObject));
    let error = refused(r#"{"order": "A-1", "cents": 0}"#);
    assert_eq!(error.to_string(), "refund rejected: cents must be at least 1. Received 0.");
    let answer = block_on(call::<refund, _>(&(), json!({"order": "A-1", "cents": 500})));
    assert_eq!(answer.expect("no policy is asked").text(), "500 cents are on their way.");
}

#[test]
fn a_tool_that_fails_says_what_a_model_reads_and_keeps_the_source() {
    let failed =
        |order: &str| block_on(call::<refund, _>(&(), json!({"order": order, "cents": 1}))).expect_err("it fails");
    let kind = |order: &str| failed(order).failure().map(Failure::kind);
    assert_eq!(failed("A-2").to_string(), "There is no such order.");
    assert_eq!((kind("A-2"), kind("torn")), (Some(FailureKind::Error), Some(FailureKind::Panic)));
    let source = std::error::Error::source(&failed("torn")).expect("the panic's message").to_string();
    assert!(source.contains("the paper is torn"), "{source}");
    let timed_out = block_on(call::<wait, _>(&(), json!({}))).expect_err("it takes too long");
    assert_eq!(timed_out.failure().map(Failure::kind), Some(FailureKind::Timeout));
}

#[test]
fn methods_and_dynamic_tools_are_called_by_name() {
    let called = |name: &str, given: Value| block_on(call_named(&registry(), name, &shop(), given));
    assert_eq!(called("count", json!({})).expect("it counts").to_value(), 3);
    assert_eq!(called("echo", json!({"a": 1})).expect("it answers").to_value(), json!({"a": 1}));
    assert_eq!(
        called("refund", json!({"order": "A-1", "cents": 1})).expect("no policy is asked").text(),
        "1 cents are on their way."
    );
    let unknown = called("cuont", json!({})).expect_err("there is none");
    assert_eq!(unknown.rejection().map(Rejection::kind), Some(RejectionKind::UnknownName));
}

#[test]
fn a_call_can_be_awaited_beside_a_clock_that_stands() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().expect("one");
    let answered =
        runtime.block_on(async { tokio::time::timeout(Duration::from_secs(1), call::<wait, _>(&(), json!({}))).await });
    assert!(answered.expect("the tool's own time is shorter").is_err());
}

/// A conversation with each outcome, and a cut reply.
fn conversation() -> Script {
    Script::new()
        .calls("serch", json!({"word": "lamp"}))
        .reads("No tool named \"serch\". Available tools: count, echo, refund, search, wait.")
        .calls("search", json!({"word": "lamp", "limit": 0}))
        .reads("search rejected: limit must be at least 1. Received 0.")
        .and_calls("search", r#"{"word": "des"#)
        .ends(Rejected)
        .calls("search", json!({"word": "lamp"}))
        .reads(r#"["lamp","lampshade"]"#)
        .and_calls("refund", json!({"order": "A-1", "cents": 1}))
        .ends(Denied)
        .reads("Refunds need a colleague.")
}

/// How the calls of a conversation ended.
fn kinds(played: &Played) -> Vec<OutcomeKind> {
    played.blocks().map(tool_gate::ResultBlock::kind).collect()
}

#[test]
fn a_conversation_is_played_on_any_wire() {
    for wire in wires() {
        let shown = format!("{wire:?}");
        let played = block_on(conversation().play(&offer(wire), &shop()));
        assert_eq!(kinds(&played), [Rejected, Rejected, Rejected, Completed, Denied], "{shown}");
        assert_eq!(played.run().steps(), 3, "{shown}");
    }
}

fn wires() -> [std::sync::Arc<dyn Wire>; 3] {
    let (anthropic, chat, plain) = (wire::Anthropic::default(), wire::OpenAiChat::default(), wire::Plain::default());
    [std::sync::Arc::new(anthropic), std::sync::Arc::new(chat), std::sync::Arc::new(plain)]
}

#[test]
fn what_is_said_ends_the_conversation_and_what_is_cut_does_not_run() {
    for wire in wires().into_iter().take(2) {
        let script = conversation()
            .says("Let me see.")
            .and_calls("count", json!({}))
            .reads("3")
            .and_calls("echo", json!({}))
            .ending(Ending::Cut)
            .ends(Rejected)
            .says("There are two lamps.");
        let played = block_on(script.play(&offer(wire), &shop()));
        let outcomes: Vec<_> = played.steps().iter().map(tool_gate::Settled::outcome).collect();
        assert_eq!(outcomes.len(), 5);
        assert_eq!((&outcomes[3], &outcomes[4]), (&TurnOutcome::GoOn, &TurnOutcome::Final));
        let said = played.messages().last().map(ToString::to_string).unwrap_or_default();
        assert!(said.contains("There are two lamps."), "{said}");
    }
}

#[test]
fn a_run_that_stops_is_part_of_the_story_and_goes_on_from_where_it_was() {
    let mut limits = Limits::default();
    limits.rejected_steps = 2;
    let registry =
        Registry::<()>::builder().tool::<refund>().policy(|(): &(), _: &Admitted| Decision::Allow).limits(limits);
    let offer = registry.build().expect("declared well").offer(wire::Anthropic::default(), Select::All).expect("all");
    let wrong = || Script::new().calls("refund", json!({"order": "A-1", "cents": 0})).ends(Rejected);
    let played = block_on(wrong().play(&offer, &()));
    assert_eq!(played.stop(), None);
    let played = block_on(wrong().stops().resume(&offer, &(), played.run().clone()));
    assert!(
        matches!(played.stop().map(|stop| &stop.reason), Some(StopReason::ToolRejected { .. })),
        "{:?}",
        played.stop()
    );
    let message = message(|| drop(block_on(wrong().resume(&offer, &(), played.run().clone()))));
    assert!(message.starts_with("reply 1: the run is stopped: "), "{message}");
    let message = self::message(|| drop(block_on(wrong().stops().play(&offer, &()))));
    assert_eq!(message, "reply 1: the run is not stopped");
}

/// What something panics with.
fn message(panics: impl FnOnce()) -> String {
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(panics)).expect_err("it panics");
    panicked.downcast_ref::<String>().cloned().unwrap_or_default()
}

#[test]
fn what_is_not_as_the_script_says_is_told_with_the_place_in_the_test() {
    let played = |script: Script| message(|| drop(block_on(script.play(&offer(wire::Anthropic::default()), &shop()))));
    let line = line!() + 1;
    let read = played(Script::new().calls("count", json!({})).reads("3").calls("count", json!({})).reads("4"));
    assert!(read.starts_with(&format!("{}:{line}:", file!())), "{read}");
    assert!(read.ends_with(": of count in reply 2 the model reads\n  3\nand not\n  4"), "{read}");
    let ended = played(Script::new().calls("count", json!({})).ends(Failed));
    assert!(ended.ends_with(": count in reply 1 is completed and not failed: 3"), "{ended}");
    let plain = message(|| drop(block_on(Script::new().says("Hello.").play(&offer(wire::Plain::default()), &shop()))));
    assert_eq!(plain, "reply 1: Plain does not compose such a reply");
}

/// A file of this test's own.
fn file(name: &str) -> PathBuf {
    env::temp_dir().join(format!("tool-gate-tests-{}-{name}", std::process::id()))
}

#[test]
fn what_is_published_is_held_against_a_file() {
    let path = file("tools.json");
    let offer = offer(wire::Anthropic::default());
    let held = |path: &PathBuf| message(|| testing::assert_tools_snapshot(&offer, path));
    let missing = held(&path);
    assert!(missing.contains("cannot be read") && missing.contains("UPDATE_SNAPSHOTS=1 cargo test"), "{missing}");
    let published = serde_json::to_string_pretty(&offer.tools().to_value()).expect("JSON");
    fs::write(&path, published.clone() + "\n").expect("a file");
    testing::assert_tools_snapshot(&offer, &path);
    fs::write(&path, published.replace("\"maximum\": 500\n", "\"maximum\": 400\n") + "\n").expect("a file");
    let differs = held(&path);
    fs::remove_file(&path).expect("the file");
    assert!(differs.starts_with(&format!("the tools are not as in {}:\n  line ", path.display())), "{differs}");
    let lines: Vec<&str> = differs.lines().map(str::trim_start).collect();
    let expected = [
        "\"cents\": {",
        "\"type\": \"integer\",",
        "\"minimum\": 1,",
        "-           \"maximum\": 400",
        "+           \"maximum\": 500",
    ];
    assert_eq!(lines[2..7], expected, "{differs}");
    assert!(differs.ends_with(
        "If that is meant, write it with `UPDATE_SNAPSHOTS=1 cargo test`, and read the difference before you commit it."
    ));
}

#[test]
fn a_snapshot_is_written_where_the_environment_says_so() {
    // It runs itself once more, in processes whose environment says to write or not to.
    if let Some(path) = env::var_os("TOOL_GATE_TESTS_SNAPSHOT") {
        return testing::assert_tools_snapshot(&registry(), PathBuf::from(path));
    }
    let path = file("folder").join("registry.json");
    let written = |update: &str| {
        let this = env::current_exe().expect("this test");
        let mut process = Command::new(this);
        process.args(["--exact", "a_snapshot_is_written_where_the_environment_says_so"]);
        process.env("TOOL_GATE_TESTS_SNAPSHOT", &path).env("UPDATE_SNAPSHOTS", update);
        process.output().expect("it runs").status.success()
    };
    assert!(!written("0"), "there is none");
    assert!(written("1"));
    assert!(written("0"), "there is one, and it is the same");
    let snapshot: Value = serde_json::from_str(&fs::read_to_string(&path).expect("the file")).expect("JSON");
    fs::remove_dir_all(path.parent().expect("the folder")).expect("the folder");
    assert_eq!(snapshot[2]["name"], "refund");
    assert_eq!((&snapshot[2]["requires"], &snapshot[3]["effects"]), (&json!("refunds"), &json!(["read_only"])));
    assert_eq!(snapshot[3]["output_schema"]["type"], "array");
}
