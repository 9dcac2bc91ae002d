//! What a value broke: one clause of the published schema, where, and what stood there instead.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};

use crate::text;

/// One step from a value to a value inside it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Segment {
    /// A member of an object. It may be a key that the model made up, inside a map: at most 64 characters of it.
    Key(String),
    /// An element of an array, counted from 0.
    Index(usize),
}

/// Where in the arguments: `filters.status`, `items.3.sku`, or `(root)` for the argument object itself.
///
/// Of its keys, those that are not plain (1 to 64 of `A-Z a-z 0-9 _ . : -`) stand in quotes, as `"filter[id]"` does, and those
/// of which markup could be made are shown as `(key)`. Of a path of more than 64 characters the middle is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Path(Vec<Segment>);

impl Segment {
    /// The step to a member. A key that is not plain is cut to 64 characters, and what hides in it is shown.
    pub(crate) fn key(key: &str) -> Self {
        Self::Key(text::excerpt(key, MAX_KEY))
    }
}

/// The longest path that is shown, in characters; of a longer one the middle is left out.
const MAX_PATH: usize = 64;

impl Path {
    /// The steps, from the argument object inwards.
    pub fn segments(&self) -> &[Segment] {
        &self.0
    }

    /// Whether this is the argument object itself.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn push(&mut self, segment: Segment) {
        self.0.push(segment);
    }

    pub(crate) fn pop(&mut self) {
        self.0.pop();
    }

    pub(crate) fn child(&self, key: &str) -> Self {
        let mut child = self.clone();
        child.push(Segment::Key(key.to_owned()));
        child
    }
}

impl FromIterator<Segment> for Path {
    fn from_iter<I: IntoIterator<Item = Segment>>(segments: I) -> Self {
        Self(segments.into_iter().collect())
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("(root)");
        }
        let steps: Vec<String> = self
            .0
            .iter()
            .map(|segment| match segment {
                Segment::Key(key) if text::is_plain(key, MAX_KEY) => key.clone(),
                Segment::Key(key) if key != "(key)" && text::is_readable(key, MAX_KEY) => format!("\"{key}\""),
                Segment::Key(_) => "(key)".to_owned(),
                Segment::Index(index) => index.to_string(),
            })
            .collect();
        let path = steps.join(".");
        let Some(left_out) = path.chars().count().checked_sub(MAX_PATH).filter(|more| *more > 0) else {
            return f.write_str(&path);
        };
        let half = MAX_PATH / 2;
        let (head, tail) = (path.chars().take(half - 1), path.chars().skip(half + left_out));
        write!(f, "{}…{}", head.collect::<String>(), tail.collect::<String>())
    }
}

/// The longest key that is repeated, in bytes.
pub(crate) const MAX_KEY: usize = 64;

/// The types of JSON values, in the words of JSON Schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "the names are JSON's own")]
pub enum JsonType {
    Null,
    Boolean,
    Number,
    String,
    Array,
    Object,
}

impl JsonType {
    /// With its article, as a sentence needs it.
    pub(crate) fn with_article(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean => "a boolean",
            Self::Number => "a number",
            Self::String => "a string",
            Self::Array => "an array",
            Self::Object => "an object",
        }
    }
}

/// What stood where the contract was broken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Received {
    /// Its type.
    pub json_type: JsonType,
    /// The value as JSON, cut to the echo limit and stripped of control characters. Absent for the argument object itself,
    /// and for what is inside a `sensitive` argument.
    pub excerpt: Option<String>,
}

/// One clause of the schema that the arguments do not keep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Violation {
    /// The value that breaks the clause. For a missing or an undeclared key: the object that lacks or holds it.
    pub path: Path,
    /// The clause.
    pub contract: Contract,
    /// The value.
    pub received: Received,
}

impl Violation {
    /// The JSON Schema keyword of the broken clause, such as `required` or `minimum`.
    pub fn keyword(&self) -> &str {
        self.contract.keyword()
    }
}

/// The clauses that a value can break, each with what it asks for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "keyword", rename_all = "camelCase")]
#[non_exhaustive]
pub enum Contract {
    /// The object has a key that the schema does not declare.
    AdditionalProperties {
        /// The key, where it is plain enough to repeat.
        key: Option<String>,
        /// What the schema declares for this object, in schema order.
        declared: Vec<String>,
        /// The declared key that this one resembles and that is not there, if there is one.
        meant: Option<String>,
        /// Whether that key is required.
        meant_is_required: bool,
    },
    /// A required key is missing.
    Required {
        /// The first missing key, in schema order.
        key: String,
    },
    /// The value is of another type.
    Type {
        /// The types the schema takes: JSON's own and `integer`.
        expected: Vec<String>,
    },
    /// The value is none of those listed.
    Enum {
        /// The nearest values first, at most as many as the limit says.
        options: Vec<Value>,
        /// How many there are.
        total: usize,
    },
    /// The value is not the one that is allowed.
    Const {
        /// The one.
        value: Value,
    },
    /// The number is too small.
    Minimum {
        /// The smallest allowed.
        limit: Number,
    },
    /// The number is too large.
    Maximum {
        /// The largest allowed.
        limit: Number,
    },
    /// The number is not above the bound.
    ExclusiveMinimum {
        /// The bound.
        limit: Number,
    },
    /// The number is not below the bound.
    ExclusiveMaximum {
        /// The bound.
        limit: Number,
    },
    /// The number is no multiple of the step.
    MultipleOf {
        /// The step.
        step: Number,
    },
    /// The text is too short.
    MinLength {
        /// The fewest characters allowed.
        limit: u64,
    },
    /// The text is too long.
    MaxLength {
        /// The most characters allowed.
        limit: u64,
    },
    /// The text does not match the pattern.
    Pattern {
        /// The regular expression.
        pattern: String,
    },
    /// The text is not in the format.
    Format {
        /// The format's name in JSON Schema.
        format: String,
    },
    /// The array has too few elements.
    MinItems {
        /// The fewest allowed.
        limit: u64,
    },
    /// The array has too many elements.
    MaxItems {
        /// The most allowed.
        limit: u64,
    },
    /// Two elements are equal.
    UniqueItems,
    /// The object has too few members.
    MinProperties {
        /// The fewest allowed.
        limit: u64,
    },
    /// The object has too many members.
    MaxProperties {
        /// The most allowed.
        limit: u64,
    },
    /// A key of the object is not what the schema asks of its keys.
    PropertyNames {
        /// The key, where it is plain enough to repeat.
        key: Option<String>,
        /// What each key must be: in the words of the schema's description of them, if it has one.
        expected: String,
    },
    /// The value is the one that is not allowed.
    Not {
        /// The one.
        value: Value,
    },
    /// No value is taken here: the schema is `false`.
    #[serde(rename = "false")]
    Nothing,
    /// No branch of a union takes the value, and none was plainly meant.
    AnyOf {
        /// A few words for each branch.
        branches: Vec<String>,
    },
    /// Another clause.
    #[serde(untagged)]
    Other {
        /// Its keyword.
        #[serde(rename = "keyword")]
        name: String,
        /// What the schema says under it, cut to 200 characters.
        clause: String,
    },
}

impl Contract {
    /// The JSON Schema keyword of the clause; `false` for a schema that takes nothing.
    pub fn keyword(&self) -> &str {
        match self {
            Self::AdditionalProperties { .. } => "additionalProperties",
            Self::Required { .. } => "required",
            Self::Type { .. } => "type",
            Self::Enum { .. } => "enum",
            Self::Const { .. } => "const",
            Self::Minimum { .. } => "minimum",
            Self::Maximum { .. } => "maximum",
            Self::ExclusiveMinimum { .. } => "exclusiveMinimum",
            Self::ExclusiveMaximum { .. } => "exclusiveMaximum",
            Self::MultipleOf { .. } => "multipleOf",
            Self::MinLength { .. } => "minLength",
            Self::MaxLength { .. } => "maxLength",
            Self::Pattern { .. } => "pattern",
            Self::Format { .. } => "format",
            Self::MinItems { .. } => "minItems",
            Self::MaxItems { .. } => "maxItems",
            Self::UniqueItems => "uniqueItems",
            Self::MinProperties { .. } => "minProperties",
            Self::MaxProperties { .. } => "maxProperties",
            Self::PropertyNames { .. } => "propertyNames",
            Self::Not { .. } => "not",
            Self::Nothing => "false",
            Self::AnyOf { .. } => "anyOf",
            Self::Other { name, .. } => name,
        }
    }
}
