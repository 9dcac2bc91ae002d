//! One reply, in whichever form the host has it.

use std::{borrow::Cow, error::Error, fmt};

use serde::Serialize;
use serde_json::Value;

use super::{Assemble, Item, Reading, Wire};
use crate::json::{self, Fault};

/// One reply of a provider: its text, which is best, or a value that the host has parsed.
///
/// From the text, duplicate keys and the exact digits of numbers are seen, and a fault inside one call's arguments spoils
/// that call only.
///
/// ```
/// use serde_json::json;
/// use tool_gate::wire::Reply;
///
/// let text = r#"{"role": "assistant", "content": [], "stop_reason": "end_turn"}"#;
/// let _ = Reply::from(text);
/// let _ = Reply::from(&json!({"role": "assistant", "content": [], "stop_reason": "end_turn"}));
/// let _ = Reply::from_utf8(text.as_bytes())?;
/// # Ok::<_, tool_gate::wire::ReplyError>(())
/// ```
#[derive(Clone)]
pub struct Reply<'r>(Form<'r>);

#[derive(Clone)]
enum Form<'r> {
    Text(Cow<'r, str>),
    Value(Cow<'r, Value>),
}

/// How deep a reply may nest outside its calls' arguments. Providers' replies stay below 20.
const DEPTH: usize = 128;

impl<'r> Reply<'r> {
    /// A reply of a client library's own type.
    ///
    /// # Errors
    ///
    /// [`ReplyError`] where it cannot be serialised.
    pub fn of(reply: &impl Serialize) -> Result<Reply<'static>, ReplyError> {
        let text = serde_json::to_string(reply)
            .map_err(|error| ReplyError::new(format!("the reply cannot be serialised: {error}")))?;
        Ok(Reply(Form::Text(Cow::Owned(text))))
    }

    /// A reply as the bytes of the response body.
    ///
    /// # Errors
    ///
    /// [`ReplyError`] where they are not UTF-8.
    pub fn from_utf8(bytes: &'r [u8]) -> Result<Self, ReplyError> {
        let text = std::str::from_utf8(bytes)
            .map_err(|error| ReplyError::new(format!("the reply is not UTF-8: byte {}", error.valid_up_to())))?;
        Ok(Self::from(text))
    }

    /// Lets a wire read the reply.
    pub(crate) fn read(&self, wire: &dyn Wire) -> Result<Reading, ReplyError> {
        let places = wire.argument_places();
        let tape = match &self.0 {
            Form::Text(text) => json::read_envelope(text, places, DEPTH),
            Form::Value(value) => json::view(value, places, DEPTH),
        };
        match tape {
            Ok(tape) => wire.read(Item::new(tape.root())),
            Err(fault) => wire.read_broken(fault),
        }
    }
}

impl Reply<'_> {
    /// Lets a wire take it as one event of a stream.
    pub(crate) fn event(&self, assemble: &mut dyn Assemble) -> Result<Vec<String>, ReplyError> {
        let places = assemble.argument_places();
        let tape = match &self.0 {
            Form::Text(text) => json::read_envelope(text, places, DEPTH),
            Form::Value(value) => json::view(value, places, DEPTH),
        };
        let tape = tape.map_err(|fault| not_json("event", &fault))?;
        assemble.take(Item::new(tape.root()))
    }
}

/// What a text that should be JSON is instead.
pub(super) fn not_json(what: &str, fault: &Fault) -> ReplyError {
    ReplyError::new(format!("the {what} is not JSON: {fault}"))
}

/// How much there is, and not what: a model wrote it.
impl fmt::Debug for Reply<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Form::Text(text) => write!(f, "Reply({} bytes)", text.len()),
            Form::Value(_) => f.write_str("Reply(a value)"),
        }
    }
}

/// What a reply may be handed over as: [`Reply`] itself, and what it is made [`From`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a provider's reply",
    label = "neither text nor a JSON value",
    note = "pass the body's text or a `serde_json::Value`; make bytes one with `Reply::from_utf8`, and a client library's type with `Reply::of`"
)]
pub trait IntoReply<'r>: Into<Reply<'r>> {}

#[diagnostic::do_not_recommend]
impl<'r, T: Into<Reply<'r>>> IntoReply<'r> for T {}

impl<'r> From<&'r str> for Reply<'r> {
    fn from(text: &'r str) -> Self {
        Self(Form::Text(Cow::Borrowed(text)))
    }
}

impl<'r> From<&'r String> for Reply<'r> {
    fn from(text: &'r String) -> Self {
        Self::from(text.as_str())
    }
}

impl From<String> for Reply<'_> {
    fn from(text: String) -> Self {
        Self(Form::Text(Cow::Owned(text)))
    }
}

impl<'r> From<&'r Value> for Reply<'r> {
    fn from(value: &'r Value) -> Self {
        Self(Form::Value(Cow::Borrowed(value)))
    }
}

impl From<Value> for Reply<'_> {
    fn from(value: Value) -> Self {
        Self(Form::Value(Cow::Owned(value)))
    }
}

/// The reply is not of the provider's shape: a matter between host and provider, of which the model never hears.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyError {
    message: String,
}

impl ReplyError {
    /// What is wrong with the reply. Do not repeat what it holds: the message may end in a log.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }
}

impl fmt::Display for ReplyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for ReplyError {}
