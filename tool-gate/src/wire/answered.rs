//! One call with its answer, as a wire writes it back.

use std::{
    borrow::Cow,
    fmt::{self, Debug},
    sync::OnceLock,
};

use serde_json::Value;

use super::Arguments;
use crate::result::ResultBlock;

/// One call with its answer, as a wire writes it back.
#[derive(Clone, Copy)]
pub struct Answered<'t> {
    pub(crate) id: Option<&'t str>,
    pub(crate) name: &'t str,
    pub(crate) arguments: &'t Replayed<'t>,
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
        self.arguments.object()
    }

    /// The same to keep, made for that.
    pub(super) fn arguments_to_keep(&self) -> Value {
        self.arguments.sent.to_value(self.arguments.depth)
    }

    /// The same as JSON text, for providers that have it as text: as it was sent where that is an object's, so that no digit
    /// and no space of it changes.
    pub fn arguments_text(&self) -> Cow<'t, str> {
        self.arguments.text().map_or_else(|| Cow::Owned(self.arguments().to_string()), Cow::Borrowed)
    }

    /// The result.
    pub fn block(&self) -> &'t ResultBlock {
        self.block
    }
}

/// A call's arguments as they go back: a wire asks for them as an object or as text, and seldom for both.
pub(crate) struct Replayed<'t> {
    sent: &'t Arguments,
    depth: usize,
    object: OnceLock<Value>,
}

impl<'t> Replayed<'t> {
    /// Arguments that may nest this deep.
    pub(crate) fn new(sent: &'t Arguments, depth: usize) -> Self {
        Self { sent, depth, object: OnceLock::new() }
    }

    fn object(&self) -> &Value {
        self.object.get_or_init(|| self.sent.to_value(self.depth))
    }

    /// The text of an object that says something.
    fn text(&self) -> Option<&'t str> {
        let Arguments::Text(text) = self.sent else { return None };
        self.sent.object(self.depth).filter(|tape| tape.root().len() > 0).map(|_| &**text)
    }
}

/// Each answer with the place of its call in the assistant's turn, where a wire has kept the places under `calls`.
pub(super) fn placed<'a, 't>(
    assistant: &'a Value,
    answers: &'a [Answered<'t>],
) -> impl Iterator<Item = (usize, &'a Answered<'t>)> {
    let places = assistant["calls"].as_array().into_iter().flatten().filter_map(Value::as_u64);
    places.filter_map(|place| usize::try_from(place).ok()).zip(answers)
}

/// Shows how the call ended, and not what a model wrote.
impl Debug for Answered<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answered")
            .field("has_id", &self.id.is_some())
            .field("block", self.block)
            .finish_non_exhaustive()
    }
}
