//! One call with its answer, as a wire writes it back.

use std::{
    borrow::Cow,
    fmt::{self, Debug},
};

use serde_json::Value;

use super::Arguments;
use crate::result::ResultBlock;

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
