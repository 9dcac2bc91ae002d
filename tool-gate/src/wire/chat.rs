//! What the chat family shares: functions as tools, calls in a message's `tool_calls`, one `tool` message a result.
//!
//! What a provider has of its own stands in its own file.

mod streamed;

use serde_json::{Map, Value, json};

#[cfg(feature = "testing")]
use super::Said;
use super::{Answered, Arguments, Call, Choice, Ending, Item, PublishedTool, ReplyError, Step, ToolChoice};
use crate::schema::JsonType;

pub(super) use streamed::{Calls, Chunks, index};

/// Where calls have their arguments in a reply with `choices`.
pub(super) const IN_CHOICES: &[&[Step]] = &[&[
    Step::Key("choices"),
    Step::Each,
    Step::Key("message"),
    Step::Key("tool_calls"),
    Step::Each,
    Step::Key("function"),
    Step::Key("arguments"),
]];

/// Where they have them in a reply that holds its message itself.
pub(super) const IN_MESSAGE: &[&[Step]] =
    &[&[Step::Key("message"), Step::Key("tool_calls"), Step::Each, Step::Key("function"), Step::Key("arguments")]];

/// Where a chunk with `choices` has them.
const IN_DELTAS: &[&[Step]] = &[&[
    Step::Key("choices"),
    Step::Each,
    Step::Key("delta"),
    Step::Key("tool_calls"),
    Step::Each,
    Step::Key("function"),
    Step::Key("arguments"),
]];

/// The tools as functions.
pub(super) fn publish(tools: &[PublishedTool<'_>], says_strict: bool) -> Value {
    tools
        .iter()
        .map(|tool| {
            let mut function = json!({
                "name": tool.name(),
                "description": tool.description(),
                "parameters": tool.input_schema(),
            });
            if tool.is_strict() && says_strict {
                function["strict"] = true.into();
            }
            json!({"type": "function", "function": function})
        })
        .collect()
}

/// What a request says of them, in `OpenAI`'s words.
pub(super) fn request(tools: Value, choice: &ToolChoice) -> Map<String, Value> {
    let chosen = match choice.choice() {
        Choice::Auto => "auto".into(),
        Choice::Required => "required".into(),
        Choice::None => "none".into(),
        Choice::Named(name) => json!({"type": "function", "function": {"name": name}}),
    };
    let mut request = Map::from_iter([("tools".to_owned(), tools), ("tool_choice".to_owned(), chosen)]);
    // Said only where it changes something: models that make one call at a time refuse the key, and of no call there are
    // no two.
    if !choice.allows_parallel_calls() && choice.choice() != &Choice::None {
        request.insert("parallel_tool_calls".into(), false.into());
    }
    request
}

/// A reply's message, its calls, and why it ended.
pub(super) struct Completion<'r> {
    pub message: Item<'r>,
    pub calls: Vec<Item<'r>>,
    pub reason: Option<&'r str>,
}

impl<'r> Completion<'r> {
    /// The first of the reply's `choices`. `api` is whose reply it is, with its article.
    ///
    /// # Errors
    ///
    /// [`ReplyError`] where the reply is not of that shape.
    pub(super) fn of_choices(reply: Item<'r>, api: &str) -> Result<Self, ReplyError> {
        let choice = reply.get("choices").and_then(|choices| choices.elements().next());
        let choice =
            choice.ok_or_else(|| no_completion(reply, || format!("{api} reply has an array `choices`, not empty")))?;
        Self::new(choice, "finish_reason", api, || ReplyError::new(format!("{api} choice has an object `message`")))
    }

    /// The reply itself, which tells under this key why it ended.
    ///
    /// # Errors
    ///
    /// [`ReplyError`] where the reply is not of that shape.
    pub(super) fn of_message(reply: Item<'r>, reason: &str, api: &str) -> Result<Self, ReplyError> {
        Self::new(reply, reason, api, || no_completion(reply, || format!("{api} reply has an object `message`")))
    }

    fn new(
        holder: Item<'r>,
        reason: &str,
        api: &str,
        missing: impl FnOnce() -> ReplyError,
    ) -> Result<Self, ReplyError> {
        let message = holder.get("message").filter(|message| message.json_type() == JsonType::Object);
        let message = message.ok_or_else(missing)?;
        let calls = message.get("tool_calls").filter(|calls| calls.json_type() != JsonType::Null);
        if calls.is_some_and(|calls| calls.json_type() != JsonType::Array) {
            return Err(ReplyError::new(format!("the `tool_calls` of {api} message are an array")));
        }
        let calls = calls.into_iter().flat_map(Item::elements).collect();
        Ok(Self { message, calls, reason: holder.text(reason).filter(|reason| !reason.is_empty()) })
    }

    /// How an ordinary reply ended: whether there are calls tells more than the reason that is given.
    pub(super) fn ending(&self) -> Ending {
        if self.calls.is_empty() { Ending::Complete } else { Ending::ToolUse }
    }
}

fn no_completion(reply: Item<'_>, otherwise: impl FnOnce() -> String) -> ReplyError {
    if is_error(reply) {
        ReplyError::new("the reply is an error of the provider's, and no completion")
    } else {
        ReplyError::new(otherwise())
    }
}

/// Whether this is an error's envelope: it has an `error`, or a `message` that is text.
fn is_error(reply: Item<'_>) -> bool {
    reply.get("error").is_some_and(|error| error.json_type() != JsonType::Null) || reply.text("message").is_some()
}

/// What a stream ends with where an event of it is an error's envelope.
///
/// # Errors
///
/// [`ReplyError`] in that case.
pub(super) fn no_error(event: Item<'_>) -> Result<(), ReplyError> {
    if is_error(event) { Err(ReplyError::new("the stream reports an error of the provider's")) } else { Ok(()) }
}

/// A function's call.
pub(super) fn call(item: Item<'_>) -> Call {
    call_of_id(item, item.text("id"))
}

/// A function's call, where not every text in the id's place is one.
pub(super) fn call_of_id(item: Item<'_>, id: Option<&str>) -> Call {
    let function = item.get("function");
    let name = function.and_then(|function| function.text("name")).unwrap_or_default();
    let arguments = function.and_then(|function| function.get("arguments"));
    Call::new(id.map(str::to_owned), name, arguments.map_or(Arguments::Absent, Item::arguments))
}

/// A message's `content`: text, or parts of which there is one.
pub(super) fn content(message: Item<'_>) -> Option<Value> {
    message
        .get("content")
        .filter(|content| content.as_str().is_some() || content.elements().next().is_some())
        .map(Item::to_value)
}

/// The message as a request takes it: these keys of it, and something for each call in `tool_calls`, which is left out where
/// there is none. It is not known yet how a call is written.
pub(super) fn assistant(message: Item<'_>, content: Option<Value>, keys: &[&str], calls: Vec<Value>) -> Value {
    let mut kept = Map::from_iter([("role".to_owned(), "assistant".into())]);
    kept.extend(content.map(|content| ("content".to_owned(), content)));
    for key in keys {
        if let Some(member) = message.get(key).filter(|member| member.json_type() != JsonType::Null) {
            kept.insert((*key).to_owned(), member.to_value());
        }
    }
    if !calls.is_empty() {
        kept.insert("tool_calls".into(), calls.into());
    }
    Value::Object(kept)
}

/// The assistant's message with its calls as `call` writes them, then the results as `result` does. What `call` gives back
/// nothing for is not one of those that are answered here, and stays as it is.
pub(super) fn write<'t>(
    assistant: &Value,
    answers: &[Answered<'t>],
    mut call: impl FnMut(&Value, &Answered<'t>) -> Option<Value>,
    result: impl FnMut(&Answered<'t>) -> Value,
) -> Vec<Value> {
    let mut message = assistant.clone();
    let mut left = answers;
    for place in message.get_mut("tool_calls").and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some((answer, rest)) = left.split_first()
            && let Some(written) = call(place, answer)
        {
            *place = written;
            left = rest;
        }
    }
    let message = (!is_blank(&message)).then_some(message);
    message.into_iter().chain(answers.iter().map(result)).collect()
}

/// Whether an assistant's message holds neither text, nor a refusal, nor calls. A request with one is refused, though a
/// reply may be one.
fn is_blank(message: &Value) -> bool {
    let is_empty = match &message["content"] {
        Value::String(text) => text.is_empty(),
        content => content.is_null(),
    };
    is_empty && message["refusal"].as_str().is_none_or(str::is_empty) && message.get("tool_calls").is_none()
}

/// A call as history has it where arguments are text, which is always an object's.
pub(super) fn written(answer: &Answered<'_>) -> Value {
    let function = json!({"name": answer.name(), "arguments": answer.arguments_text()});
    json!({"id": answer.id(), "type": "function", "function": function})
}

/// A result, as text.
pub(super) fn result(answer: &Answered<'_>) -> Value {
    json!({"role": "tool", "tool_call_id": answer.id(), "content": answer.block().text()})
}

/// Whether it may be an id where ids are opaque: servers send white space and worse.
pub(super) fn is_opaque_id(id: &str) -> bool {
    !id.is_empty() && id.len() <= 256 && id.bytes().all(|byte| byte.is_ascii_graphic())
}

/// A reply with `choices`, of which this is the only one.
pub(super) fn completion(id: &str, message: Value, reason: Value) -> Map<String, Value> {
    let choice = [("index", 0.into()), ("message", message), ("finish_reason", reason)];
    let choice: Value = choice.into_iter().collect();
    let choices = Value::Array(vec![choice]);
    let reply = [("id", id.into()), ("object", "chat.completion".into()), ("choices", choices)];
    reply.into_iter().map(|(key, member)| (key.to_owned(), member)).collect()
}

/// What a scripted model says, as a reply with `choices`.
#[cfg(feature = "testing")]
pub(super) fn composed(said: &Said, id: &str, mut message: Value, calls: Vec<Value>, reason: &str) -> Value {
    put_calls(&mut message, calls);
    let mut reply = completion(id, message, reason.into());
    reply.insert("created".into(), said.number().into());
    reply.insert("model".into(), "scripted".into());
    reply.insert("usage".into(), json!({"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}));
    reply.into()
}

/// A scripted model's calls, with their arguments as text.
#[cfg(feature = "testing")]
pub(super) fn composed_calls(said: &Said) -> Vec<Value> {
    let call = |call: &Call| {
        let function = json!({"name": call.name(), "arguments": call.arguments().text()});
        json!({"id": call.id(), "type": "function", "function": function})
    };
    said.calls().iter().map(call).collect()
}

/// Puts the calls into a message, if there are any.
pub(super) fn put_calls(message: &mut Value, calls: Vec<Value>) {
    if let (Some(message), false) = (message.as_object_mut(), calls.is_empty()) {
        message.insert("tool_calls".into(), calls.into());
    }
}
