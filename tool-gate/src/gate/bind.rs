//! The bind gate: the arguments' own types take what the schema took.

use crate::{
    argument::{Binding, Unbound},
    json::Tape,
    limits::Limits,
    rejection::Rejection,
    schema::{Path, Segment},
    text,
    tool::{Bind, Bound},
};

/// Turns a checked object into the function's arguments.
///
/// # Errors
///
/// [`Rejection::Value`] where a type refuses a value that the schema takes, as an e-mail address type may.
pub(crate) fn bind<S: ?Sized>(
    bind: &Bind<S>,
    arguments: &Tape<'_>,
    tool: &str,
    sensitive: &[String],
    limits: &Limits,
) -> Result<Bound<S>, Rejection> {
    bind(&mut Binding::of(arguments.root())).map_err(|unbound| refused(unbound, tool, sensitive, limits))
}

fn refused(unbound: Unbound, tool: &str, sensitive: &[String], limits: &Limits) -> Rejection {
    let (path, message) = unbound.refused.into_parts();
    if path.is_root() && !sensitive.is_empty() {
        // A check across arguments has seen the sensitive ones, and its words may tell of them.
        return Rejection::Value { tool: tool.to_owned(), path, reason: None };
    }
    if matches!(path.segments().first(), Some(Segment::Key(key)) if sensitive.contains(key)) {
        // Keys inside a sensitive argument, and the type's words about it, may be as telling as the value.
        let path: Path = path.segments().iter().take(1).cloned().collect();
        return Rejection::Value { tool: tool.to_owned(), path, reason: None };
    }
    let reason = text::excerpt(message.trim_end_matches('.'), limits.echoed_chars);
    Rejection::Value { tool: tool.to_owned(), path, reason: (!reason.is_empty()).then_some(reason) }
}
