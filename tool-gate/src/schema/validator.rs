//! The compiled schema. Nothing of jsonschema is named outside this folder, so its generic code is compiled here and not
//! again in every crate that has tools.

use std::collections::HashMap;

use jsonschema::{PatternOptions, ValidationOptions, error::ValidationErrorKind, json::Json};
use serde_json::{Map, Value};

use super::{
    instance::Instance,
    regex,
    violation::{Path, Segment},
};
use crate::json::{self, Node};

/// Keywords that [`explain`](super::explain()) leaves to jsonschema, each compiled by itself.
pub(crate) const LEAVES: &[&str] =
    &["pattern", "format", "contentEncoding", "multipleOf", "uniqueItems", "contains", "propertyNames"];

/// The deepest that a value nests of which only a verdict is asked.
const MAX_DEPTH: usize = 128;

type Compiled = jsonschema::Validator<Instance>;

/// What is made of the keyword `format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Formats {
    Asserted,
    /// It is an annotation, as JSON Schema has it where nobody asks for more.
    Ignored,
}

/// One schema, ready to judge values. Compiled once, when the registry is built.
#[derive(Debug)]
pub(crate) struct Validator {
    whole: Compiled,
    leaves: HashMap<String, Compiled>,
    /// Whether the schema refers to parts of itself.
    is_recursive: bool,
}

impl Validator {
    /// Compiles a schema of the draft that its `$schema` names, or of 2020-12: patterns are matched in linear time, and nothing
    /// is fetched.
    ///
    /// # Errors
    ///
    /// What is wrong with the schema, in jsonschema's words but for its patterns.
    pub(crate) fn new(schema: &Value, formats: Formats) -> Result<Self, String> {
        let compile = |schema: &Value| compile(schema, formats);
        let whole = compile(schema)?;
        let mut leaves = HashMap::new();
        let mut is_recursive = false;
        let mut waiting = vec![schema];
        while let Some(value) = waiting.pop() {
            match value {
                Value::Object(members) => {
                    is_recursive |= members.contains_key("$ref");
                    if let Some(Value::Object(patterns)) = members.get("patternProperties") {
                        for pattern in patterns.keys().map(|pattern| Value::from(pattern.as_str())) {
                            let leaf = leaf("pattern", &pattern, schema).unwrap_or_default();
                            leaves.insert(leaf_key("pattern", &pattern), compile(&leaf)?);
                        }
                    }
                    for (keyword, clause) in members {
                        if LEAVES.contains(&keyword.as_str())
                            && let Some(leaf) = leaf(keyword, clause, schema)
                        {
                            // What is named like a keyword and is none (a property, say) does not compile: passed over.
                            if let Ok(compiled) = compile(&leaf) {
                                leaves.insert(leaf_key(keyword, clause), compiled);
                            }
                        }
                    }
                    waiting.extend(members.values());
                }
                Value::Array(elements) => waiting.extend(elements),
                _ => {}
            }
        }
        Ok(Self { whole, leaves, is_recursive })
    }

    /// Whether the value conforms. Allocates nothing.
    pub(crate) fn is_valid(&self, value: Node<'_>) -> bool {
        self.whole.is_valid(value)
    }

    /// Whether the value keeps one clause that was compiled by itself. An unknown clause is kept.
    pub(crate) fn keeps(&self, keyword: &str, clause: &Value, value: Node<'_>) -> bool {
        self.leaves.get(&leaf_key(keyword, clause)).is_none_or(|leaf| leaf.is_valid(value))
    }

    /// Whether a key is one that `propertyNames` takes.
    pub(crate) fn keeps_key(&self, names: &Value, key: &str) -> bool {
        let object = Value::Object([(key.to_owned(), Value::Null)].into_iter().collect());
        json::view(&object, &[], 2).is_ok_and(|tape| self.keeps("propertyNames", names, tape.root()))
    }

    /// Whether a key matches one of the schema's `patternProperties`.
    pub(crate) fn matches(&self, pattern: &str, key: &str) -> bool {
        let (pattern, key) = (Value::from(pattern), Value::from(key));
        json::view(&key, &[], 1).is_ok_and(|tape| self.keeps("pattern", &pattern, tape.root()))
    }

    /// The first violation that jsonschema comes to: where, of which value, and of which keyword.
    pub(crate) fn first_error<'n>(&self, value: Node<'n>) -> Option<(Path, Node<'n>, String)> {
        // It gathers the errors of every branch of every union: with references, as many as there are ways through them.
        if self.is_recursive {
            return None;
        }
        let error = self.whole.validate(value).err()?;
        let mut at = value;
        let path = error
            .instance_path()
            .as_str()
            .split('/')
            .skip(1)
            .map(|token| {
                let key = super::tighten::unescape(token);
                let index = key.parse().ok().filter(|_| at.elements().next().is_some());
                at = index.map_or_else(|| at.get(&key), |index| at.elements().nth(index)).unwrap_or(at);
                index.map_or_else(|| Segment::key(&key), Segment::Index)
            })
            .collect();
        Some((path, at, error.kind().keyword().to_owned()))
    }
}

impl Formats {
    /// The same options with what these formats ask for. In drafts 6 and 7 the encoding of a text is asserted like a format.
    pub(super) fn set<R, F: Json>(self, options: ValidationOptions<'_, R, F>) -> ValidationOptions<'_, R, F> {
        match self {
            Self::Asserted => options.should_validate_formats(true),
            Self::Ignored => options
                .should_validate_formats(false)
                .without_content_encoding_support("base64")
                .without_content_media_type_support("application/json"),
        }
    }
}

fn compile(schema: &Value, formats: Formats) -> Result<Compiled, String> {
    formats
        .set(jsonschema::options_for::<Instance>())
        .with_pattern_options(PatternOptions::regex())
        .offline()
        .build(schema)
        .map_err(|error| {
            let why = match (error.kind(), error.instance().as_str()) {
                (ValidationErrorKind::Format { format }, Some(pattern)) if format == "regex" => {
                    format!("it has the pattern `{}`, which {}", regex::shown(pattern), regex::unusable(pattern))
                }
                _ => error.to_string(),
            };
            match error.instance_path().as_str() {
                "" => why,
                place => format!("{why} (at {place})"),
            }
        })
}

/// A schema of one clause, in the draft of the whole. Its definitions come along where the clause may refer to them.
fn leaf(keyword: &str, clause: &Value, schema: &Value) -> Option<Value> {
    let sound = match keyword {
        "pattern" | "format" | "contentEncoding" => clause.is_string(),
        "multipleOf" => clause.is_number(),
        "uniqueItems" => clause.is_boolean(),
        _ => clause.is_object() || clause.is_boolean(),
    };
    if !sound {
        return None;
    }
    let mut leaf = Map::new();
    leaf.insert(keyword.to_owned(), clause.clone());
    let definitions = if clause.is_object() { &["$defs", "definitions"][..] } else { &[] };
    for shared in definitions.iter().chain(&["$schema"]) {
        if let Some(of_whole) = schema.get(*shared) {
            leaf.insert((*shared).to_owned(), of_whole.clone());
        }
    }
    Some(Value::Object(leaf))
}

fn leaf_key(keyword: &str, clause: &Value) -> String {
    format!("{keyword}:{clause}")
}

/// A compiled schema that only judges: one of many, of which no words are made.
#[derive(Debug)]
pub(crate) struct Judge(Compiled);

impl Judge {
    /// Compiles a schema as [`Validator::new`] does.
    ///
    /// # Errors
    ///
    /// What is wrong with the schema, in jsonschema's words.
    pub(crate) fn new(schema: &Value, formats: Formats) -> Result<Self, String> {
        compile(schema, formats).map(Self)
    }

    /// Whether the schema takes the value. It takes none that nests deeper than 128 levels.
    pub(crate) fn takes(&self, value: &Value) -> bool {
        json::view(value, &[], MAX_DEPTH).is_ok_and(|tape| self.0.is_valid(tape.root()))
    }
}
