//! A bare proposal: what a model without a provider's tool calling is asked to write.

use serde_json::{Value, json};

#[cfg(feature = "testing")]
use super::Said;
use super::{Answered, Arguments, Call, Ending, Item, PublishedTool, Reading, ReplyError, Step, Wire};
use crate::{
    Fault,
    lower::Dialects,
    rejection::EnvelopeFault,
    schema::{JsonType, MAX_KEY},
    text,
};

/// `{"name": …, "arguments": {…}}` with exactly those keys (an `id` is allowed), or an array of such proposals.
///
/// The whole reply is written by the model, so whatever is wrong with it is a rejection and never an error. The definitions
/// are published as `{name, description, parameters}`, and the messages are those of chat templates: an assistant message
/// with `tool_calls`, then one `tool` message a result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Plain {}

#[diagnostic::do_not_recommend]
impl Wire for Plain {
    fn publish(&self, tools: &[PublishedTool<'_>]) -> Value {
        tools
            .iter()
            .map(|tool| {
                json!({
                    "name": tool.name(),
                    "description": tool.description(),
                    "parameters": tool.input_schema(),
                })
            })
            .collect()
    }

    fn dialects(&self) -> Dialects {
        Dialects::plain()
    }

    fn argument_places(&self) -> &'static [&'static [Step]] {
        &[&[Step::Key("arguments")], &[Step::Each, Step::Key("arguments")]]
    }

    fn read(&self, reply: Item<'_>) -> Result<Reading, ReplyError> {
        let calls =
            if reply.json_type() == JsonType::Array { reply.elements().map(call).collect() } else { vec![call(reply)] };
        Ok(Reading::new(calls, Ending::ToolUse, Value::Null))
    }

    fn read_broken(&self, fault: Fault) -> Result<Reading, ReplyError> {
        let call = Call::malformed(None, EnvelopeFault::NotJson { at: fault });
        Ok(Reading::new(vec![call], Ending::ToolUse, Value::Null))
    }

    fn write(&self, _assistant: &Value, answers: &[Answered<'_>]) -> Vec<Value> {
        if answers.is_empty() {
            return Vec::new();
        }
        let calls: Vec<Value> = answers
            .iter()
            .map(|answer| {
                let function = json!({"name": answer.name(), "arguments": answer.arguments()});
                with_id(json!({"type": "function", "function": function}), "id", answer)
            })
            .collect();
        let assistant = json!({"role": "assistant", "tool_calls": calls});
        let results = answers.iter().map(|answer| {
            let result = json!({"role": "tool", "name": answer.name(), "content": answer.block().text()});
            with_id(result, "tool_call_id", answer)
        });
        std::iter::once(assistant).chain(results).collect()
    }

    fn takes_id(&self, id: &str) -> bool {
        text::is_plain(id, 256)
    }

    fn takes_name(&self, name: &str) -> bool {
        text::is_plain(name, 128)
    }

    fn needs_ids(&self) -> bool {
        false
    }

    #[cfg(feature = "testing")]
    fn compose(&self, said: &Said) -> Option<Value> {
        let proposals: Vec<Value> = said
            .calls()
            .iter()
            .map(|call| {
                let arguments = match call.arguments() {
                    Arguments::Absent => Value::Null,
                    Arguments::Text(text) => (**text).into(),
                    Arguments::Value(value) => (**value).clone(),
                };
                json!({"id": call.id(), "name": call.name(), "arguments": arguments})
            })
            .collect();
        let asked = said.ending() == Ending::ToolUse && said.text().is_none();
        match proposals.as_slice() {
            [proposal] if asked => Some(proposal.clone()),
            [_, ..] if asked => Some(proposals.into()),
            _ => None,
        }
    }
}

fn with_id(mut message: Value, key: &str, answer: &Answered<'_>) -> Value {
    if let Some(id) = answer.id() {
        message[key] = id.into();
    }
    message
}

fn call(proposal: Item<'_>) -> Call {
    let id = proposal.text("id").map(str::to_owned);
    if let Some(fault) = fault(proposal) {
        return Call::malformed(id, fault);
    }
    let arguments = proposal.get("arguments").map_or(Arguments::Absent, Item::arguments);
    Call::new(id, proposal.text("name").unwrap_or_default(), arguments)
}

fn fault(proposal: Item<'_>) -> Option<EnvelopeFault> {
    if proposal.json_type() != JsonType::Object {
        return Some(EnvelopeFault::NotAnObject { received: proposal.json_type() });
    }
    let extra = proposal.members().find(|(key, _)| !matches!(*key, "name" | "arguments" | "id"));
    if let Some((key, _)) = extra {
        return Some(EnvelopeFault::ExtraKey { key: text::is_plain(key, MAX_KEY).then(|| key.to_owned()) });
    }
    if let Some(key) = ["name", "arguments"].into_iter().find(|key| proposal.get(key).is_none()) {
        return Some(EnvelopeFault::MissingKey { key: key.to_owned() });
    }
    let name = proposal.get("name")?;
    name.as_str().is_none().then(|| EnvelopeFault::NameNotAString { received: name.json_type() })
}
