//! What lowering did to a schema, and why a schema cannot be lowered.

use std::{error::Error, fmt};

use serde::{Deserialize, Serialize};

/// One thing that is published otherwise than it is enforced.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Change {
    /// The tool's name.
    pub tool: String,
    /// Where in the canonical schema, as a JSON pointer: `/properties/limit`.
    pub path: String,
    /// The keyword that is not published as it stands.
    pub keyword: String,
    /// What became of it.
    pub became: Became,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tool, path, keyword, became } = self;
        write!(f, "{tool}{path}: `{keyword}` {became}")
    }
}

/// What became of a keyword.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Became {
    /// It is not enforced by the provider: the description says it in words.
    Described,
    /// It says nothing of what is taken, and is not sent.
    LeftOut,
    /// Keys that are not listed cannot be sent.
    Closed,
    /// `null` stands for absence.
    Nullable,
    /// It cannot be left out, and `null` is a value of it.
    Present,
    /// Absence stands for `null`.
    Absent,
    /// A branch of `anyOf` for each.
    Union,
    /// What is named is written out in its place.
    Inlined,
    /// The parts are one schema.
    Merged,
    /// An inclusive bound of the same integers.
    Inclusive,
    /// A list of objects with a key and a value.
    Pairs,
    /// An object with the keys `item_0`, `item_1`.
    Members,
    /// JSON text in a string.
    Text,
    /// An `enum` of one value.
    OneValue,
    /// An `enum` of strings.
    Strings,
    /// Another key.
    Renamed,
    /// The one property `value` of an object.
    Wrapped,
    /// The same in the words of JSON Schema 2020-12.
    Modern,
    /// It is written out, since the provider asks for it.
    Added,
}

impl Became {
    /// Whether [`Mode::Auto`](super::Mode::Auto) leaves a tool plain for it: a map that would be a list of pairs, or a value that
    /// would be JSON text. Other forms are no harder to write than what they stand for: a tuple that is an object has a key for
    /// each of its places.
    pub(crate) fn is_another_shape(self) -> bool {
        matches!(self, Self::Text | Self::Pairs)
    }
}

impl fmt::Display for Became {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Described => "is said in the description and not enforced by the provider",
            Self::LeftOut => "is left out",
            Self::Closed => "is closed: keys that are not listed cannot be sent",
            Self::Nullable => "is required, and null stands for absence",
            Self::Present => "is required: it cannot be left out",
            Self::Absent => "loses null, for which absence stands",
            Self::Union => "is published as anyOf",
            Self::Inlined => "is written out in its place",
            Self::Merged => "is published as one schema",
            Self::Inclusive => "is published as an inclusive bound",
            Self::Pairs => "is published as a list of keys and values",
            Self::Members => "is published as an object with a key for each place",
            Self::Text => "is published as JSON text in a string",
            Self::OneValue => "is published as an enum of one value",
            Self::Strings => "is published as an enum of strings",
            Self::Renamed => "is published under another key",
            Self::Wrapped => "is published as the one property of an object",
            Self::Modern => "is published in the words of JSON Schema 2020-12",
            Self::Added => "is written out, since the provider asks for it",
        })
    }
}

/// Why a tool cannot be published in a dialect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Unfit {
    /// A schema holds itself.
    Recursion {
        /// The reference, as a JSON pointer.
        path: String,
    },
    /// It takes no arguments.
    NoArguments,
    /// No value conforms to a schema, or none that this dialect can say.
    Nothing {
        /// The schema, as a JSON pointer.
        path: String,
    },
    /// A schema is not of JSON Schema, or too unusual to be rewritten.
    Unsound {
        /// The schema, as a JSON pointer.
        path: String,
        /// The keyword at fault.
        keyword: String,
    },
    /// It nests too deep, or comes to too many schemas once its references are written out.
    TooLarge,
    /// It asks for more than a provider takes of something, by itself or together with the tools before it.
    Budget {
        /// What is counted.
        of: String,
        /// How many there would be.
        count: usize,
        /// How many the provider takes.
        most: usize,
    },
    /// Its strict form would have a list of pairs in the place of a map, or JSON text in that of a value, which is asked for by
    /// [`Mode::Strict`](super::Mode::Strict) alone.
    Shape {
        /// What would be, as a JSON pointer.
        path: String,
        /// What it would be.
        became: Became,
    },
    /// The provider has no strict mode.
    NoStrictMode,
    /// The provider has one mode for all tools of a request, and another tool cannot be strict.
    Other {
        /// The tool that cannot be.
        tool: String,
    },
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = |path: &str| if path.is_empty() { "the root".to_owned() } else { format!("`{path}`") };
        match self {
            Self::Recursion { path } => write!(f, "{} may hold itself", place(path)),
            Self::NoArguments => f.write_str("it takes no arguments"),
            Self::Nothing { path } => write!(f, "nothing can be sent for {}", place(path)),
            Self::Unsound { path, keyword } => write!(f, "{} has `{keyword}`, which cannot be rewritten", place(path)),
            Self::TooLarge => f.write_str("it is too large with its references written out"),
            Self::Budget { of, count, most } => write!(f, "it would make {count} {of}, of which {most} are taken"),
            Self::Shape { path, became } => write!(f, "{} {became} in the strict mode", place(path)),
            Self::NoStrictMode => f.write_str("the provider has no strict mode"),
            Self::Other { tool } => write!(f, "`{tool}` cannot be strict, and it is all tools or none"),
        }
    }
}

impl Error for Unfit {}
