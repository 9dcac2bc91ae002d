//! Cohere's Chat API, version 2.
//!
//! Sources: Cohere's OpenAPI description and the `cohere` Python SDK 5.20 (`types/assistant_message_response.py`,
//! `types/tool_message_v2.py`, `types/document.py`, `types/chat_finish_reason.py`, the events in `types/`), Cohere's page of
//! errors for the rule for names, and recorded replies.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

#[cfg(feature = "testing")]
use super::Said;
use super::{
    Answered, Assemble, Choice, ChoiceError, Ending, Item, PublishedTool, Reading, ReplyError, Step, ToolChoice, Wire,
    assemble::append,
    chat::{self, Calls, Completion},
    is_word,
};
use crate::{
    content::Content,
    lower::Dialects,
    offer::Tools,
    result::{Outcome, ResultBlock},
};

/// Cohere's Chat API, version 2: `tool_calls` of the reply's message, answered by one `tool` message each.
///
/// A reply is the response body, or put together from the events of a stream. The message goes back with its `tool_plan` and
/// its content; citations stay behind. What a tool answered with a JSON object is sent as a document, which the model can
/// cite; all else is text, and pictures and files are told of and not shown.
///
/// A request can demand a call or forbid it, but not name the tool, nor keep the model to one call. There is no error flag:
/// the sentence says what happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cohere {}

#[diagnostic::do_not_recommend]
impl Wire for Cohere {
    fn publish(&self, tools: &[PublishedTool<'_>]) -> Value {
        chat::publish(tools, false)
    }

    fn dialects(&self) -> Dialects {
        Dialects::cohere()
    }

    fn request(&self, tools: &Tools, choice: &ToolChoice) -> Result<Map<String, Value>, ChoiceError> {
        let mut request = Map::from_iter([("tools".to_owned(), tools.to_value())]);
        if tools.is_strict() {
            request.insert("strict_tools".into(), true.into());
        }
        let chosen = match choice.choice() {
            Choice::Auto => None,
            Choice::Required => Some("REQUIRED"),
            // Of no call there are no two.
            Choice::None => {
                request.insert("tool_choice".into(), "NONE".into());
                return Ok(request);
            }
            Choice::Named(_) => return Err(choice.unsupported()),
        };
        choice.must_allow_parallel_calls()?;
        request.extend(chosen.map(|chosen| ("tool_choice".to_owned(), chosen.into())));
        Ok(request)
    }

    fn argument_places(&self) -> &'static [&'static [Step]] {
        chat::IN_MESSAGE
    }

    fn read(&self, reply: Item<'_>) -> Result<Reading, ReplyError> {
        let completion = Completion::of_message(reply, "finish_reason", "a Cohere")?;
        let message = completion.message;
        let ending = match completion.reason {
            Some("TOOL_CALL" | "COMPLETE" | "STOP_SEQUENCE") | None => completion.ending(),
            // Time is a limit as well: what was being written is not whole.
            Some("MAX_TOKENS" | "TIMEOUT") => Ending::Cut,
            Some(_) => Ending::Unknown,
        };
        let calls: Vec<_> = completion.calls.iter().copied().map(chat::call).collect();
        let content = chat::content(message).filter(|content| content.as_str() != Some(""));
        let keys: &[&str] = if message.text("tool_plan") == Some("") { &[] } else { &["tool_plan"] };
        let places = vec![Value::Null; calls.len()];
        let assistant = chat::assistant(message, content, keys, places);
        Ok(Reading::new(calls, ending, assistant).of_reply(reply.text("id")))
    }

    fn assemble(&self) -> Option<Box<dyn Assemble>> {
        Some(Box::new(Streamed::default()))
    }

    fn write(&self, assistant: &Value, answers: &[Answered<'_>]) -> Vec<Value> {
        let result = |answer: &Answered<'_>| json!({"role": "tool", "tool_call_id": answer.id(), "content": content(answer.block())});
        chat::write(assistant, answers, |_, answer| Some(chat::written(answer)), result)
    }

    fn takes_id(&self, id: &str) -> bool {
        chat::is_opaque_id(id)
    }

    fn takes_name(&self, name: &str) -> bool {
        is_word(name, 64) && !name.contains('-') && !name.starts_with(|first: char| first.is_ascii_digit())
    }

    #[cfg(feature = "testing")]
    fn compose(&self, said: &Said) -> Option<Value> {
        let reason = match said.ending() {
            Ending::ToolUse => "TOOL_CALL",
            Ending::Complete => "COMPLETE",
            Ending::Cut => "MAX_TOKENS",
            Ending::Unknown => "ERROR",
            Ending::Refused | Ending::Paused => return None,
        };
        let mut message = json!({"role": "assistant"});
        if let Some(text) = said.text() {
            // What the model says beside its calls is their plan.
            match said.calls() {
                [] => message["content"] = json!([{"type": "text", "text": text}]),
                _ => message["tool_plan"] = text.into(),
            }
        }
        chat::put_calls(&mut message, chat::composed_calls(said));
        let usage = json!({"tokens": {"input_tokens": 0, "output_tokens": 0}});
        Some(json!({"id": said.number().to_string(), "message": message, "finish_reason": reason, "usage": usage}))
    }
}

/// What a tool answered: documents where there are objects, and else text.
fn content(block: &ResultBlock) -> Value {
    if let Outcome::Completed { answer } = block.outcome()
        && answer.content().is_empty()
    {
        // A value may hold fewer digits than the text has.
        let value = answer.to_value();
        let document = document(&value).filter(|_| value.to_string() == answer.json());
        return document.map_or_else(|| block.text().into(), |document| json!([document]));
    }
    let parts: Vec<Option<Value>> = block.content().iter().map(of_json).collect();
    if parts.iter().all(Option::is_none) {
        return block.text().into();
    }
    let texts = block.content().iter().map(|content| json!({"type": "text", "text": content.to_text()}));
    parts.into_iter().zip(texts).map(|(document, text)| document.unwrap_or(text)).collect()
}

fn of_json(content: &Content) -> Option<Value> {
    if let Content::Json(value) = content { document(value) } else { None }
}

/// An object as a document. An empty one would tell the model nothing.
fn document(value: &Value) -> Option<Value> {
    value
        .as_object()
        .filter(|data| !data.is_empty())
        .map(|data| json!({"type": "document", "document": {"data": data}}))
}

/// A message as its events tell it.
#[derive(Default)]
struct Streamed {
    id: Option<String>,
    plan: String,
    /// The parts of the content, and the last one of each index.
    content: Vec<Value>,
    places: HashMap<Option<u64>, usize>,
    calls: Calls,
    /// What the last event says: the reason and what was used.
    end: Map<String, Value>,
    done: bool,
}

impl Assemble for Streamed {
    fn argument_places(&self) -> &'static [&'static [Step]] {
        &[&[
            Step::Key("delta"),
            Step::Key("message"),
            Step::Key("tool_calls"),
            Step::Key("function"),
            Step::Key("arguments"),
        ]]
    }

    fn take(&mut self, event: Item<'_>) -> Result<Vec<String>, ReplyError> {
        chat::no_error(event)?;
        let index = chat::index(event);
        let message = event.get("delta").and_then(|delta| delta.get("message"));
        let part = message.and_then(|message| message.get("content"));
        match event.text("type") {
            Some("message-start") => self.id = event.text("id").map(str::to_owned),
            Some("tool-plan-delta") => {
                self.plan.push_str(message.and_then(|message| message.text("tool_plan")).unwrap_or_default());
            }
            Some("content-start") => {
                if let Some(part) = part {
                    self.places.insert(index, self.content.len());
                    self.content.push(part.to_value());
                }
            }
            Some("content-delta") => {
                let begun = self.places.get(&index).and_then(|place| self.content.get_mut(*place));
                if let (Some(begun), Some(part)) = (begun, part) {
                    for key in ["text", "thinking"] {
                        if let Some(piece) = part.text(key) {
                            append(begun, key, piece);
                        }
                    }
                }
            }
            Some("tool-call-start" | "tool-call-delta") => {
                let piece = message.and_then(|message| message.get("tool_calls"));
                return Ok(piece.and_then(|piece| self.calls.take(index, piece)).into_iter().collect());
            }
            Some("message-end") => {
                let end = event.get("delta").into_iter().flat_map(Item::members);
                self.end.extend(end.map(|(key, member)| (key.to_owned(), member.to_value())));
            }
            _ => {}
        }
        Ok(Vec::new())
    }

    fn done(&mut self) {
        self.done = true;
    }

    fn reply(self: Box<Self>) -> Value {
        let Self { id, plan, content, calls, end, done, .. } = *self;
        let mut message = json!({"role": "assistant", "tool_plan": plan, "content": content});
        chat::put_calls(&mut message, calls.whole());
        let mut reply = end;
        reply.extend([("id".to_owned(), id.into()), ("message".to_owned(), message)]);
        if !done && !reply.get("finish_reason").is_some_and(Value::is_string) {
            reply.insert("finish_reason".into(), "MAX_TOKENS".into());
        }
        reply.into()
    }
}
