use std::{future::pending, time::Duration};

use serde_json::json;
use tokio::runtime::Builder;
use tool_gate::{OutcomeKind, Registry, Run, Select, tool, wire};

/// Wait for ever.
#[tool(timeout = "5ms")]
async fn wait() {
    pending().await
}

/// Take as long as that, and no longer.
#[tool(timeout = "2m", blocking)]
fn take() {
    std::thread::sleep(Duration::from_millis(20));
}

/// Seconds too.
#[tool(timeout = "4294967295s")]
fn long() {}

fn main() {
    let registry = Registry::<()>::builder().tool::<wait>().tool::<take>().tool::<long>().build().expect("built");
    let offer = registry.offer(wire::Plain::default(), Select::All).expect("three tools");
    let runtime = Builder::new_current_thread().enable_time().build().expect("a runtime");
    let kind = |name: &str| {
        let reply = json!({"name": name, "arguments": {}});
        let settled = runtime.block_on(offer.settle(&reply, &(), &mut Run::default())).expect("a proposal");
        settled.blocks()[0].kind()
    };
    assert_eq!(kind("wait"), OutcomeKind::Failed);
    assert_eq!(kind("take"), OutcomeKind::Completed);
    assert_eq!(kind("long"), OutcomeKind::Completed);
}
