//! Providers' JSON shapes: where a reply holds its calls, and how their results are written back.
//!
//! One file a provider, and the only home of its key names; what the chat family shares is in `chat`. No policy lives here: a
//! wire finds the calls of a reply and says how the reply ended, and what is done about it is the same for all of them.

mod answered;
mod anthropic;
mod assemble;
mod bedrock;
mod blocks;
mod call;
mod chat;
mod choice;
mod cohere;
mod gemini;
mod item;
mod mcp;
mod media;
mod mistral;
mod ollama;
mod openai_chat;
mod openai_responses;
mod plain;
mod published;
mod reading;
mod reply;
#[cfg(feature = "testing")]
mod said;

use std::{fmt::Debug, sync::Arc};

use serde_json::{Map, Value};

pub use crate::json::Step;
pub use answered::Answered;
pub(crate) use answered::Replayed;
pub use anthropic::Anthropic;
pub use assemble::Assemble;
pub use bedrock::Bedrock;
pub use call::{Arguments, Call};
pub use choice::{Choice, ChoiceError, ToolChoice};
pub use cohere::Cohere;
pub use gemini::Gemini;
pub use item::Item;
pub use mcp::Mcp;
pub use mistral::Mistral;
pub use ollama::Ollama;
pub use openai_chat::OpenAiChat;
pub use openai_responses::OpenAiResponses;
pub use plain::Plain;
pub use published::PublishedTool;
pub use reading::{Ending, Reading};
pub use reply::{IntoReply, Reply, ReplyError};
#[cfg(feature = "testing")]
pub use said::Said;

use crate::{lower::Dialects, offer::Tools};

/// One provider's JSON shapes. Implement it to speak to a provider that tool-gate does not know.
///
/// An [`Offer`](crate::Offer) holds its wire as a trait object, so it can be chosen when the program runs: an
/// `Arc<dyn Wire>` is a wire as well.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a wire",
    label = "no provider's JSON shapes",
    note = "pass `wire::Anthropic::default()`, `wire::OpenAiChat::default()` or another of `tool_gate::wire`, or implement `Wire` for `{Self}`"
)]
pub trait Wire: Debug + Send + Sync + 'static {
    /// The request's `tools` array for these tools, which are sorted by the names under which they are published.
    fn publish(&self, tools: &[PublishedTool<'_>]) -> Value;

    /// The dialects of JSON Schema that the provider takes, strict and not. Without them schemas are published as they are
    /// enforced, and no tool is strict.
    fn dialects(&self) -> Dialects {
        Dialects::plain()
    }

    /// What a request says of its tools, under the provider's own keys: `tools` as they were published, and what the model
    /// is to do with them.
    ///
    /// The host adds these members to the request's body. A wire that does not say otherwise has the key `tools`, and knows
    /// no choice but the model's own.
    ///
    /// # Errors
    ///
    /// [`ChoiceError::Unsupported`] where the provider has no words for the choice.
    fn request(&self, tools: &Tools, choice: &ToolChoice) -> Result<Map<String, Value>, ChoiceError> {
        choice.must_be_the_models()?;
        Ok(Map::from_iter([("tools".to_owned(), tools.to_value())]))
    }

    /// What a request says where no tool is offered: nothing, for a wire that does not say otherwise.
    fn request_without_tools(&self) -> Map<String, Value> {
        Map::new()
    }

    /// The places in a reply where a call's arguments stand as an object. They are kept as the raw text, so that a fault
    /// inside one call's arguments spoils that call and not the reply.
    fn argument_places(&self) -> &'static [&'static [Step]];

    /// Finds the calls in a reply, in order, and says how it ended.
    ///
    /// # Errors
    ///
    /// [`ReplyError`] where the reply is not of the provider's shape. Nothing that a model wrote is one.
    fn read(&self, reply: Item<'_>) -> Result<Reading, ReplyError>;

    /// What a reply that is not even JSON says, for wires whose whole reply is written by the model.
    ///
    /// # Errors
    ///
    /// The fault as a [`ReplyError`], unless the model wrote the text.
    fn read_broken(&self, fault: crate::Fault) -> Result<Reading, ReplyError> {
        Err(reply::not_json("reply", &fault))
    }

    /// What puts the events of a streamed reply together; none where the provider's replies come whole.
    fn assemble(&self) -> Option<Box<dyn Assemble>> {
        None
    }

    /// The messages to append: the assistant's turn in a form that the provider takes back, then the results.
    fn write(&self, assistant: &Value, answers: &[Answered<'_>]) -> Vec<Value>;

    /// Whether the provider takes this id back. One that it does not is replaced on both sides.
    fn takes_id(&self, id: &str) -> bool;

    /// Whether the provider takes this name: of a tool, and of a call that is written back. A tool of another name is published
    /// under one that is made of it, of letters, digits and underscores where nothing else is taken.
    fn takes_name(&self, name: &str) -> bool;

    /// Whether every call must have an id. Where none is needed, none is invented.
    fn needs_ids(&self) -> bool {
        true
    }

    /// An id for a call that came without one that can be used: the `number`th of the conversation's `step`th reply, or one
    /// after it where that is taken. Ids of other steps and numbers differ from it.
    fn mint_id(&self, step: u64, number: usize) -> String {
        format!("call_{step}_{number}")
    }

    /// The response body in which the provider would send this, for tests that play the model. None for what the wire cannot
    /// say, and for a wire that plays no models.
    #[cfg(feature = "testing")]
    fn compose(&self, said: &Said) -> Option<Value> {
        let _ = said;
        None
    }
}

/// A wire that is chosen when the program runs: `Arc<dyn Wire>`.
#[diagnostic::do_not_recommend]
impl<W: Wire + ?Sized> Wire for Arc<W> {
    fn publish(&self, tools: &[PublishedTool<'_>]) -> Value {
        (**self).publish(tools)
    }

    fn dialects(&self) -> Dialects {
        (**self).dialects()
    }

    fn request(&self, tools: &Tools, choice: &ToolChoice) -> Result<Map<String, Value>, ChoiceError> {
        (**self).request(tools, choice)
    }

    fn request_without_tools(&self) -> Map<String, Value> {
        (**self).request_without_tools()
    }

    fn argument_places(&self) -> &'static [&'static [Step]] {
        (**self).argument_places()
    }

    fn read(&self, reply: Item<'_>) -> Result<Reading, ReplyError> {
        (**self).read(reply)
    }

    fn read_broken(&self, fault: crate::Fault) -> Result<Reading, ReplyError> {
        (**self).read_broken(fault)
    }

    fn assemble(&self) -> Option<Box<dyn Assemble>> {
        (**self).assemble()
    }

    fn write(&self, assistant: &Value, answers: &[Answered<'_>]) -> Vec<Value> {
        (**self).write(assistant, answers)
    }

    fn takes_id(&self, id: &str) -> bool {
        (**self).takes_id(id)
    }

    fn takes_name(&self, name: &str) -> bool {
        (**self).takes_name(name)
    }

    fn needs_ids(&self) -> bool {
        (**self).needs_ids()
    }

    fn mint_id(&self, step: u64, number: usize) -> String {
        (**self).mint_id(step, number)
    }

    #[cfg(feature = "testing")]
    fn compose(&self, said: &Said) -> Option<Value> {
        (**self).compose(said)
    }
}

/// 1 to `most` of `A-Z a-z 0-9 _ -`: what most providers take as an id or a name.
pub(crate) fn is_word(text: &str, most: usize) -> bool {
    !text.is_empty()
        && text.len() <= most
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}
