//! The canonical schema of a tool's arguments: made from the signature, compiled once, and explained when it is broken.

mod assemble;
mod bounds;
mod definitions;
mod explain;
mod given;
mod instance;
mod integers;
mod tighten;
mod union;
mod validator;
mod values;
mod violation;

pub(crate) use assemble::assemble;
pub(crate) use definitions::Definitions;
pub(crate) use explain::{Terms, explain, resolve};
pub(crate) use given::unusable;
pub(crate) use integers::integers;
pub(crate) use validator::{Formats, Validator};
pub(crate) use violation::MAX_KEY;
pub use violation::{Contract, JsonType, Path, Received, Segment, Violation};
