//! The parse gate: strict JSON to one object. Nothing is closed, guessed or repaired.

use crate::{
    json::{self, Fault, FaultKind, Kind, Tape},
    limits::Limits,
    rejection::{Exceeded, Rejection},
    wire::{Arguments, Call},
};

/// Reads a call's arguments. Absent, blank and `null` arguments are an empty object, since that is how providers send the
/// arguments of a tool that takes none.
///
/// # Errors
///
/// [`Rejection::Truncated`], [`Rejection::Unparsable`], [`Rejection::NotAnObject`] or [`Rejection::OverLimit`].
pub(crate) fn parse<'c>(
    call: &'c Call,
    tool: &str,
    declared: impl FnOnce() -> Vec<String>,
    limits: &Limits,
) -> Result<Tape<'c>, Rejection> {
    let tool = || tool.to_owned();
    if call.is_cut() {
        return Err(Rejection::Truncated { tool: tool() });
    }
    let too_long =
        || Rejection::OverLimit { limit: Exceeded::ArgumentBytes { tool: tool(), most: limits.argument_bytes } };
    let tape = match call.arguments() {
        Arguments::Absent => json::read("{}", 1),
        Arguments::Text(text) if text.len() > limits.argument_bytes => return Err(too_long()),
        Arguments::Text(text) if is_blank(text) => json::read("{}", 1),
        Arguments::Text(text) => json::read(text, limits.depth),
        Arguments::Value(value) => match json::view(value, &[], limits.depth) {
            Ok(tape) if tape.bytes() > limits.argument_bytes => return Err(too_long()),
            viewed => viewed,
        },
    };
    let tape = tape.map_err(|fault| unparsable(fault, tool()))?;
    match tape.root().kind() {
        Kind::Object => Ok(tape),
        Kind::Null => json::read("{}", 1).map_err(|fault| unparsable(fault, tool())),
        _ => Err(Rejection::NotAnObject { tool: tool(), received: tape.root().json_type(), declared: declared() }),
    }
}

fn is_blank(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_whitespace())
}

fn unparsable(fault: Fault, tool: String) -> Rejection {
    match fault.kind() {
        FaultKind::Truncated => Rejection::Truncated { tool },
        _ => Rejection::Unparsable { tool, fault },
    }
}
