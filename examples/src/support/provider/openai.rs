//! `OpenAI`'s Chat Completions API: calls stand beside a message's content, and each result is a message.

use std::{iter, sync::Arc};

use serde_json::{Map, Value, json};
use tool_gate::wire::{self, Wire};

use super::Api;
use crate::support::recording::Said;

pub(super) struct ChatCompletions;

impl Api for ChatCompletions {
    fn name(&self) -> &'static str {
        "openai"
    }

    fn wire(&self) -> Arc<dyn Wire> {
        Arc::new(wire::OpenAiChat::default())
    }

    fn reply(&self, number: usize, said: &Said) -> Value {
        let text = (!said.text.is_empty()).then_some(said.text);
        let calls = iter::zip(1.., said.calls).map(|(place, call)| {
            let function = json!({"name": call.name, "arguments": call.arguments});
            json!({"id": format!("call_{number}_{place}"), "type": "function", "function": function})
        });
        let mut message = json!({"role": "assistant", "content": text, "refusal": null});
        if !said.calls.is_empty() {
            message["tool_calls"] = calls.collect();
        }
        let reason = if said.calls.is_empty() { "stop" } else { "tool_calls" };
        json!({
            "id": format!("chatcmpl-{number}"),
            "object": "chat.completion",
            "created": 0,
            "model": "recorded",
            "choices": [{"index": 0, "message": message, "finish_reason": reason}],
            "usage": {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0},
        })
    }

    fn calls<'m>(&self, message: &'m Value) -> Vec<&'m str> {
        tool_calls(message).iter().map(|call| id(call, "id")).collect()
    }

    /// A result stands between the calls and other results, so nothing answers it in its turn.
    fn answers<'m>(&self, message: &Value, after: &'m [Value]) -> Vec<&'m str> {
        let results = after.iter().take_while(|next| !is_result(message) && is_result(next));
        results.map(|result| id(result, "tool_call_id")).collect()
    }

    fn is_sound(&self, message: &Value) -> bool {
        let is_object = |text: &str| serde_json::from_str::<Map<String, Value>>(text).is_ok();
        let has_words = message["content"].as_str().is_some_and(|content| !content.is_empty());
        tool_calls(message).iter().all(|call| call["function"]["arguments"].as_str().is_some_and(is_object))
            && (has_words || !is_result(message))
    }
}

fn tool_calls(message: &Value) -> &[Value] {
    message["tool_calls"].as_array().map_or(&[], Vec::as_slice)
}

fn is_result(message: &Value) -> bool {
    message["role"] == "tool"
}

fn id<'m>(item: &'m Value, key: &str) -> &'m str {
    item[key].as_str().unwrap_or_default()
}
