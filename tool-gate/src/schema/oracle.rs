//! A second opinion on what a published schema takes: jsonschema over plain values, without the tape and without our gate.

use serde_json::Value;

use super::{
    validator::Formats,
    violation::{Path, Segment},
};

/// A published schema, read by jsonschema alone.
#[derive(Debug)]
pub(crate) struct Oracle(jsonschema::Validator);

/// Why a value is forbidden: where, and in jsonschema's words.
#[derive(Debug)]
pub(crate) struct Forbidden {
    pub(crate) path: Path,
    pub(crate) words: String,
}

impl Oracle {
    /// Compiles a schema of the draft that its `$schema` names, or of 2020-12.
    ///
    /// # Errors
    ///
    /// What is wrong with the schema, in jsonschema's words. A schema that a registry took has nothing wrong with it.
    pub(crate) fn new(schema: &Value, formats: Formats) -> Result<Self, String> {
        let options = formats.set(jsonschema::options()).offline();
        options.build(schema).map(Self).map_err(|error| error.to_string())
    }

    /// Whether the schema takes the value.
    pub(crate) fn takes(&self, value: &Value) -> bool {
        self.0.is_valid(value)
    }

    /// Why it does not, if it does not.
    pub(crate) fn forbids(&self, value: &Value) -> Option<Forbidden> {
        let error = self.0.validate(value).err()?;
        let mut at = value;
        let mut path = Path::default();
        for token in error.instance_path().as_str().split('/').skip(1) {
            let key = token.replace("~1", "/").replace("~0", "~");
            path.push(match at {
                Value::Array(_) => Segment::Index(key.parse().unwrap_or_default()),
                _ => Segment::key(&key),
            });
            let inside = match at {
                Value::Array(elements) => key.parse::<usize>().ok().and_then(|place| elements.get(place)),
                _ => at.get(&key),
            };
            at = inside.unwrap_or(at);
        }
        Some(Forbidden { path, words: error.to_string() })
    }
}
