//! The tools of one offer, as a model calls them.

use std::{fmt, sync::Arc};

use serde_json::Value;

use crate::{lower::Raise, tool::Definition};

/// One offered tool.
pub(crate) struct OfferedTool {
    /// The name under which it is published, by which the provider and the model know it.
    pub name: String,
    pub definition: Arc<Definition>,
    /// Its place in the registry.
    pub place: usize,
    /// What undoes on a call's arguments what was widened in publishing; for most tools there is nothing.
    pub raise: Option<Raise>,
    /// The schema that was sent, where there is something to undo.
    pub published: Option<Value>,
}

/// Sorted by the names under which they are published.
pub(crate) type Offered = [Arc<OfferedTool>];

impl OfferedTool {
    /// The name by which the host knows it.
    pub(crate) fn own_name(&self) -> &str {
        self.definition.name()
    }
}

impl fmt::Debug for OfferedTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OfferedTool").field("name", &self.name).field("tool", &self.own_name()).finish_non_exhaustive()
    }
}

/// Tools of these names, with nothing to them.
#[cfg(test)]
pub(crate) fn named(names: &[&str]) -> Vec<Arc<OfferedTool>> {
    let tool = |(place, name): (usize, &&str)| {
        let definition = Arc::new(Definition {
            name: (*name).to_owned(),
            title: None,
            description: String::new(),
            input_schema: Value::Null,
            output_schema: None,
            effects: crate::tool::Effects::NONE,
            requires: None,
        });
        Arc::new(OfferedTool { name: (*name).to_owned(), definition, place, raise: None, published: None })
    };
    let mut tools: Vec<_> = names.iter().enumerate().map(tool).collect();
    tools.sort_by(|one, other| one.name.cmp(&other.name));
    tools
}
