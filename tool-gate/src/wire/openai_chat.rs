//! OpenAI's Chat Completions API, and the many servers that speak it nearly.
//!
//! Sources: OpenAI's OpenAPI description (`ChatCompletionMessageToolCall`, `ChatCompletionMessageToolCallChunk`,
//! `CreateChatCompletionResponse`, `ChatCompletionToolChoiceOption`), the `openai` Python SDK 3.57 (`types/chat`), what
//! DeepSeek, Groq, vLLM, `OpenRouter` and llama.cpp's server were recorded to send, and for `extra_content` Google's page on
//! thought signatures.

use serde_json::{Map, Value, json};

#[cfg(feature = "testing")]
use super::Said;
use super::{
    Answered, Assemble, ChoiceError, Ending, Item, PublishedTool, Reading, ReplyError, Step, ToolChoice, Wire,
    chat::{self, Chunks, Completion},
    is_word,
};
use crate::{lower::Dialects, offer::Tools, schema::JsonType};

/// OpenAI's Chat Completions API: `tool_calls` of the first choice's message, answered by one `tool` message each.
///
/// A reply is the response body, or put together from the chunks of a stream. The arguments are text, so the parse gate
/// carries weight here. Read tolerantly: an absent or empty id, arguments that are `null`, `""` or an object, `tool_calls`
/// that are `null`, `content` that is absent, a `finish_reason` of `stop` beside calls.
///
/// A call of a custom tool is the host's own to answer: see [`Settled::passed_over`](crate::Settled::passed_over). It goes
/// back as it came, unless the reply was cut in it or nothing of the reply may run; then it is left out.
///
/// The provider has no error flag: the sentence says what happened. Its `tool` messages hold text alone, so pictures and
/// files are told of and not shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpenAiChat {
    deepseek: bool,
}

impl OpenAiChat {
    /// `DeepSeek`'s: in strict mode, a beta under a URL of its own, all tools of a request are strict, or none is, and its
    /// schemas have a dialect of their own.
    pub fn deepseek() -> Self {
        Self { deepseek: true }
    }
}

#[diagnostic::do_not_recommend]
impl Wire for OpenAiChat {
    fn publish(&self, tools: &[PublishedTool<'_>]) -> Value {
        chat::publish(tools, true)
    }

    fn dialects(&self) -> Dialects {
        if self.deepseek { Dialects::deepseek() } else { Dialects::openai() }
    }

    fn request(&self, tools: &Tools, choice: &ToolChoice) -> Result<Map<String, Value>, ChoiceError> {
        Ok(chat::request(tools.to_value(), choice))
    }

    fn argument_places(&self) -> &'static [&'static [Step]] {
        chat::IN_CHOICES
    }

    fn read(&self, reply: Item<'_>) -> Result<Reading, ReplyError> {
        let completion = Completion::of_choices(reply, "a Chat Completions")?;
        let message = completion.message;
        let ending = match completion.reason {
            _ if message.text("refusal").is_some_and(|refusal| !refusal.is_empty()) => Ending::Refused,
            // Compatible servers say `stop` beside calls, and some say nothing at all.
            Some("tool_calls" | "function_call" | "stop") | None => completion.ending(),
            Some("length") => Ending::Cut,
            Some("content_filter") => Ending::Refused,
            Some(_) => Ending::Unknown,
        };
        let (mut calls, mut kept, mut passed_over) = (Vec::new(), Vec::new(), Vec::new());
        for (place, call) in completion.calls.iter().copied().enumerate() {
            let is_last = place + 1 == completion.calls.len();
            if !is_custom(call) {
                calls.push(chat::call(call));
                kept.push(beside(call));
            } else if ending == Ending::ToolUse || (ending == Ending::Cut && !is_last) {
                kept.push(call.to_value());
                passed_over.push(call.to_value());
            }
        }
        let ends_custom = completion.calls.last().is_some_and(|call| is_custom(*call));
        let content = Some(chat::content(message).unwrap_or(Value::Null));
        let reading = Reading::new(calls, ending, chat::assistant(message, content, &REPLAYED, kept));
        let reading = reading.passing_over(passed_over).of_reply(reply.text("id"));
        // Where the reply was cut in a custom tool's call, the functions' calls before are whole.
        Ok(if ends_custom { reading.marking_cuts() } else { reading })
    }

    fn assemble(&self) -> Option<Box<dyn Assemble>> {
        Some(Box::new(Chunks::default()))
    }

    fn write(&self, assistant: &Value, answers: &[Answered<'_>]) -> Vec<Value> {
        let call = |kept: &Value, answer: &Answered<'_>| {
            let is_answered_here = kept.get("type").is_none();
            is_answered_here.then(|| {
                let mut call = chat::written(answer);
                call.as_object_mut()
                    .into_iter()
                    .for_each(|call| call.extend(kept.as_object().cloned().into_iter().flatten()));
                call
            })
        };
        in_messages_of_most(chat::write(assistant, answers, call, chat::result))
    }

    fn takes_id(&self, id: &str) -> bool {
        chat::is_opaque_id(id)
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
        let message = json!({"role": "assistant", "content": said.text(), "refusal": null});
        let id = format!("chatcmpl-{}", said.number());
        Some(chat::composed(said, &id, message, chat::composed_calls(said), reason))
    }
}

/// The most calls that a message of a request may have, though a reply may have more: "Invalid `messages[1].tool_calls`: array
/// too long. Expected an array with maximum length 128".
const MOST: usize = 128;

/// The assistant's message and the results. Of more calls than a message may have, the others stand in further ones, each
/// with its results behind it.
fn in_messages_of_most(mut messages: Vec<Value>) -> Vec<Value> {
    let calls = messages.first_mut().and_then(|message| message.get_mut("tool_calls")?.as_array_mut());
    let Some(calls) = calls.filter(|calls| calls.len() > MOST) else { return messages };
    // The host adds the results of custom tools' calls at the end: so they have to stand in the last message.
    let (mut calls, custom): (Vec<Value>, Vec<Value>) = calls.drain(..).partition(|call| call["type"] != "custom");
    let functions = calls.len();
    calls.extend(custom);
    let mut results = messages.split_off(1).into_iter();
    let mut written = Vec::with_capacity(functions + calls.len().div_ceil(MOST));
    let mut message = messages.pop().unwrap_or_default();
    let mut left = functions;
    for calls in calls.rchunks(MOST).rev() {
        message["tool_calls"] = calls.into();
        written.push(std::mem::replace(&mut message, json!({"role": "assistant", "content": null})));
        let answered = calls.len().min(left);
        written.extend(results.by_ref().take(answered));
        left -= answered;
    }
    written
}

/// Whether it is a custom tool's call. Without a type, a call is a function's.
fn is_custom(call: Item<'_>) -> bool {
    let has_body = call.get("custom").is_some_and(|custom| custom.json_type() == JsonType::Object);
    has_body && call.text("type") == Some("custom")
}

/// The keys of a message that a request takes back; a reply has others. `reasoning_content` is `DeepSeek`'s, which refuses a
/// thinking turn that comes back without it, and `reasoning_details` are `OpenRouter`'s, which hold signatures.
const REPLAYED: [&str; 3] = ["refusal", "reasoning_content", "reasoning_details"];

/// What a call has to go back with beside its name and arguments: in `extra_content` Gemini's signature, without which
/// Google's server refuses the turn.
fn beside(call: Item<'_>) -> Value {
    let kept = call.get("extra_content").filter(|kept| kept.json_type() != JsonType::Null);
    kept.map(|kept| ("extra_content", kept.to_value())).into_iter().collect()
}
