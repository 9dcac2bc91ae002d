//! Running one admitted call: decided, started, and bounded in time, whatever it does.

#[cfg(feature = "tokio")]
use std::cell::Cell;
use std::{
    any::Any,
    collections::BTreeSet,
    future::Future,
    panic::{self, AssertUnwindSafe},
    time::Duration,
};

use futures_util::FutureExt;
#[cfg(feature = "tokio")]
use tokio::runtime;
use tracing::{Instrument, Span, field};

use crate::{
    answer::Answer,
    error::ToolError,
    leniency::Eased,
    offered::OfferedTool,
    rejection::Rejection,
    result::{Failure, Outcome, OutcomeKind},
    text,
    tool::{CallInfo, Definition},
};

/// How a call that was started ended.
pub(crate) enum Ended {
    Answered(Result<Answer, ToolError>),
    Panicked(String),
    TimedOut(Duration),
}

impl Ended {
    pub(crate) fn outcome(self, tool: &OfferedTool) -> Outcome {
        match self {
            Self::Answered(Ok(answer)) => Outcome::Completed { answer },
            Self::Answered(Err(error)) => Outcome::Failed { failure: Failure::error(error, tool) },
            Self::Panicked(message) => Outcome::Failed { failure: Failure::panic(message, tool) },
            Self::TimedOut(limit) => Outcome::Failed { failure: Failure::timeout(limit, tool) },
        }
    }
}

/// Waits for a tool. A panic ends here, unless the program was built with `panic = "abort"`, and so does its time.
pub(crate) async fn guard(tool: impl Future<Output = Result<Answer, ToolError>>, limit: Option<Duration>) -> Ended {
    // What the tool has left half-done is its own and the state's: both had to be `Sync`, and locks are poisoned.
    let guarded = AssertUnwindSafe(within(limit, tool)).catch_unwind();
    match guarded.await {
        Ok(Some(answered)) => Ended::Answered(answered),
        Ok(None) => Ended::TimedOut(limit.unwrap_or_default()),
        Err(panic) => Ended::Panicked(message(panic)),
    }
}

/// What a policy decides; or the message of its panic.
pub(crate) async fn decided<T>(deciding: impl Future<Output = T>) -> Result<T, String> {
    AssertUnwindSafe(deciding).catch_unwind().await.map_err(message)
}

/// What comes of the application's own code; or the message of its panic.
pub(crate) fn unwinding<T>(code: impl FnOnce() -> T) -> Result<T, String> {
    panic::catch_unwind(AssertUnwindSafe(code)).map_err(message)
}

/// Drops what the application made, whatever its `Drop` does.
pub(crate) fn discard<T>(made: T) {
    let _ = unwinding(|| drop(made));
}

/// What a future comes to within its time; nothing where that runs out.
#[cfg(feature = "tokio")]
async fn within<T>(limit: Option<Duration>, future: impl Future<Output = T>) -> Option<T> {
    match limit {
        // On another executor there is no timer to ask.
        Some(limit) if has_timer() => tokio::time::timeout(limit, future).await.ok(),
        _ => Some(future.await),
    }
}

/// Whether this is a tokio runtime whose timers are enabled. It does not tell but by panicking, so it is asked once.
#[cfg(feature = "tokio")]
fn has_timer() -> bool {
    thread_local! {
        static LAST: Cell<Option<(runtime::Id, bool)>> = const { Cell::new(None) };
    }
    let Ok(handle) = runtime::Handle::try_current() else { return false };
    match LAST.get() {
        Some((id, has_timer)) if id == handle.id() => has_timer,
        _ => {
            let has_timer = unwinding(|| drop(tokio::time::sleep(Duration::ZERO))).is_ok();
            LAST.set(Some((handle.id(), has_timer)));
            has_timer
        }
    }
}

#[cfg(not(feature = "tokio"))]
async fn within<T>(_: Option<Duration>, future: impl Future<Output = T>) -> Option<T> {
    Some(future.await)
}

fn message(thrown: Box<dyn Any + Send>) -> String {
    let text = thrown.downcast_ref::<&str>().copied();
    let text = text.or_else(|| thrown.downcast_ref::<String>().map(String::as_str));
    let message = text.unwrap_or("a panic without a message").to_owned();
    // Its own `Drop` may panic in turn; it is caught, and what it was thrown with is left alone.
    let _ = panic::catch_unwind(AssertUnwindSafe(|| drop(thrown))).map_err(std::mem::forget);
    message
}

/// Notes a call that did not pass the gates: by its tool's declared name, or as `unknown`.
pub(crate) fn note_rejection(tool: Option<&str>, call: &CallInfo, rejection: &Rejection) {
    let (name, id) = (tool.unwrap_or("unknown"), plain_id(call));
    let (outcome, kind) = (OutcomeKind::Rejected.as_str(), rejection.kind().as_str());
    tracing::info!(
        target: "tool_gate",
        { gen_ai.tool.name = name, gen_ai.tool.call.id = id, outcome, kind },
        "call rejected"
    );
}

/// The id, where nothing can hide in it.
fn plain_id(call: &CallInfo) -> Option<&str> {
    Some(call.id()).filter(|id| text::is_plain(id, 128))
}

/// The span around one call. It names what the host declared, and nothing that a model wrote but an id that is plain.
pub(crate) fn span(tool: &Definition, call: &CallInfo, eased: &[Eased]) -> Span {
    let span = tracing::info_span!(
        target: "tool_gate",
        "execute_tool",
        gen_ai.operation.name = "execute_tool",
        gen_ai.tool.name = tool.name(),
        gen_ai.tool.call.id = plain_id(call),
        outcome = field::Empty,
        kind = field::Empty,
        eased = field::Empty,
    );
    if !eased.is_empty() {
        let kinds: BTreeSet<&str> = eased.iter().map(|eased| eased.kind.as_str()).collect();
        span.record("eased", kinds.into_iter().collect::<Vec<_>>().join(","));
    }
    span
}

/// Runs a future inside its call's span, and notes there how it ended.
pub(crate) async fn traced(span: Span, call: impl Future<Output = Option<Outcome>>) -> Option<Outcome> {
    let outcome = call.instrument(span.clone()).await?;
    span.record("outcome", outcome.kind().as_str());
    if let Outcome::Failed { failure } = &outcome {
        span.record("kind", failure.kind().as_str());
    }
    Some(outcome)
}
