#[path = "../../support.rs"]
mod support;

use std::{
    cell::RefCell,
    fmt,
    rc::Rc,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    thread,
};

use serde_json::json;
use support::{call, outcome};
use tool_gate::{CallInfo, OutcomeKind, Provides, tool};

struct Store {
    calls: AtomicU32,
}

#[derive(Clone)]
struct Prefix(&'static str);

#[derive(Provides)]
struct Session {
    #[provide]
    store: Arc<Store>,
    #[provide]
    prefix: Prefix,
}

/// Take the whole of it to another thread.
#[tool(blocking)]
fn query(
    #[state] store: &Arc<Store>,
    text: &str,
    list: Vec<u8>,
    #[state] Prefix(prefix): &Prefix,
    #[call] call: &CallInfo,
) -> Result<String, fmt::Error> {
    assert_ne!(thread::current().name(), Some("main"));
    // What is not `Send` may live here, where nothing is awaited.
    let here = Rc::new(RefCell::new(String::new()));
    here.borrow_mut().push_str(text);
    let number = store.calls.fetch_add(1, Ordering::Relaxed);
    let text = format!("{prefix} {} {list:?} {number} {}", here.borrow(), call.tool());
    (!text.is_empty()).then_some(text).ok_or(fmt::Error)
}

/// Take nothing.
#[tool(blocking, read_only)]
fn nothing() {}

/// Break.
#[tool(blocking)]
fn broken(number: u8) -> u8 {
    1 / number
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let _entered = runtime.enter();
    let session = Session { store: Arc::new(Store { calls: AtomicU32::new(0) }), prefix: Prefix("p") };
    assert_eq!(call::<query, Session>(&session, json!({"text": "t", "list": [1]})), "p t [1] 0 query");
    assert_eq!(call::<query, Session>(&session, json!({"text": "t", "list": []})), "p t [] 1 query");
    assert_eq!(call::<nothing, ()>(&(), json!({})), "Done.");
    assert_eq!(call::<broken, ()>(&(), json!({"number": 1})), "1");
    assert_eq!(outcome::<broken, ()>(&(), json!({"number": 0})).0, OutcomeKind::Failed);
}
