//! Publishing what a provider takes, strict or plain, and saying what it will not enforce.
//!
//! [`lower()`] rewrites a canonical schema into a provider's [`Dialect`]. What the dialect has no words for is rewritten into
//! something that it has, or moved into the description; each [`Change`] is told. [`Raise`] undoes on a call's arguments what
//! was widened on the way, and the gate then judges them by the canonical schema, never by the lowered one.
//!
//! ```
//! use serde_json::json;
//! use tool_gate::lower::{Dialect, Source, lower};
//!
//! let canonical = json!({
//!     "type": "object",
//!     "properties": {"limit": {"type": "integer", "minLength": 1, "minimum": 1, "maximum": 100}},
//!     "additionalProperties": false
//! });
//! let lowered = lower(&Source::given("search", &canonical), &Dialect::openai_strict())?;
//! assert_eq!(lowered.schema().unwrap()["properties"]["limit"]["type"], json!(["integer", "null"]));
//! assert_eq!(lowered.raise().raise(&json!({"limit": null})), Some(json!({})));
//! # Ok::<_, tool_gate::lower::Unfit>(())
//! ```

mod ambiguous;
mod array;
mod budgets;
mod change;
mod choice;
mod dialect;
mod dialects;
mod finish;
#[cfg(feature = "testing")]
mod inverse;
mod merge;
mod misfit;
mod modern;
mod names;
mod node;
mod object;
mod offering;
mod plain;
mod raise;
mod reference;
mod root;
mod scalar;
mod shape;
mod told;
mod union;
mod words;

use serde_json::Value;

pub(crate) use budgets::{Budget, Spent};
pub use change::{Became, Change, Unfit};
pub use dialect::Dialect;
pub use offering::{Dialects, Line, LoweredTool, Mode, Offering, Report, Unpublishable, Warning, publish};
pub use raise::Raise;

use crate::schema::Formats;
use node::Lowering;
use words::described;

/// A canonical schema, and what has to be known of it to rewrite it.
#[derive(Clone, Copy, Debug)]
pub struct Source<'s> {
    pub(crate) tool: &'s str,
    pub(crate) schema: &'s Value,
    pub(crate) formats: Formats,
    /// Whether it is made from a signature: absence and `null` are then the same to an optional argument, and an object that
    /// takes other keys does so on purpose.
    pub(crate) is_derived: bool,
}

impl<'s> Source<'s> {
    /// The schema of a dynamic tool, as it was given.
    pub fn given(tool: &'s str, schema: &'s Value) -> Self {
        Self { tool, schema, formats: Formats::Asserted, is_derived: false }
    }

    /// The schema that was made from an annotated function's signature.
    pub fn derived(tool: &'s str, schema: &'s Value) -> Self {
        Self { is_derived: true, ..Self::given(tool, schema) }
    }
}

/// A schema in a provider's dialect.
#[derive(Debug)]
pub struct Lowered {
    pub(crate) schema: Option<Value>,
    pub(crate) remark: Option<String>,
    pub(crate) changes: Vec<Change>,
    pub(crate) raise: Raise,
}

impl Lowered {
    /// The schema to send; none where a tool without arguments is sent without one.
    pub fn schema(&self) -> Option<&Value> {
        self.schema.as_ref()
    }

    /// What belongs into the tool's description, since the schema has no place for it.
    pub fn remark(&self) -> Option<&str> {
        self.remark.as_deref()
    }

    /// What is published otherwise than it is enforced, in the order of the schema.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// What undoes it on the arguments of a call.
    pub fn raise(&self) -> &Raise {
        &self.raise
    }
}

/// Rewrites a schema into a dialect.
///
/// # Errors
///
/// [`Unfit`] where the dialect has nothing that could stand for it.
pub fn lower(source: &Source<'_>, dialect: &Dialect) -> Result<Lowered, Unfit> {
    if !source.schema.is_object() || source.schema.get("type").is_some_and(|name| name != "object") {
        return Err(node::unsound("", "type"));
    }
    match dialect.keywords {
        dialect::Keywords::All { .. } => Ok(plain::lower(source, dialect)),
        dialect::Keywords::Only(_) => Lowering::new(source, dialect).run(),
    }
}
