//! OpenAI's Chat Completions API, and the many servers that speak it nearly.
//!
//! Sources: OpenAI's OpenAPI description (`ChatCompletionMessageToolCall`, `CreateChatCompletionResponse`), the `openai`
//! Python SDK 3.57 (`types/chat`), and what DeepSeek, Groq, vLLM and llama.cpp's server were recorded to send.

use serde_json::{Map, Value, json};

use super::{Answered, Arguments, Call, Ending, Item, Reading, ReplyError, Step, Wire, is_word};
use crate::{schema::JsonType, tool::Definition};

/// OpenAI's Chat Completions API: `tool_calls` of the first choice's message, answered by one `tool` message each.
///
/// A reply is the response body. The arguments are text, so the parse gate carries weight here. Read tolerantly: an absent
/// or empty id, arguments that are `null`, `""` or an object, `tool_calls` that are `null`, `content` that is absent, a
/// `finish_reason` of `stop` beside calls. Custom tools' calls are text for the host, and are answered as not offered.
///
/// The provider has no error flag: the sentence says what happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpenAiChat {}

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
        let choice =
            choice.ok_or_else(|| ReplyError::new("a Chat Completions reply has an array `choices`, not empty"))?;
        let message = choice.get("message").filter(|message| message.json_type() == JsonType::Object);
        let message = message.ok_or_else(|| ReplyError::new("a Chat Completions choice has an object `message`"))?;
        let calls: Vec<Call> = message.get("tool_calls").into_iter().flat_map(Item::elements).map(call).collect();
        let ending = match choice.text("finish_reason") {
            // Compatible servers say `stop` beside calls, and some say nothing at all.
            Some("tool_calls" | "function_call" | "stop") | None if !calls.is_empty() => Ending::ToolUse,
            Some("stop") | None if message.text("refusal").is_some_and(|refusal| !refusal.is_empty()) => {
                Ending::Refused
            }
            Some("tool_calls" | "function_call" | "stop") | None => Ending::Complete,
            Some("length") => Ending::Cut,
            Some("content_filter") => Ending::Refused,
            Some(_) => Ending::Unknown,
        };
        Ok(Reading::new(calls, ending, assistant(message)))
    }

    fn write(&self, assistant: &Value, answers: &[Answered<'_>]) -> Vec<Value> {
        let mut message = assistant.clone();
        if !answers.is_empty() {
            message["tool_calls"] = answers.iter().map(replayed).collect();
        }
        let results = answers
            .iter()
            .map(|answer| json!({"role": "tool", "tool_call_id": answer.id(), "content": answer.block().text()}));
        std::iter::once(message).chain(results).collect()
    }

    fn takes_id(&self, id: &str) -> bool {
        // Opaque to OpenAI itself; compatible servers send white space and worse.
        !id.is_empty() && id.len() <= 256 && id.bytes().all(|byte| byte.is_ascii_graphic())
    }

    fn takes_name(&self, name: &str) -> bool {
        is_word(name, 64)
    }
}

fn call(item: Item<'_>) -> Call {
    let id = item.text("id").map(str::to_owned);
    let function = item.get("function");
    let name = function.and_then(|function| function.text("name")).unwrap_or_default();
    let arguments = function.and_then(|function| function.get("arguments"));
    Call::new(id, name, arguments.map_or(Arguments::Absent, Item::arguments))
}

/// The keys of a message that a request takes back; a reply has others. `reasoning_content` is `DeepSeek`'s, which refuses
/// a thinking turn that comes back without it.
const REPLAYED: [&str; 3] = ["content", "refusal", "reasoning_content"];

fn assistant(message: Item<'_>) -> Value {
    let mut replayed = Map::new();
    replayed.insert("role".into(), "assistant".into());
    for key in REPLAYED {
        let kept = message.get(key).filter(|value| key == "content" || value.json_type() != JsonType::Null);
        if let Some(value) = kept {
            replayed.insert(key.into(), value.to_value());
        }
    }
    replayed.entry("content").or_insert(Value::Null);
    Value::Object(replayed)
}

/// The call as history has it: arguments are text, and always an object's.
fn replayed(answer: &Answered<'_>) -> Value {
    let function = json!({"name": answer.name(), "arguments": answer.arguments().to_string()});
    json!({"id": answer.id(), "type": "function", "function": function})
}
