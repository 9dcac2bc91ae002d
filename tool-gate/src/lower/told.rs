//! Rejections in the keys, places and shapes that the model was told of: what is judged is canonical, and what is mended is what
//! was published.

use serde_json::{Map, Value};

use super::{
    misfit::Misfit,
    raise::{KEEP, Member, PAIR, Pairs, Raise, Raising, Step, StepId, WRAPPED, place_key},
};
use crate::{
    json::{self, Tape},
    rejection::Rejection,
    schema::{Contract, MAX_KEY, Path, Received, Segment, Terms, Violation, explain_sent, quote},
    text,
    wire::{Arguments, Call},
};

/// A place in what was sent.
struct Place<'v> {
    path: Path,
    step: StepId,
    /// What stands there; none inside JSON text, and where it is not known.
    sent: Option<&'v Value>,
}

impl Raise {
    /// The same rejection, of what was sent. The terms are those of the canonical schema.
    pub(crate) fn told(
        &self,
        mut rejection: Rejection,
        call: &Call,
        published: Option<&Value>,
        terms: Terms<'_>,
    ) -> Rejection {
        let sent = read(call, terms.limits.depth);
        match &mut rejection {
            Rejection::NotAnObject { declared, .. } => {
                if let Some(properties) = published.and_then(|schema| schema.get("properties")?.as_object()) {
                    *declared = properties.keys().cloned().collect();
                }
            }
            Rejection::Schema { violation, .. } => {
                let Some(sent) = &sent else { return rejection };
                self.tell(violation, &sent.root().to_value_exact(), terms);
                let argument = violation.path.segments().first();
                let by_shape = published.and_then(|schema| self.misshapen(schema, sent, argument, terms));
                if let Some(by_shape) = by_shape {
                    **violation = by_shape;
                }
            }
            Rejection::Value { path, .. } => {
                let sent = sent.map(|sent| sent.root().to_value_exact());
                *path = self.telling().place(path, self.root, sent.as_ref()).path;
            }
            _ => {}
        }
        rejection
    }

    /// The arguments of which nothing may be repeated, by the keys that are sent for them.
    pub(crate) fn sensitive(&self, own: &[String]) -> Vec<String> {
        match self.telling().step(self.root, None) {
            Some(Step::Object { members, .. }) => {
                own.iter().map(|key| find(members, key).map_or(key, |member| &member.sent).clone()).collect()
            }
            Some(Step::Wrapped(_)) if !own.is_empty() => vec![WRAPPED.to_owned()],
            _ => own.to_vec(),
        }
    }

    /// What is of the shape that was asked for and stands for nothing, or of no such shape.
    pub(crate) fn refused(
        &self,
        misfit: Misfit,
        tool: &str,
        call: &Call,
        published: Option<&Value>,
        terms: Terms<'_>,
    ) -> Rejection {
        let sent = read(call, terms.limits.depth);
        let by_shape =
            sent.zip(published).and_then(|(sent, schema)| self.misshapen(schema, &sent, misfit.argument(), terms));
        match by_shape {
            Some(violation) => Rejection::Schema { tool: tool.to_owned(), violation: Box::new(violation) },
            None => misfit.rejection(tool, &self.sensitive(terms.sensitive)),
        }
    }

    /// What of one argument, or of all where none is named, does not have the shape that was asked for. Another argument may be
    /// of a shape that was forgiven.
    fn misshapen(
        &self,
        published: &Value,
        sent: &Tape<'_>,
        argument: Option<&Segment>,
        terms: Terms<'_>,
    ) -> Option<Violation> {
        let sensitive = self.sensitive(terms.sensitive);
        let terms = Terms { schema: published, sensitive: &sensitive, ..terms };
        match argument {
            Some(Segment::Key(key)) if published["properties"].get(key).is_some() => {
                explain_sent(terms, Some(key), sent.root())
            }
            _ => explain_sent(terms, None, sent.root()).filter(|violation| violation.path.is_root()),
        }
    }

    /// The canonical violation, at its place in what was sent.
    fn tell(&self, violation: &mut Violation, sent: &Value, terms: Terms<'_>) {
        let mut telling = self.telling();
        let Place { path, step, sent } = telling.place(&violation.path, self.root, Some(sent));
        violation.path = path;
        let step = telling.step(step, sent);
        if let Some(step) = step {
            violation.contract = carried(step, violation.contract.clone(), sent);
        }
        // What is JSON text has been read.
        let sent = sent.filter(|sent| !(matches!(step, Some(Step::Text)) && sent.is_string()));
        if let Some(tape) = sent.and_then(|sent| json::view(sent, &[], usize::MAX).ok()) {
            let quoted = || quote(tape.root(), terms.limits.echoed_chars);
            let excerpt = violation.received.excerpt.is_some().then(quoted);
            violation.received = Received { json_type: tape.root().json_type(), excerpt };
        }
    }

    fn telling(&self) -> Telling<'_> {
        Telling { steps: &self.steps, raising: self.raising() }
    }
}

/// The way through what was sent. It chooses each branch of a union once.
struct Telling<'r> {
    steps: &'r [Step],
    raising: Raising<'r>,
}

impl<'r> Telling<'r> {
    /// Where a canonical place is.
    fn place<'v>(&mut self, path: &Path, root: StepId, sent: Option<&'v Value>) -> Place<'v> {
        let mut place = Place { path: Path::default(), step: root, sent };
        for segment in path.segments() {
            self.unwrap(&mut place);
            self.descend(&mut place, segment);
        }
        self.unwrap(&mut place);
        place
    }

    fn unwrap(&mut self, place: &mut Place<'_>) {
        if let Some(Step::Wrapped(inner)) = self.step(place.step, place.sent)
            && let Some(inside) = place.sent.and_then(|sent| sent.get(WRAPPED))
        {
            place.path.push(Segment::Key(WRAPPED.to_owned()));
            (place.step, place.sent) = (*inner, Some(inside));
        }
    }

    fn descend(&mut self, place: &mut Place<'_>, segment: &Segment) {
        let sent = place.sent;
        let inside = |segment: &Segment| match segment {
            Segment::Key(key) => member(sent?.as_object()?, key),
            Segment::Index(index) => sent?.get(index),
        };
        match (self.step(place.step, sent), segment) {
            (Some(Step::Object { members, rest, spread }), Segment::Key(key)) => match (find(members, key), spread) {
                (Some(found), _) => {
                    place.path.push(Segment::key(&found.sent));
                    (place.step, place.sent) = (found.step, sent.and_then(|sent| sent.get(&found.sent)));
                }
                (None, Some((spread, pairs)))
                    if sent.is_some_and(|sent| {
                        sent.get(spread).is_some_and(Value::is_array) && sent.get(key).is_none()
                    }) =>
                {
                    place.path.push(Segment::key(spread));
                    place.sent = sent.and_then(|sent| sent.get(spread));
                    self.descend_pairs(place, *pairs, key);
                }
                (None, _) => {
                    place.path.push(segment.clone());
                    (place.step, place.sent) = (*rest, inside(segment));
                }
            },
            (Some(Step::Array { leading, rest }), Segment::Index(index)) => {
                place.path.push(segment.clone());
                (place.step, place.sent) = (leading.get(*index).copied().unwrap_or(*rest), inside(segment));
            }
            (Some(Step::Tuple(elements)), Segment::Index(index)) if !sent.is_some_and(Value::is_array) => {
                let key = Segment::Key(place_key(*index));
                (place.step, place.sent) = (elements.get(*index).map_or(KEEP, |element| element.step), inside(&key));
                place.path.push(key);
            }
            (Some(Step::Pairs(pairs)), Segment::Key(key)) if !sent.is_some_and(Value::is_object) => {
                self.descend_pairs(place, *pairs, key);
            }
            _ => {
                // Of a text, nothing is inside.
                place.path.push(segment.clone());
                (place.step, place.sent) = (KEEP, inside(segment));
            }
        }
    }

    /// To the value of the pair with a key, from the list of pairs.
    fn descend_pairs(&mut self, place: &mut Place<'_>, pairs: Pairs, key: &str) {
        let list = place.sent.and_then(Value::as_array).into_iter().flatten();
        let named: Vec<(String, Option<&Value>)> = list
            .map(|pair| {
                let named = pair.get(PAIR[0]).unwrap_or(&Value::Null);
                let raised = self.raising.step(named, pairs.key);
                (raised.as_ref().unwrap_or(named).as_str().unwrap_or_default().to_owned(), pair.get(PAIR[1]))
            })
            .collect();
        place.sent = None;
        match only(&named, key, |(named, _)| named) {
            Some((index, (_, held))) => {
                place.path.push(Segment::Index(index));
                place.path.push(Segment::Key(PAIR[1].to_owned()));
                place.sent = *held;
            }
            None => place.path.push(Segment::key(key)),
        }
        place.step = pairs.value;
    }

    /// What a step does, behind those that stand for it: of a union, the branch that was chosen for what was sent, or the only one
    /// that does anything.
    fn step(&mut self, mut id: StepId, sent: Option<&Value>) -> Option<&'r Step> {
        for _ in 0..self.steps.len() {
            match self.steps.get(id)? {
                Step::Same(inner) => id = *inner,
                Step::Union(branches) => {
                    let chosen = sent.and_then(|sent| self.raising.branch(sent, id, branches));
                    let mut changing = branches.iter().map(|branch| branch.step).filter(|step| *step != KEEP);
                    id = chosen.or_else(|| changing.next().filter(|_| changing.next().is_none()))?;
                }
                step => return Some(step),
            }
        }
        None
    }
}

/// A clause that the canonical schema asks for, of what is sent where a step undoes something.
fn carried(step: &Step, contract: Contract, sent: Option<&Value>) -> Contract {
    match (step, contract) {
        (Step::Object { members, .. }, Contract::Required { key }) => Contract::Required { key: renamed(members, key) },
        (Step::Object { members, .. }, Contract::AdditionalProperties { key, declared, meant, meant_is_required }) => {
            Contract::AdditionalProperties {
                key,
                declared: declared.into_iter().map(|key| renamed(members, key)).collect(),
                meant: meant.map(|key| renamed(members, key)),
                meant_is_required,
            }
        }
        (Step::Object { members, .. }, Contract::AnyOf { branches }) => {
            Contract::AnyOf { branches: branches.iter().map(|words| renamed_in(members, words)).collect() }
        }
        (Step::Object { members, .. }, Contract::Other { name, clause }) => {
            Contract::Other { name, clause: renamed_in(members, &clause) }
        }
        // Keys are sent that are none of the object, or one key for several.
        (Step::Object { members, spread, .. }, Contract::MinProperties { limit })
            if spread.is_some() || members.iter().any(|member| member.drops_null) =>
        {
            counted("minProperties", "least", limit, spread.is_some())
        }
        (Step::Object { spread: Some(_), .. }, Contract::MaxProperties { limit }) => {
            counted("maxProperties", "most", limit, true)
        }
        (Step::Tuple(elements), Contract::MinItems { limit }) => {
            let is_lacking = |place: &usize| {
                sent.is_some_and(|sent| sent.is_object() && sent.get(place_key(*place)).is_none_or(Value::is_null))
            };
            match (0..elements.len()).find(is_lacking) {
                Some(place) => Contract::Required { key: place_key(place) },
                None => Contract::MinItems { limit },
            }
        }
        (Step::Pairs(_), Contract::MinProperties { limit }) => Contract::MinItems { limit },
        (Step::Pairs(_), Contract::MaxProperties { limit }) => Contract::MaxItems { limit },
        (_, contract) => contract,
    }
}

fn counted(keyword: &str, bound: &str, limit: u64, has_list: bool) -> Contract {
    let keys = if limit == 1 { "key" } else { "keys" };
    let of_list = if has_list { " and each of its other keys counted" } else { "" };
    let clause = format!("at {bound} {limit} {keys}, null not counted{of_list}");
    Contract::Other { name: keyword.to_owned(), clause }
}

/// What was sent, as far as it is JSON.
fn read(call: &Call, depth: usize) -> Option<Tape<'_>> {
    match call.arguments() {
        Arguments::Absent => json::read("{}", depth),
        Arguments::Text(text) => json::read(text, depth),
        Arguments::Value(value) => json::view(value, &[], depth),
    }
    .ok()
}

/// The one that a path's key means. A path holds a part of a long key, which may be that of several.
fn only<'i, T>(items: &'i [T], key: &str, name: impl Fn(&T) -> &str) -> Option<(usize, &'i T)> {
    let all = || items.iter().enumerate();
    all().find(|(_, item)| name(item) == key).or_else(|| {
        let mut cut = all().filter(|(_, item)| Segment::key(name(item)) == Segment::Key(key.to_owned()));
        cut.next().filter(|_| cut.next().is_none())
    })
}

fn member<'v>(sent: &'v Map<String, Value>, key: &str) -> Option<&'v Value> {
    sent.get(key).or_else(|| {
        let members: Vec<(&String, &Value)> = sent.iter().collect();
        only(&members, key, |(name, _)| name).map(|(_, (_, value))| *value)
    })
}

/// The member of a declared key, which is never cut.
fn find<'m>(members: &'m [Member], key: &str) -> Option<&'m Member> {
    members.iter().find(|member| member.key == key)
}

fn renamed(members: &[Member], key: String) -> String {
    find(members, &key).map_or(key, |member| member.sent.clone())
}

/// The same for words that speak of keys: of those which no word could be taken for.
fn renamed_in(members: &[Member], words: &str) -> String {
    let odd = members.iter().filter(|member| !text::is_plain(&member.key, MAX_KEY));
    odd.fold(words.to_owned(), |words, Member { key, sent, .. }| words.replace(&text::excerpt(key, MAX_KEY), sent))
}
