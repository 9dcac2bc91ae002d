//! One tool as a model sees it: each schema in its arguments once, and where it stands.

use std::collections::HashSet;

use serde_json::{Map, Value};

use crate::{schema::resolve, text, tool::Definition};

/// The deepest that schemas are looked at. What is deeper, no model fills in.
const MAX_DEPTH: usize = 128;

/// The most parts of one schema that are looked at together: parts may refer to one another.
const MAX_PARTS: usize = 256;

/// A tool, taken apart.
pub(super) struct Surface<'t> {
    pub tool: &'t Definition,
    /// Parents before what is inside them, in the order of the schema.
    pub nodes: Vec<Node<'t>>,
    seen: HashSet<*const Value>,
}

/// One schema of a tool's arguments.
pub(super) struct Node<'t> {
    /// `search_orders.filters.status`.
    pub place: String,
    pub schema: &'t Value,
    pub role: Role<'t>,
}

/// What a schema is of.
#[derive(Clone, Copy)]
pub(super) enum Role<'t> {
    /// The arguments as a whole.
    Root,
    /// A property: `of` is the object, and `tagged` says that it is a branch of a union, where a constant tells it from others.
    Property { key: &'t str, of: &'t Map<String, Value>, tagged: bool },
    /// Elements of an array or values of a map.
    Element,
    /// A branch of a union of several.
    Branch,
}

impl<'t> Node<'t> {
    /// The keywords; none for `true` and `false`.
    pub(super) fn keywords(&self) -> Option<&'t Map<String, Value>> {
        self.schema.as_object()
    }

    pub(super) fn description(&self) -> Option<&'t str> {
        self.schema.get("description").and_then(Value::as_str).filter(|words| !words.trim().is_empty())
    }
}

impl<'t> Surface<'t> {
    pub(super) fn of(tool: &'t Definition) -> Self {
        let mut surface = Self { tool, nodes: Vec::new(), seen: HashSet::new() };
        surface.visit(tool.input_schema(), tool.name(), Role::Root, 0);
        surface
    }

    pub(super) fn name(&self) -> &'t str {
        self.tool.name()
    }

    /// What the schema refers to.
    pub(super) fn referred(&self, schema: &Map<String, Value>) -> Option<&'t Value> {
        let reference = ["$ref", "$dynamicRef", "$recursiveRef"].iter().find_map(|keyword| schema.get(*keyword))?;
        resolve(self.tool.input_schema(), reference.as_str()?)
    }

    /// The schema behind its references, which an unsound one may chain without end.
    pub(super) fn behind(&self, schema: &'t Value) -> &'t Value {
        let follow = |schema: &&'t Value| schema.as_object().and_then(|keywords| self.referred(keywords));
        std::iter::successors(Some(schema), follow).take(16).last().unwrap_or(schema)
    }

    /// Whether it is so of the schema, of what it refers to, of a part of it or of the elements of its array.
    pub(super) fn of_any_part(&self, schema: &'t Value, is_so: impl Fn(&Map<String, Value>) -> bool) -> bool {
        let mut parts = vec![schema];
        let mut at = 0;
        while let Some(part) = parts.get(at).filter(|_| at < MAX_PARTS) {
            at += 1;
            let Some(keywords) = part.as_object() else { continue };
            if is_so(keywords) {
                return true;
            }
            parts.extend(self.referred(keywords));
            parts.extend(["anyOf", "oneOf", "allOf", "prefixItems"].iter().flat_map(|keyword| list(keywords, keyword)));
            parts.extend(keywords.get("items"));
        }
        false
    }

    /// `depth` is how many schemas this one stands in.
    fn visit(&mut self, schema: &'t Value, place: &str, role: Role<'t>, depth: usize) {
        if depth >= MAX_DEPTH || !self.seen.insert(schema) {
            return;
        }
        self.nodes.push(Node { place: place.to_owned(), schema, role });
        let Some(keywords) = schema.as_object() else { return };
        let depth = depth + 1;
        if let Some(referred) = self.referred(keywords) {
            self.visit(referred, place, role, depth);
        }
        self.visit_parts(keywords, place, role, depth);
        self.visit_inside(keywords, place, role, depth);
    }

    /// What is said of the same value: alternatives and additions. Conditions are left out: nothing in them is told to a model
    /// as a description of what it may send.
    fn visit_parts(&mut self, keywords: &'t Map<String, Value>, place: &str, role: Role<'t>, depth: usize) {
        for part in list(keywords, "allOf") {
            self.visit(part, place, role, depth);
        }
        for keyword in ["anyOf", "oneOf"] {
            let branches = list(keywords, keyword);
            // `null` beside one other makes it optional, and is no choice.
            let choices = branches.iter().filter(|branch| !is_null(branch)).count();
            // An enum of one variant has a tag all the same, for the others that it may have one day.
            let is_choice = choices > 1 || (keyword == "oneOf" && branches.len() == 1);
            for branch in branches {
                self.visit(branch, place, if is_choice { Role::Branch } else { role }, depth);
            }
        }
    }

    fn visit_inside(&mut self, keywords: &'t Map<String, Value>, place: &str, role: Role<'t>, depth: usize) {
        let tagged = matches!(role, Role::Branch);
        for (key, schema) in properties(keywords) {
            let inside = format!("{place}.{}", text::excerpt(key, 64));
            self.visit(schema, &inside, Role::Property { key, of: keywords, tagged }, depth);
        }
        for keyword in ["additionalProperties", "unevaluatedProperties"] {
            if let Some(schema) = keywords.get(keyword).filter(|schema| schema.is_object()) {
                self.visit(schema, &format!("{place}.*"), Role::Element, depth);
            }
        }
        for schema in keywords.get("patternProperties").and_then(Value::as_object).into_iter().flat_map(Map::values) {
            self.visit(schema, &format!("{place}.*"), Role::Element, depth);
        }
        match keywords.get("items") {
            Some(Value::Array(schemas)) => self.visit_each(schemas, place, depth),
            Some(schema) => self.visit(schema, &format!("{place}[]"), Role::Element, depth),
            None => {}
        }
        self.visit_each(list(keywords, "prefixItems"), place, depth);
    }

    fn visit_each(&mut self, schemas: &'t [Value], place: &str, depth: usize) {
        for (index, schema) in schemas.iter().enumerate() {
            self.visit(schema, &format!("{place}[{index}]"), Role::Element, depth);
        }
    }
}

/// The properties that a schema lists, in its order.
pub(super) fn properties(keywords: &Map<String, Value>) -> impl Iterator<Item = (&str, &Value)> {
    let properties = keywords.get("properties").and_then(Value::as_object);
    properties.into_iter().flatten().map(|(key, schema)| (key.as_str(), schema))
}

/// The elements of a list; none where there is none.
pub(super) fn list<'t>(keywords: &'t Map<String, Value>, keyword: &str) -> &'t [Value] {
    keywords.get(keyword).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Whether the schema takes `null` and nothing else.
pub(super) fn is_null(schema: &Value) -> bool {
    schema.get("type").is_some_and(|name| name == "null") || schema.get("const").is_some_and(Value::is_null)
}

/// The types that the schema names.
pub(super) fn types(schema: &Value) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// The values that the schema lists, `null` apart.
pub(super) fn options(schema: &Value) -> Option<Vec<&Value>> {
    let options = match (schema.get("const"), schema.get("enum")) {
        (Some(only), _) => vec![only],
        (None, Some(Value::Array(options))) => options.iter().collect(),
        _ => return None,
    };
    Some(options.into_iter().filter(|option| !option.is_null()).collect())
}
