//! What a model wrote is not in what the library logs, and what is sensitive is not in what it tells the model.

#![allow(clippy::unwrap_used, reason = "a test fails where it is wrong")]

use std::{
    collections::BTreeMap,
    io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tool_gate::{Leniency, Registry, Run, Select, Settled, ToolError, tool, wire};

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "only its schema is looked at")]
enum Either {
    Number(u8),
    Pair { left: String, right: u8 },
}

/// A secret that its own type looks at.
#[derive(Deserialize, JsonSchema)]
#[serde(try_from = "String")]
struct Pin(#[allow(dead_code, reason = "it is bound, and not looked at")] String);

impl TryFrom<String> for Pin {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if text.len() == 4 { Ok(Self(text)) } else { Err(format!("{text} is not four digits")) }
    }
}

/// Takes secrets and others.
#[tool]
#[allow(clippy::too_many_arguments, clippy::needless_pass_by_value, reason = "one for each way to leak")]
fn vault(
    #[arg(sensitive, length = 40..)] password: Option<String>,
    #[arg(sensitive)] pin: Option<Pin>,
    #[arg(sensitive)] either: Option<Either>,
    #[arg(sensitive)] map: Option<BTreeMap<String, u8>>,
    #[arg(sensitive, format = "email")] email: Option<String>,
    open: Option<u8>,
) -> Result<String, ToolError> {
    let _ = (pin, either, map, email, open);
    Err(io::Error::other(format!("{password:?} was refused")).into())
}

/// The subscriber of one test must not come up while another registers what there is to log.
fn one_at_a_time() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes a secret that a check across arguments sees.
#[tool(check = agree)]
#[allow(clippy::needless_pass_by_value, reason = "a tool's arguments are its own")]
fn pair(#[arg(sensitive)] secret: String, number: u8) -> String {
    format!("{} {number}", secret.len())
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the shape of a check")]
fn agree(secret: &str, number: &u8) -> Result<(), String> {
    Err(format!("{secret} does not go with {number}"))
}

#[test]
fn a_check_that_has_seen_a_secret_does_not_tell_of_it() {
    let _turn = one_at_a_time();
    let registry = Registry::<()>::builder().tool::<pair>().build().unwrap();
    let offer = registry.offer(wire::Plain::default(), Select::All).unwrap();
    let text = json!({"name": "pair", "arguments": {"secret": SENTINEL, "number": 1}}).to_string();
    let settled = pollster::block_on(offer.settle(&text, &(), &mut Run::default())).unwrap();
    assert_eq!(settled.blocks()[0].text(), "pair rejected: the arguments are not acceptable together.");
}

const SENTINEL: &str = "S3ntinel";

fn replies() -> Vec<Value> {
    let call = |at: usize, name: &str, input: Value| {
        json!({"role": "assistant", "stop_reason": "tool_use", "content": [
            {"type": "text", "text": SENTINEL},
            {"type": "tool_use", "id": format!("id_{at}"), "name": name, "input": input},
        ]})
    };
    let long = SENTINEL.repeat(6);
    let inputs = [
        json!({"password": SENTINEL}),
        json!({"password": [SENTINEL]}),
        json!({"password": {SENTINEL: 1}}),
        json!({"password": long}),
        json!({"pin": SENTINEL}),
        json!({"either": {"left": SENTINEL}}),
        json!({"either": {"left": SENTINEL, "right": 1, SENTINEL: 1}}),
        json!({"either": SENTINEL}),
        json!({"map": {SENTINEL: 300}}),
        json!({"map": {SENTINEL: SENTINEL}}),
        json!({"email": SENTINEL}),
        json!({"password": long, "pin": SENTINEL, "open": 1}),
        json!(format!("{{\"password\": \"{SENTINEL}")),
        json!(format!("{{\"password\": \"{SENTINEL}\\ud800\"}}")),
        json!(format!("{{\"password\": {SENTINEL}}}")),
        json!(format!("\"{SENTINEL}\"")),
        json!([SENTINEL]),
        json!({"open": 300}),
    ];
    inputs.into_iter().enumerate().map(|(at, input)| call(at, "vault", input)).collect()
}

fn settle_all() -> Vec<Settled> {
    let registry = Registry::<()>::builder().tool::<vault>().build().unwrap();
    let offer = registry.offer(wire::Anthropic::default(), Select::All).unwrap();
    let mut settled: Vec<Settled> = replies()
        .iter()
        .map(|reply| pollster::block_on(offer.settle(reply, &(), &mut Run::default())).unwrap())
        .collect();
    // A run that stops, with its sentence.
    let mut run = Run::default();
    for at in 0..3 {
        let mut reply = replies()[0].clone();
        reply["id"] = at.into();
        settled.push(pollster::block_on(offer.settle(&reply, &(), &mut run)).unwrap());
    }
    settled
}

#[test]
fn nothing_of_a_sensitive_argument_is_in_any_sentence() {
    let _turn = one_at_a_time();
    for settled in settle_all() {
        for block in settled.blocks() {
            assert!(!block.text().contains(SENTINEL), "{}", block.text());
            let rejection = serde_json::to_string(&block.rejection()).unwrap();
            assert!(!rejection.contains(SENTINEL), "{rejection}");
            assert!(!format!("{:?}", block.outcome()).contains(SENTINEL), "{:?}", block.outcome());
        }
        if let Err(stop) = settled.finished() {
            assert!(!stop.last.contains(SENTINEL) && !stop.to_string().contains(SENTINEL), "{stop:?}");
        }
    }
}

/// Where the subscriber writes.
#[derive(Clone, Default)]
struct Capture(Arc<Mutex<Vec<u8>>>);

impl io::Write for Capture {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn nothing_a_model_wrote_is_logged_by_default() {
    let _turn = one_at_a_time();
    let capture = Capture::default();
    let _guard = {
        let writer = capture.clone();
        let subscriber = tracing_subscriber::fmt()
            .with_max_level(tracing_subscriber::filter::LevelFilter::TRACE)
            .with_span_events(tracing_subscriber::fmt::format::FmtSpan::FULL)
            .with_writer(move || writer.clone())
            .finish();
        tracing_subscriber::util::SubscriberInitExt::set_default(subscriber)
    };
    let _ = settle_all();
    // Names and keys that the model made up, and an id that is no id.
    let registry = Registry::<()>::builder().tool::<vault>().build().unwrap();
    let offer = registry.offer(wire::Anthropic::default(), Select::All).unwrap();
    for (id, name, input) in [
        ("a", SENTINEL, json!({})),
        ("b", "vault", json!({SENTINEL: 1})),
        (&format!("{SENTINEL} is no id"), "vault", json!({"open": 1})),
    ] {
        let reply = json!({"role": "assistant", "stop_reason": "tool_use", "content": [
            {"type": "tool_use", "id": id, "name": name, "input": input},
        ]});
        let _ = pollster::block_on(offer.settle(&reply, &(), &mut Run::default())).unwrap();
    }
    // What was forgiven is logged by its kind.
    let reply = json!({"role": "assistant", "stop_reason": "tool_use", "content": [
        {"type": "tool_use", "id": "d", "name": format!("vault<{SENTINEL}"), "input": {"open": "1", "map": {SENTINEL: "1"}}},
    ]});
    let lenient = offer.lenient(Leniency::all());
    let _ = pollster::block_on(lenient.settle(&reply, &(), &mut Run::default())).unwrap();
    let logged = String::from_utf8(capture.0.lock().unwrap().clone()).unwrap();
    assert!(logged.contains("execute_tool") && logged.contains("gen_ai.tool.name=\"vault\""), "{logged}");
    assert!(logged.contains("outcome=\"rejected\"") && logged.contains("kind=\"schema\""), "{logged}");
    assert!(logged.contains("eased=\"name_affix,schema_guided\""), "{logged}");
    assert!(!logged.contains(SENTINEL), "{logged}");
}
