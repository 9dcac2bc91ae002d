//! Anthropic's Messages API: calls and results are blocks of a message's content.

use std::{iter, sync::Arc};

use serde_json::{Value, json};
use tool_gate::wire::{self, Wire};

use super::Api;
use crate::support::recording::Said;

pub(super) struct Messages;

impl Api for Messages {
    fn name(&self) -> &'static str {
        "anthropic"
    }

    fn wire(&self) -> Arc<dyn Wire> {
        Arc::new(wire::Anthropic::default())
    }

    fn reply(&self, number: usize, said: &Said) -> Value {
        let text = (!said.text.is_empty()).then(|| json!({"type": "text", "text": said.text}));
        let calls = iter::zip(1.., said.calls).map(|(place, call)| {
            // The API sends an object. Text that is none is what stream readers and gateways leave in its place.
            let input = serde_json::from_str(call.arguments).unwrap_or_else(|_| Value::from(call.arguments));
            json!({"type": "tool_use", "id": format!("toolu_{number}_{place}"), "name": call.name, "input": input})
        });
        json!({
            "id": format!("msg_{number}"),
            "type": "message",
            "role": "assistant",
            "model": "recorded",
            "content": text.into_iter().chain(calls).collect::<Value>(),
            "stop_reason": if said.calls.is_empty() { "end_turn" } else { "tool_use" },
            "usage": {"input_tokens": 0, "output_tokens": 0},
        })
    }

    fn calls<'m>(&self, message: &'m Value) -> Vec<&'m str> {
        blocks(message).iter().filter(|block| block["type"] == "tool_use").map(|block| id(block, "id")).collect()
    }

    /// Results count only while nothing stands before them in the next message.
    fn answers<'m>(&self, _: &Value, after: &'m [Value]) -> Vec<&'m str> {
        let next = after.first().map_or(&[][..], blocks);
        let results = next.iter().take_while(|block| block["type"] == "tool_result");
        results.map(|block| id(block, "tool_use_id")).collect()
    }

    fn is_sound(&self, message: &Value) -> bool {
        blocks(message).iter().all(|block| match block["type"].as_str() {
            Some("tool_use") => block["input"].is_object(),
            Some("tool_result") => block["content"].as_str().is_some_and(|content| !content.is_empty()),
            _ => true,
        })
    }
}

fn blocks(message: &Value) -> &[Value] {
    message["content"].as_array().map_or(&[], Vec::as_slice)
}

fn id<'m>(block: &'m Value, key: &str) -> &'m str {
    block[key].as_str().unwrap_or_default()
}
