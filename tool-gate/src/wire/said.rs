//! What a model says, in no provider's form.

use super::{Call, Ending};

/// One reply of a model that a test plays: a [`Wire`](super::Wire) makes the provider's response body of it.
#[derive(Clone, Debug)]
pub struct Said {
    pub(crate) number: u64,
    pub(crate) text: Option<String>,
    pub(crate) calls: Vec<Call>,
    pub(crate) ending: Ending,
}

impl Said {
    /// Which reply of the conversation it is, from 1: a part of ids that are new in it.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// What it says beside its calls.
    pub fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// The calls, each with an id. Arguments that are text are to arrive as that text, broken or not.
    pub fn calls(&self) -> &[Call] {
        &self.calls
    }

    /// How it ends.
    pub fn ending(&self) -> Ending {
        self.ending
    }
}
