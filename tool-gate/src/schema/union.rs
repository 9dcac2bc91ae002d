//! Of a union's branches, the one that was meant.

use serde_json::{Map, Value};

use super::{
    explain::{Broken, Walk, names},
    sent::Reading,
    values::{equal, is_of},
    violation::{Contract, MAX_KEY},
};
use crate::{json::Node, text};

/// What is broken where no branch, or of a `oneOf` more than one, takes the value.
pub(super) fn find<'s, 'n>(
    walk: &mut Walk<'s, 'n>,
    keyword: &str,
    branches: &'s [Value],
    value: Node<'n>,
) -> Option<Broken<'n>> {
    let mut broken = Vec::new();
    let mut takers = 0;
    for branch in branches {
        match walk.branch(branch, value) {
            None => takers += 1,
            Some(found) => broken.push((resolved(walk, branch), found)),
        }
    }
    match (keyword, takers) {
        (_, 0) => Some(choose(walk, broken, value)),
        ("oneOf", 2..) if walk.reading == Reading::Enforced => {
            let clause = "exactly one of its branches".to_owned();
            Some(walk.broken(Contract::Other { name: keyword.to_owned(), clause }, value))
        }
        _ => None,
    }
}

type Candidate<'s, 'n> = (Option<&'s Map<String, Value>>, Broken<'n>);

fn choose<'s, 'n>(walk: &Walk<'s, 'n>, mut broken: Vec<Candidate<'s, 'n>>, value: Node<'n>) -> Broken<'n> {
    let depth = walk.path.segments().len();
    if let Some(tag) = tag(&broken) {
        return tagged(walk, tag, broken, value);
    }
    // An enum or nothing: its values say more than its type.
    let is_null = |(branch, _): &Candidate<'_, '_>| branch.is_some_and(|branch| types_of(branch) == ["null"]);
    let mut others = broken.iter().enumerate().filter(|(_, candidate)| !is_null(candidate));
    if let (Some((place, (_, Broken { contract: Contract::Enum { .. }, .. }))), None) = (others.next(), others.next()) {
        return broken.swap_remove(place).1;
    }
    let shapes = shapes(&broken);
    let expected = expected_types(&broken);
    let names = Names::of(&broken);
    // Only branches of the value's own type can have been meant.
    broken.retain(|(branch, found)| {
        let types = branch.map(types_of).unwrap_or_default();
        let same_type = types.is_empty() || types.iter().any(|name| is_of(value, name));
        same_type && (found.path.segments().len() > depth || !matches!(found.contract, Contract::Type { .. }))
    });
    if broken.is_empty() {
        return walk.broken(Contract::Type { expected }, value);
    }
    // An enum of words and of keys with something inside: either half alone would be half the truth.
    if names.are_both() && names.is_none_named(value) {
        return walk.broken(Contract::AnyOf { branches: shapes }, value);
    }
    if let Some(single) = single_keys(&broken, value) {
        return single_keyed(walk, &single, broken, value, depth);
    }
    let deepest = broken.iter().map(|(_, found)| found.path.segments().len()).max().unwrap_or(depth);
    if deepest > depth || broken.len() == 1 {
        let place = broken.iter().position(|(_, found)| found.path.segments().len() == deepest).unwrap_or(0);
        return broken.swap_remove(place).1;
    }
    if broken.iter().all(|(_, found)| matches!(found.contract, Contract::Enum { .. } | Contract::Const { .. })) {
        let mut options = Vec::new();
        for (_, found) in broken {
            match found.contract {
                Contract::Enum { options: more, .. } => options.extend(more),
                Contract::Const { value } => options.push(value),
                _ => {}
            }
        }
        return walk.broken(Contract::Enum { total: options.len(), options }, value);
    }
    // The same words for each of them would say that of the value which it is already.
    if shapes.len() == 1 {
        return broken.swap_remove(0).1;
    }
    walk.broken(Contract::AnyOf { branches: shapes }, value)
}

/// The one value that a schema takes, as `const` or as an `enum` of one.
fn only_value(schema: &Value) -> Option<&Value> {
    let of_one = || match schema.get("enum")?.as_array()?.as_slice() {
        [only] => Some(only),
        _ => None,
    };
    schema.get("const").or_else(of_one)
}

/// A property that every branch fixes to a constant: an internally or adjacently tagged enum.
fn tag<'s>(broken: &[Candidate<'s, '_>]) -> Option<&'s str> {
    let objects: Vec<_> =
        broken.iter().filter_map(|(branch, _)| *branch).filter(|b| b.get("type") != Some(&"null".into())).collect();
    let (first, others) = objects.split_first()?;
    let fixed = |branch: &Map<String, Value>, name: &str| {
        branch.get("properties").and_then(|properties| properties.get(name)).and_then(only_value).is_some()
    };
    let properties = first.get("properties")?.as_object()?;
    properties
        .keys()
        .find(|name| {
            fixed(first, name)
                && names(first, "required").contains(&name.as_str())
                && others.iter().all(|other| fixed(other, name))
        })
        .map(String::as_str)
}

fn tagged<'n>(walk: &Walk<'_, 'n>, tag: &str, mut broken: Vec<Candidate<'_, 'n>>, value: Node<'n>) -> Broken<'n> {
    let constant = |branch: Option<&Map<String, Value>>| only_value(branch?.get("properties")?.get(tag)?).cloned();
    let Some(given) = value.get(tag) else {
        let contract = match value.kind() {
            crate::json::Kind::Object => untagged(tag, &broken, value),
            _ => Contract::Type { expected: expected_types(&broken) },
        };
        return walk.broken(contract, value);
    };
    let meant = broken.iter().position(|(branch, _)| constant(*branch).is_some_and(|only| equal(given, &only)));
    if let Some(place) = meant {
        return broken.swap_remove(place).1;
    }
    let options: Vec<Value> = broken.iter().filter_map(|(branch, _)| constant(*branch)).collect();
    let path = walk.path.child(tag);
    Broken { path, contract: Contract::Enum { total: options.len(), options }, value: given }
}

/// The tag is missing, and told together with an undeclared key that resembles it.
fn untagged(tag: &str, broken: &[Candidate<'_, '_>], value: Node<'_>) -> Contract {
    let mut declared: Vec<String> = Vec::new();
    for branch in broken.iter().filter_map(|(branch, _)| *branch) {
        for name in branch.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::keys) {
            if !declared.contains(name) {
                declared.push(name.clone());
            }
        }
    }
    let undeclared = value.members().map(|(key, _)| key).find(|key| !declared.iter().any(|name| name == key));
    match undeclared.filter(|key| text::meant(key, [tag]).is_some()) {
        Some(key) => Contract::AdditionalProperties {
            key: text::is_plain(key, MAX_KEY).then(|| key.to_owned()),
            declared,
            meant: Some(tag.to_owned()),
            meant_is_required: true,
        },
        None => Contract::Required { key: tag.to_owned() },
    }
}

/// What an externally tagged enum is written with: words, and keys of objects with one member.
struct Names<'s> {
    words: Vec<&'s Value>,
    keys: Vec<&'s str>,
}

impl<'s> Names<'s> {
    fn of(broken: &[Candidate<'s, '_>]) -> Self {
        let branches = || broken.iter().filter_map(|(branch, _)| *branch);
        let words = branches().filter_map(|branch| branch.get("enum")?.as_array()).flatten();
        let consts = branches().filter_map(|branch| branch.get("const"));
        Self { words: words.chain(consts).collect(), keys: branches().filter_map(single_key).collect() }
    }

    fn are_both(&self) -> bool {
        !self.words.is_empty() && !self.keys.is_empty()
    }

    /// Whether the value names none of them, not even nearly, or one in the form that the other half has.
    fn is_none_named(&self, value: Node<'_>) -> bool {
        let key = value.members().next().map(|(key, _)| key);
        key.is_none_or(|key| text::meant(key, self.keys.iter().copied()).is_none())
            && !self.keys.iter().any(|key| value.get(key).is_some())
    }
}

/// The key of a branch that is an object of one required member.
fn single_key(branch: &Map<String, Value>) -> Option<&str> {
    match names(branch, "required").as_slice() {
        [only] if branch.get("properties")?.as_object()?.len() == 1 => Some(only),
        _ => None,
    }
}

fn expected_types(broken: &[Candidate<'_, '_>]) -> Vec<String> {
    let mut types: Vec<String> = Vec::new();
    for (branch, found) in broken {
        let of_branch = match &found.contract {
            // A union inside the union has gathered its own.
            Contract::Type { expected } => expected.clone(),
            _ => branch.map(types_of).unwrap_or_default().into_iter().map(str::to_owned).collect(),
        };
        for name in of_branch {
            if !types.contains(&name) {
                types.push(name);
            }
        }
    }
    types
}

fn types_of(branch: &Map<String, Value>) -> Vec<&str> {
    match branch.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// The keys of an externally tagged enum: branches that are objects of one required key.
fn single_keys<'s>(broken: &[Candidate<'s, '_>], value: Node<'_>) -> Option<Vec<&'s str>> {
    if !is_of(value, "object") || broken.len() < 2 {
        return None;
    }
    broken.iter().map(|(branch, _)| branch.and_then(single_key)).collect()
}

fn single_keyed<'n>(
    walk: &Walk<'_, 'n>,
    keys: &[&str],
    mut broken: Vec<Candidate<'_, 'n>>,
    value: Node<'n>,
    depth: usize,
) -> Broken<'n> {
    let inner = broken.iter().position(|(_, found)| found.path.segments().len() > depth);
    let named = keys.iter().position(|key| value.get(key).is_some());
    if let Some(place) = inner.or(named) {
        return broken.swap_remove(place).1;
    }
    // One that is flattened into a struct leaves the struct's keys alone.
    let is_closed = |(branch, _): &Candidate<'_, '_>| {
        branch.is_some_and(|branch| branch.get("additionalProperties") == Some(&Value::Bool(false)))
    };
    let contract = match value.members().next().filter(|_| broken.iter().all(is_closed)) {
        Some((key, _)) => Contract::AdditionalProperties {
            key: text::is_plain(key, MAX_KEY).then(|| key.to_owned()),
            declared: keys.iter().map(|key| (*key).to_owned()).collect(),
            meant: text::meant(key, keys.iter().copied()).map(str::to_owned),
            meant_is_required: false,
        },
        None => Contract::AnyOf { branches: shapes(&broken) },
    };
    walk.broken(contract, value)
}

/// The branch itself, behind its reference.
fn resolved<'s>(walk: &Walk<'s, '_>, branch: &'s Value) -> Option<&'s Map<String, Value>> {
    let mut branch = branch.as_object()?;
    // A chain of references in a sound schema is short; one that never ends is given up.
    for _ in 0..16 {
        match branch.get("$ref").and_then(Value::as_str).and_then(|reference| walk.resolve(reference)) {
            Some(Value::Object(referred)) if branch.get("properties").is_none() => branch = referred,
            _ => break,
        }
    }
    Some(branch)
}

/// The branches in a few words each, every one once.
fn shapes(broken: &[Candidate<'_, '_>]) -> Vec<String> {
    let mut shapes: Vec<String> = Vec::new();
    for (branch, _) in broken {
        let shape = match branch {
            Some(branch) => words(branch).unwrap_or_else(|| "a value that its schema takes".into()),
            None => "anything".into(),
        };
        if !shapes.contains(&shape) {
            shapes.push(shape);
        }
    }
    shapes
}

/// A schema in a few words, if there are any for it.
pub(super) fn words(schema: &Map<String, Value>) -> Option<String> {
    if let Some(Value::Array(options)) = schema.get("enum") {
        let shown: Vec<String> = options.iter().take(4).map(|option| text::excerpt(&option.to_string(), 64)).collect();
        return Some(text::alternatives(&shown));
    }
    if let Some(only) = schema.get("const") {
        return Some(text::excerpt(&only.to_string(), 64));
    }
    let required: Vec<String> =
        names(schema, "required").into_iter().take(8).map(|key| text::excerpt(key, MAX_KEY)).collect();
    if schema.get("type").is_none() && !required.is_empty() {
        return Some(format!("an object with {}", required.join(", ")));
    }
    Some(match schema.get("type")?.as_str()? {
        "object" if !required.is_empty() => format!("an object with {}", required.join(", ")),
        name @ ("integer" | "array" | "object") => format!("an {name}"),
        "null" => "null".into(),
        "string" => match schema.get("format").and_then(Value::as_str) {
            Some(format) => format!("a string in the format {format}"),
            None => "a string".into(),
        },
        name => format!("a {name}"),
    })
}
