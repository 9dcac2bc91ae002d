//! The canonical schema of a tool's arguments: made from the signature, compiled once, and explained when it is broken.

mod assemble;
mod bounds;
mod clauses;
mod definitions;
mod explain;
mod given;
mod instance;
mod integers;
#[cfg(feature = "testing")]
mod left_out;
#[cfg(feature = "testing")]
mod oracle;
mod overlap;
pub(crate) mod patterns;
mod probe;
mod regex;
mod sent;
mod tighten;
mod union;
mod validator;
mod values;
mod violation;
mod witness;

pub(crate) use assemble::assemble;
pub(crate) use definitions::Definitions;
pub(crate) use explain::{Terms, explain, refuses, resolve};
pub(crate) use given::unusable;
pub(crate) use integers::integers;
#[cfg(feature = "testing")]
pub(crate) use left_out::is_left_out;
#[cfg(feature = "testing")]
pub(crate) use oracle::Oracle;
pub(crate) use probe::narrow;
pub(crate) use sent::{OTHER_KEYS, explain_sent};
pub(crate) use validator::{Formats, Judge, Validator};
pub(crate) use values::quote;
pub(crate) use violation::MAX_KEY;
pub use violation::{Contract, JsonType, Path, Received, Segment, Violation};
