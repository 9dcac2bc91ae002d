//! One value of a reply, as a wire looks at it.

use std::sync::Arc;

use serde_json::Value;

use super::Arguments;
use crate::{
    json::{self, Captured, Node},
    schema::JsonType,
};

/// One value of a reply: a view that costs nothing to copy.
#[derive(Clone, Copy, Debug)]
pub struct Item<'r>(Node<'r>);

impl<'r> Item<'r> {
    pub(super) fn new(node: Node<'r>) -> Self {
        Self(node)
    }

    /// Its type.
    pub fn json_type(self) -> JsonType {
        self.0.json_type()
    }

    /// The text, if it is a string.
    pub fn as_str(self) -> Option<&'r str> {
        self.0.as_str()
    }

    /// The member with this key, if it is an object that has one.
    pub fn get(self, key: &str) -> Option<Self> {
        self.0.get(key).map(Self)
    }

    /// The text of the member with this key, if both are there.
    pub fn text(self, key: &str) -> Option<&'r str> {
        self.get(key).and_then(Self::as_str)
    }

    /// The members in the order in which they were written; none if it is no object.
    pub fn members(self) -> impl Iterator<Item = (&'r str, Self)> {
        self.0.members().map(|(key, member)| (key, Self(member)))
    }

    /// The elements; none if it is no array.
    pub fn elements(self) -> impl Iterator<Item = Self> {
        self.0.elements().map(Self)
    }

    /// A copy. Arguments that were kept as text and do not parse come out as null.
    pub fn to_value(self) -> Value {
        self.0.to_value()
    }

    /// The call's arguments that stand here: the text of an object, the content of a string, the whole of a parsed value.
    pub fn arguments(self) -> Arguments {
        match self.0.captured() {
            Some(Captured::Value(Value::String(text))) => Arguments::Text(text.as_str().into()),
            Some(Captured::Value(value)) => Arguments::Value(Arc::new(value.clone())),
            Some(Captured::Text(text)) if text.starts_with('"') => match json::read(text, 1) {
                Ok(tape) => Arguments::Text(tape.root().as_str().unwrap_or(text).into()),
                // Broken inside the quotes: the parse gate says how.
                Err(_) => Arguments::Text(text.into()),
            },
            Some(Captured::Text(text)) => Arguments::Text(text.into()),
            None => match self.as_str() {
                Some(text) => Arguments::Text(text.into()),
                None => Arguments::Value(Arc::new(self.to_value())),
            },
        }
    }
}
