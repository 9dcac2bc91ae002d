//! What a request lets the model do with its tools.

use std::{error::Error, fmt};

/// What a request lets the model do with its tools: which it may or must call, and whether several in one reply.
///
/// ```
/// use tool_gate::wire::{Choice, ToolChoice};
///
/// let choice = ToolChoice::tool("issue_refund").one_call();
/// assert_eq!(choice.choice(), &Choice::Named("issue_refund".into()));
/// assert!(!choice.allows_parallel_calls());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolChoice {
    choice: Choice,
    parallel: bool,
}

/// Which tools the model may or must call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Choice {
    /// The model decides whether it calls any.
    #[default]
    Auto,
    /// It must call one or more.
    Required,
    /// It must call the one of this name.
    Named(String),
    /// It may call none, though it is told of them.
    None,
}

impl ToolChoice {
    /// The model decides.
    pub fn auto() -> Self {
        Self::from(Choice::Auto)
    }

    /// It must call a tool.
    pub fn required() -> Self {
        Self::from(Choice::Required)
    }

    /// It must call the tool of this name.
    pub fn tool(name: impl Into<String>) -> Self {
        Self::from(Choice::Named(name.into()))
    }

    /// It may not call a tool.
    pub fn none() -> Self {
        Self::from(Choice::None)
    }

    /// At most one call in one reply.
    #[must_use]
    pub fn one_call(self) -> Self {
        Self { parallel: false, ..self }
    }

    /// The same of a tool that is published under this name.
    pub(crate) fn of_tool(&self, name: &str) -> Self {
        Self { choice: Choice::Named(name.to_owned()), ..self.clone() }
    }

    /// Which tools it may or must call.
    pub fn choice(&self) -> &Choice {
        &self.choice
    }

    /// Whether one reply may hold several calls.
    pub fn allows_parallel_calls(&self) -> bool {
        self.parallel
    }

    /// For a provider that has no words for a choice.
    ///
    /// # Errors
    ///
    /// [`ChoiceError::Unsupported`] where it is not the model that decides everything.
    pub fn must_be_the_models(&self) -> Result<(), ChoiceError> {
        if self.choice == Choice::Auto { self.must_allow_parallel_calls() } else { Err(self.unsupported()) }
    }

    /// For a provider that cannot be kept to one call.
    ///
    /// # Errors
    ///
    /// [`ChoiceError::Unsupported`] where it is to be.
    pub fn must_allow_parallel_calls(&self) -> Result<(), ChoiceError> {
        if self.parallel { Ok(()) } else { Err(ChoiceError::Unsupported { asked: "at most one call in a reply" }) }
    }

    /// The error that the provider has no words for [`choice`](Self::choice).
    pub fn unsupported(&self) -> ChoiceError {
        let asked = match self.choice {
            Choice::Auto => "the model's own choice",
            Choice::Required => "a call of any tool",
            Choice::Named(_) => "a call of one tool",
            Choice::None => "no call, with tools that are told of",
        };
        ChoiceError::Unsupported { asked }
    }
}

/// The model decides, and may make several calls.
impl Default for ToolChoice {
    fn default() -> Self {
        Self::auto()
    }
}

impl From<Choice> for ToolChoice {
    fn from(choice: Choice) -> Self {
        Self { choice, parallel: true }
    }
}

/// A choice that the request cannot make.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChoiceError {
    /// The tool that must be called is not offered.
    NotOffered {
        /// Its name.
        tool: String,
    },
    /// A tool must be called, and none is offered.
    NothingOffered,
    /// The provider has no words for it.
    Unsupported {
        /// What was to be asked of the model.
        asked: &'static str,
    },
}

impl fmt::Display for ChoiceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotOffered { tool } => write!(f, "`{tool}` must be called and is not offered"),
            Self::NothingOffered => f.write_str("a tool must be called and none is offered"),
            Self::Unsupported { asked } => write!(f, "the provider cannot be asked for {asked}"),
        }
    }
}

impl Error for ChoiceError {}
