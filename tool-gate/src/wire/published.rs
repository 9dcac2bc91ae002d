//! One tool as a wire publishes it.

use std::{borrow::Cow, sync::LazyLock};

use serde_json::{Value, json};

use crate::{lower::Lowered, tool::Definition};

/// The schema of a tool without arguments, where its dialect has none.
static NOTHING: LazyLock<Value> = LazyLock::new(|| json!({"type": "object", "properties": {}}));

/// One tool as it is told to a provider: its definition, with the schema in the provider's dialect.
#[derive(Clone, Debug)]
pub struct PublishedTool<'t> {
    name: &'t str,
    definition: &'t Definition,
    description: Cow<'t, str>,
    schema: &'t Value,
    is_strict: bool,
}

impl<'t> PublishedTool<'t> {
    pub(crate) fn new(name: &'t str, definition: &'t Definition, lowered: &'t Lowered, is_strict: bool) -> Self {
        let description = definition.description();
        let description = match lowered.remark() {
            Some(remark) => Cow::Owned(format!("{description}\n{remark}")),
            None => Cow::Borrowed(description),
        };
        Self { name, definition, description, schema: lowered.schema().unwrap_or(&NOTHING), is_strict }
    }

    /// The name under which it is published, one that [`takes_name`](super::Wire::takes_name) takes.
    pub fn name(&self) -> &'t str {
        self.name
    }

    /// Its description, with what the schema cannot say.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The schema of its arguments in the provider's dialect.
    pub fn input_schema(&self) -> &'t Value {
        self.schema
    }

    /// Whether the provider is to keep the model to the schema.
    pub fn is_strict(&self) -> bool {
        self.is_strict
    }

    /// The tool's definition, with its own name and the schema that is enforced.
    pub fn definition(&self) -> &'t Definition {
        self.definition
    }
}
