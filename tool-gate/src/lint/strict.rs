//! What has no place in the strict modes of providers: one finding for each kind of it in a tool.

use serde_json::{Map, Value};

use super::{
    Code, Finding,
    providers::{ANY_VALUE, KEYWORDS, OPEN_KEYS, PARTS, PLAIN_ALL_OF, RECURSION, Refusal},
    refused::names,
    surface::{Node, Role, Surface, list, types},
};

/// Keywords that say nothing of what is taken.
const REMARKS: &[&str] =
    &["title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "$comment", "format"];

/// What of a tool cannot be said in a strict mode.
pub(super) fn of(surface: &Surface<'_>, found: &mut Vec<Finding>) {
    let mut groups: Vec<(&Refusal, Vec<&str>)> = Vec::new();
    let nodes = surface.nodes.iter().flat_map(|node| refusals(node).map(|refusal| (refusal, &*node.place)));
    for (refusal, place) in nodes.chain(surface.recursions.iter().map(|place| (&RECURSION, &**place))) {
        match groups.iter_mut().find(|(known, _)| known.what == refusal.what) {
            Some((_, places)) => places.push(place),
            None => groups.push((refusal, vec![place])),
        }
    }
    for (Refusal { what, by, mend }, mut places) in groups {
        places.sort_unstable();
        // Branches of a union say the same of the same place.
        places.dedup();
        let (place, at) = match places.as_slice() {
            [only] => (*only, String::new()),
            several => (surface.name(), format!(" at {}", shown(surface.name(), several))),
        };
        let why = format!("{what}{at}, which has no place in the strict mode of {}", names(by));
        found.push(Finding::new(Code::NotStrict, place, why, *mend));
    }
}

/// The first places, inside the tool, and how many more there are.
fn shown(tool: &str, places: &[&str]) -> String {
    let inside = |place: &&str| match place.strip_prefix(tool).unwrap_or(place).trim_start_matches('.') {
        "" => "its root".to_owned(),
        inside => format!("`{inside}`"),
    };
    super::row(&places.iter().map(inside).collect::<Vec<_>>())
}

fn refusals<'n>(node: &'n Node<'_>) -> impl Iterator<Item = &'static Refusal> + use<'n> {
    let keywords = node.keywords();
    let has = move |keyword: &str| keywords.is_some_and(|keywords| keywords.contains_key(keyword));
    let is_keyed = keywords.is_some_and(|keywords| takes_other_keys(node, keywords));
    let is_parted = has("unevaluatedProperties") && !is_keyed && !has("allOf") && !has("oneOf");
    let is_any = match node.schema {
        Value::Bool(taken) => *taken,
        Value::Object(keywords) => keywords.keys().all(|keyword| REMARKS.contains(&keyword.as_str())),
        _ => false,
    };
    let of_shape = [(is_keyed, &OPEN_KEYS), (is_parted, &PARTS), (is_any, &ANY_VALUE)];
    let of_shape = of_shape.into_iter().filter_map(|(is_so, refusal)| is_so.then_some(refusal));
    let is_plain = keywords.is_some_and(|keywords| list(keywords, "allOf").iter().all(is_plain));
    let of_keywords = KEYWORDS.iter().filter(move |(keyword, _)| has(keyword));
    of_shape.chain(of_keywords.map(move |(keyword, refusal)| match *keyword {
        "allOf" if is_plain => &PLAIN_ALL_OF,
        _ => refusal,
    }))
}

/// Whether a part of an `allOf` neither refers to anything nor speaks of objects.
fn is_plain(part: &Value) -> bool {
    let of_more = ["$ref", "properties", "allOf", "anyOf", "oneOf"];
    !types(part).contains(&"object") && of_more.iter().all(|keyword| part.get(*keyword).is_none())
}

/// A map. An object that lists its properties and does not say that it has no others is none: a strict mode closes it, and
/// nothing that it was meant to take is lost.
fn takes_other_keys(node: &Node<'_>, keywords: &Map<String, Value>) -> bool {
    let is_open = |keyword: &str| keywords.get(keyword).map(|of_others| *of_others != Value::Bool(false));
    let lists = ["properties", "anyOf", "oneOf", "allOf", "$ref"].iter().any(|keyword| keywords.contains_key(*keyword));
    let is_object = types(node.schema).contains(&"object");
    let says = is_open("additionalProperties").or(is_open("unevaluatedProperties"));
    keywords.contains_key("patternProperties")
        || match says {
            // Beside a list of properties `true` is a habit of generators, not a map.
            Some(open) => open && !(lists && keywords.get("additionalProperties") == Some(&Value::Bool(true))),
            None => is_object && !lists && !matches!(node.role, Role::Root),
        }
}
