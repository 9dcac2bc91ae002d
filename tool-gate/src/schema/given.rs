//! A schema that is taken as given: what has to hold before it is compiled.
//!
//! Another server may have written it, so compiling it must end, and so must checking a call against it. What stands behind
//! each keyword is left to the compiler.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::{explain::resolve, validator::Formats};
use crate::text;

/// The deepest that a schema may nest, its references followed: compiling and checking descend as deep. Of 7,000 schemas in
/// use, none goes deeper than 22.
const MAX_DEPTH: usize = 128;

/// How many schemas it may come to where each reference stands for what it names: a value may be held against all of them.
/// Of 7,000 schemas in use, none comes to more than 1,305.
const MAX_SCHEMAS: usize = 10_000;

/// Why a schema cannot be that of a tool's arguments, in words that follow "does not compile:".
pub(crate) fn unusable(schema: &Value, formats: Formats) -> Option<String> {
    if schema.get("type").is_none_or(|of_root| of_root != "object") {
        return Some("arguments are always an object, so it has to say `\"type\": \"object\"` at its root".into());
    }
    let is_draft_4 = schema.get("$schema").and_then(Value::as_str).is_some_and(|draft| draft.contains("draft-04"));
    let id = if is_draft_4 { "id" } else { "$id" };
    let mut unfolding = Unfolding { root: schema, id, formats, measured: HashMap::new() };
    match unfolding.measure(schema, Part::Schema, MAX_DEPTH) {
        Ok(size) if size.schemas <= MAX_SCHEMAS => None,
        Ok(_) => Some(format!("it comes to more than {MAX_SCHEMAS} schemas, its references followed")),
        Err(reason) => Some(reason),
    }
}

/// What a part of a schema is.
#[derive(Clone, Copy)]
enum Part {
    Schema,
    /// Schemas by names of the author's.
    Named,
}

impl Part {
    /// What stands under a key of it; nothing for plain data.
    fn under(self, key: &str) -> Option<Self> {
        match (self, key) {
            (Self::Schema, "const" | "enum" | "default" | "examples") => None,
            (
                Self::Schema,
                "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas" | "dependencies",
            ) => Some(Self::Named),
            _ => Some(Self::Schema),
        }
    }
}

/// A schema with what its references name in their places. One that leads back to where it stands adds nothing: the
/// validator remembers what became of a value there.
struct Unfolding<'s> {
    root: &'s Value,
    /// The keyword by which a schema inside it would change where references lead.
    id: &'static str,
    formats: Formats,
    /// By address. Nothing for what is being measured.
    measured: HashMap<*const Value, Option<Size>>,
}

#[derive(Clone, Copy, Default)]
struct Size {
    schemas: usize,
    depth: usize,
}

impl<'s> Unfolding<'s> {
    /// The size of one part and all inside it.
    ///
    /// # Errors
    ///
    /// Where it is deeper than `most`, or a reference in it cannot be followed.
    fn measure(&mut self, value: &'s Value, part: Part, most: usize) -> Result<Size, String> {
        let address = std::ptr::from_ref(value);
        let too_deep = || format!("it nests deeper than {MAX_DEPTH} levels, its references followed");
        if let Some(known) = self.measured.get(&address) {
            let size = known.unwrap_or_default();
            return if size.depth <= most { Ok(size) } else { Err(too_deep()) };
        }
        let mut inside: Vec<(&Value, Part)> = Vec::new();
        let mut size = Size { schemas: 0, depth: 1 };
        match value {
            Value::Array(elements) => inside.extend(elements.iter().map(|element| (element, part))),
            Value::Object(members) => {
                size.schemas = 1;
                inside.extend(members.iter().filter_map(|(key, member)| Some((member, part.under(key)?))));
                if let Part::Schema = part {
                    self.check_format(members)?;
                    inside.extend(self.referred(value)?.map(|referred| (referred, Part::Schema)));
                }
            }
            _ => return Ok(Size::default()),
        }
        let left = most.checked_sub(1).ok_or_else(too_deep)?;
        self.measured.insert(address, None);
        for (value, part) in inside {
            let inner = self.measure(value, part, left)?;
            size.schemas = size.schemas.saturating_add(inner.schemas);
            size.depth = size.depth.max(inner.depth + 1);
        }
        self.measured.insert(address, Some(size));
        Ok(size)
    }

    /// Formats that this build cannot assert: taken for granted, they would let anything through.
    fn check_format(&self, schema: &Map<String, Value>) -> Result<(), String> {
        let is_unknown = |format: &&str| cfg!(not(feature = "idn")) && ["idn-email", "idn-hostname"].contains(format);
        let format = schema.get("format").and_then(Value::as_str).filter(is_unknown);
        match (format, self.formats) {
            (Some(format), Formats::Asserted) => {
                Err(format!("it has the format `{format}`, which needs the feature `idn` of tool-gate"))
            }
            _ => Ok(()),
        }
    }

    /// What a schema refers to.
    ///
    /// # Errors
    ///
    /// Where that is not to be told from the schema alone.
    fn referred(&self, schema: &'s Value) -> Result<impl Iterator<Item = &'s Value> + use<'s>, String> {
        let text = |keyword: &str| schema.get(keyword).and_then(Value::as_str);
        if !std::ptr::eq(schema, self.root) && text(self.id).is_some() {
            return Err(format!("a schema inside it has an `{}` of its own", self.id));
        }
        let mut found = Vec::new();
        for keyword in ["$ref", "$recursiveRef", "$dynamicRef"] {
            if let Some(reference) = text(keyword) {
                let lost = || format!("`{}` is no JSON pointer to a place in it", text::excerpt(reference, 120));
                found.push(resolve(self.root, reference).ok_or_else(lost)?);
            }
        }
        Ok(found.into_iter())
    }
}
