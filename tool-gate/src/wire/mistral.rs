//! Mistral's chat completions.
//!
//! Sources: Mistral's OpenAPI description (`ToolCall`, `FunctionCall`, `AssistantMessage`, `ToolMessage`, `ToolChoiceEnum`), the
//! `mistralai` Python SDK 3.7 (`client/models`), and the `mistral-common` package (`protocol/instruct/validator.py`), whose rules
//! for ids and names the API and other servers of its models keep.

use serde_json::{Map, Value, json};

#[cfg(feature = "testing")]
use super::Said;
use super::{
    Answered, Assemble, ChoiceError, Ending, Item, PublishedTool, Reading, ReplyError, Step, ToolChoice, Wire,
    chat::{self, Chunks, Completion},
    is_word,
};
use crate::{lower::Dialects, offer::Tools};

/// Mistral's chat completions: `tool_calls` of the first choice's message, answered by one `tool` message each.
///
/// A reply is the response body, or put together from the chunks of a stream. Arguments are text or an object. Ids have nine
/// letters and digits; any other, such as the text `null`, which stands for none, is replaced on both sides. Messages go back
/// with the keys `role`, `content` and `tool_calls` alone, since the provider refuses others.
///
/// There is no error flag: the sentence says what happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mistral {}

#[diagnostic::do_not_recommend]
impl Wire for Mistral {
    fn publish(&self, tools: &[PublishedTool<'_>]) -> Value {
        chat::publish(tools, true)
    }

    fn dialects(&self) -> Dialects {
        Dialects::mistral()
    }

    fn request(&self, tools: &Tools, choice: &ToolChoice) -> Result<Map<String, Value>, ChoiceError> {
        Ok(chat::request(tools.to_value(), choice))
    }

    fn argument_places(&self) -> &'static [&'static [Step]] {
        chat::IN_CHOICES
    }

    fn read(&self, reply: Item<'_>) -> Result<Reading, ReplyError> {
        let completion = Completion::of_choices(reply, "a Mistral")?;
        let ending = match completion.reason {
            Some("tool_calls" | "stop") | None => completion.ending(),
            Some("length" | "model_length") => Ending::Cut,
            Some(_) => Ending::Unknown,
        };
        let call = |call: &Item<'_>| chat::call_of_id(*call, call.text("id").filter(|id| *id != NO_ID));
        let calls: Vec<_> = completion.calls.iter().map(call).collect();
        let content = chat::content(completion.message).unwrap_or_else(|| "".into());
        let places = vec![Value::Null; calls.len()];
        let assistant = chat::assistant(completion.message, Some(content), &[], places);
        Ok(Reading::new(calls, ending, assistant).of_reply(reply.text("id")))
    }

    fn assemble(&self) -> Option<Box<dyn Assemble>> {
        Some(Box::new(Chunks::default()))
    }

    fn write(&self, assistant: &Value, answers: &[Answered<'_>]) -> Vec<Value> {
        let result = |answer: &Answered<'_>| {
            json!({
                "role": "tool",
                "tool_call_id": answer.id(),
                "name": answer.name(),
                "content": answer.block().text(),
            })
        };
        chat::write(assistant, answers, |_, answer| Some(chat::written(answer)), result)
    }

    fn takes_id(&self, id: &str) -> bool {
        id.len() == ID && id.bytes().all(|byte| byte.is_ascii_alphanumeric())
    }

    fn takes_name(&self, name: &str) -> bool {
        is_word(name, 64)
    }

    fn mint_id(&self, step: u64, number: usize) -> String {
        // Four digits for the number; what is beyond them is carried, so that no two numbers of a reply are one.
        let mut rest = u128::from(step) * 36_u128.pow(4) + number as u128;
        let mut id = [b'0'; ID];
        for digit in id.iter_mut().rev() {
            *digit = DIGITS[(rest % 36) as usize];
            rest /= 36;
        }
        id.iter().map(|digit| char::from(*digit)).collect()
    }

    #[cfg(feature = "testing")]
    fn compose(&self, said: &Said) -> Option<Value> {
        let reason = match said.ending() {
            Ending::ToolUse => "tool_calls",
            Ending::Complete => "stop",
            Ending::Cut => "length",
            Ending::Unknown => "error",
            Ending::Refused | Ending::Paused => return None,
        };
        let mut calls = chat::composed_calls(said);
        for (number, call) in calls.iter_mut().enumerate() {
            call["id"] = self.mint_id(said.number(), number).into();
        }
        let message = json!({"role": "assistant", "content": said.text().unwrap_or_default()});
        Some(chat::composed(said, &format!("cmpl-{}", said.number()), message, calls, reason))
    }
}

/// How many letters and digits an id has.
const ID: usize = 9;

/// The digits of minted ids.
const DIGITS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";

/// The id that a call has where none was given.
const NO_ID: &str = "null";
