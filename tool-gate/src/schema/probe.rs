//! What schemars leaves out of a schema, asked of the type itself.
//!
//! Of a map's keys schemars writes at most whether they are integers, and of a `SocketAddr` that it is a string. What such a
//! type takes is found out once, when the registry is built, by reading values that differ in that one place.

mod branches;
mod keys;
mod samples;
#[cfg(test)]
mod tests;
mod values;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use self::{branches::Suspect, samples::Samples};
use super::{
    overlap,
    violation::{Path, Segment},
    witness::{Witness, join},
};
use crate::json::Refused;

/// Reads a value as the type that the schema is of.
pub(crate) type Read<'r> = &'r dyn Fn(&Value) -> Result<(), Refused>;

/// Narrows a parameter's schema, as schemars made it, to what its type takes. Gives back what no schema can mend, in words that
/// follow the parameter's name.
pub(crate) fn narrow(schema: &mut Value, definitions: &mut Map<String, Value>, read: Read<'_>) -> Vec<String> {
    let mut problems = Vec::new();
    let mut suspects = Vec::new();
    let mut samples = Samples::default();
    for round in 0..MOST_ROUNDS {
        let mut probe = Probe {
            witness: Witness {
                definitions,
                filler: FILLERS.get(round).unwrap_or(&""),
                samples: samples.by_address(schema, definitions),
            },
            read,
            seen: BTreeMap::new(),
            inside: BTreeSet::new(),
            mends: Vec::new(),
            problems: Vec::new(),
            suspects: Vec::new(),
            samples: Samples::default(),
        };
        probe.visit(schema, &At { root: None, pointer: String::new(), path: Vec::new() }, &|value| value);
        let is_read = read(&probe.witness.of(schema)).is_ok();
        let mends = probe.mends;
        // What the last round has found is what no mend has done away with.
        suspects = probe.suspects;
        for problem in probe.problems {
            if !problems.contains(&problem) {
                problems.push(problem);
            }
        }
        let is_new = samples.learn(probe.samples);
        let is_settled = !is_new && ((is_read && mends.is_empty()) || round + 1 >= FILLERS.len());
        for (at, mend) in mends {
            let root = match &at.root {
                None => Some(&mut *schema),
                Some(name) => definitions.get_mut(name),
            };
            if let Some(Value::Object(place)) = root.and_then(|root| root.pointer_mut(&at.pointer)) {
                mend(place);
            }
        }
        if is_settled {
            break;
        }
    }
    for problem in branches::unmended(suspects, schema, definitions) {
        if !problems.contains(&problem) {
            problems.push(problem);
        }
    }
    problems
}

/// More than [`FILLERS`] where a round has found a sample, which the next one needs to find others.
const MOST_ROUNDS: usize = 10;

/// What stands for text of which nothing is known, in one round after the other: where serde buffers what it reads, it does not
/// say which part it refused, and two addresses beside one another are only found out together.
const FILLERS: [&str; 4] = ["", "192.0.2.1:80", "[2001:db8::1]:80", ""];

type Mend = Box<dyn FnOnce(&mut Map<String, Value>)>;

/// Puts a value at a place into the least value around it.
type Around<'a> = &'a dyn Fn(Value) -> Value;

/// A place in a schema, and where its values stand.
#[derive(Clone)]
struct At {
    /// The definition that it is in.
    root: Option<String>,
    /// Where in it.
    pointer: String,
    path: Vec<Segment>,
}

impl At {
    fn under(&self, steps: &[&str]) -> Self {
        let mut at = self.clone();
        for step in steps {
            at.pointer.push('/');
            at.pointer.push_str(&step.replace('~', "~0").replace('/', "~1"));
        }
        at
    }

    fn inside(mut self, segment: Segment) -> Self {
        self.path.push(segment);
        self
    }
}

struct Probe<'s, 'r> {
    witness: Witness<'s>,
    read: Read<'r>,
    /// How often each definition was looked into where its values are read, and where they are not: what cannot be found out at
    /// one place may be at another.
    seen: BTreeMap<String, [u8; 2]>,
    /// The definitions that are being looked into.
    inside: BTreeSet<String>,
    mends: Vec<(At, Mend)>,
    problems: Vec<String>,
    suspects: Vec<Suspect>,
    samples: Samples,
}

/// What became of a value at a place.
enum Verdict {
    Taken,
    /// Refused there, or around it.
    Refused(Refused),
}

impl<'s> Probe<'s, '_> {
    fn visit(&mut self, schema: &'s Value, at: &At, around: Around<'_>) {
        let Value::Object(keywords) = schema else { return };
        if let Some((name, referred)) = self.witness.referred(schema)
            && self.enter(name, self.takes(self.witness.of(schema), at, around))
        {
            let own = self.witness.beside(schema, ("$ref", 0));
            let inside = At { root: Some(name.clone()), pointer: String::new(), path: at.path.clone() };
            self.visit(referred, &inside, &|value| around(join(value, own.clone())));
            self.inside.remove(name);
        }
        let list = |keyword: &str| keywords.get(keyword).and_then(Value::as_array);
        for keyword in ["anyOf", "oneOf"] {
            if let Some(branches) = list(keyword) {
                let beside = self.witness.beside(schema, (keyword, 0));
                self.union(keyword, branches, keywords, at, &|value| around(join(value, beside.clone())));
            }
        }
        for (place, part) in list("allOf").into_iter().flatten().enumerate() {
            let beside = self.witness.beside(schema, ("allOf", place));
            let at = at.under(&["allOf", &place.to_string()]);
            self.visit(part, &at, &|value| around(join(value, beside.clone())));
        }
        let lost = list("anyOf").and_then(|branches| overlap::swallowed(branches, &self.witness));
        if let Some(lost) = lost {
            self.problems.push(format!("holds{} an untagged enum {lost}", place(at)));
        }
        let is_wide = keywords.get("format").is_some_and(|format| format == "uint128" || format == "int128");
        if is_wide
            && let Verdict::Refused(refused) = self.verdict(1.into(), at, around)
            && refused.to_string().ends_with("128 is not supported")
        {
            self.problems.push(format!(
                "holds{} an integer of 128 bits in a flattened or a tagged type, where serde reads none: take one of 64 bits",
                place(at)
            ));
        }
        if is_of(keywords, "string") {
            self.text(keywords, at, around);
        }
        self.sample(schema, keywords, at, around);
        if let Some(leading) = list("prefixItems") {
            self.span(leading, at, around);
            let whole = self.witness.of(schema);
            for (place, part) in leading.iter().enumerate() {
                let at = at.under(&["prefixItems", &place.to_string()]).inside(Segment::Index(place));
                self.visit(part, &at, &|value| {
                    let mut whole = whole.clone();
                    if let Some(element) = whole.get_mut(place) {
                        *element = value;
                    }
                    around(whole)
                });
            }
        } else if let Some(items) = keywords.get("items") {
            let fewest = keywords.get("minItems").and_then(Value::as_u64).and_then(|count| usize::try_from(count).ok());
            let count = fewest.unwrap_or(1).clamp(1, 64);
            self.visit(items, &at.under(&["items"]).inside(Segment::Index(0)), &|value| {
                around(vec![value; count].into())
            });
        }
        self.object(schema, keywords, at, around);
    }

    fn object(&mut self, schema: &'s Value, keywords: &'s Map<String, Value>, at: &At, around: Around<'_>) {
        if let Some(properties) = keywords.get("properties").and_then(Value::as_object) {
            let whole = self.witness.of(schema);
            for (name, property) in properties {
                let at = at.under(&["properties", name]).inside(Segment::key(name));
                // First, so that whatever is wrong with the others is not come to before it.
                self.visit(property, &at, &|value| around(join(json!({ name.as_str(): value }), whole.clone())));
            }
            self.times(properties, at, around);
            self.swallowing(keywords, properties, &whole, at, around);
        }
        let patterns = keywords.get("patternProperties").and_then(Value::as_object);
        let others = keywords.get("additionalProperties").filter(|open| **open != Value::Bool(false));
        let beside = self.witness.beside(schema, ("additionalProperties", 0));
        let around: Around<'_> = &|value| around(join(value, beside.clone()));
        let before = self.mends.len();
        let (of_values, key, place) =
            if let Some((pattern, of_values)) = patterns.and_then(|patterns| patterns.iter().next()) {
                if [r"^\d+$", r"^-?\d+$"].contains(&pattern.as_str()) {
                    self.integer_keys(keywords, of_values, at, around);
                }
                (of_values, "1", at.under(&["patternProperties", pattern]))
            } else if let Some(of_values) = others {
                (of_values, self.keys(keywords, of_values, at, around), at.under(&["additionalProperties"]))
            } else {
                // Beside an enum: schemars leaves to the map what no variant has.
                if let Some(of_values) = keywords.get("unevaluatedProperties").filter(|open| open.is_object()) {
                    let at = at.under(&["unevaluatedProperties"]).inside(Segment::key("a"));
                    self.visit(of_values, &at, &|value| around(json!({ "a": value })));
                }
                return;
            };
        // The values are mended where they are, and moved with the keys.
        let of_keys = self.mends.split_off(before);
        self.visit(of_values, &place.inside(Segment::key(key)), &|value| around(json!({ key: value })));
        self.mends.extend(of_keys);
    }

    /// Whether to look into a definition here, where the least of its values is read or not.
    fn enter(&mut self, name: &str, is_read: bool) -> bool {
        const MOST: u8 = 3;
        const MOST_UNREAD: u8 = 12;

        let times = self.seen.entry(name.to_owned()).or_default();
        let (times, most) = if is_read { (&mut times[0], MOST) } else { (&mut times[1], MOST_UNREAD) };
        let enters = *times < most && self.inside.insert(name.to_owned());
        *times += u8::from(enters);
        enters
    }

    fn verdict(&self, value: Value, at: &At, around: Around<'_>) -> Verdict {
        match (self.read)(&around(value)) {
            Ok(()) => Verdict::Taken,
            // It was read before what is wrong elsewhere.
            Err(refused) if refused.segments().zip(&at.path).any(|(theirs, ours)| theirs != ours) => Verdict::Taken,
            Err(refused) => Verdict::Refused(refused),
        }
    }

    fn takes(&self, value: impl Into<Value>, at: &At, around: Around<'_>) -> bool {
        matches!(self.verdict(value.into(), at, around), Verdict::Taken)
    }

    /// Whether a key is taken, whatever becomes of its value.
    fn key(&self, key: &str, of_values: &Value, at: &At, around: Around<'_>) -> Result<(), Refused> {
        match self.verdict(json!({ key: self.witness.of(of_values) }), at, around) {
            Verdict::Taken => Ok(()),
            Verdict::Refused(refused) if refused.segments().count() > at.path.len() => Ok(()),
            Verdict::Refused(refused) => Err(refused),
        }
    }

    fn mend(&mut self, at: &At, mend: impl FnOnce(&mut Map<String, Value>) + 'static) {
        self.mends.push((at.clone(), Box::new(mend)));
    }
}

/// What no type takes that does not take any text.
const ANYTHING: &str = "\u{0}~ any text ~";

/// What no `SocketAddr` takes, and a type of the user's own that takes one among others may: without spaces, with a port.
const NO_SOCKETS: [&str; 6] = ["", "a", "1", "localhost:80", "192.0.2.1:65536", "[2001:db8::1]:80:80"];

/// Whether a text was refused by std's `SocketAddr`, as far as its words tell: an untagged enum keeps them to itself.
fn is_of_sockets(refused: &Refused) -> bool {
    let words = refused.to_string();
    words.contains("socket address syntax") || words.starts_with("data did not match any variant")
}

/// Where in the parameter, in words.
fn place(at: &At) -> String {
    let path: Path = at.path.iter().cloned().collect();
    if path.is_root() { String::new() } else { format!(", at `{path}`,") }
}

fn is_of(schema: &Map<String, Value>, name: &str) -> bool {
    schema.get("type").is_some_and(|of| of == name || of.as_array().is_some_and(|of| of.iter().any(|of| of == name)))
}
