//! One call of a reply, as the model made it.

use std::{
    borrow::Cow,
    fmt::{self, Debug},
    sync::Arc,
};

use serde_json::{Map, Value};

use crate::{
    json::{self, Kind, Tape},
    rejection::EnvelopeFault,
    schema,
};

/// One call, as the model made it.
#[derive(Clone, PartialEq)]
pub struct Call {
    id: Option<String>,
    name: String,
    arguments: Arguments,
    cut: bool,
    fault: Option<EnvelopeFault>,
}

impl Call {
    /// A call with its id, if it has one, the name as sent, and the arguments.
    pub fn new(id: Option<String>, name: impl Into<String>, arguments: Arguments) -> Self {
        Self { id: id.filter(|id| !id.is_empty()), name: name.into(), arguments, cut: false, fault: None }
    }

    /// A call whose envelope the model got wrong. It is answered with the fault.
    pub fn malformed(id: Option<String>, fault: EnvelopeFault) -> Self {
        Self { fault: Some(fault), ..Self::new(id, "", Arguments::Absent) }
    }

    /// Marks the call as one that was still being written when the reply ended.
    pub fn mark_cut(&mut self) {
        self.cut = true;
    }

    /// The id as sent; none where it was missing or empty.
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// The name as sent. It may be anything.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The arguments as sent.
    pub fn arguments(&self) -> &Arguments {
        &self.arguments
    }

    /// Whether the reply ended while this call was being written.
    pub fn is_cut(&self) -> bool {
        self.cut
    }

    /// What is wrong with the envelope.
    pub fn fault(&self) -> Option<&EnvelopeFault> {
        self.fault.as_ref()
    }
}

/// A call's arguments, in the form in which they arrived. Cheap to clone.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum Arguments {
    /// None were sent.
    Absent,
    /// JSON text, which may be broken.
    Text(Arc<str>),
    /// A value that someone has parsed already.
    Value(Arc<Value>),
}

impl Arguments {
    /// The arguments as they were sent: the text, or a value as JSON. Empty where none were sent.
    ///
    /// A model wrote it: bound it and mind control characters before showing it anywhere.
    pub fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Absent => Cow::Borrowed(""),
            Self::Text(text) => Cow::Borrowed(text),
            Self::Value(value) => Cow::Owned(value.to_string()),
        }
    }

    /// The arguments as one object; an empty one where none were sent or they never were one. Where the schema says integer,
    /// integers are integers, as the tool has them.
    pub(crate) fn to_object(&self, schema: &Value, depth: usize) -> Value {
        let object = self.object(depth).map(|mut tape| {
            if tape.has_integral_decimal() {
                let integers = schema::integers(schema, tape.root());
                tape.integers_exact(&integers);
            }
            tape.root().to_value_exact()
        });
        object.unwrap_or_else(|| Value::Object(Map::new()))
    }

    /// The object as it was sent; an empty one where none was.
    pub(super) fn to_value(&self, depth: usize) -> Value {
        match (self, self.object(depth)) {
            (Self::Value(value), Some(_)) => Value::clone(value),
            (_, Some(tape)) => tape.root().to_value_exact(),
            (_, None) => Value::Object(Map::new()),
        }
    }

    /// The object that was sent; none where it never was one.
    pub(super) fn object(&self, depth: usize) -> Option<Tape<'_>> {
        let tape = match self {
            Self::Absent => None,
            Self::Text(text) => json::read(text, depth).ok(),
            Self::Value(value) => json::view(value, &[], depth).ok(),
        };
        tape.filter(|tape| tape.root().kind() == Kind::Object)
    }
}

impl From<&str> for Arguments {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for Arguments {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}

impl From<Value> for Arguments {
    fn from(value: Value) -> Self {
        Self::Value(Arc::new(value))
    }
}

// What a model wrote may be anything, and debug output ends in logs: how much there is, and not what.

impl Debug for Arguments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent => f.write_str("Absent"),
            Self::Text(text) => write!(f, "Text({} bytes)", text.len()),
            Self::Value(value) => write!(f, "Value({} members)", value.as_object().map_or(0, Map::len)),
        }
    }
}

impl Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Call");
        shown.field("has_id", &self.id.is_some()).field("name_bytes", &self.name.len());
        shown.field("arguments", &self.arguments).field("cut", &self.cut);
        shown.field("has_fault", &self.fault.is_some()).finish()
    }
}
