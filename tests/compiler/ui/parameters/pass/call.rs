#[path = "../../support.rs"]
mod support;

use serde_json::json;
use support::{call, declared};
use tool_gate::tool;

mod told {
    pub use tool_gate::CallInfo as OfCall;
}

type Told = told::OfCall;

/// Hear of the call that is answered: the attribute says so, and no name or spelling of a type.
#[tool]
async fn told_of(
    #[call] a: &tool_gate::CallInfo,
    call: &str,
    #[call] _: &told::OfCall,
    #[state] state: &u8,
    #[call] other: &Told,
) -> String {
    std::future::ready(()).await;
    assert_eq!(a, other);
    format!("{} {call} {state} {}", a.tool(), !a.id().is_empty() && !a.idempotency_key().is_empty())
}

fn main() {
    let properties = declared::<told_of, u8>()["parameters"]["properties"].take();
    assert_eq!(properties, json!({"call": {"type": "string"}}));
    assert_eq!(call::<told_of, u8>(&3, json!({"call": "x"})), "told_of x 3 true");
}
