//! A strict JSON reader into a flat *tape*: one vector of slots in document order.
//!
//! The parse gate needs what a `serde_json::Value` no longer shows: where and how a text is broken, which key was
//! written twice, that `9007199254740993.0` is that very integer, and a broken argument kept apart from the reply
//! around it. The tape keeps all of it, costs one allocation for most texts, and is validated and bound in place.

mod capture;
mod de;
mod key;
mod node;
mod number;
mod read;
mod refused;
mod tape;
#[cfg(test)]
mod tests;
mod view;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use capture::Step;
pub(crate) use node::{Captured, Elements, Kind, Members, Node};
pub(crate) use number::Number;
pub(crate) use read::{read, read_envelope};
pub(crate) use refused::Refused;
pub(crate) use tape::Tape;
pub(crate) use view::view;

/// What is wrong with a text that should be one JSON value, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    kind: FaultKind,
    at: usize,
}

impl Fault {
    /// A fault of this kind at this byte.
    fn new(kind: FaultKind, at: usize) -> Self {
        Self { kind, at }
    }

    /// What is wrong.
    pub fn kind(&self) -> FaultKind {
        self.kind
    }

    /// The byte of the text at which it shows; the length of the text where the text ended early.
    pub fn at(&self) -> usize {
        self.at
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.kind, self.at)
    }
}

impl std::error::Error for Fault {}

/// The ways a text fails to be one JSON value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FaultKind {
    /// The text ended inside a value.
    Truncated,
    /// `NaN`, `Infinity` or `-Infinity`, which JSON does not have.
    NotFinite,
    /// A number too large for a 64-bit float, such as `1e400`.
    OutOfRange,
    /// A `\u` escape that is half of a surrogate pair.
    LoneSurrogate,
    /// An object holds one key twice.
    DuplicateKey,
    /// More arrays and objects inside one another than allowed.
    TooDeep,
    /// A control character, such as a line break, written raw inside a string.
    ControlCharacter,
    /// A backslash followed by something JSON does not know.
    InvalidEscape,
    /// Something follows the value.
    TrailingText,
    /// A string or key in single quotes.
    SingleQuotes,
    /// A comma before a closing bracket.
    TrailingComma,
    /// Nothing but white space.
    Empty,
    /// A character that cannot stand where it does.
    Unexpected,
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Truncated => "text that ends inside a value",
            Self::NotFinite => "a number that is not finite",
            Self::OutOfRange => "a number out of range",
            Self::LoneSurrogate => "half of a surrogate pair",
            Self::DuplicateKey => "a key written twice",
            Self::TooDeep => "too deep nesting",
            Self::ControlCharacter => "a raw control character in a string",
            Self::InvalidEscape => "an invalid escape",
            Self::TrailingText => "text after the value",
            Self::SingleQuotes => "single quotes",
            Self::TrailingComma => "a trailing comma",
            Self::Empty => "no value",
            Self::Unexpected => "an unexpected character",
        })
    }
}
