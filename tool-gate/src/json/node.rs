//! Looking at a tape.

use std::fmt;

use serde_json::Value;

use super::{Number, Tape, read, tape::Slot};
use crate::schema::JsonType;

/// How deep a captured text may nest when it is parsed to be looked at; what `serde_json` takes.
const CAPTURED_DEPTH: usize = 127;

/// One value of a document: a cheap handle, copied at will.
#[derive(Clone, Copy)]
pub(crate) struct Node<'t> {
    tape: &'t Tape<'t>,
    at: usize,
}

/// The six kinds of JSON value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool,
    /// A number.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

/// A value that was kept whole.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Captured<'t> {
    /// Its text, exactly as it stands in the source.
    Text(&'t str),
    /// The value, in a document that was parsed elsewhere.
    Value(&'t Value),
}

impl<'t> Node<'t> {
    /// The value in this slot.
    #[inline]
    pub(super) fn new(tape: &'t Tape<'t>, at: usize) -> Self {
        Self { tape, at }
    }

    /// The tape that the value is on.
    pub(super) fn tape(self) -> &'t Tape<'t> {
        self.tape
    }

    /// The slot of the value.
    pub(crate) fn index(self) -> usize {
        self.at
    }

    /// A number that no other value alive has.
    pub(crate) fn address(self) -> usize {
        std::ptr::from_ref(&self.tape.slots[self.at]).addr()
    }

    /// The slot's content.
    #[inline]
    pub(super) fn slot(self) -> &'t Slot<'t> {
        &self.tape.slots[self.at]
    }

    /// The kind of value. A captured text has the kind that it starts like.
    #[inline]
    pub(crate) fn kind(self) -> Kind {
        match *self.slot() {
            Slot::Null => Kind::Null,
            Slot::Bool(_) => Kind::Bool,
            Slot::Number(_) => Kind::Number,
            Slot::Plain(_) | Slot::Unescaped { .. } => Kind::String,
            Slot::Array { .. } => Kind::Array,
            Slot::Object { .. } => Kind::Object,
            Slot::Raw(_) | Slot::Value(_) => self.captured_kind(),
        }
    }

    #[cold]
    fn captured_kind(self) -> Kind {
        match self.captured() {
            Some(Captured::Text(text)) => kind_of_text(text),
            Some(Captured::Value(value)) => kind_of_value(value),
            None => Kind::Null,
        }
    }

    /// The kind of value, in the words of JSON Schema.
    pub(crate) fn json_type(self) -> JsonType {
        match self.kind() {
            Kind::Null => JsonType::Null,
            Kind::Bool => JsonType::Boolean,
            Kind::Number => JsonType::Number,
            Kind::String => JsonType::String,
            Kind::Array => JsonType::Array,
            Kind::Object => JsonType::Object,
        }
    }

    /// Whether this is `null`.
    #[inline]
    pub(crate) fn is_null(self) -> bool {
        match *self.slot() {
            Slot::Null | Slot::Value(Value::Null) => true,
            Slot::Raw(text) => text == "null",
            _ => false,
        }
    }

    /// The boolean this is.
    #[inline]
    pub(crate) fn as_bool(self) -> Option<bool> {
        if let Slot::Bool(value) = *self.slot() { Some(value) } else { None }
    }

    /// The string this is. A captured one has to be read first.
    #[inline]
    pub(crate) fn as_str(self) -> Option<&'t str> {
        self.tape.string(self.at)
    }

    /// The number this is.
    #[inline]
    pub(crate) fn as_number(self) -> Option<Number<'t>> {
        if let Slot::Number(number) = *self.slot() { Some(number) } else { None }
    }

    /// What was kept whole here.
    pub(crate) fn captured(self) -> Option<Captured<'t>> {
        match *self.slot() {
            Slot::Raw(text) => Some(Captured::Text(text)),
            Slot::Value(value) => Some(Captured::Value(value)),
            _ => None,
        }
    }

    /// How many members or elements there are: none for anything that is neither an object nor an array.
    #[inline]
    pub(crate) fn len(self) -> usize {
        match *self.slot() {
            Slot::Array { len, .. } | Slot::Object { len, .. } => len,
            _ => 0,
        }
    }

    /// The member with this key.
    pub(crate) fn get(self, key: &str) -> Option<Node<'t>> {
        let Slot::Object { len, .. } = *self.slot() else { return None };
        let mut at = self.at + 1;
        for _ in 0..len {
            if self.tape.string(at) == Some(key) {
                return Some(Node::new(self.tape, at + 1));
            }
            at = self.tape.behind(at + 1);
        }
        None
    }

    /// The members of an object, in document order; nothing for anything else.
    #[inline]
    pub(crate) fn members(self) -> Members<'t> {
        let left = if let Slot::Object { len, .. } = *self.slot() { len } else { 0 };
        Members { tape: self.tape, at: self.at + 1, left }
    }

    /// The elements of an array; nothing for anything else.
    #[inline]
    pub(crate) fn elements(self) -> Elements<'t> {
        let left = if let Slot::Array { len, .. } = *self.slot() { len } else { 0 };
        Elements { tape: self.tape, at: self.at + 1, left }
    }

    /// The value as `serde_json` would have read it. A captured text that does not parse is null.
    pub(crate) fn to_value(self) -> Value {
        self.to_value_with(Number::to_json)
    }

    /// The same, with every digit of integers that were written as floats: see [`Number::to_json_exact`].
    pub(crate) fn to_value_exact(self) -> Value {
        self.to_value_with(Number::to_json_exact)
    }

    fn to_value_with(self, number: fn(Number<'t>) -> serde_json::Number) -> Value {
        match self.slot() {
            Slot::Null => Value::Null,
            Slot::Bool(value) => Value::Bool(*value),
            Slot::Number(written) => Value::Number(number(*written)),
            Slot::Plain(_) | Slot::Unescaped { .. } => self.as_str().into(),
            Slot::Array { .. } => self.elements().map(|element| element.to_value_with(number)).collect(),
            Slot::Object { .. } => {
                self.members().map(|(key, value)| (key.to_owned(), value.to_value_with(number))).collect()
            }
            Slot::Raw(text) => read(text, CAPTURED_DEPTH).map_or(Value::Null, |tape| tape.root().to_value()),
            Slot::Value(value) => Value::clone(value),
        }
    }
}

impl fmt::Debug for Node<'_> {
    // Not the content: that is a model's, and does not belong in a log by accident.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Node").field(&self.kind()).finish()
    }
}

/// The members of an object.
#[derive(Clone, Debug)]
pub(crate) struct Members<'t> {
    tape: &'t Tape<'t>,
    at: usize,
    left: usize,
}

impl<'t> Iterator for Members<'t> {
    type Item = (&'t str, Node<'t>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let (key, value) = (self.at, self.at + 1);
        self.at = self.tape.behind(value);
        Some((self.tape.key(key), Node::new(self.tape, value)))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Members<'_> {}

/// The elements of an array.
#[derive(Clone, Debug)]
pub(crate) struct Elements<'t> {
    tape: &'t Tape<'t>,
    at: usize,
    left: usize,
}

impl<'t> Iterator for Elements<'t> {
    type Item = Node<'t>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let value = self.at;
        self.at = self.tape.behind(value);
        Some(Node::new(self.tape, value))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Elements<'_> {}

/// What a text starts like.
fn kind_of_text(text: &str) -> Kind {
    match text.as_bytes().first() {
        Some(b'{') => Kind::Object,
        Some(b'[') => Kind::Array,
        Some(b't' | b'f') => Kind::Bool,
        Some(b'n') | None => Kind::Null,
        Some(b'0'..=b'9' | b'-' | b'+' | b'.' | b'N' | b'I') => Kind::Number,
        Some(_) => Kind::String,
    }
}

/// What a parsed value is.
fn kind_of_value(value: &Value) -> Kind {
    match value {
        Value::Null => Kind::Null,
        Value::Bool(_) => Kind::Bool,
        Value::Number(_) => Kind::Number,
        Value::String(_) => Kind::String,
        Value::Array(_) => Kind::Array,
        Value::Object(_) => Kind::Object,
    }
}
