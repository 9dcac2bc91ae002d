//! Running: at once where nothing changes, one after another elsewhere; time-outs, panics, and a host that stops waiting.

#![allow(clippy::unwrap_used, reason = "a test fails where it is wrong")]

use std::{
    future::{Future, pending},
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use serde_json::{Value, json};
use tokio::time::sleep;
use tool_gate::{
    Admitted, CallInfo, Decision, FailureKind, Limits, Offer, Outcome, Provides, Registry, ResultBlock, Run, Select,
    Settled, tool, toolbox, wire,
};

toolbox! { static TOOLS: World; }

#[derive(Default, Provides)]
struct World {
    #[provide]
    log: Log,
}

/// What ran, and how much of it at once.
#[derive(Default)]
struct Log {
    running: AtomicUsize,
    most: AtomicUsize,
    lines: std::sync::Mutex<Vec<String>>,
}

impl Log {
    async fn work(&self, name: &str) {
        let now = self.running.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(now, Ordering::SeqCst);
        self.write(format!("{name} starts"));
        sleep(Duration::from_millis(5)).await;
        self.write(format!("{name} ends"));
        self.running.fetch_sub(1, Ordering::SeqCst);
    }

    fn write(&self, line: String) {
        self.lines.lock().unwrap().push(line);
    }

    fn lines(&self) -> Vec<String> {
        self.lines.lock().unwrap().clone()
    }
}

/// Read.
#[tool(in = TOOLS, read_only)]
async fn read(#[state] log: &Log, name: &str) {
    log.work(name).await;
}

/// Write.
#[tool(in = TOOLS)]
async fn write(#[state] log: &Log, name: &str) {
    log.work(name).await;
}

/// Never answers, and changes nothing.
#[tool(in = TOOLS, read_only)]
async fn watch() {
    pending::<()>().await;
}

/// Never answers, and may have changed something.
#[tool(in = TOOLS)]
async fn pay(#[state] log: &Log) {
    log.write("paying".into());
    pending::<()>().await;
}

/// Never answers, and does no more if it is asked again.
#[tool(in = TOOLS, idempotent)]
async fn cancel() {
    pending::<()>().await;
}

/// Panics at once.
#[tool(in = TOOLS, read_only)]
fn divide(by: u8) -> u8 {
    assert!(by != 0, "secret: by is {by}");
    100 / by
}

/// Panics later.
#[tool(in = TOOLS)]
async fn explode(#[state] log: &Log) {
    log.work("fuse").await;
    panic!("a bang");
}

/// Tells what it was told of its call.
#[tool(in = TOOLS, read_only)]
fn whoami(#[call] call: &CallInfo) -> String {
    format!("{} {} {}", call.id(), call.tool(), call.idempotency_key())
}

fn offer(change: impl FnOnce(&mut Limits)) -> Offer<World> {
    let mut limits = Limits::default();
    limits.timeout = Some(Duration::from_millis(50));
    change(&mut limits);
    let registry = Registry::builder().list(&TOOLS).limits(limits).build().unwrap();
    registry.offer(wire::Anthropic::default(), Select::All).unwrap()
}

fn reply(calls: &[(&str, Value)]) -> Value {
    let call = |(at, (name, input)): (usize, &(&str, Value))| json!({"type": "tool_use", "id": at.to_string(), "name": name, "input": input});
    let content: Vec<Value> = calls.iter().enumerate().map(call).collect();
    json!({"role": "assistant", "content": content, "stop_reason": "tool_use"})
}

fn named(name: &str) -> Value {
    json!({"name": name})
}

/// Blocks on tokio with a clock that does not wait: where nothing else can go on, it jumps to the next timer.
fn on_tokio<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap().block_on(future)
}

fn settle(offer: &Offer<World>, world: &World, calls: &[(&str, Value)]) -> Settled {
    on_tokio(offer.settle(&reply(calls), world, &mut Run::default())).unwrap()
}

fn failure(block: &ResultBlock) -> Option<FailureKind> {
    match block.outcome() {
        Outcome::Failed { failure } => Some(failure.kind()),
        _ => None,
    }
}

#[test]
fn calls_that_only_read_run_at_once_up_to_a_bound() {
    let world = World::default();
    let calls: Vec<_> = (0..20).map(|_| ("read", named("r"))).collect();
    let settled = settle(&offer(|limits| limits.timeout = None), &world, &calls);
    assert!(settled.blocks().iter().all(|block| !block.is_error()));
    assert_eq!(world.log.most.load(Ordering::SeqCst), 8);
    let world = World::default();
    let _ = settle(&offer(|limits| (limits.timeout, limits.concurrent) = (None, 3)), &world, &calls);
    assert_eq!(world.log.most.load(Ordering::SeqCst), 3);
}

#[test]
fn calls_that_change_something_run_alone_and_in_order() {
    let world = World::default();
    let calls = [
        ("read", named("a")),
        ("read", named("b")),
        ("write", named("c")),
        ("write", named("d")),
        ("read", named("e")),
    ];
    let settled = settle(&offer(|_| ()), &world, &calls);
    assert_eq!(settled.blocks().len(), 5);
    assert_eq!(
        world.log.lines(),
        ["a starts", "b starts", "a ends", "b ends", "c starts", "c ends", "d starts", "d ends", "e starts", "e ends"]
    );
}

#[test]
fn a_tool_that_does_not_answer_in_time_fails_alone() {
    let world = World::default();
    let calls = [("watch", json!({})), ("pay", json!({})), ("read", named("after"))];
    let settled = settle(&offer(|_| ()), &world, &calls);
    let [watched, paid, read] = settled.blocks() else { panic!("three blocks") };
    assert_eq!(
        (failure(watched), failure(paid), failure(read)),
        (Some(FailureKind::Timeout), Some(FailureKind::Timeout), None)
    );
    assert_eq!(watched.text(), "watch was given up after 0.05 seconds.");
    assert_eq!(
        paid.text(),
        "pay was given up after 0.05 seconds. It may have taken effect: check before you repeat it."
    );
}

#[test]
fn what_may_be_repeated_is_told_so_where_it_was_cut_off() {
    let settled = settle(&offer(|_| ()), &World::default(), &[("cancel", json!({}))]);
    assert_eq!(
        settled.blocks()[0].text(),
        "cancel was given up after 0.05 seconds. It may have taken effect, and may be repeated with the same arguments."
    );
}

#[test]
fn a_panic_fails_its_call_and_tells_the_model_nothing_of_it() {
    let world = World::default();
    let calls = [("divide", json!({"by": 0})), ("explode", json!({})), ("divide", json!({"by": 5}))];
    let settled = settle(&offer(|_| ()), &world, &calls);
    let [divided, exploded, fine] = settled.blocks() else { panic!("three blocks") };
    assert_eq!(failure(divided), Some(FailureKind::Panic));
    assert_eq!(divided.text(), "divide broke off before it answered.");
    assert_eq!(
        exploded.text(),
        "explode broke off before it answered. It may have taken effect: check before you repeat it."
    );
    assert_eq!(fine.text(), "20");
    let Outcome::Failed { failure } = divided.outcome() else { panic!("it failed") };
    assert_eq!(failure.source().unwrap().to_string(), "secret: by is 0", "the host hears of it");
}

/// Takes a number that its check panics over.
#[tool(in = TOOLS)]
fn fragile(#[arg(check = never_seven)] number: u8) -> u8 {
    number
}

#[allow(clippy::trivially_copy_pass_by_ref, clippy::unnecessary_wraps, reason = "the shape of a check")]
fn never_seven(number: &u8) -> Result<(), String> {
    assert_ne!(*number, 7, "a secret");
    Ok(())
}

#[test]
fn a_panic_of_the_applications_own_code_before_a_tool_runs_fails_its_call_alone() {
    let world = World::default();
    let policy = |_: &World, call: &Admitted| {
        assert_ne!(call.name(), "pay", "a secret");
        Decision::Allow
    };
    let registry = Registry::builder().list(&TOOLS).policy(policy).build().unwrap();
    let offer = registry.offer(wire::Anthropic::default(), Select::All).unwrap();
    let calls = [
        ("write", named("a")),
        ("fragile", json!({"number": 7})),
        ("pay", json!({})),
        ("fragile", json!({"number": 8})),
    ];
    let settled = settle(&offer, &world, &calls);
    let told: Vec<_> = settled.blocks().iter().map(|block| (failure(block), block.text())).collect();
    let not_run = |tool: &str| {
        format!("{tool} could not be run, and did nothing. Try another way, or say what could not be done.")
    };
    assert_eq!(
        told,
        [
            (None, "Done."),
            (Some(FailureKind::Panic), not_run("fragile").as_str()),
            (Some(FailureKind::Panic), not_run("pay").as_str()),
            (None, "8"),
        ]
    );
}

#[test]
fn on_a_runtime_without_timers_nothing_is_timed() {
    let offer = offer(|_| ());
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let calls = reply(&[("divide", json!({"by": 4}))]);
    let settled = runtime.block_on(offer.settle(&calls, &World::default(), &mut Run::default())).unwrap();
    assert_eq!(settled.blocks()[0].text(), "25");
}

#[test]
fn a_host_that_stops_waiting_keeps_what_was_answered() {
    let world = World::default();
    let offer = offer(|limits| limits.timeout = None);
    let mut run = Run::default();
    let calls = [("write", named("done")), ("pay", json!({})), ("watch", json!({})), ("nope", json!({}))];
    let mut turn = offer.open(reply(&calls), &mut run).unwrap();
    let dropped = on_tokio(async { tokio::time::timeout(Duration::from_millis(100), turn.run(&world)).await });
    assert!(dropped.is_err(), "it was still running");
    let settled = turn.finish(&mut run);
    let told: Vec<_> = settled.blocks().iter().map(|block| (failure(block), block.text())).collect();
    assert_eq!(
        told[..3],
        [
            (None, "Done."),
            (
                Some(FailureKind::Interrupted),
                "pay was interrupted before it answered. It may have taken effect: check before you repeat it."
            ),
            (Some(FailureKind::Interrupted), "watch was not started: the turn was interrupted before."),
        ]
    );
    assert_eq!(settled.messages()[1]["content"].as_array().unwrap().len(), 4);
    // The run counts it as any step, and goes on.
    let next = on_tokio(offer.settle(&reply(&[("write", named("more"))]), &world, &mut run)).unwrap();
    assert_eq!((next.blocks()[0].text(), run.steps()), ("Done.", 2));
}

#[test]
fn a_dropped_settle_leaves_a_run_that_goes_on() {
    let world = World::default();
    let offer = offer(|limits| limits.timeout = None);
    let mut run = Run::named("7");
    let wait = Duration::from_millis(20);
    let dropped = on_tokio(async {
        tokio::time::timeout(wait, offer.settle(&reply(&[("pay", json!({}))]), &world, &mut run)).await
    });
    assert!(dropped.is_err());
    let saved = serde_json::to_string(&run).unwrap();
    let mut run: Run = serde_json::from_str(&saved).unwrap();
    // The reply that was given up is known, and does not pay again.
    let again = on_tokio(offer.settle(&reply(&[("pay", json!({}))]), &world, &mut run)).unwrap();
    assert!(again.blocks()[0].rejection().is_some());
    assert_eq!(world.log.lines(), ["paying"]);
    let next = on_tokio(offer.settle(&reply(&[("read", named("a"))]), &world, &mut run)).unwrap();
    assert_eq!((next.finished(), run.steps()), (Ok(false), 2));
}

#[test]
fn a_turn_can_be_run_on_after_it_was_dropped_and_starts_nothing_twice() {
    let world = World::default();
    let offer = offer(|limits| limits.timeout = None);
    let mut run = Run::default();
    let mut turn = offer.open(reply(&[("pay", json!({})), ("write", named("after"))]), &mut run).unwrap();
    on_tokio(async {
        let _ = tokio::time::timeout(Duration::from_millis(20), turn.run(&world)).await;
        turn.run(&world).await;
    });
    let settled = turn.finish(&mut run);
    assert_eq!(failure(&settled.blocks()[0]), Some(FailureKind::Interrupted));
    assert_eq!(settled.blocks()[1].text(), "Done.");
    assert_eq!(world.log.lines(), ["paying", "after starts", "after ends"]);
}

#[test]
fn a_call_knows_its_id_and_a_key_of_its_own() {
    let offer = offer(|_| ());
    let mut run = Run::named("conversation 17");
    let both = [("whoami", json!({})), ("whoami", json!({}))];
    let settled = on_tokio(offer.settle(&reply(&both), &World::default(), &mut run)).unwrap();
    let told: Vec<_> = settled.blocks().iter().map(ResultBlock::text).collect();
    assert_eq!(told, ["0 whoami conversation 17/1/0/0", "1 whoami conversation 17/1/1/1"]);
}

#[test]
fn settling_can_be_spawned() {
    fn assert_send<T: Send>(future: T) -> T {
        future
    }
    let offer = offer(|_| ());
    let world = World::default();
    let mut run = Run::default();
    let calls = reply(&[("read", named("a"))]);
    let settled = on_tokio(assert_send(offer.settle(&calls, &world, &mut run))).unwrap();
    assert_eq!(settled.blocks().len(), 1);
}

#[test]
fn without_tokio_everything_but_time_outs_works() {
    let offer = offer(|_| ());
    let calls = reply(&[("divide", json!({"by": 0})), ("divide", json!({"by": 4}))]);
    let settled = pollster::block_on(offer.settle(&calls, &World::default(), &mut Run::default())).unwrap();
    assert_eq!(failure(&settled.blocks()[0]), Some(FailureKind::Panic));
    assert_eq!(settled.blocks()[1].text(), "25");
}
