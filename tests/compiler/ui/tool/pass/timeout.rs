use std::{future::pending, thread, time::Duration};

use serde_json::json;
use tokio::runtime::Builder;
use tool_gate::{OutcomeKind, Registry, Run, Select, tool, wire};

/// Wait for ever.
#[tool(timeout = "5ms")]
async fn wait() {
    pending().await
}

/// Take a while.
#[tool(timeout = "2m", blocking)]
fn slow() {
    thread::sleep(Duration::from_millis(20));
}

/// Take longer than that, on a thread that nothing stops.
#[tool(timeout = "1ms", blocking)]
fn late() {
    thread::sleep(Duration::from_millis(500));
}

/// Have all the time there is.
#[tool(timeout = "4294967295s")]
fn long() {}

fn main() {
    let builder = Registry::<()>::builder().tool::<wait>().tool::<slow>().tool::<late>().tool::<long>();
    let registry = builder.build().expect("built");
    let offer = registry.offer(wire::Plain::default(), Select::All).expect("four tools");
    let runtime = Builder::new_current_thread().enable_time().build().expect("a runtime");
    let kind = |name: &str| {
        let reply = json!({"name": name, "arguments": {}});
        let settled = runtime.block_on(offer.settle(&reply, &(), &mut Run::default())).expect("a proposal");
        settled.blocks()[0].kind()
    };
    assert_eq!(kind("wait"), OutcomeKind::Failed);
    assert_eq!(kind("slow"), OutcomeKind::Completed);
    assert_eq!(kind("late"), OutcomeKind::Failed);
    assert_eq!(kind("long"), OutcomeKind::Completed);
}
