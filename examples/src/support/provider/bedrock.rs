//! AWS Bedrock's Converse API: each block of a message's content is an object with one key, which says what it is.

use std::{iter, sync::Arc};

use serde_json::{Map, Value, json};
use tool_gate::wire::{self, Wire};

use super::Api;
use crate::support::recording::Said;

pub(super) struct Converse;

impl Api for Converse {
    fn name(&self) -> &'static str {
        "bedrock"
    }

    fn wire(&self) -> Arc<dyn Wire> {
        Arc::new(wire::Bedrock::default())
    }

    fn question(&self, text: &str) -> Value {
        json!({"role": "user", "content": [{"text": text}]})
    }

    fn tools<'r>(&self, request: &'r Value) -> &'r Value {
        &request["toolConfig"]["tools"]
    }

    fn reply(&self, number: usize, said: &Said) -> Value {
        let text = (!said.text.is_empty()).then(|| json!({"text": said.text}));
        let calls = iter::zip(1.., said.calls).map(|(place, call)| {
            // The API sends an object. Text that is none is what stream readers leave in its place.
            let input = serde_json::from_str(call.arguments).unwrap_or_else(|_| Value::from(call.arguments));
            let id = format!("tooluse_{number}_{place}");
            // A request does not know the type that Claude's calls come with.
            json!({"toolUse": {"toolUseId": id, "name": call.name, "input": input, "type": "tool_use"}})
        });
        let content: Value = text.into_iter().chain(calls).collect();
        json!({
            "output": {"message": {"role": "assistant", "content": content}},
            "stopReason": if said.calls.is_empty() { "end_turn" } else { "tool_use" },
            "usage": {"inputTokens": 0, "outputTokens": 0, "totalTokens": 0},
            "metrics": {"latencyMs": 0},
        })
    }

    fn calls<'m>(&self, message: &'m Value) -> Vec<&'m str> {
        blocks(message).iter().filter_map(|block| block.get("toolUse")).map(id).collect()
    }

    fn answers<'m>(&self, _: &Value, after: &'m [Value]) -> Vec<&'m str> {
        let next = after.first().map_or(&[][..], blocks);
        next.iter().filter_map(|block| block.get("toolResult")).map(id).collect()
    }

    fn is_sound(&self, message: &Value) -> bool {
        !blocks(message).is_empty()
            && blocks(message).iter().all(|block| match only(block) {
                Some(("text", text)) => !is_blank(text),
                Some(("toolUse", call)) => {
                    has_only(call, &["toolUseId", "name", "input"])
                        && is_word(id(call), "_.:-")
                        && is_word(call["name"].as_str().unwrap_or_default(), "_-")
                        && call["input"].is_object()
                }
                Some(("toolResult", result)) => {
                    has_only(result, &["toolUseId", "status", "content"])
                        && matches!(result["status"].as_str(), Some("success" | "error"))
                        && !blocks(result).is_empty()
                        && blocks(result).iter().all(|block| match only(block) {
                            Some(("json", value)) => value.is_object(),
                            Some(("text", text)) => !is_blank(text),
                            _ => false,
                        })
                }
                _ => false,
            })
    }
}

fn blocks(holder: &Value) -> &[Value] {
    holder["content"].as_array().map_or(&[], Vec::as_slice)
}

/// The one member of a block.
fn only(block: &Value) -> Option<(&str, &Value)> {
    let mut members = block.as_object().into_iter().flat_map(Map::iter);
    let (key, value) = members.next().filter(|_| members.next().is_none())?;
    Some((key, value))
}

fn has_only(object: &Value, keys: &[&str]) -> bool {
    object.as_object().is_some_and(|object| object.keys().all(|key| keys.contains(&key.as_str())))
}

fn is_blank(text: &Value) -> bool {
    text.as_str().is_none_or(|text| text.trim().is_empty())
}

/// 1 to 64 letters, digits and such marks.
fn is_word(text: &str, marks: &str) -> bool {
    (1..=64).contains(&text.len()) && text.chars().all(|c| c.is_ascii_alphanumeric() || marks.contains(c))
}

fn id(item: &Value) -> &str {
    item["toolUseId"].as_str().unwrap_or_default()
}
