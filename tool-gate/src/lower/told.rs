//! Rejections in the keys, places and shapes that the model was told of: what is judged is canonical, and what is mended is what
//! was published.

use serde_json::Value;

use super::raise::{DEEPEST, KEEP, Member, PAIR, Pairs, Raise, Step, StepId, WRAPPED, place_key};
use crate::{
    json::{self, Kind, Node},
    limits::Limits,
    rejection::Rejection,
    schema::{Contract, MAX_KEY, Path, Received, Segment, Violation, quote},
    text,
    wire::{Arguments, Call},
};

/// A place in what was sent.
struct Place<'n> {
    path: Path,
    step: StepId,
    /// What stands there; none inside JSON text, and where it is not known.
    sent: Option<Node<'n>>,
}

impl Raise {
    /// The same rejection, of what was sent.
    pub(crate) fn told(&self, mut rejection: Rejection, call: &Call, limits: &Limits) -> Rejection {
        let tape = match call.arguments() {
            Arguments::Absent => json::read("{}", limits.depth),
            Arguments::Text(text) => json::read(text, limits.depth),
            Arguments::Value(value) => json::view(value, &[], limits.depth),
        };
        let sent = tape.as_ref().ok().map(json::Tape::root);
        match &mut rejection {
            Rejection::NotAnObject { declared, .. } => match self.step(self.root, None) {
                Some(Step::Wrapped(_)) => *declared = vec![WRAPPED.to_owned()],
                Some(Step::Object { members, .. }) => declared.iter_mut().for_each(|key| rename(members, key)),
                _ => {}
            },
            Rejection::Schema { violation, .. } => {
                let is_wrapped = matches!(self.step(self.root, None), Some(Step::Wrapped(_)));
                match sent.filter(|_| is_wrapped).and_then(not_wrapped) {
                    Some(outermost) => **violation = outermost,
                    None => self.tell(violation, sent, limits),
                }
            }
            Rejection::Value { path, .. } => *path = self.place(path, sent).path,
            _ => {}
        }
        rejection
    }

    fn tell(&self, violation: &mut Violation, sent: Option<Node<'_>>, limits: &Limits) {
        let Place { path, step, sent } = self.place(&violation.path, sent);
        let step = self.step(step, sent);
        violation.path = path;
        if let Some(step) = step {
            published(&mut violation.contract, step, sent, limits);
        }
        // What is JSON text has been read.
        let is_read = matches!(step, Some(Step::Text)) && sent.is_some_and(|sent| sent.kind() == Kind::String);
        if let Some(sent) = sent.filter(|_| !is_read) {
            let excerpt = violation.received.excerpt.is_some().then(|| quote(sent, limits.echoed_chars));
            violation.received = Received { json_type: sent.json_type(), excerpt };
        }
    }

    /// Where a canonical place is in what was sent.
    fn place<'n>(&self, path: &Path, sent: Option<Node<'n>>) -> Place<'n> {
        let mut place = Place { path: Path::default(), step: self.root, sent };
        for segment in path.segments() {
            self.unwrap(&mut place);
            self.descend(&mut place, segment);
        }
        self.unwrap(&mut place);
        place
    }

    fn unwrap(&self, place: &mut Place<'_>) {
        if let Some(Step::Wrapped(inner)) = self.step(place.step, place.sent)
            && let Some(inside) = place.sent.and_then(|sent| sent.get(WRAPPED))
        {
            place.path.push(Segment::Key(WRAPPED.to_owned()));
            (place.step, place.sent) = (*inner, Some(inside));
        }
    }

    fn descend(&self, place: &mut Place<'_>, segment: &Segment) {
        let sent = place.sent;
        let kind = sent.map(Node::kind);
        let inside = |segment: &Segment| {
            sent.and_then(|sent| match segment {
                Segment::Key(key) => member(sent, key),
                Segment::Index(index) => sent.elements().nth(*index),
            })
        };
        match (self.step(place.step, sent), segment) {
            (Some(Step::Object { members, rest, spread }), Segment::Key(key)) => match (find(members, key), spread) {
                (Some(found), _) => {
                    place.path.push(Segment::key(&found.sent));
                    (place.step, place.sent) = (found.step, sent.and_then(|sent| sent.get(&found.sent)));
                }
                (None, Some((spread, pairs))) => {
                    place.path.push(Segment::key(spread));
                    place.sent = sent.and_then(|sent| sent.get(spread));
                    self.descend_pairs(place, *pairs, key);
                }
                (None, None) => {
                    place.path.push(segment.clone());
                    (place.step, place.sent) = (*rest, inside(segment));
                }
            },
            (Some(Step::Array { leading, rest }), Segment::Index(index)) => {
                place.path.push(segment.clone());
                (place.step, place.sent) = (leading.get(*index).copied().unwrap_or(*rest), inside(segment));
            }
            (Some(Step::Tuple(elements)), Segment::Index(index)) if kind != Some(Kind::Array) => {
                let key = Segment::Key(place_key(*index));
                (place.step, place.sent) = (elements.get(*index).map_or(KEEP, |element| element.step), inside(&key));
                place.path.push(key);
            }
            (Some(Step::Pairs(pairs)), Segment::Key(key)) if kind != Some(Kind::Object) => {
                self.descend_pairs(place, *pairs, key);
            }
            (step, _) => {
                let is_read = matches!(step, Some(Step::Text)) && kind == Some(Kind::String);
                place.path.push(segment.clone());
                (place.step, place.sent) = (KEEP, inside(segment).filter(|_| !is_read));
            }
        }
    }

    /// To the value of the pair with a key, from the list of pairs.
    fn descend_pairs(&self, place: &mut Place<'_>, pairs: Pairs, key: &str) {
        let is_meant = |pair: &Node<'_>| {
            let named = pair.get(PAIR[0]).map(Node::to_value);
            let raised = named.as_ref().and_then(|named| self.raised(named, pairs.key)).or(named);
            raised.is_some_and(|raised| raised.as_str().is_some_and(|raised| is_key(raised, key)))
        };
        let elements = place.sent.filter(|sent| sent.kind() == Kind::Array).into_iter().flat_map(Node::elements);
        if let Some((index, pair)) = elements.enumerate().find(|(_, pair)| is_meant(pair)) {
            place.path.push(Segment::Index(index));
            place.path.push(Segment::Key(PAIR[1].to_owned()));
            place.sent = pair.get(PAIR[1]);
        } else {
            place.path.push(Segment::key(key));
            place.sent = None;
        }
        place.step = pairs.value;
    }

    /// What a step does, behind those that stand for it: of a union, the branch that was chosen for what was sent, or the only one
    /// that does anything.
    fn step(&self, mut id: StepId, sent: Option<Node<'_>>) -> Option<&Step> {
        for _ in 0..DEEPEST {
            match self.steps.get(id)? {
                Step::Same(inner) => id = *inner,
                Step::Union(branches) => {
                    let chosen = sent.and_then(|sent| self.chosen(&sent.to_value_exact(), id, branches));
                    let mut changing = branches.iter().map(|branch| branch.step).filter(|step| *step != KEEP);
                    id = chosen.or_else(|| changing.next().filter(|_| changing.next().is_none()))?;
                }
                step => return Some(step),
            }
        }
        None
    }
}

/// What is wrong with arguments that had to be the one property of an object.
fn not_wrapped(sent: Node<'_>) -> Option<Violation> {
    let violation = |path: Path, contract: Contract, value: Node<'_>| Violation {
        path,
        contract,
        received: Received { json_type: value.json_type(), excerpt: None },
    };
    let Some(inside) = sent.get(WRAPPED) else {
        let contract = Contract::Required { key: WRAPPED.to_owned() };
        return Some(violation(Path::default(), contract, sent));
    };
    if inside.kind() != Kind::Object {
        let contract = Contract::Type { expected: vec!["object".to_owned()] };
        return Some(violation(Path::default().child(WRAPPED), contract, inside));
    }
    let (other, _) = sent.members().find(|(key, _)| *key != WRAPPED)?;
    let contract = Contract::AdditionalProperties {
        key: text::is_plain(other, MAX_KEY).then(|| other.to_owned()),
        declared: vec![WRAPPED.to_owned()],
        meant: None,
        meant_is_required: false,
    };
    Some(violation(Path::default(), contract, sent))
}

/// The clause that was published for a canonical one.
fn published(contract: &mut Contract, step: &Step, sent: Option<Node<'_>>, limits: &Limits) {
    match (step, &mut *contract) {
        (Step::Object { members, .. }, Contract::Required { key }) => rename(members, key),
        (Step::Object { members, .. }, Contract::AdditionalProperties { declared, meant, .. }) => {
            declared.iter_mut().chain(meant).for_each(|key| rename(members, key));
        }
        (Step::Tuple(_), Contract::Type { expected }) => replace(expected, "array", "object"),
        (Step::Tuple(elements), Contract::MinItems { .. }) => {
            let lacks = |place: &usize| sent.is_some_and(|sent| sent.get(&place_key(*place)).is_none_or(Node::is_null));
            if let Some(place) = (0..elements.len()).find(lacks) {
                *contract = Contract::Required { key: place_key(place) };
            }
        }
        (Step::Pairs(_), Contract::Type { expected }) => replace(expected, "object", "array"),
        (Step::Pairs(_), Contract::MinProperties { limit }) => *contract = Contract::MinItems { limit: *limit },
        (Step::Pairs(_), Contract::MaxProperties { limit }) => *contract = Contract::MaxItems { limit: *limit },
        (Step::Text, Contract::Type { expected }) if sent.is_some_and(|sent| sent.kind() != Kind::String) => {
            *expected = vec!["string".to_owned()];
        }
        (Step::Options(known), Contract::Type { .. } | Contract::Const { .. } | Contract::Enum { .. }) => {
            *contract = label(known, contract, limits);
        }
        _ => {}
    }
}

/// The texts that stand for the values that a clause asks for.
fn label(known: &[(String, Value)], contract: &Contract, limits: &Limits) -> Contract {
    let labelled = |value: &Value| known.iter().find(|(_, of)| of == value).map(|(label, _)| label.as_str().into());
    match contract {
        Contract::Const { value } => Contract::Const { value: labelled(value).unwrap_or_else(|| value.clone()) },
        Contract::Enum { options, total } => {
            let options = options.iter().map(|option| labelled(option).unwrap_or_else(|| option.clone())).collect();
            Contract::Enum { options, total: *total }
        }
        _ => {
            let labels = known.iter().map(|(label, _)| label.as_str().into());
            Contract::Enum { options: labels.take(limits.listed_options).collect(), total: known.len() }
        }
    }
}

fn replace(expected: &mut Vec<String>, canonical: &str, published: &str) {
    for name in expected.iter_mut().filter(|name| *name == canonical) {
        published.clone_into(name);
    }
    let mut seen: Vec<String> = Vec::new();
    expected.retain(|name| {
        let is_new = !seen.contains(name);
        seen.extend(is_new.then(|| name.clone()));
        is_new
    });
}

/// Whether a key is the one of which a path may hold a part.
fn is_key(key: &str, of_path: &str) -> bool {
    key == of_path || Segment::key(key) == Segment::Key(of_path.to_owned())
}

fn member<'n>(sent: Node<'n>, key: &str) -> Option<Node<'n>> {
    sent.get(key).or_else(|| sent.members().find(|(name, _)| is_key(name, key)).map(|(_, value)| value))
}

fn find<'m>(members: &'m [Member], key: &str) -> Option<&'m Member> {
    members.iter().find(|member| is_key(&member.key, key))
}

fn rename(members: &[Member], key: &mut String) {
    if let Some(member) = find(members, key) {
        key.clone_from(&member.sent);
    }
}
