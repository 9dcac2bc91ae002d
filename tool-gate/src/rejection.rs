//! Why a call never ran: the kinds of rejection, as data.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{
    json::Fault,
    schema::{JsonType, Path, Violation},
};

/// A call that never ran, with the contract that it broke: a statement about the request, not about the world.
///
/// It is data for the host to count and to act on. The words for the model are made of it by [`Sentences`](crate::Sentences).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Rejection {
    /// Two calls of one reply have one id, so their results could not be told apart.
    DuplicateId {
        /// The id, where it is plain enough to repeat.
        id: Option<String>,
    },
    /// The proposal is not of the wire's shape. Only wires whose envelope the model writes itself reject like this.
    Envelope {
        /// What is wrong with it.
        fault: EnvelopeFault,
    },
    /// No tool of this name was offered.
    UnknownName {
        /// The name as sent: cut to 64 characters, control characters stripped. Empty if there was none.
        name: String,
        /// All offered names, sorted, if they are few; else the three nearest, the nearest first.
        suggestions: Vec<String>,
        /// How many tools were offered.
        offered: usize,
    },
    /// The arguments are not JSON.
    Unparsable {
        /// The tool that was called.
        tool: String,
        /// What is wrong with the text, and where.
        fault: Fault,
    },
    /// The arguments end early, or the turn was cut while they were written.
    Truncated {
        /// The tool that was called.
        tool: String,
    },
    /// The arguments are JSON, and not an object.
    NotAnObject {
        /// The tool that was called.
        tool: String,
        /// What they are.
        received: JsonType,
        /// The keys the tool declares, in the order of its signature.
        declared: Vec<String>,
    },
    /// The arguments do not conform to the published schema.
    Schema {
        /// The tool that was called.
        tool: String,
        /// The one clause that is told.
        violation: Box<Violation>,
    },
    /// The schema takes the arguments, and the argument's own type does not.
    Value {
        /// The tool that was called.
        tool: String,
        /// The value that is refused.
        path: Path,
        /// The type's own words, cut to [`Limits::echoed_chars`](crate::Limits::echoed_chars); absent for a `sensitive`
        /// argument.
        reason: Option<String>,
    },
    /// The call is beyond one of the [`Limits`](crate::Limits).
    OverLimit {
        /// Which, and by how much.
        limit: Exceeded,
    },
    /// The reply is one in which nothing may run.
    TurnNotRunnable {
        /// Why not.
        reason: NotRunnable,
    },
}

/// What is wrong with an envelope that the model wrote itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "fault", rename_all = "snake_case")]
#[non_exhaustive]
pub enum EnvelopeFault {
    /// The text is not JSON.
    NotJson {
        /// What is wrong with the text, and where.
        at: Fault,
    },
    /// It is JSON, and not an object.
    NotAnObject {
        /// What it is.
        received: JsonType,
    },
    /// It lacks a key.
    MissingKey {
        /// The first one that is missing.
        key: String,
    },
    /// It has a key that does not belong there.
    ExtraKey {
        /// The key, where it is plain enough to repeat.
        key: Option<String>,
    },
    /// The name is not a string.
    NameNotAString {
        /// What it is.
        received: JsonType,
    },
}

/// The limit that a call is beyond.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "limit", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Exceeded {
    /// The arguments are too long.
    ArgumentBytes {
        /// The tool that was called.
        tool: String,
        /// The most bytes that are taken.
        most: usize,
    },
    /// There are too many calls before this one in the reply.
    Calls {
        /// The most calls that are judged.
        most: usize,
    },
}

/// Why nothing of a reply may run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum NotRunnable {
    /// The provider stopped the model for safety or policy.
    Refused,
    /// The provider paused the turn; it goes on when the reply is sent back.
    Paused,
    /// The reply ends in a way that does not ask for tools.
    NotAskedFor,
    /// The run is over: one of its bounds was reached before.
    Stopped,
    /// This very reply was settled just before.
    Repeated,
}

/// The kinds of [`Rejection`], without what they carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RejectionKind {
    /// See [`Rejection::DuplicateId`].
    DuplicateId,
    /// See [`Rejection::Envelope`].
    Envelope,
    /// See [`Rejection::UnknownName`].
    UnknownName,
    /// See [`Rejection::Unparsable`].
    Unparsable,
    /// See [`Rejection::Truncated`].
    Truncated,
    /// See [`Rejection::NotAnObject`].
    NotAnObject,
    /// See [`Rejection::Schema`].
    Schema,
    /// See [`Rejection::Value`].
    Value,
    /// See [`Rejection::OverLimit`].
    OverLimit,
    /// See [`Rejection::TurnNotRunnable`].
    TurnNotRunnable,
}

impl RejectionKind {
    /// All of them, in the order of their declaration.
    pub(crate) const ALL: [Self; 10] = [
        Self::DuplicateId,
        Self::Envelope,
        Self::UnknownName,
        Self::Unparsable,
        Self::Truncated,
        Self::NotAnObject,
        Self::Schema,
        Self::Value,
        Self::OverLimit,
        Self::TurnNotRunnable,
    ];

    /// The kind, as a word that is safe as a metric label.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::DuplicateId => "duplicate_id",
            Self::Envelope => "envelope",
            Self::UnknownName => "unknown_name",
            Self::Unparsable => "unparsable",
            Self::Truncated => "truncated",
            Self::NotAnObject => "not_an_object",
            Self::Schema => "schema",
            Self::Value => "value",
            Self::OverLimit => "over_limit",
            Self::TurnNotRunnable => "turn_not_runnable",
        }
    }
}

impl fmt::Display for RejectionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Which check a call did not pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Gate {
    /// The reply as a whole: its end, its calls' ids, their number, an envelope the model wrote.
    Reply,
    /// The name exists in this offer.
    Name,
    /// The arguments are one JSON object.
    Parse,
    /// The arguments conform to the published schema.
    Schema,
    /// The arguments' own types take them.
    Bind,
}

impl Gate {
    /// The gate, as a word that is safe as a metric label.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Reply => "reply",
            Self::Name => "name",
            Self::Parse => "parse",
            Self::Schema => "schema",
            Self::Bind => "bind",
        }
    }
}

impl fmt::Display for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl Rejection {
    /// The kind, without what it carries.
    pub fn kind(&self) -> RejectionKind {
        match self {
            Self::DuplicateId { .. } => RejectionKind::DuplicateId,
            Self::Envelope { .. } => RejectionKind::Envelope,
            Self::UnknownName { .. } => RejectionKind::UnknownName,
            Self::Unparsable { .. } => RejectionKind::Unparsable,
            Self::Truncated { .. } => RejectionKind::Truncated,
            Self::NotAnObject { .. } => RejectionKind::NotAnObject,
            Self::Schema { .. } => RejectionKind::Schema,
            Self::Value { .. } => RejectionKind::Value,
            Self::OverLimit { .. } => RejectionKind::OverLimit,
            Self::TurnNotRunnable { .. } => RejectionKind::TurnNotRunnable,
        }
    }

    /// The gate that the call did not pass.
    pub fn gate(&self) -> Gate {
        match self {
            Self::DuplicateId { .. }
            | Self::Envelope { .. }
            | Self::TurnNotRunnable { .. }
            | Self::OverLimit { limit: Exceeded::Calls { .. } } => Gate::Reply,
            Self::UnknownName { .. } => Gate::Name,
            Self::Unparsable { .. } | Self::Truncated { .. } | Self::NotAnObject { .. } | Self::OverLimit { .. } => {
                Gate::Parse
            }
            Self::Schema { .. } => Gate::Schema,
            Self::Value { .. } => Gate::Bind,
        }
    }

    /// The offered tool that was called; none where the call did not get as far as that.
    pub fn tool(&self) -> Option<&str> {
        match self {
            Self::Unparsable { tool, .. }
            | Self::Truncated { tool }
            | Self::NotAnObject { tool, .. }
            | Self::Schema { tool, .. }
            | Self::Value { tool, .. }
            | Self::OverLimit { limit: Exceeded::ArgumentBytes { tool, .. } } => Some(tool),
            _ => None,
        }
    }

    /// Where in the arguments, for a rejection that is about a place in them.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Schema { violation, .. } => Some(&violation.path),
            Self::Value { path, .. } => Some(path),
            _ => None,
        }
    }

    /// The JSON Schema keyword that was broken.
    pub fn keyword(&self) -> Option<&str> {
        match self {
            Self::Schema { violation, .. } => Some(violation.keyword()),
            _ => None,
        }
    }
}
