//! The slots a document is laid out in.

use serde_json::Value;

use super::{Node, Number};

/// A container that is being filled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    /// Its slot.
    pub(super) slot: usize,
    /// How many members or elements it has so far.
    pub(super) len: usize,
    /// Whether it is an object.
    pub(super) object: bool,
}

impl Open {
    /// Around the root there is no container.
    pub(super) const OUTSIDE: Self = Self { slot: usize::MAX, len: 0, object: false };
}

/// One value, or one key, of a document.
#[derive(Clone, Copy, Debug)]
pub(super) enum Slot<'t> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, exactly as written.
    Number(Number<'t>),
    /// A string that stands in the text as it is.
    Plain(&'t str),
    /// A string that had escapes: where it lies in [`Tape::unescaped`].
    Unescaped {
        /// Its first byte.
        start: usize,
        /// The byte behind it.
        end: usize,
    },
    /// An array; its elements follow.
    Array {
        /// How many elements.
        len: usize,
        /// The slot behind its last one.
        end: usize,
    },
    /// An object; its keys and values follow, taking turns.
    Object {
        /// How many members.
        len: usize,
        /// The slot behind its last one.
        end: usize,
    },
    /// A captured value: its source text, not parsed.
    Raw(&'t str),
    /// A captured value of a document that was parsed elsewhere.
    Value(&'t Value),
}

/// A document as a row of slots.
#[derive(Debug, Default)]
pub(crate) struct Tape<'t> {
    pub(super) slots: Vec<Slot<'t>>,
    /// The contents of all strings that had escapes, one behind the other.
    pub(super) unescaped: String,
    /// Whether a number may be an integer though it is not written as one.
    pub(super) integral_decimal: bool,
}

impl Tape<'_> {
    /// The document's outermost value.
    pub(crate) fn root(&self) -> Node<'_> {
        Node::new(self, 0)
    }

    /// About how many bytes the document takes as JSON without white space: its strings count with their quotes and a comma,
    /// everything else at a flat rate.
    pub(crate) fn bytes(&self) -> usize {
        let of_slot = |slot: &Slot<'_>| match slot {
            Slot::Plain(string) => string.len() + 3,
            Slot::Unescaped { start, end } => end - start + 3,
            Slot::Number(_) => 8,
            Slot::Null | Slot::Bool(_) => 5,
            Slot::Array { .. } | Slot::Object { .. } => 3,
            Slot::Raw(text) => text.len(),
            Slot::Value(_) => 0,
        };
        self.slots.iter().map(of_slot).sum()
    }

    /// Whether some number is not written as an integer and may be one all the same (`5.0`, `1e2`, `-0`).
    pub(crate) fn has_integral_decimal(&self) -> bool {
        self.integral_decimal
    }

    /// Rewrites the numbers in these slots ([`Node::index`]) to the integers they are. A number that is not an integer,
    /// or not one of 64 bits, stays as it is.
    pub(crate) fn integers_exact(&mut self, slots: &[usize]) {
        for &slot in slots {
            if let Some(Slot::Number(number)) = self.slots.get_mut(slot) {
                *number = number.to_integer();
            }
        }
    }

    /// Makes this the tape of one string, in the memory it has.
    pub(crate) fn hold(&mut self, string: &str) -> Node<'_> {
        self.unescaped.clear();
        self.unescaped.push_str(string);
        self.slots.clear();
        self.slots.push(Slot::Unescaped { start: 0, end: string.len() });
        self.root()
    }

    /// The string in this slot.
    #[inline]
    pub(super) fn string(&self, at: usize) -> Option<&str> {
        match self.slots[at] {
            Slot::Plain(string) => Some(string),
            Slot::Unescaped { start, end } => Some(&self.unescaped[start..end]),
            _ => None,
        }
    }

    /// The key in this slot.
    #[inline]
    pub(super) fn key(&self, at: usize) -> &str {
        self.string(at).unwrap_or_default()
    }

    /// The slot behind the value in this one.
    #[inline]
    pub(super) fn behind(&self, at: usize) -> usize {
        match self.slots[at] {
            Slot::Array { end, .. } | Slot::Object { end, .. } => end,
            _ => at + 1,
        }
    }

    /// Appends a container to be filled, and leaves the one around it for that time.
    pub(super) fn open(&mut self, object: bool, around: Open) -> Open {
        if let Some(Slot::Array { len, .. } | Slot::Object { len, .. }) = self.slots.get_mut(around.slot) {
            *len = around.len;
        }
        let slot = self.slots.len();
        // Until the container is closed, its end is the one around it: that makes the tape its own stack.
        let (len, end) = (0, around.slot);
        self.slots.push(if object { Slot::Object { len, end } } else { Slot::Array { len, end } });
        Open { slot, len, object }
    }

    /// Completes a container and goes back to the one around it.
    pub(super) fn close(&mut self, filled: Open) -> Open {
        let behind = self.slots.len();
        let Some(Slot::Array { len, end } | Slot::Object { len, end }) = self.slots.get_mut(filled.slot) else {
            return Open::OUTSIDE;
        };
        *len = filled.len;
        let slot = std::mem::replace(end, behind);
        match self.slots.get(slot) {
            Some(&Slot::Object { len, .. }) => Open { slot, len, object: true },
            Some(&Slot::Array { len, .. }) => Open { slot, len, object: false },
            _ => Open::OUTSIDE,
        }
    }
}
