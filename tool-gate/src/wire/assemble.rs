//! What a wire puts a streamed reply together with.

use serde_json::Value;

use super::{Item, ReplyError, Step};

/// Puts the events of one streamed reply together. A [`Wire`](super::Wire) makes one for each reply. What it has taken so far a
/// model wrote: it need not be [`Debug`](std::fmt::Debug), whose output ends in logs.
pub trait Assemble: Send {
    /// The places in an event where a call's arguments stand as an object, as
    /// [`Wire::argument_places`](super::Wire::argument_places) has them in a reply.
    fn argument_places(&self) -> &'static [&'static [Step]] {
        &[]
    }

    /// Takes the next event, and gives back the names of the calls that it names for the first time.
    ///
    /// What it does not know it passes over.
    ///
    /// # Errors
    ///
    /// [`ReplyError`] where the event is the provider's report of an error, or not of its shape.
    fn take(&mut self, event: Item<'_>) -> Result<Vec<String>, ReplyError>;

    /// The stream said that it is over, as `[DONE]` does.
    fn done(&mut self) {}

    /// The reply as the provider sends it without streaming, but that the arguments of calls may stand as text. A stream that
    /// did not say how it ended makes a reply that was cut.
    fn reply(self: Box<Self>) -> Value;
}

/// A call's arguments that an event holds as an object, as text for the parse gate to judge.
pub(super) fn arguments(arguments: Item<'_>) -> Value {
    Value::String(arguments.arguments().text().into_owned())
}

/// Adds a piece to the text that an object has under a key.
pub(super) fn append(object: &mut Value, key: &str, piece: &str) {
    let Some(object) = object.as_object_mut() else { return };
    match object.get_mut(key) {
        Some(Value::String(text)) => text.push_str(piece),
        _ => _ = object.insert(key.to_owned(), piece.into()),
    }
}
