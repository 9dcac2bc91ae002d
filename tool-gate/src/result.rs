//! The answer to one call, whichever of the four it is.

use std::{fmt, sync::Arc, time::Duration};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    answer::Answer,
    content::Content,
    error::{Source, ToolError},
    offered::OfferedTool,
    rejection::Rejection,
};

/// How one call ended.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Outcome {
    /// The tool ran and answered.
    Completed {
        /// What it answered.
        answer: Answer,
    },
    /// The tool ran and could not do it: a statement about the world.
    Failed {
        /// What went wrong.
        failure: Failure,
    },
    /// The call never ran: a statement about the request.
    Rejected {
        /// The contract that it broke.
        rejection: Rejection,
    },
    /// The call was well formed, and policy said no. It never ran.
    Denied {
        /// Why, in the policy's words.
        reason: String,
    },
}

/// The four ways a call can end, without what they carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutcomeKind {
    /// See [`Outcome::Completed`].
    Completed,
    /// See [`Outcome::Failed`].
    Failed,
    /// See [`Outcome::Rejected`].
    Rejected,
    /// See [`Outcome::Denied`].
    Denied,
}

impl fmt::Display for OutcomeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl OutcomeKind {
    /// The kind, as a word that is safe as a metric label.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Rejected => "rejected",
            Self::Denied => "denied",
        }
    }
}

impl Outcome {
    /// Which of the four it is.
    pub fn kind(&self) -> OutcomeKind {
        match self {
            Self::Completed { .. } => OutcomeKind::Completed,
            Self::Failed { .. } => OutcomeKind::Failed,
            Self::Rejected { .. } => OutcomeKind::Rejected,
            Self::Denied { .. } => OutcomeKind::Denied,
        }
    }
}

/// A tool ran and could not do it.
#[derive(Clone, Serialize, Deserialize)]
pub struct Failure {
    kind: FailureKind,
    words: String,
    #[serde(skip)]
    source: Option<Arc<Source>>,
}

/// What made a tool fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FailureKind {
    /// It returned an error, or an answer that cannot be written as JSON.
    Error,
    /// It panicked; or its arguments' types or checks, or the policy, did so before it was started.
    Panic,
    /// It took longer than it may.
    Timeout,
    /// The host stopped waiting while it ran, or before it was started.
    Interrupted,
}

impl FailureKind {
    /// All of them, in the order of their declaration.
    pub(crate) const ALL: [Self; 4] = [Self::Error, Self::Panic, Self::Timeout, Self::Interrupted];

    /// The kind, as a word that is safe as a metric label.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Panic => "panic",
            Self::Timeout => "timeout",
            Self::Interrupted => "interrupted",
        }
    }
}

impl fmt::Display for FailureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl Failure {
    /// The tool returned an error.
    pub(crate) fn error(error: ToolError, tool: &OfferedTool) -> Self {
        let (words, source) = error.into_parts();
        let words = words.filter(|words| !words.trim().is_empty()).unwrap_or_else(|| {
            format!("{} could not be completed. Try another way, or say what could not be done.", tool.name)
        });
        Self { kind: FailureKind::Error, words, source: source.map(Arc::new) }
    }

    /// The tool panicked with this message.
    pub(crate) fn panic(message: String, tool: &OfferedTool) -> Self {
        let words = format!("{} broke off before it answered.{}", tool.name, aftermath(tool));
        Self { kind: FailureKind::Panic, words, source: Some(Arc::new(message.into())) }
    }

    /// Code of the application's panicked with this message before the tool was started.
    pub(crate) fn not_run(message: String, tool: &str) -> Self {
        let words =
            format!("{tool} could not be run, and did nothing. Try another way, or say what could not be done.");
        Self { kind: FailureKind::Panic, words, source: Some(Arc::new(message.into())) }
    }

    /// The tool took longer than this.
    pub(crate) fn timeout(limit: Duration, tool: &OfferedTool) -> Self {
        let words = format!("{} was given up after {}.{}", tool.name, seconds(limit), aftermath(tool));
        Self { kind: FailureKind::Timeout, words, source: None }
    }

    /// The host stopped waiting, before the tool was started or while it ran.
    pub(crate) fn interrupted(tool: &OfferedTool, started: bool) -> Self {
        let words = if started {
            format!("{} was interrupted before it answered.{}", tool.name, aftermath(tool))
        } else {
            format!("{} was not started: the turn was interrupted before.", tool.name)
        };
        Self { kind: FailureKind::Interrupted, words, source: None }
    }

    /// What made it fail.
    pub fn kind(&self) -> FailureKind {
        self.kind
    }

    /// What the model reads. Never empty.
    pub fn words(&self) -> &str {
        &self.words
    }

    /// What went wrong underneath, for the host alone. It is not serialised, and it may hold anything.
    pub fn source(&self) -> Option<&(dyn std::error::Error + Send + Sync + 'static)> {
        self.source.as_deref().map(|source| &**source)
    }
}

/// What nobody knows of a tool that was started and did not answer.
fn aftermath(tool: &OfferedTool) -> &'static str {
    match tool.definition.effects() {
        effects if effects.read_only => "",
        effects if effects.idempotent => " It may have taken effect, and may be repeated with the same arguments.",
        _ => " It may have taken effect: check before you repeat it.",
    }
}

fn seconds(time: Duration) -> String {
    if time == Duration::from_secs(1) { "1 second".into() } else { format!("{} seconds", time.as_secs_f64()) }
}

impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Failure");
        shown.field("kind", &self.kind).field("words", &self.words).field("has_source", &self.source.is_some()).finish()
    }
}

/// The answer to one call. There is exactly one for every call of a reply, in the calls' order.
#[derive(Clone, Serialize, Deserialize)]
pub struct ResultBlock {
    pub(crate) id: String,
    pub(crate) tool: Option<String>,
    pub(crate) outcome: Outcome,
    pub(crate) text: String,
}

/// Shows how the call ended, and not what a model or a tool said.
impl fmt::Debug for ResultBlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResultBlock").field("tool", &self.tool).field("kind", &self.kind()).finish_non_exhaustive()
    }
}

impl ResultBlock {
    /// The id of the call it answers: the one that was sent, or one that was minted because none could be used.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The offered tool that was called, by its own name; none where no offered tool was.
    pub fn tool(&self) -> Option<&str> {
        self.tool.as_deref()
    }

    /// How the call ended.
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// Which of the four ways it ended.
    pub fn kind(&self) -> OutcomeKind {
        self.outcome.kind()
    }

    /// What the model reads. Never empty.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The blocks of a tool that returned [`Content`]; none for everything else, of which [`text`](Self::text) says all.
    pub fn content(&self) -> &[Content] {
        match &self.outcome {
            Outcome::Completed { answer } => answer.content(),
            _ => &[],
        }
    }

    /// What the tool answered, where that is a JSON object.
    pub(crate) fn object(&self) -> Option<Value> {
        match &self.outcome {
            Outcome::Completed { answer } => answer.object(),
            _ => None,
        }
    }

    /// Whether a provider's error flag belongs on it: on everything but a completion.
    pub fn is_error(&self) -> bool {
        self.kind() != OutcomeKind::Completed
    }

    /// The failure, if it is one.
    pub fn failure(&self) -> Option<&Failure> {
        match &self.outcome {
            Outcome::Failed { failure } => Some(failure),
            _ => None,
        }
    }

    /// The rejection, if it is one.
    pub fn rejection(&self) -> Option<&Rejection> {
        match &self.outcome {
            Outcome::Rejected { rejection } => Some(rejection),
            _ => None,
        }
    }
}
