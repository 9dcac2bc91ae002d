//! What the schema says of one place in the arguments, as far as it can be told from the schema.

use std::{borrow::Cow, collections::HashSet};

use serde_json::{Map, Value};

use crate::{
    json::{Kind, Node},
    schema::{self, Terms},
};

/// The schemas that a value at one place is held against.
#[derive(Clone, Debug)]
pub(super) enum Place<'s> {
    /// No schema speaks of it.
    Anything,
    /// It is closed.
    Nothing,
    /// This schema.
    One(&'s Value),
    /// All of these.
    All(Vec<Place<'s>>),
    /// At least one of these.
    Any(Vec<Place<'s>>),
}

/// The schemas of an object or an array, those left out that cannot take it: what they say of a place inside it.
#[derive(Debug)]
pub(super) enum Shape<'s> {
    /// The keywords of one schema.
    Own(&'s Map<String, Value>),
    /// All of these. Where it is closed, what none of them speaks of may not be there.
    All { parts: Vec<Shape<'s>>, closed: bool },
    /// At least one of these.
    Any(Vec<Shape<'s>>),
}

/// An object's members, or none for an array.
pub(super) type Members<'m, 'n> = [(Cow<'m, str>, Node<'n>)];

/// The schema, asked about places.
#[derive(Debug)]
pub(super) struct Schemas<'s> {
    pub(super) terms: Terms<'s>,
    /// How many schemas were looked at: unions inside unions multiply, and a model chooses how often they are met.
    effort: usize,
    /// The schemas that are being looked at, none twice: references may go in circles.
    open: Vec<*const Value>,
}

const MAX_EFFORT: usize = 500_000;

impl<'s> Schemas<'s> {
    pub(super) fn new(terms: Terms<'s>) -> Self {
        Self { terms, effort: 0, open: Vec::new() }
    }

    /// Whether so much was looked at that what was found is not to be used.
    pub(super) fn is_exhausted(&self) -> bool {
        self.effort > MAX_EFFORT
    }

    /// The schemas at a place for the object or array that stands there.
    pub(super) fn shape(&mut self, place: &Place<'s>, value: Node<'_>, members: &Members<'_, '_>) -> Shape<'s> {
        match place {
            Place::Anything | Place::Nothing => Shape::All { parts: Vec::new(), closed: false },
            Place::One(schema) => self.expand(schema, value, members),
            Place::All(parts) => {
                let parts = parts.iter().map(|part| self.shape(part, value, members)).collect();
                Shape::All { parts, closed: false }
            }
            Place::Any(parts) => Shape::Any(parts.iter().map(|part| self.shape(part, value, members)).collect()),
        }
    }

    fn expand(&mut self, schema: &'s Value, value: Node<'_>, members: &Members<'_, '_>) -> Shape<'s> {
        let mut parts = Vec::new();
        let Some(keywords) = self.enter(schema) else { return Shape::All { parts, closed: false } };
        parts.push(Shape::Own(keywords));
        for part in self.together(keywords) {
            parts.push(self.expand(part, value, members));
        }
        for branches in unions(keywords) {
            let mut taking = Vec::new();
            for branch in branches {
                if !self.rules_out(branch, value, members) {
                    taking.push(self.expand(branch, value, members));
                }
            }
            parts.push(Shape::Any(taking));
        }
        self.open.pop();
        Shape::All { parts, closed: keywords.get("unevaluatedProperties") == Some(&Value::Bool(false)) }
    }

    /// Whether a branch takes no such object or array, whatever is forgiven inside it: it is of another type, or a text in it
    /// is not the one that the branch asks for, as the tag of an enum's variant is.
    fn rules_out(&mut self, schema: &'s Value, value: Node<'_>, members: &Members<'_, '_>) -> bool {
        let Some(keywords) = self.enter(schema) else { return schema == &Value::Bool(false) };
        let kind = if value.kind() == Kind::Array { "array" } else { "object" };
        let properties = keywords.get("properties").and_then(Value::as_object);
        let is_out = !says_type(keywords, kind)
            || properties.into_iter().flatten().any(|(name, property)| {
                texts(property).is_some_and(|texts| {
                    self.effort += members.len();
                    let sent = members.iter().find(|(key, _)| key == name).and_then(|(_, member)| member.as_str());
                    sent.is_some_and(|sent| !texts.contains(&sent))
                })
            })
            || self.together(keywords).into_iter().any(|part| self.rules_out(part, value, members));
        self.open.pop();
        is_out
    }

    /// What the shape says of the member with this key.
    pub(super) fn member(&mut self, shape: &Shape<'s>, key: &str) -> Place<'s> {
        self.inside(shape, &|schemas, keywords| schemas.own_member(keywords, key), false).unwrap_or(Place::Anything)
    }

    /// What the shape says of an array's element.
    pub(super) fn element(&mut self, shape: &Shape<'s>, index: usize) -> Place<'s> {
        let own = |_: &Self, keywords: &'s Map<String, Value>| {
            let (leading, others) = elements(keywords);
            leading.get(index).or(others).map(place_of)
        };
        self.inside(shape, &own, false).unwrap_or(Place::Anything)
    }

    fn inside(&mut self, shape: &Shape<'s>, own: &Own<'_, 's>, closed: bool) -> Option<Place<'s>> {
        self.effort += 1;
        match shape {
            Shape::Own(keywords) => own(self, keywords),
            Shape::All { parts, closed: closed_here } => {
                let closed = closed || *closed_here;
                let is_union = |part: &&Shape<'s>| matches!(part, Shape::Any(_));
                let mut found: Vec<Place<'s>> = Vec::new();
                for part in parts.iter().filter(|part| !is_union(part)) {
                    found.extend(self.inside(part, own, closed));
                }
                // What is declared beside the union is open in a branch that does not speak of it.
                let closed_beside = closed && found.is_empty();
                for part in parts.iter().filter(is_union) {
                    found.extend(self.inside(part, own, closed_beside));
                }
                match (found.is_empty(), closed_here) {
                    (true, true) => Some(Place::Nothing),
                    (true, false) => None,
                    (false, _) => Some(all(found)),
                }
            }
            Shape::Any(parts) => {
                let said: Vec<_> = parts.iter().map(|part| self.inside(part, own, closed)).collect();
                if said.iter().all(Option::is_none) {
                    return None;
                }
                let unsaid = if closed { Place::Nothing } else { Place::Anything };
                Some(any(said.into_iter().map(|place| place.unwrap_or_else(|| unsaid.clone())).collect()))
            }
        }
    }

    fn own_member(&self, keywords: &'s Map<String, Value>, key: &str) -> Option<Place<'s>> {
        let of = |keyword: &str| keywords.get(keyword).and_then(Value::as_object);
        let declared = of("properties").and_then(|properties| properties.get(key));
        let patterns = of("patternProperties").into_iter().flatten();
        let matching = patterns.filter(|(pattern, _)| self.terms.validator.matches(pattern, key)).map(|(_, part)| part);
        let found: Vec<_> = declared.into_iter().chain(matching).map(place_of).collect();
        if found.is_empty() { keywords.get("additionalProperties").map(place_of) } else { Some(all(found)) }
    }

    /// Whether strings are forbidden at a place. Where that is not plain, they are not.
    pub(super) fn forbids_strings(&mut self, place: &Place<'s>) -> bool {
        match place {
            Place::Anything | Place::Nothing => false,
            Place::One(schema) => self.takes_no_string(schema),
            Place::All(parts) => parts.iter().any(|part| self.forbids_strings(part)),
            Place::Any(parts) => parts.iter().all(|part| self.forbids_strings(part)),
        }
    }

    fn takes_no_string(&mut self, schema: &'s Value) -> bool {
        let Some(keywords) = self.enter(schema) else { return schema == &Value::Bool(false) };
        let of_values = |values: &[Value]| !values.iter().any(Value::is_string);
        let forbidden = !says_type(keywords, "string")
            || keywords.get("enum").and_then(Value::as_array).is_some_and(|values| of_values(values))
            || keywords.get("const").is_some_and(|only| !only.is_string())
            || self.together(keywords).into_iter().any(|part| self.takes_no_string(part))
            || unions(keywords).any(|branches| branches.iter().all(|branch| self.takes_no_string(branch)));
        self.open.pop();
        forbidden
    }

    /// Whether the schemas that speak of a place refuse this value, which holds no others.
    pub(super) fn refuses(&mut self, place: &Place<'s>, value: Node<'_>) -> bool {
        match place {
            Place::Anything | Place::Nothing => false,
            Place::One(schema) => {
                let (refuses, effort) = schema::refuses(self.terms, schema, value);
                self.effort += effort;
                refuses
            }
            Place::All(parts) => parts.iter().any(|part| self.refuses(part, value)),
            Place::Any(parts) => parts.iter().all(|part| self.refuses(part, value)),
        }
    }

    /// Marks a schema as being looked at; nothing where it says nothing new. Whoever enters it leaves it.
    fn enter(&mut self, schema: &'s Value) -> Option<&'s Map<String, Value>> {
        self.effort += 1;
        let address = std::ptr::from_ref(schema);
        let keywords = schema.as_object().filter(|_| !self.is_exhausted() && !self.open.contains(&address))?;
        self.open.push(address);
        Some(keywords)
    }

    /// The schemas that a value has to conform to together with this one.
    fn together(&self, keywords: &'s Map<String, Value>) -> Vec<&'s Value> {
        let referred = keywords.get("$ref").and_then(Value::as_str);
        let referred = referred.and_then(|reference| schema::resolve(self.terms.schema, reference));
        referred.into_iter().chain(keywords.get("allOf").and_then(Value::as_array).into_iter().flatten()).collect()
    }
}

/// What one schema's own keywords say of a place inside a value.
type Own<'o, 's> = dyn Fn(&Schemas<'s>, &'s Map<String, Value>) -> Option<Place<'s>> + 'o;

/// The keys that an object's schemas name.
#[derive(Debug, Default)]
pub(super) struct Keys<'s> {
    /// Those of properties.
    pub(super) declared: HashSet<&'s str>,
    /// Those that may be required, in one branch of a union at least.
    pub(super) required: HashSet<&'s str>,
    /// Whether there are patterns for others: what they match is not undeclared.
    pub(super) have_patterns: bool,
}

impl<'s> Shape<'s> {
    pub(super) fn keys(&self) -> Keys<'s> {
        let mut keys = Keys::default();
        self.gather(&mut keys);
        keys
    }

    /// How many elements an array begins with that have schemas of their own. All others have the same.
    pub(super) fn leading(&self) -> usize {
        match self {
            Self::Own(keywords) => elements(keywords).0.len(),
            Self::All { parts, .. } | Self::Any(parts) => parts.iter().map(Self::leading).max().unwrap_or_default(),
        }
    }

    fn gather(&self, keys: &mut Keys<'s>) {
        match self {
            Self::Own(keywords) => {
                let properties = keywords.get("properties").and_then(Value::as_object);
                keys.declared.extend(properties.into_iter().flat_map(Map::keys).map(String::as_str));
                let required = keywords.get("required").and_then(Value::as_array);
                keys.required.extend(required.into_iter().flatten().filter_map(Value::as_str));
                keys.have_patterns |= keywords.contains_key("patternProperties");
            }
            Self::All { parts, .. } | Self::Any(parts) => parts.iter().for_each(|part| part.gather(keys)),
        }
    }
}

/// The schemas of the elements that an array begins with, and that of the others.
fn elements(keywords: &Map<String, Value>) -> (&[Value], Option<&Value>) {
    let (items, leading) = (keywords.get("items"), keywords.get("prefixItems"));
    // Before 2020-12 the leading items stood under `items`, and the others under `additionalItems`.
    match (items, leading) {
        (Some(Value::Array(leading)), None) => (leading.as_slice(), keywords.get("additionalItems")),
        (others, Some(Value::Array(leading))) => (leading.as_slice(), others),
        (others, _) => (&[][..], others),
    }
}

fn place_of(schema: &Value) -> Place<'_> {
    match schema {
        Value::Bool(false) => Place::Nothing,
        Value::Bool(true) => Place::Anything,
        schema => Place::One(schema),
    }
}

fn all(parts: Vec<Place<'_>>) -> Place<'_> {
    let mut found = Found::default();
    for part in parts {
        match part {
            Place::Nothing => return Place::Nothing,
            Place::Anything => {}
            Place::All(inner) => inner.into_iter().for_each(|part| found.add(part)),
            part => found.add(part),
        }
    }
    found.into_place(Place::Anything, Place::All)
}

fn any(parts: Vec<Place<'_>>) -> Place<'_> {
    let mut found = Found::default();
    for part in parts {
        match part {
            Place::Anything => return Place::Anything,
            Place::Nothing => {}
            Place::Any(inner) => inner.into_iter().for_each(|part| found.add(part)),
            part => found.add(part),
        }
    }
    found.into_place(Place::Nothing, Place::Any)
}

/// Places that are put together, each schema once: variants of a recursive type all lead back to it, and at every level
/// again.
#[derive(Default)]
struct Found<'s> {
    places: Vec<Place<'s>>,
    schemas: HashSet<*const Value>,
}

impl<'s> Found<'s> {
    fn add(&mut self, place: Place<'s>) {
        if !matches!(place, Place::One(schema) if !self.schemas.insert(std::ptr::from_ref(schema))) {
            self.places.push(place);
        }
    }

    fn into_place(mut self, none: Place<'s>, together: fn(Vec<Place<'s>>) -> Place<'s>) -> Place<'s> {
        match self.places.len() {
            0 => none,
            1 => self.places.remove(0),
            _ => together(self.places),
        }
    }
}

fn unions(keywords: &Map<String, Value>) -> impl Iterator<Item = &Vec<Value>> {
    ["anyOf", "oneOf"].into_iter().filter_map(|union| keywords.get(union).and_then(Value::as_array))
}

/// Whether values of this type are among those that `type` takes.
fn says_type(keywords: &Map<String, Value>, kind: &str) -> bool {
    match keywords.get("type") {
        Some(Value::String(name)) => name == kind,
        Some(Value::Array(names)) => names.iter().any(|name| name == kind),
        _ => true,
    }
}

/// The texts that a property may be, where it lists them and they are all texts.
fn texts(property: &Value) -> Option<Vec<&str>> {
    match (property.get("const"), property.get("enum")) {
        (Some(only), _) => Some(vec![only.as_str()?]),
        (None, Some(Value::Array(listed))) => listed.iter().map(Value::as_str).collect(),
        _ => None,
    }
}
