//! Ollama's own chat API.
//!
//! Sources: the `ollama/ollama` repository (`api/types.go`, `server/routes.go`, `docs/api.md`), the `ollama` Python package 0.6
//! (`_types.py`), and recorded replies.

use serde_json::{Map, Value, json};

use super::{
    Answered, Assemble, Ending, Item, PublishedTool, Reading, ReplyError, Step, Wire,
    assemble::{append, arguments},
    chat::{self, Completion},
};
#[cfg(feature = "testing")]
use super::{Arguments, Said};
use crate::{lower::Dialects, text};

/// Ollama's own chat API, `/api/chat`: `tool_calls` of the reply's message, answered by one `tool` message each.
///
/// A reply is the response body, or put together from the lines of a stream, which is what the server sends unless it is
/// asked not to. Arguments are an object. Older servers give calls no ids; then none are written, and results stand in the
/// calls' order. `done_reason` is `stop` whether there are calls or not.
///
/// A request cannot say which tools may be called, and the server drops most of a schema's keywords without a word: the
/// rejections tell the model what they ask. There is no error flag, and pictures and files are told of and not shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ollama {}

#[diagnostic::do_not_recommend]
impl Wire for Ollama {
    fn publish(&self, tools: &[PublishedTool<'_>]) -> Value {
        chat::publish(tools, false)
    }

    fn dialects(&self) -> Dialects {
        Dialects::ollama()
    }

    fn argument_places(&self) -> &'static [&'static [Step]] {
        chat::IN_MESSAGE
    }

    fn read(&self, reply: Item<'_>) -> Result<Reading, ReplyError> {
        let completion = Completion::of_message(reply, "done_reason", "an Ollama")?;
        let ending = match completion.reason {
            Some("stop" | "load" | "unload") | None => completion.ending(),
            Some("length") => Ending::Cut,
            Some(_) => Ending::Unknown,
        };
        let calls: Vec<_> = completion.calls.iter().copied().map(chat::call).collect();
        // The server takes a message's content as a string and as nothing else.
        let content = completion.message.text("content").unwrap_or_default().into();
        let places = vec![Value::Null; calls.len()];
        let assistant = chat::assistant(completion.message, Some(content), &["thinking"], places);
        Ok(Reading::new(calls, ending, assistant))
    }

    fn assemble(&self) -> Option<Box<dyn Assemble>> {
        Some(Box::new(Streamed::default()))
    }

    fn write(&self, assistant: &Value, answers: &[Answered<'_>]) -> Vec<Value> {
        let call = |_: &Value, answer: &Answered<'_>| {
            let function = json!({"name": answer.name(), "arguments": answer.arguments()});
            Some(with_id(json!({"function": function}), "id", answer))
        };
        let result = |answer: &Answered<'_>| {
            let result = json!({"role": "tool", "tool_name": answer.name(), "content": answer.block().text()});
            with_id(result, "tool_call_id", answer)
        };
        chat::write(assistant, answers, call, result)
    }

    fn takes_id(&self, id: &str) -> bool {
        chat::is_opaque_id(id)
    }

    fn takes_name(&self, name: &str) -> bool {
        text::is_plain(name, 128)
    }

    fn needs_ids(&self) -> bool {
        false
    }

    #[cfg(feature = "testing")]
    fn compose(&self, said: &Said) -> Option<Value> {
        let reason = match said.ending() {
            Ending::ToolUse | Ending::Complete => "stop",
            Ending::Cut => "length",
            Ending::Unknown => "unknown",
            Ending::Refused | Ending::Paused => return None,
        };
        let calls = said.calls().iter().enumerate().map(|(index, call)| {
            let mut function = json!({"index": index, "name": call.name()});
            match call.arguments() {
                Arguments::Absent => {}
                Arguments::Text(text) => function["arguments"] = (**text).into(),
                Arguments::Value(value) => function["arguments"] = (**value).clone(),
            }
            json!({"id": call.id(), "function": function})
        });
        let mut message = json!({"role": "assistant", "content": said.text().unwrap_or_default()});
        chat::put_calls(&mut message, calls.collect());
        Some(json!({"model": "scripted", "message": message, "done": true, "done_reason": reason}))
    }
}

fn with_id(mut message: Value, key: &str, answer: &Answered<'_>) -> Value {
    if let Some(id) = answer.id() {
        message[key] = id.into();
    }
    message
}

/// A message as the lines of a stream tell it. Each call comes whole, and not all of them in one line.
struct Streamed {
    /// What the last line says beside its message.
    about: Map<String, Value>,
    message: Value,
    calls: Vec<Value>,
    done: bool,
}

impl Default for Streamed {
    fn default() -> Self {
        let message = json!({"role": "assistant", "content": ""});
        Self { about: Map::new(), message, calls: Vec::new(), done: false }
    }
}

impl Assemble for Streamed {
    fn argument_places(&self) -> &'static [&'static [Step]] {
        chat::IN_MESSAGE
    }

    fn take(&mut self, event: Item<'_>) -> Result<Vec<String>, ReplyError> {
        chat::no_error(event)?;
        let about = event.members().filter(|(key, _)| *key != "message");
        self.about.extend(about.map(|(key, member)| (key.to_owned(), member.to_value())));
        self.done |= self.about.get("done") == Some(&Value::Bool(true));
        let Some(message) = event.get("message") else { return Ok(Vec::new()) };
        for key in ["content", "thinking"] {
            if let Some(piece) = message.text(key) {
                append(&mut self.message, key, piece);
            }
        }
        let mut names = Vec::new();
        for call in message.get("tool_calls").into_iter().flat_map(Item::elements) {
            let function = call.get("function");
            names.extend(function.and_then(|function| function.text("name")).map(str::to_owned));
            let mut told = call.to_value();
            if let Some(sent) = function.and_then(|function| function.get("arguments")) {
                told["function"]["arguments"] = arguments(sent);
            }
            self.calls.push(told);
        }
        Ok(names)
    }

    fn done(&mut self) {
        self.done = true;
    }

    fn reply(self: Box<Self>) -> Value {
        let Self { about: mut reply, mut message, calls, done } = *self;
        chat::put_calls(&mut message, calls);
        reply.insert("message".into(), message);
        if !done {
            reply.insert("done_reason".into(), "length".into());
        }
        reply.into()
    }
}
