//! Of a union's branches, the one that was meant.

use serde_json::{Map, Value};

use super::{
    explain::{Broken, Walk, equal, is_of, names},
    violation::{Contract, MAX_KEY},
};
use crate::{json::Node, text};

/// What is broken where no branch, or of a `oneOf` more than one, takes the value.
pub(super) fn find<'s, 'n>(
    walk: &mut Walk<'s>,
    keyword: &str,
    branches: &'s [Value],
    value: Node<'n>,
) -> Option<Broken<'n>> {
    let mut broken = Vec::new();
    let mut takers = 0;
    for branch in branches {
        match walk.find(branch, value) {
            None => takers += 1,
            Some(found) => broken.push((resolved(walk, branch), found)),
        }
    }
    match (keyword, takers) {
        (_, 0) => Some(choose(walk, broken, value)),
        ("oneOf", 2..) => {
            let clause = "exactly one of its branches".to_owned();
            Some(walk.broken(Contract::Other { name: keyword.to_owned(), clause }, value))
        }
        _ => None,
    }
}

type Candidate<'s, 'n> = (Option<&'s Map<String, Value>>, Broken<'n>);

fn choose<'s, 'n>(walk: &Walk<'s>, mut broken: Vec<Candidate<'s, 'n>>, value: Node<'n>) -> Broken<'n> {
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
    let shapes: Vec<String> = broken.iter().map(|(branch, _)| words(*branch)).collect();
    let expected = expected_types(&broken);
    // Only branches of the value's own type can have been meant.
    broken.retain(|(branch, found)| {
        let types = branch.map(types_of).unwrap_or_default();
        let same_type = types.is_empty() || types.iter().any(|name| is_of(value, name));
        same_type && (found.path.segments().len() > depth || !matches!(found.contract, Contract::Type { .. }))
    });
    if broken.is_empty() {
        return walk.broken(Contract::Type { expected }, value);
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
    walk.broken(Contract::AnyOf { branches: shapes }, value)
}

/// A property that every branch fixes to a constant: an internally or adjacently tagged enum.
fn tag<'s>(broken: &[Candidate<'s, '_>]) -> Option<&'s str> {
    let objects: Vec<_> =
        broken.iter().filter_map(|(branch, _)| *branch).filter(|b| b.get("type") != Some(&"null".into())).collect();
    let (first, others) = objects.split_first()?;
    let fixed = |branch: &Map<String, Value>, name: &str| {
        branch.get("properties").and_then(|properties| properties.get(name)).is_some_and(|p| p.get("const").is_some())
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

fn tagged<'n>(walk: &Walk<'_>, tag: &str, mut broken: Vec<Candidate<'_, 'n>>, value: Node<'n>) -> Broken<'n> {
    let constant = |branch: Option<&Map<String, Value>>| branch?.get("properties")?.get(tag)?.get("const").cloned();
    let Some(given) = value.get(tag) else {
        let contract = match value.kind() {
            crate::json::Kind::Object => Contract::Required { key: tag.to_owned() },
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
    broken
        .iter()
        .map(|(branch, _)| {
            let branch = branch.as_ref()?;
            match names(branch, "required").as_slice() {
                [only] if branch.get("properties")?.as_object()?.len() == 1 => Some(*only),
                _ => None,
            }
        })
        .collect()
}

fn single_keyed<'n>(
    walk: &Walk<'_>,
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
    let contract = match value.members().next() {
        Some((key, _)) => Contract::AdditionalProperties {
            key: text::is_plain(key, MAX_KEY).then(|| key.to_owned()),
            declared: keys.iter().map(|key| (*key).to_owned()).collect(),
            meant: text::meant(key, keys.iter().copied()).map(str::to_owned),
            meant_is_required: false,
        },
        None => Contract::AnyOf { branches: broken.iter().map(|(branch, _)| words(*branch)).collect() },
    };
    walk.broken(contract, value)
}

/// The branch itself, behind its reference.
fn resolved<'s>(walk: &Walk<'s>, branch: &'s Value) -> Option<&'s Map<String, Value>> {
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

/// A branch in a few words.
fn words(branch: Option<&Map<String, Value>>) -> String {
    let Some(branch) = branch else { return "anything".into() };
    if let Some(Value::Array(options)) = branch.get("enum") {
        let shown: Vec<String> = options.iter().take(4).map(|option| text::excerpt(&option.to_string(), 64)).collect();
        return text::alternatives(&shown);
    }
    if let Some(only) = branch.get("const") {
        return text::excerpt(&only.to_string(), 64);
    }
    let required = names(branch, "required");
    match branch.get("type").and_then(Value::as_str) {
        Some("object") if !required.is_empty() => format!("an object with {}", required.join(", ")),
        Some(name @ ("integer" | "array" | "object")) => format!("an {name}"),
        Some("null") => "null".into(),
        Some(name) => format!("a {name}"),
        None => "a value that its schema takes".into(),
    }
}
