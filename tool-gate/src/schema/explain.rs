//! The one violation that is told, found in a fixed order.
//!
//! jsonschema gives the verdict; this says which clause to speak of, since a model mends what it reads first. In an object:
//! an undeclared key, together with the missing key that it resembles; then a missing key; then the properties in schema
//! order, depth first. The walk ends at the first violation, so it costs the same however many follow.

use std::{cmp::Ordering, collections::HashMap};

use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};

use super::{
    clauses,
    sent::Reading,
    tighten::unescape,
    union,
    validator::Validator,
    values::{compare, equal, is_of, quote},
    violation::{Contract, MAX_KEY, Path, Received, Segment, Violation},
};
use crate::{
    json::{self, Node},
    limits::Limits,
    text,
};

/// What an explanation is made from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terms<'s> {
    /// The canonical schema.
    pub schema: &'s Value,
    /// The same, compiled.
    pub validator: &'s Validator,
    /// The arguments of which nothing may be repeated.
    pub sensitive: &'s [String],
    /// How much may be repeated of the others.
    pub limits: &'s Limits,
}

/// The violation to tell of arguments that the validator refused.
pub(crate) fn explain(terms: Terms<'_>, arguments: Node<'_>) -> Violation {
    let mut walk = Walk::of(terms, Reading::Enforced);
    let found = walk.find(terms.schema, arguments);
    let exhausted = walk.is_exhausted();
    let broken = found.filter(|_| !exhausted).unwrap_or_else(|| {
        // A clause that the walk does not know, or too much to look through.
        let named = if exhausted { None } else { terms.validator.first_error(arguments) };
        let (path, value, name) = named.unwrap_or_else(|| (Path::default(), arguments, "a clause".into()));
        let path = if is_sensitive(terms, &path) { path.segments().iter().take(1).cloned().collect() } else { path };
        Broken { value, path, contract: Contract::Other { name, clause: "see the tool's schema".into() } }
    });
    told(terms, broken)
}

/// What may be repeated of a broken clause.
pub(super) fn told(terms: Terms<'_>, mut broken: Broken<'_>) -> Violation {
    let sensitive = is_sensitive(terms, &broken.path);
    let excerpt = (!sensitive && !broken.path.is_root()).then(|| quote(broken.value, terms.limits.echoed_chars));
    match &mut broken.contract {
        // A key inside a sensitive argument may be as telling as a value.
        Contract::AdditionalProperties { key, meant, .. } if sensitive => (*key, *meant) = (None, None),
        Contract::PropertyNames { key, .. } if sensitive => *key = None,
        Contract::Enum { options, .. } => {
            let wanted = if sensitive { None } else { broken.value.as_str() };
            list_nearest(options, wanted, terms.limits.listed_options);
        }
        _ => {}
    }
    let received = Received { json_type: broken.value.json_type(), excerpt };
    Violation { path: broken.path, contract: broken.contract, received }
}

/// Whether a value breaks a part of the schema, and how many schemas were looked at for that. Clauses that are not known, and
/// what is too much to look through, are kept.
pub(crate) fn refuses(terms: Terms<'_>, schema: &Value, value: Node<'_>) -> (bool, usize) {
    let mut walk = Walk::of(terms, Reading::Enforced);
    let is_broken = walk.find(schema, value).is_some();
    (is_broken && !walk.is_exhausted(), walk.effort)
}

fn is_sensitive(terms: Terms<'_>, path: &Path) -> bool {
    matches!(path.segments().first(), Some(Segment::Key(key)) if terms.sensitive.contains(key))
}

/// Puts the options nearest to what came first, and drops those beyond the limit.
fn list_nearest(options: &mut Vec<Value>, wanted: Option<&str>, most: usize) {
    if let Some(wanted) = wanted {
        let near: Vec<String> = text::nearest(wanted, options.iter().filter_map(Value::as_str), most)
            .into_iter()
            .map(str::to_owned)
            .collect();
        let rank = |option: &Value| near.iter().position(|near| Some(near.as_str()) == option.as_str());
        options.sort_by_key(|option| rank(option).unwrap_or(usize::MAX));
    }
    options.truncate(most);
}

/// One broken clause, before it is cut to what may be repeated.
#[derive(Clone, Debug)]
pub(super) struct Broken<'n> {
    pub path: Path,
    pub contract: Contract,
    pub value: Node<'n>,
}

/// A walk over the schema and the value side by side.
pub(super) struct Walk<'s, 'n> {
    pub(super) terms: Terms<'s>,
    pub(super) reading: Reading,
    pub(super) path: Path,
    /// How many references deep: a schema that refers to itself without going into the value must end.
    references: usize,
    /// How many schemas were looked at. Unions inside unions multiply, and a model chooses how deep they go.
    effort: usize,
    /// What each branch of a union says of each value, by their addresses: unions inside unions come by many ways to the
    /// same question.
    seen: HashMap<(*const Value, usize), Option<Broken<'n>>>,
}

impl<'s, 'n> Walk<'s, 'n> {
    const MAX_REFERENCES: usize = 256;
    const MAX_EFFORT: usize = 50_000;

    /// Whether there was too much to look through, so that what was found is not used.
    pub(super) fn is_exhausted(&self) -> bool {
        self.effort > Self::MAX_EFFORT
    }

    pub(super) fn of(terms: Terms<'s>, reading: Reading) -> Self {
        Self { terms, reading, path: Path::default(), references: 0, effort: 0, seen: HashMap::new() }
    }

    /// The first clause that `value` breaks. Clauses that the walk does not know are kept.
    pub(super) fn find(&mut self, schema: &'s Value, value: Node<'n>) -> Option<Broken<'n>> {
        let schema = match schema {
            Value::Object(schema) => schema,
            Value::Bool(false) => return Some(self.broken(Contract::Nothing, value)),
            _ => return None,
        };
        self.effort += 1;
        if self.is_exhausted() {
            // What is found from here on is not used.
            return None;
        }
        let referred = self.reference(schema, value);
        // In older drafts, what stands beside a reference has no say.
        if schema.contains_key("$ref") && self.is_of_drafts(clauses::OLDER) {
            return referred;
        }
        referred
            .or_else(|| self.kind(schema, value))
            .or_else(|| match value.kind() {
                json::Kind::Number => self.number(schema, value),
                json::Kind::String => self.string(schema, value),
                json::Kind::Array => self.array(schema, value),
                json::Kind::Object => self.object(schema, value),
                json::Kind::Null | json::Kind::Bool => None,
            })
            .or_else(|| self.combined(schema, value))
    }

    /// The same for a branch of a union.
    pub(super) fn branch(&mut self, branch: &'s Value, value: Node<'n>) -> Option<Broken<'n>> {
        let question = (std::ptr::from_ref(branch), value.index());
        if let Some(known) = self.seen.get(&question) {
            return known.clone();
        }
        let found = self.find(branch, value);
        self.seen.insert(question, found.clone());
        found
    }

    pub(super) fn broken(&self, contract: Contract, value: Node<'n>) -> Broken<'n> {
        Broken { path: self.path.clone(), contract, value }
    }

    pub(super) fn inside(&mut self, segment: Segment, schema: &'s Value, value: Node<'n>) -> Option<Broken<'n>> {
        self.path.push(segment);
        let broken = self.find(schema, value);
        self.path.pop();
        broken
    }

    /// A step to a member that no schema names. Inside a sensitive argument its key is not repeated.
    fn entry(&self, name: &str) -> Segment {
        if is_sensitive(self.terms, &self.path) { Segment::Key("(key)".into()) } else { Segment::key(name) }
    }

    /// The schema that a local reference names.
    pub(super) fn resolve(&self, reference: &str) -> Option<&'s Value> {
        resolve(self.terms.schema, reference)
    }

    fn reference(&mut self, schema: &'s Map<String, Value>, value: Node<'n>) -> Option<Broken<'n>> {
        let referred = self.resolve(schema.get("$ref")?.as_str()?)?;
        if self.references >= Self::MAX_REFERENCES {
            return None;
        }
        self.references += 1;
        let broken = self.find(referred, value);
        self.references -= 1;
        broken
    }

    fn kind(&self, schema: &'s Map<String, Value>, value: Node<'n>) -> Option<Broken<'n>> {
        if self.reading == Reading::Sent && value.is_null() && schema.get("nullable") == Some(&Value::Bool(true)) {
            return None;
        }
        let expected: Vec<&str> = match schema.get("type") {
            Some(Value::String(name)) => vec![name],
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        if let Some(Value::Array(options)) = schema.get("enum")
            && !options.iter().any(|option| equal(value, option))
        {
            // The values say more than the type they have in common.
            return Some(self.broken(Contract::Enum { options: options.clone(), total: options.len() }, value));
        }
        if !expected.is_empty() && !expected.iter().any(|name| is_of(value, name)) {
            let expected = expected.into_iter().map(str::to_owned).collect();
            return Some(self.broken(Contract::Type { expected }, value));
        }
        match schema.get("const") {
            Some(only) if !equal(value, only) => Some(self.broken(Contract::Const { value: only.clone() }, value)),
            _ => None,
        }
    }

    fn number(&self, schema: &'s Map<String, Value>, value: Node<'n>) -> Option<Broken<'n>> {
        let number = value.as_number()?;
        // In draft 4 the bound itself stands under `minimum`, and whether it is taken under `exclusiveMinimum`.
        let is_open = |keyword: &str| schema.get(keyword) == Some(&Value::Bool(true));
        let limit = |keyword: &str| match keyword {
            "exclusiveMinimum" if is_open(keyword) => schema.get("minimum").and_then(Value::as_number),
            "exclusiveMaximum" if is_open(keyword) => schema.get("maximum").and_then(Value::as_number),
            "minimum" if is_open("exclusiveMinimum") => None,
            "maximum" if is_open("exclusiveMaximum") => None,
            _ => schema.get(keyword).and_then(Value::as_number),
        };
        let is = |keyword: &str, refused: &[Ordering]| {
            limit(keyword).filter(|limit| refused.contains(&compare(number, limit))).cloned()
        };
        let contract = is("minimum", &[Ordering::Less])
            .map(|limit| Contract::Minimum { limit })
            .or_else(|| is("maximum", &[Ordering::Greater]).map(|limit| Contract::Maximum { limit }))
            .or_else(|| {
                is("exclusiveMinimum", &[Ordering::Less, Ordering::Equal])
                    .map(|limit| Contract::ExclusiveMinimum { limit })
            })
            .or_else(|| {
                is("exclusiveMaximum", &[Ordering::Greater, Ordering::Equal])
                    .map(|limit| Contract::ExclusiveMaximum { limit })
            });
        contract.map(|contract| self.broken(contract, value)).or_else(|| self.leaf("multipleOf", schema, value))
    }

    fn string(&self, schema: &'s Map<String, Value>, value: Node<'n>) -> Option<Broken<'n>> {
        let length = value.as_str()?.chars().count() as u64;
        let contract = at_least(schema, "minLength", length)
            .map(|limit| Contract::MinLength { limit })
            .or_else(|| at_most(schema, "maxLength", length).map(|limit| Contract::MaxLength { limit }));
        contract
            .map(|contract| self.broken(contract, value))
            .or_else(|| self.leaf("format", schema, value))
            .or_else(|| self.leaf("pattern", schema, value))
            .or_else(|| self.leaf("contentEncoding", schema, value))
    }

    fn array(&mut self, schema: &'s Map<String, Value>, value: Node<'n>) -> Option<Broken<'n>> {
        let length = value.len() as u64;
        let contract = at_least(schema, "minItems", length)
            .map(|limit| Contract::MinItems { limit })
            .or_else(|| at_most(schema, "maxItems", length).map(|limit| Contract::MaxItems { limit }));
        if let Some(contract) = contract {
            return Some(self.broken(contract, value));
        }
        let (leading, others) = clauses::elements(schema);
        if others == Some(&Value::Bool(false)) && value.len() > leading.len() {
            return Some(self.broken(Contract::MaxItems { limit: leading.len() as u64 }, value));
        }
        for (index, element) in value.elements().enumerate() {
            if let Some(schema) = leading.get(index).or(others) {
                let broken = self.inside(Segment::Index(index), schema, element);
                if broken.is_some() {
                    return broken;
                }
            }
        }
        self.leaf("uniqueItems", schema, value).or_else(|| self.leaf("contains", schema, value))
    }

    fn object(&mut self, schema: &'s Map<String, Value>, value: Node<'n>) -> Option<Broken<'n>> {
        let members = value.len() as u64;
        let declared = schema.get("properties").and_then(Value::as_object);
        self.undeclared(schema, value)
            .or_else(|| self.missing(schema, value))
            .or_else(|| {
                let contract =
                    at_least(schema, "minProperties", members).map(|limit| Contract::MinProperties { limit }).or_else(
                        || at_most(schema, "maxProperties", members).map(|limit| Contract::MaxProperties { limit }),
                    );
                contract.map(|contract| self.broken(contract, value))
            })
            .or_else(|| {
                declared
                    .into_iter()
                    .flatten()
                    .find_map(|(name, property)| self.inside(Segment::Key(name.clone()), property, value.get(name)?))
            })
            .or_else(|| {
                let open = schema.get("additionalProperties").filter(|open| open.is_object());
                let patterns = schema.get("patternProperties").and_then(Value::as_object);
                value.members().find_map(|(name, member)| {
                    let fitting: Vec<_> = patterns
                        .into_iter()
                        .flatten()
                        .filter(|(pattern, _)| self.terms.validator.matches(pattern, name))
                        .map(|(_, part)| part)
                        .collect();
                    let rest = open.filter(|_| fitting.is_empty() && !declares(schema, name));
                    fitting.into_iter().chain(rest).find_map(|part| self.inside(self.entry(name), part, member))
                })
            })
            .or_else(|| self.leaf("propertyNames", schema, value))
            .or_else(|| self.dependent(schema, value))
    }

    fn undeclared(&mut self, schema: &'s Map<String, Value>, value: Node<'n>) -> Option<Broken<'n>> {
        let closed = |keyword: &str| schema.get(keyword) == Some(&Value::Bool(false));
        let mut declared = Vec::new();
        if closed("unevaluatedProperties") {
            self.evaluated(schema, value, &mut declared);
        } else if closed("additionalProperties") {
            declared.extend(schema.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::keys));
        } else {
            return None;
        }
        let (key, _) = value
            .members()
            .find(|(name, _)| !declared.iter().any(|known| known == name) && !by_pattern(schema, name, self.terms))?;
        let absent = declared.iter().map(|name| name.as_str()).filter(|name| value.get(name).is_none());
        let meant = text::meant(key, absent).map(str::to_owned);
        let required = names(schema, "required");
        let patterns = schema.get("patternProperties").and_then(Value::as_object).into_iter().flat_map(Map::keys);
        let patterns = patterns.map(|pattern| format!("keys that match {pattern}"));
        let contract = Contract::AdditionalProperties {
            key: text::is_plain(key, MAX_KEY).then(|| key.to_owned()),
            meant_is_required: meant.as_deref().is_some_and(|meant| required.contains(&meant)),
            meant,
            declared: declared.into_iter().cloned().chain(patterns).collect(),
        };
        Some(self.broken(contract, value))
    }

    /// The properties that a schema declares for this value, those of the schemas it is composed of included.
    fn evaluated(&mut self, schema: &'s Map<String, Value>, value: Node<'n>, found: &mut Vec<&'s String>) {
        found.extend(schema.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::keys));
        let referred = schema.get("$ref").and_then(Value::as_str).and_then(|reference| self.resolve(reference));
        let all = schema.get("allOf").and_then(Value::as_array).into_iter().flatten();
        for part in referred.into_iter().chain(all) {
            if let Value::Object(part) = part {
                self.evaluated(part, value, found);
            }
        }
        for union in ["anyOf", "oneOf"] {
            let branches = schema.get(union).and_then(Value::as_array).into_iter().flatten();
            let taking: Vec<_> = branches.clone().filter(|branch| self.branch(branch, value).is_none()).collect();
            // Where no branch takes the value, any of them may have been meant: that is told of the union.
            let meant: Vec<_> = if taking.is_empty() { branches.collect() } else { taking };
            for part in meant.into_iter().filter_map(Value::as_object) {
                self.evaluated(part, value, found);
            }
        }
    }

    fn missing(&self, schema: &'s Map<String, Value>, value: Node<'n>) -> Option<Broken<'n>> {
        let required = names(schema, "required");
        let is_missed = |name: &&str| value.get(name).is_none() && !self.may_lack(schema, name);
        let key = required.into_iter().find(is_missed)?.to_owned();
        Some(self.broken(Contract::Required { key }, value))
    }

    fn combined(&mut self, schema: &'s Map<String, Value>, value: Node<'n>) -> Option<Broken<'n>> {
        let branches = |keyword: &str| schema.get(keyword).and_then(Value::as_array);
        if let Some(broken) = branches("allOf").into_iter().flatten().find_map(|part| self.find(part, value)) {
            return Some(broken);
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(branches) = branches(keyword) {
                let broken = union::find(self, keyword, branches, value);
                if broken.is_some() {
                    return broken;
                }
            }
        }
        // Whether a condition holds may hang on a clause that is not looked at.
        if self.reading == Reading::Sent {
            return None;
        }
        if let Some(broken) = self.conditional(schema, value) {
            return Some(broken);
        }
        match schema.get("not") {
            Some(refused @ Value::Object(_)) if self.find(refused, value).is_none() => {
                let one = refused.get("const").filter(|_| refused.as_object().is_some_and(|only| only.len() == 1));
                let contract = one.map_or_else(
                    || clauses::other("not", clauses::described(refused)),
                    |value| Contract::Not { value: value.clone() },
                );
                Some(self.broken(contract, value))
            }
            _ => None,
        }
    }
}

/// The strings of an array under a keyword.
pub(super) fn names<'s>(schema: &'s Map<String, Value>, keyword: &str) -> Vec<&'s str> {
    schema.get(keyword).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

fn declares(schema: &Map<String, Value>, name: &str) -> bool {
    schema.get("properties").is_some_and(|properties| properties.get(name).is_some())
}

/// Whether `patternProperties` lets the key in.
fn by_pattern(schema: &Map<String, Value>, name: &str, terms: Terms<'_>) -> bool {
    let patterns = schema.get("patternProperties").and_then(Value::as_object);
    patterns.into_iter().flat_map(Map::keys).any(|pattern| terms.validator.matches(pattern, name))
}

fn at_least(schema: &Map<String, Value>, keyword: &str, size: u64) -> Option<u64> {
    schema.get(keyword).and_then(Value::as_u64).filter(|limit| size < *limit)
}

fn at_most(schema: &Map<String, Value>, keyword: &str, size: u64) -> Option<u64> {
    schema.get(keyword).and_then(Value::as_u64).filter(|limit| size > *limit)
}

/// What a local reference names in a schema. Only JSON pointers are followed: `#`, `#/$defs/Order`.
pub(crate) fn resolve<'s>(root: &'s Value, reference: &str) -> Option<&'s Value> {
    let pointer = percent_decode_str(reference.strip_prefix('#')?).decode_utf8().ok()?;
    if pointer.is_empty() {
        return Some(root);
    }
    pointer.strip_prefix('/')?.split('/').try_fold(root, |schema, token| match schema {
        Value::Object(members) => members.get(&unescape(token)),
        Value::Array(elements) => elements.get(token.parse::<usize>().ok()?),
        _ => None,
    })
}
