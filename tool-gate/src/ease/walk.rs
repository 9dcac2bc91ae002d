//! Keys in another case and values in strings, from the outside in, each only where the schema refuses what was sent.

use std::{borrow::Cow, collections::HashMap, fmt::Write};

use serde_json::Value;

use super::{
    case,
    place::{Keys, Members, Place, Schemas, Shape},
};
use crate::{
    json::{self, Kind, Node, Tape},
    leniency::{Eased, EasedKind, Leniency},
    schema::{Path, Segment, Terms},
};

/// How many uses are recorded for one call, whatever more there are.
const MAX_RECORDED: usize = 64;

/// The arguments with what is forgiven inside them, as JSON text, and what that was. `decoded` says that they stood in a
/// string themselves. Nothing where there was nothing to forgive, or too much to look through.
pub(super) fn inside(
    leniency: Leniency,
    terms: Terms<'_>,
    arguments: Node<'_>,
    decoded: bool,
) -> Option<(String, Vec<Eased>)> {
    let path = Path::default();
    let mut walk = Walk { leniency, schemas: Schemas::new(terms), path, out: String::new(), eased: Vec::new() };
    walk.value(&Place::One(terms.schema), arguments, decoded, terms.limits.depth);
    (!walk.eased.is_empty() && !walk.schemas.is_exhausted()).then_some((walk.out, walk.eased))
}

/// A walk over the schema and the value side by side, writing the value as it goes.
struct Walk<'s> {
    leniency: Leniency,
    schemas: Schemas<'s>,
    path: Path,
    out: String,
    eased: Vec<Eased>,
}

impl<'s> Walk<'s> {
    /// Writes the value at a place. `left` is how many containers deep it may be.
    fn value(&mut self, place: &Place<'s>, value: Node<'_>, decoded: bool, left: usize) {
        match value.kind() {
            // Of what no schema speaks there is nothing to forgive.
            _ if matches!(place, Place::Anything | Place::Nothing) => write(value, &mut self.out),
            Kind::Object => self.object(place, value, decoded, left.saturating_sub(1)),
            Kind::Array => self.array(place, value, decoded, left.saturating_sub(1)),
            Kind::String if !decoded => match self.held(place, value, left) {
                Some(held) => {
                    self.record(EasedKind::SchemaGuided);
                    self.value(place, held.root(), true, left);
                }
                None => write(value, &mut self.out),
            },
            _ => write(value, &mut self.out),
        }
    }

    /// What a string holds, where the schema takes no string.
    fn held<'n>(&mut self, place: &Place<'s>, string: Node<'n>, left: usize) -> Option<Tape<'n>> {
        if !self.leniency.allows(EasedKind::SchemaGuided) || !self.schemas.forbids_strings(place) {
            return None;
        }
        json::read(string.as_str()?, left).ok().filter(|held| held.root().kind() != Kind::String)
    }

    fn array(&mut self, place: &Place<'s>, array: Node<'_>, decoded: bool, left: usize) {
        let shape = self.schemas.shape(place, array, &[]);
        let leading = shape.leading();
        let places: Vec<Place<'s>> =
            (0..=leading.min(array.len())).map(|index| self.schemas.element(&shape, index)).collect();
        self.out.push('[');
        for (index, element) in array.elements().enumerate() {
            if index > 0 {
                self.out.push(',');
            }
            self.path.push(Segment::Index(index));
            self.value(&places[index.min(leading)], element, decoded, left);
            self.path.pop();
        }
        self.out.push(']');
    }

    fn object(&mut self, place: &Place<'s>, object: Node<'_>, decoded: bool, left: usize) {
        let mut members: Vec<(Cow<'_, str>, Node<'_>)> =
            object.members().map(|(key, member)| (Cow::Borrowed(key), member)).collect();
        let mut shape = self.schemas.shape(place, object, &members);
        if self.leniency.allows(EasedKind::KeyCase) && self.rename(&shape, &mut members) {
            // A tag may be among them.
            shape = self.schemas.shape(place, object, &members);
        }
        let keys = shape.keys();
        self.out.push('{');
        let mut first = true;
        for (key, member) in &members {
            let place = self.schemas.member(&shape, key);
            self.path.push(Segment::key(key));
            if self.is_left_out(&keys, &place, key, *member) {
                self.record(EasedKind::SchemaGuided);
            } else {
                if !first {
                    self.out.push(',');
                }
                first = false;
                write_string(key, &mut self.out);
                self.out.push(':');
                self.value(&place, *member, decoded, left);
            }
            self.path.pop();
        }
        self.out.push('}');
    }

    /// Gives undeclared keys the declared name that is their snake case. Whether there was one.
    fn rename(&mut self, shape: &Shape<'s>, members: &mut Members<'_, '_>) -> bool {
        let keys = shape.keys();
        let mut wanted: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, (key, _)) in members.iter().enumerate() {
            if let Some(name) = case::snake(key)
                && keys.declared.contains(&*name)
                && !keys.declared.contains(&**key)
            {
                let is_refused = match self.schemas.member(shape, key) {
                    Place::Nothing => true,
                    // An open object takes the key, and may lack the one that was meant.
                    Place::Anything => keys.required.contains(&*name) && !keys.have_patterns,
                    _ => false,
                };
                if is_refused {
                    wanted.entry(name).or_default().push(at);
                }
            }
        }
        // A name that is there already, or that two keys would have, is nobody's.
        wanted.retain(|name, places| places.len() == 1 && !members.iter().any(|(key, _)| key == name));
        let mut renamed: Vec<(usize, String)> = wanted.into_iter().map(|(name, places)| (places[0], name)).collect();
        renamed.sort_unstable();
        let any = !renamed.is_empty();
        for (at, name) in renamed {
            self.path.push(Segment::key(&name));
            self.record(EasedKind::KeyCase);
            self.path.pop();
            members[at].0 = name.into();
        }
        any
    }

    /// Whether a member says that it is absent, in a way that its schema does not take.
    fn is_left_out(&mut self, keys: &Keys<'s>, place: &Place<'s>, key: &str, member: Node<'_>) -> bool {
        let is_empty = member.is_null() || member.as_str() == Some("");
        is_empty
            && self.leniency.allows(EasedKind::SchemaGuided)
            && keys.declared.contains(key)
            && !keys.required.contains(key)
            && self.schemas.refuses(place, member)
    }

    fn record(&mut self, kind: EasedKind) {
        // That there was something matters even where no more is kept.
        if self.eased.len() < MAX_RECORDED || !self.eased.iter().any(|eased| eased.kind == kind) {
            let sensitive = self.schemas.terms.sensitive;
            let segments = self.path.segments();
            let is_sensitive = matches!(segments.first(), Some(Segment::Key(key)) if sensitive.contains(key));
            let shown = if is_sensitive { 1 } else { segments.len() };
            self.eased.push(Eased::at(kind, segments.iter().take(shown).cloned().collect()));
        }
    }
}

/// Writes a value as JSON: its numbers digit by digit, and nothing else but it.
pub(super) fn write(value: Node<'_>, out: &mut String) {
    match value.kind() {
        Kind::Number => out.push_str(&value.as_number().map(json::Number::text).unwrap_or_default()),
        Kind::String => write_string(value.as_str().unwrap_or_default(), out),
        Kind::Array => {
            out.push('[');
            for (at, element) in value.elements().enumerate() {
                out.push_str(if at > 0 { "," } else { "" });
                write(element, out);
            }
            out.push(']');
        }
        Kind::Object => {
            out.push('{');
            for (at, (key, member)) in value.members().enumerate() {
                out.push_str(if at > 0 { "," } else { "" });
                write_string(key, out);
                out.push(':');
                write(member, out);
            }
            out.push('}');
        }
        Kind::Bool => out.push_str(if value.as_bool() == Some(true) { "true" } else { "false" }),
        Kind::Null => out.push_str("null"),
    }
}

fn write_string(string: &str, out: &mut String) {
    // Writing to a `String` does not fail.
    let _ = write!(out, "{}", Value::from(string));
}
