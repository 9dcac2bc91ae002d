//! OpenAI's Chat Completions API, and the many servers that speak it nearly.
//!
//! Sources: OpenAI's OpenAPI description (`ChatCompletionMessageToolCall`, `CreateChatCompletionResponse`), the `openai`
//! Python SDK 3.57 (`types/chat`), and what DeepSeek, Groq, vLLM and llama.cpp's server were recorded to send.

use serde_json::{Map, Value, json};

#[cfg(feature = "testing")]
use super::Said;
use super::{Answered, Arguments, Call, Ending, Item, Reading, ReplyError, Step, Wire, is_word};
use crate::{schema::JsonType, tool::Definition};

/// OpenAI's Chat Completions API: `tool_calls` of the first choice's message, answered by one `tool` message each.
///
/// A reply is the response body. The arguments are text, so the parse gate carries weight here. Read tolerantly: an absent
/// or empty id, arguments that are `null`, `""` or an object, `tool_calls` that are `null`, `content` that is absent, a
/// `finish_reason` of `stop` beside calls. A call of a custom tool is one of a tool that was not offered, and goes back as
/// what it is.
///
/// The provider has no error flag: the sentence says what happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpenAiChat {}

#[diagnostic::do_not_recommend]
impl Wire for OpenAiChat {
    fn publish(&self, definitions: &[&Definition]) -> Value {
        definitions
            .iter()
            .map(|definition| {
                json!({
                    "type": "function",
                    "function": {
                        "name": definition.name(),
                        "description": definition.description(),
                        "parameters": definition.input_schema(),
                    },
                })
            })
            .collect()
    }

    fn argument_places(&self) -> &'static [&'static [Step]] {
        &[&[
            Step::Key("choices"),
            Step::Each,
            Step::Key("message"),
            Step::Key("tool_calls"),
            Step::Each,
            Step::Key("function"),
            Step::Key("arguments"),
        ]]
    }

    fn read(&self, reply: Item<'_>) -> Result<Reading, ReplyError> {
        let choice = reply.get("choices").and_then(|choices| choices.elements().next());
        let choice = choice.ok_or_else(|| {
            ReplyError::new(match reply.get("error") {
                Some(_) => "the reply is an error of the provider's, and no completion",
                None => "a Chat Completions reply has an array `choices`, not empty",
            })
        })?;
        let message = choice.get("message").filter(|message| message.json_type() == JsonType::Object);
        let message = message.ok_or_else(|| ReplyError::new("a Chat Completions choice has an object `message`"))?;
        let tool_calls = message.get("tool_calls").filter(|calls| calls.json_type() != JsonType::Null);
        if tool_calls.is_some_and(|calls| calls.json_type() != JsonType::Array) {
            return Err(ReplyError::new("the `tool_calls` of a Chat Completions message are an array"));
        }
        let tool_calls: Vec<Item<'_>> = tool_calls.into_iter().flat_map(Item::elements).collect();
        let ending = match choice.text("finish_reason") {
            _ if message.text("refusal").is_some_and(|refusal| !refusal.is_empty()) => Ending::Refused,
            // Compatible servers say `stop` beside calls, and some say nothing at all.
            Some("tool_calls" | "function_call" | "stop") | None if tool_calls.is_empty() => Ending::Complete,
            Some("tool_calls" | "function_call" | "stop") | None => Ending::ToolUse,
            Some("length") => Ending::Cut,
            Some("content_filter") => Ending::Refused,
            Some(_) => Ending::Unknown,
        };
        let calls = tool_calls.iter().copied().map(call).collect();
        Ok(Reading::new(calls, ending, assistant(message, &tool_calls)).of_reply(reply.text("id")))
    }

    fn write(&self, assistant: &Value, answers: &[Answered<'_>]) -> Vec<Value> {
        let mut message = assistant.clone();
        if let Some(Value::Array(calls)) = message.get_mut("tool_calls") {
            for (call, answer) in calls.iter_mut().zip(answers) {
                *call = replayed(call, answer);
            }
        }
        let results = answers
            .iter()
            .map(|answer| json!({"role": "tool", "tool_call_id": answer.id(), "content": answer.block().text()}));
        // A message that says nothing is refused in a request, though a reply may be one.
        (!is_blank(&message)).then_some(message).into_iter().chain(results).collect()
    }

    fn takes_id(&self, id: &str) -> bool {
        // Opaque to OpenAI itself; compatible servers send white space and worse.
        !id.is_empty() && id.len() <= 256 && id.bytes().all(|byte| byte.is_ascii_graphic())
    }

    fn takes_name(&self, name: &str) -> bool {
        is_word(name, 64)
    }

    #[cfg(feature = "testing")]
    fn compose(&self, said: &Said) -> Option<Value> {
        let reason = match said.ending() {
            Ending::ToolUse => "tool_calls",
            Ending::Complete => "stop",
            Ending::Cut => "length",
            Ending::Refused => "content_filter",
            Ending::Unknown => "unknown",
            Ending::Paused => return None,
        };
        let calls: Vec<Value> = said
            .calls()
            .iter()
            .map(|call| {
                let function = json!({"name": call.name(), "arguments": call.arguments().text()});
                json!({"id": call.id(), "type": "function", "function": function})
            })
            .collect();
        let mut message = json!({"role": "assistant", "content": said.text(), "refusal": null});
        if !calls.is_empty() {
            message["tool_calls"] = calls.into();
        }
        Some(json!({
            "id": format!("chatcmpl-{}", said.number()),
            "object": "chat.completion",
            "created": 0,
            "model": "scripted",
            "choices": [{"index": 0, "message": message, "finish_reason": reason}],
            "usage": {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0},
        }))
    }
}

fn call(item: Item<'_>) -> Call {
    let id = item.text("id").map(str::to_owned);
    let (body, arguments) = match custom(item) {
        Some(custom) => (Some(custom), "input"),
        None => (item.get("function"), "arguments"),
    };
    let name = body.and_then(|body| body.text("name")).unwrap_or_default();
    let arguments = body.and_then(|body| body.get(arguments)).map_or(Arguments::Absent, Item::arguments);
    Call::new(id, name, arguments)
}

/// The body of a custom tool's call. Without a type, a call is a function's.
fn custom(call: Item<'_>) -> Option<Item<'_>> {
    call.get("custom").filter(|_| call.text("type") == Some("custom"))
}

/// The keys of a message that a request takes back; a reply has others. `reasoning_content` is `DeepSeek`'s, which refuses
/// a thinking turn that comes back without it.
const REPLAYED: [&str; 3] = ["content", "refusal", "reasoning_content"];

/// The message as a request takes it. In the place of each call stands what a custom tool was sent; null for a function's,
/// since it is not known yet how that is written.
fn assistant(message: Item<'_>, calls: &[Item<'_>]) -> Value {
    let mut replayed = Map::new();
    replayed.insert("role".into(), "assistant".into());
    replayed.insert("content".into(), Value::Null);
    for key in REPLAYED {
        if let Some(value) = message.get(key).filter(|value| value.json_type() != JsonType::Null) {
            replayed.insert(key.into(), value.to_value());
        }
    }
    if !calls.is_empty() {
        let sent = calls.iter().map(|call| custom(*call).map(|custom| custom.text("input").unwrap_or_default()));
        replayed.insert("tool_calls".into(), sent.collect());
    }
    Value::Object(replayed)
}

/// The call as history has it: a function's arguments are text, and always an object's.
fn replayed(call: &Value, answer: &Answered<'_>) -> Value {
    match call {
        Value::Null => {
            let function = json!({"name": answer.name(), "arguments": answer.arguments_text()});
            json!({"id": answer.id(), "type": "function", "function": function})
        }
        input => json!({"id": answer.id(), "type": "custom", "custom": {"name": answer.name(), "input": input}}),
    }
}

/// Whether an assistant's message holds neither text, nor a refusal, nor calls.
fn is_blank(message: &Value) -> bool {
    let is_empty = match &message["content"] {
        Value::String(text) => text.is_empty(),
        Value::Array(parts) => parts.is_empty(),
        content => content.is_null(),
    };
    is_empty && message.get("refusal").is_none() && message.get("tool_calls").is_none()
}
