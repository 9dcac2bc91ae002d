//! What the passing fixtures share: a registry of one tool, asked what it declares and called.

use pollster::block_on;
use serde_json::{Value, json};
use tool_gate::{Decision, OutcomeKind, Registry, Run, Select, Tool, wire};

fn registry<T: Tool<S>, S: ?Sized + Sync + 'static>() -> Registry<S> {
    Registry::builder().tool::<T>().policy(|_: &S, _: &_| Decision::Allow).build().expect("declared without a mistake")
}

/// The definition as `{name, description, parameters}`.
#[allow(dead_code)]
pub fn declared<T: Tool<S>, S: ?Sized + Sync + 'static>() -> Value {
    let offer = registry::<T, S>().offer(wire::Plain::default(), Select::All).expect("one tool");
    offer.tools().to_value()[0].take()
}

/// The schema of one argument.
#[allow(dead_code)]
pub fn argument<T: Tool<S>, S: ?Sized + Sync + 'static>(key: &str) -> Value {
    declared::<T, S>()["parameters"]["properties"][key].take()
}

/// The names of the arguments that a call has to bring.
#[allow(dead_code)]
pub fn required<T: Tool<S>, S: ?Sized + Sync + 'static>() -> Value {
    declared::<T, S>()["parameters"]["required"].take()
}

/// What the model reads of one call, and how that ended.
#[allow(dead_code)]
pub fn outcome<T: Tool<S>, S: ?Sized + Sync + 'static>(state: &S, arguments: Value) -> (OutcomeKind, String) {
    let registry = registry::<T, S>();
    let name = registry.definitions().next().expect("one tool").name().to_owned();
    let offer = registry.offer(wire::Plain::default(), Select::All).expect("one tool");
    let reply = json!({"name": name, "arguments": arguments});
    let settled = block_on(offer.settle(&reply, state, &mut Run::default())).expect("a proposal");
    (settled.blocks()[0].kind(), settled.blocks()[0].text().to_owned())
}

/// The answer to a call that completes.
#[allow(dead_code)]
pub fn call<T: Tool<S>, S: ?Sized + Sync + 'static>(state: &S, arguments: Value) -> String {
    let (kind, text) = outcome::<T, S>(state, arguments);
    assert_eq!(kind, OutcomeKind::Completed, "{text}");
    text
}
