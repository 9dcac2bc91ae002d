//! What a provider's server sends for a reply where it is asked to stream it.

use serde_json::{Value, json};

use super::Provider;

/// A text in pieces of a few characters, of which the first is often empty.
fn pieces(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    std::iter::once(String::new()).chain(chars.chunks(7).map(|piece| piece.iter().collect())).collect()
}

fn elements(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// The object's members, but for some that are replaced.
fn with(object: &Value, changes: &[(&str, Value)]) -> Value {
    let mut changed = object.clone();
    for (key, value) in changes {
        if changed.get(key).is_some() {
            changed[*key] = value.clone();
        }
    }
    changed
}

impl Provider {
    /// The events of this reply; none where the provider does not stream it.
    pub fn events(self, reply: &Value) -> Option<Vec<Value>> {
        match self {
            Self::Anthropic => Some(anthropic(reply)),
            Self::OpenAiChat | Self::Mistral => Some(chat(reply)),
            Self::OpenAiResponses => Some(responses(reply)),
            Self::Gemini => gemini(reply),
            Self::Bedrock => bedrock(reply),
            Self::Cohere => Some(cohere(reply)),
            Self::Ollama => Some(ollama(reply)),
            Self::Mcp | Self::Plain => None,
        }
    }
}

fn anthropic(reply: &Value) -> Vec<Value> {
    let begun = with(reply, &[("content", json!([])), ("stop_reason", Value::Null)]);
    let mut events = vec![json!({"type": "message_start", "message": begun}), json!({"type": "ping"})];
    for (index, block) in elements(&reply["content"]).enumerate() {
        let empty = [("text", ""), ("thinking", ""), ("signature", "")].map(|(key, text)| (key, text.into()));
        let mut begun = with(block, &[("input", json!({}))]);
        if matches!(block["type"].as_str(), Some("text" | "thinking")) {
            begun = with(&begun, &empty);
        }
        let citations =
            begun.as_object_mut().and_then(|begun| begun.remove("citations")).filter(|cited| !cited.is_null());
        events.push(json!({"type": "content_block_start", "index": index, "content_block": begun}));
        let mut delta = |kind: &str, key: &str, value: Value| {
            let delta = json!({"type": kind, key: value});
            events.push(json!({"type": "content_block_delta", "index": index, "delta": delta}));
        };
        match block["type"].as_str() {
            Some("text") => {
                for piece in pieces(block["text"].as_str().unwrap_or_default()) {
                    delta("text_delta", "text", piece.into());
                }
            }
            Some("thinking") => {
                let thought = block["thinking"].as_str().unwrap_or_default();
                for piece in pieces(thought) {
                    delta("thinking_delta", "thinking", piece.into());
                }
                delta("signature_delta", "signature", block["signature"].clone());
            }
            Some("tool_use" | "server_tool_use") if block["input"] != json!({}) => {
                let input = block["input"].to_string();
                for piece in pieces(&input) {
                    delta("input_json_delta", "partial_json", piece.into());
                }
            }
            _ => {}
        }
        for cited in citations.iter().flat_map(elements) {
            delta("citations_delta", "citation", cited.clone());
        }
        events.push(json!({"type": "content_block_stop", "index": index}));
    }
    let ended = json!({"stop_reason": reply["stop_reason"], "stop_sequence": reply["stop_sequence"]});
    events.push(json!({"type": "message_delta", "delta": ended, "usage": {"output_tokens": 1}}));
    events.push(json!({"type": "message_stop"}));
    events
}

fn chat(reply: &Value) -> Vec<Value> {
    let message = &reply["choices"][0]["message"];
    let chunk = |delta: Value, reason: Value| {
        let choice = json!({"index": 0, "delta": delta, "finish_reason": reason});
        json!({"id": reply["id"], "object": "chat.completion.chunk", "choices": [choice]})
    };
    let mut events = vec![chunk(json!({"role": "assistant", "content": null}), Value::Null)];
    for key in ["reasoning_content", "content", "refusal"] {
        if let Some(text) = message[key].as_str() {
            events.extend(pieces(text).into_iter().map(|piece| chunk(json!({key: piece}), Value::Null)));
        }
    }
    for detail in elements(&message["reasoning_details"]) {
        events.push(chunk(json!({"reasoning_details": [detail]}), Value::Null));
    }
    for (index, call) in elements(&message["tool_calls"]).enumerate() {
        let body = if call["type"] == "custom" { "custom" } else { "function" };
        let key = if body == "custom" { "input" } else { "arguments" };
        let mut begun = call.clone();
        begun["index"] = index.into();
        // Some servers send arguments as an object: then in one piece.
        let Some(text) = call[body][key].as_str() else {
            events.push(chunk(json!({"tool_calls": [begun]}), Value::Null));
            continue;
        };
        begun[body][key] = "".into();
        events.push(chunk(json!({"tool_calls": [begun]}), Value::Null));
        events.extend(
            pieces(text)
                .into_iter()
                .map(|piece| chunk(json!({"tool_calls": [{"index": index, body: {key: piece}}]}), Value::Null)),
        );
    }
    events.push(chunk(json!({}), reply["choices"][0]["finish_reason"].clone()));
    events.push(
        json!({"id": reply["id"], "object": "chat.completion.chunk", "choices": [], "usage": {"total_tokens": 1}}),
    );
    events
}

fn responses(reply: &Value) -> Vec<Value> {
    let begun = with(reply, &[("output", json!([])), ("status", "in_progress".into())]);
    let mut events = vec![json!({"type": "response.created", "response": begun})];
    for (index, item) in elements(&reply["output"]).enumerate() {
        let is_call = item["type"] == "function_call";
        let added = with(item, &[("status", "in_progress".into())]);
        let added = if is_call { with(&added, &[("arguments", "".into())]) } else { added };
        events.push(json!({"type": "response.output_item.added", "output_index": index, "item": added}));
        if let (true, Some(text)) = (is_call, item["arguments"].as_str()) {
            let place = |kind: &str, key: &str, value: &str| json!({"type": kind, "item_id": item["id"], "output_index": index, key: value});
            let deltas =
                pieces(text).into_iter().map(|piece| place("response.function_call_arguments.delta", "delta", &piece));
            events.extend(deltas.collect::<Vec<_>>());
            events.push(place("response.function_call_arguments.done", "arguments", text));
        }
        events.push(json!({"type": "response.output_item.done", "output_index": index, "item": item}));
    }
    let kind = if reply["status"] == "incomplete" { "response.incomplete" } else { "response.completed" };
    events.push(json!({"type": kind, "response": reply}));
    events
}

fn gemini(reply: &Value) -> Option<Vec<Value>> {
    let candidate = reply["candidates"].get(0)?;
    let parts = candidate["content"]["parts"].as_array().filter(|parts| !parts.is_empty())?;
    let last = parts.len() - 1;
    let chunks = parts.iter().enumerate().map(|(place, part)| {
        let mut chunk = with(candidate, &[("finishReason", Value::Null), ("finishMessage", Value::Null)]);
        if place == last {
            chunk = candidate.clone();
        }
        chunk["content"]["parts"] = json!([part]);
        let mut event = reply.clone();
        event["candidates"] = json!([chunk]);
        event
    });
    Some(chunks.collect())
}

fn bedrock(reply: &Value) -> Option<Vec<Value>> {
    let message = &reply["output"]["message"];
    let mut events = vec![json!({"messageStart": {"role": message["role"]}})];
    for (index, block) in elements(&message["content"]).enumerate() {
        let mut delta =
            |delta: Value| events.push(json!({"contentBlockDelta": {"contentBlockIndex": index, "delta": delta}}));
        if let Some(text) = block["text"].as_str() {
            for piece in pieces(text) {
                delta(json!({"text": piece}));
            }
        } else if let Some(thought) = block["reasoningContent"].get("reasoningText") {
            let text = thought["text"].as_str().unwrap_or_default();
            for piece in pieces(text) {
                delta(json!({"reasoningContent": {"text": piece}}));
            }
            if let Some(signature) = thought.get("signature") {
                delta(json!({"reasoningContent": {"signature": signature}}));
            }
        } else if let Some(call) = block.get("toolUse") {
            let mut begun = call.clone();
            begun.as_object_mut()?.remove("input");
            let input = if call["input"] == json!({}) { String::new() } else { call["input"].to_string() };
            let deltas: Vec<Value> =
                pieces(&input).into_iter().map(|piece| json!({"toolUse": {"input": piece}})).collect();
            events.push(json!({"contentBlockStart": {"contentBlockIndex": index, "start": {"toolUse": begun}}}));
            let delta = |delta| json!({"contentBlockDelta": {"contentBlockIndex": index, "delta": delta}});
            events.extend(deltas.into_iter().map(delta));
        } else {
            return None;
        }
        events.push(json!({"contentBlockStop": {"contentBlockIndex": index}}));
    }
    events.push(json!({"messageStop": {"stopReason": reply["stopReason"]}}));
    events.push(json!({"metadata": {"usage": reply["usage"]}}));
    Some(events)
}

fn cohere(reply: &Value) -> Vec<Value> {
    let message = &reply["message"];
    let delta =
        |kind: &str, index: usize, message: Value| json!({"type": kind, "index": index, "delta": {"message": message}});
    let mut events = vec![json!({
        "type": "message-start",
        "id": reply["id"],
        "delta": {"message": {"role": "assistant", "content": [], "tool_plan": "", "tool_calls": [], "citations": []}},
    })];
    if let Some(plan) = message["tool_plan"].as_str() {
        events.extend(pieces(plan).into_iter().map(|piece| delta("tool-plan-delta", 0, json!({"tool_plan": piece}))));
    }
    for (index, part) in elements(&message["content"]).enumerate() {
        events.push(delta(
            "content-start",
            index,
            json!({"content": with(part, &[("text", "".into()), ("thinking", "".into())])}),
        ));
        for key in ["text", "thinking"] {
            if let Some(text) = part[key].as_str() {
                events.extend(
                    pieces(text)
                        .into_iter()
                        .map(|piece| delta("content-delta", index, json!({"content": {key: piece}}))),
                );
            }
        }
        events.push(json!({"type": "content-end", "index": index}));
    }
    for (index, call) in elements(&message["tool_calls"]).enumerate() {
        let mut begun = call.clone();
        begun["function"]["arguments"] = "".into();
        events.push(delta("tool-call-start", index, json!({"tool_calls": begun})));
        let text = call["function"]["arguments"].as_str().unwrap_or_default();
        events.extend(
            pieces(text).into_iter().map(|piece| {
                delta("tool-call-delta", index, json!({"tool_calls": {"function": {"arguments": piece}}}))
            }),
        );
        events.push(json!({"type": "tool-call-end", "index": index}));
    }
    events.push(
        json!({"type": "message-end", "delta": {"finish_reason": reply["finish_reason"], "usage": reply["usage"]}}),
    );
    events
}

fn ollama(reply: &Value) -> Vec<Value> {
    let message = &reply["message"];
    let chunk = |message: Value| json!({"model": reply["model"], "message": message, "done": false});
    let mut events = Vec::new();
    for key in ["thinking", "content"] {
        if let Some(text) = message[key].as_str().filter(|text| !text.is_empty()) {
            let mut said = json!({"role": "assistant", "content": ""});
            events.extend(pieces(text).into_iter().map(|piece| {
                said[key] = piece.into();
                chunk(said.clone())
            }));
        }
    }
    for call in elements(&message["tool_calls"]) {
        events.push(chunk(json!({"role": "assistant", "content": "", "tool_calls": [call]})));
    }
    let mut last = reply.clone();
    last["message"] = json!({"role": "assistant", "content": ""});
    events.push(last);
    events
}
