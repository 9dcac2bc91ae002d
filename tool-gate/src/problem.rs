//! What can be wrong with a registry: every mistake, with what to do about it.

use std::{error::Error, fmt};

/// A registry could not be built: every mistake there is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildError {
    pub(crate) problems: Vec<Problem>,
}

impl BuildError {
    /// The mistakes: those of lists first, then those of tools in the order of their names.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the registry cannot be built:")?;
        self.problems.iter().try_for_each(|problem| write!(f, "\n- {problem}"))
    }
}

impl Error for BuildError {}

/// One mistake in what a registry is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Problem {
    /// A list holds no tools.
    EmptyList {
        /// The list's name.
        list: String,
    },
    /// An expected tool is not there.
    MissingTool {
        /// The tool's name.
        tool: String,
    },
    /// Two tools have one name.
    DuplicateName {
        /// The name.
        tool: String,
        /// The paths of their functions, such as `shop::tools::search`.
        paths: Vec<String>,
    },
    /// A dynamic or a renamed tool has a name that is none for a tool: it is not of 1 to 128 of `A-Z a-z 0-9 _ . -`.
    Name {
        /// The name.
        tool: String,
    },
    /// A dynamic tool has no description, or a blank one.
    NoDescription {
        /// The tool's name.
        tool: String,
    },
    /// A dynamic tool is declared as the attribute does not let one be: both `read_only` and `destructive`, without any time, with
    /// a blank title or scope, or with an output schema that is none.
    Declaration {
        /// The tool's name.
        tool: String,
        /// What is wrong.
        reason: &'static str,
    },
    /// A tool is `destructive` or has `requires`, and no policy decides on it.
    NoPolicy {
        /// The tool's name.
        tool: String,
    },
    /// A tool declares a time-out, and the feature `tokio` that keeps it is off.
    NoTimer {
        /// The tool's name.
        tool: String,
    },
    /// An argument's declaration does not work out.
    Argument {
        /// The tool's name.
        tool: String,
        /// The argument's name; empty for a type that several arguments share.
        argument: String,
        /// What is wrong.
        reason: String,
    },
    /// The tool's schema does not compile, for a pattern that cannot be matched in linear time say.
    Schema {
        /// The tool's name.
        tool: String,
        /// What is wrong.
        reason: String,
    },
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EmptyList { list } => write!(
                f,
                "nothing links `{list}`: put a tool on it with `#[tool(in = {list})]`, or add `use the_crate_with_its_tools as _;`"
            ),
            Self::MissingTool { tool } => {
                write!(f, "`{tool}` is expected and not there: is the crate that declares it linked?")
            }
            Self::DuplicateName { tool, paths } => write!(
                f,
                "`{tool}` is registered {} times ({}): take one off, or rename it with `#[tool(name = \"…\")]`, `.tool_as` or `.list_as`",
                paths.len(),
                paths.join(", ")
            ),
            Self::Name { tool } => {
                write!(f, "`{tool}` is not a name for a tool: take 1 to 128 of `A-Z a-z 0-9 _ . -`")
            }
            Self::NoDescription { tool } => {
                write!(f, "`{tool}` has no description, which is what the model chooses by")
            }
            Self::Declaration { tool, reason } => write!(f, "`{tool}` {reason}"),
            Self::NoPolicy { tool } => write!(
                f,
                "`{tool}` is destructive or has `requires`, and nothing decides who may run it: add `.policy(…)`"
            ),
            Self::NoTimer { tool } => {
                write!(f, "`{tool}` has a `timeout`, which needs the feature `tokio` of tool-gate")
            }
            Self::Argument { tool, argument, reason } if argument.is_empty() => write!(f, "`{tool}` {reason}"),
            Self::Argument { tool, argument, reason } => write!(f, "`{argument}` of `{tool}` {reason}"),
            Self::Schema { tool, reason } => write!(f, "the schema of `{tool}` does not compile: {reason}"),
        }
    }
}
