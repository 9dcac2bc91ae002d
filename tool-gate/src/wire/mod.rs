//! Providers' JSON shapes: where a reply holds its calls, and how their results are written back.
//!
//! One file a provider, and the only home of its key names. No policy lives here: a wire finds the calls of a reply and
//! says how the reply ended, and what is done about it is the same for all of them.

mod anthropic;
mod item;
mod openai_chat;
mod plain;
mod reply;
#[cfg(feature = "testing")]
mod said;

use std::{
    borrow::Cow,
    fmt::{self, Debug},
    sync::Arc,
};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use crate::json::Step;
pub use anthropic::Anthropic;
pub use item::Item;
pub use openai_chat::OpenAiChat;
pub use plain::Plain;
pub use reply::{IntoReply, Reply, ReplyError};
#[cfg(feature = "testing")]
pub use said::Said;

use crate::{
    json,
    rejection::EnvelopeFault,
    result::ResultBlock,
    schema::{self, JsonType},
    tool::Definition,
};

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
    /// The request's `tools` array for these definitions, which are sorted by name.
    fn publish(&self, definitions: &[&Definition]) -> Value;

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
        Err(ReplyError::new(format!("the reply is not JSON: {:?} at byte {}", fault.kind(), fault.at())))
    }

    /// The messages to append: the assistant's turn in a form that the provider takes back, then the results.
    fn write(&self, assistant: &Value, answers: &[Answered<'_>]) -> Vec<Value>;

    /// Whether the provider takes this id back. One that it does not is replaced on both sides.
    fn takes_id(&self, id: &str) -> bool;

    /// Whether the provider takes this name back, in a call that it did not have to be true of.
    fn takes_name(&self, name: &str) -> bool;

    /// Whether every call must have an id. Where none is needed, none is invented.
    fn needs_ids(&self) -> bool {
        true
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
    fn publish(&self, definitions: &[&Definition]) -> Value {
        (**self).publish(definitions)
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

    #[cfg(feature = "testing")]
    fn compose(&self, said: &Said) -> Option<Value> {
        (**self).compose(said)
    }
}

/// What a reply holds: the calls, how it ended, and the assistant's turn to send back.
#[derive(Clone, PartialEq)]
pub struct Reading {
    pub(crate) calls: Vec<Call>,
    pub(crate) ending: Ending,
    pub(crate) assistant: Value,
    reply_id: Option<String>,
}

impl Reading {
    /// `assistant` is handed to [`Wire::write`] as it is: what it looks like is the wire's own affair.
    pub fn new(calls: Vec<Call>, ending: Ending, assistant: Value) -> Self {
        Self { calls, ending, assistant, reply_id: None }
    }

    /// The reply's own id, where the provider gives it one: with it, two replies that say the same are told apart.
    #[must_use]
    pub fn of_reply(mut self, id: Option<&str>) -> Self {
        self.reply_id = id.map(str::to_owned);
        self
    }

    /// A number that tells this reply from others, whatever form it came in; none where its calls have no ids, since then
    /// a model that repeats itself looks the same.
    pub(crate) fn digest(&self) -> Option<u64> {
        self.calls.iter().any(|call| call.id.is_some()).then(|| {
            let mut digest = Digest::default();
            digest.add(self.reply_id.as_deref().unwrap_or_default());
            digest.add(&self.assistant.to_string());
            for call in &self.calls {
                digest.add(call.id.as_deref().unwrap_or_default());
                digest.add(&call.name);
                match &call.arguments {
                    Arguments::Text(text) if text.len() > REPEATED_BYTES => digest.add(text),
                    arguments => digest.add(&arguments.to_object(&Value::Null, REPEATED_DEPTH).to_string()),
                }
            }
            digest.0
        })
    }

    /// The calls, in the reply's order.
    pub fn calls(&self) -> &[Call] {
        &self.calls
    }

    /// How the reply ended.
    pub fn ending(&self) -> Ending {
        self.ending
    }
}

/// How deep arguments are looked at to tell whether a reply was seen before.
const REPEATED_DEPTH: usize = 120;

/// Up to what length their spacing makes no difference to that.
const REPEATED_BYTES: usize = 256 * 1024;

/// The FNV-1a hash: what a run saves must not change with the standard library's.
struct Digest(u64);

impl Default for Digest {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    /// Adds a text and its end.
    fn add(&mut self, text: &str) {
        for byte in text.bytes().chain([0xff]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// How a reply ended, whatever the provider calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Ending {
    /// It asks for its calls to be run.
    ToolUse,
    /// The model is done with its turn.
    Complete,
    /// It was cut by a limit on tokens: its last call may be incomplete, even where it reads well.
    Cut,
    /// The provider paused it, and goes on when it is sent back.
    Paused,
    /// The provider stopped it for safety or policy.
    Refused,
    /// The wire does not know the reason that is given.
    Unknown,
}

/// One call, as the model made it.
#[derive(Clone, PartialEq)]
pub struct Call {
    id: Option<String>,
    name: String,
    arguments: Arguments,
    cut: bool,
    fault: Option<EnvelopeFault>,
}

impl Call {
    /// A call with its id, if it has one, the name as sent, and the arguments.
    pub fn new(id: Option<String>, name: impl Into<String>, arguments: Arguments) -> Self {
        Self { id: id.filter(|id| !id.is_empty()), name: name.into(), arguments, cut: false, fault: None }
    }

    /// A call whose envelope the model got wrong. It is answered with the fault.
    pub fn malformed(id: Option<String>, fault: EnvelopeFault) -> Self {
        Self { fault: Some(fault), ..Self::new(id, "", Arguments::Absent) }
    }

    /// Marks the call as one that was still being written when the reply ended.
    pub fn mark_cut(&mut self) {
        self.cut = true;
    }

    /// The id as sent; none where it was missing or empty.
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// The name as sent. It may be anything.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The arguments as sent.
    pub fn arguments(&self) -> &Arguments {
        &self.arguments
    }

    /// Whether the reply ended while this call was being written.
    pub fn is_cut(&self) -> bool {
        self.cut
    }

    /// What is wrong with the envelope.
    pub fn fault(&self) -> Option<&EnvelopeFault> {
        self.fault.as_ref()
    }
}

/// A call's arguments, in the form in which they arrived. Cheap to clone.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum Arguments {
    /// None were sent.
    Absent,
    /// JSON text, which may be broken.
    Text(Arc<str>),
    /// A value that someone has parsed already.
    Value(Arc<Value>),
}

impl Arguments {
    /// The arguments as they were sent: the text, or a value as JSON. Empty where none were sent.
    ///
    /// A model wrote it: bound it and mind control characters before showing it anywhere.
    pub fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Absent => Cow::Borrowed(""),
            Self::Text(text) => Cow::Borrowed(text),
            Self::Value(value) => Cow::Owned(value.to_string()),
        }
    }

    /// The arguments as one object; an empty one where none were sent or they never were one. Where the schema says integer,
    /// integers are integers, as the tool has them.
    pub(crate) fn to_object(&self, schema: &Value, depth: usize) -> Value {
        let tape = match self {
            Self::Absent => None,
            Self::Text(text) => json::read(text, depth).ok(),
            Self::Value(value) => json::view(value, &[], depth).ok(),
        };
        let object = tape.filter(|tape| tape.root().json_type() == JsonType::Object).map(|mut tape| {
            if tape.has_integral_decimal() {
                let integers = schema::integers(schema, tape.root());
                tape.integers_exact(&integers);
            }
            tape.root().to_value_exact()
        });
        object.unwrap_or_else(|| Value::Object(Map::new()))
    }
}

impl From<&str> for Arguments {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for Arguments {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}

impl From<Value> for Arguments {
    fn from(value: Value) -> Self {
        Self::Value(Arc::new(value))
    }
}

/// One call with its answer, as a wire writes it back.
#[derive(Clone, Copy)]
pub struct Answered<'t> {
    pub(crate) id: Option<&'t str>,
    pub(crate) name: &'t str,
    pub(crate) arguments: &'t Value,
    pub(crate) sent: &'t Arguments,
    pub(crate) block: &'t ResultBlock,
}

impl<'t> Answered<'t> {
    /// The id to write on both sides: the call's own, or a minted one. None where the wire needs none and none was sent.
    pub fn id(&self) -> Option<&'t str> {
        self.id
    }

    /// The name to write: the one that was sent, or a placeholder where the provider would not take that.
    pub fn name(&self) -> &'t str {
        self.name
    }

    /// The arguments to write: the object that was sent, or an empty one where it never was an object.
    pub fn arguments(&self) -> &'t Value {
        self.arguments
    }

    /// The same as JSON text, for providers that have it as text: as it was sent where that is an object's, so that no digit
    /// and no space of it changes.
    pub fn arguments_text(&self) -> Cow<'t, str> {
        match self.sent {
            // What is no object's text was made an empty object.
            Arguments::Text(text) if self.arguments.as_object().is_some_and(|object| !object.is_empty()) => {
                Cow::Borrowed(text)
            }
            _ => Cow::Owned(self.arguments.to_string()),
        }
    }

    /// The result.
    pub fn block(&self) -> &'t ResultBlock {
        self.block
    }
}

/// 1 to `most` of `A-Z a-z 0-9 _ -`: what most providers take as an id or a name.
pub(crate) fn is_word(text: &str, most: usize) -> bool {
    !text.is_empty()
        && text.len() <= most
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

// What a model wrote may be anything, and debug output ends in logs: how much there is, and not what.

impl Debug for Arguments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent => f.write_str("Absent"),
            Self::Text(text) => write!(f, "Text({} bytes)", text.len()),
            Self::Value(value) => write!(f, "Value({} members)", value.as_object().map_or(0, Map::len)),
        }
    }
}

impl Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Call");
        shown.field("has_id", &self.id.is_some()).field("name_bytes", &self.name.len());
        shown.field("arguments", &self.arguments).field("cut", &self.cut).field("fault", &self.fault).finish()
    }
}

impl Debug for Answered<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answered")
            .field("has_id", &self.id.is_some())
            .field("block", self.block)
            .finish_non_exhaustive()
    }
}

impl Debug for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reading").field("ending", &self.ending).field("calls", &self.calls).finish_non_exhaustive()
    }
}
