//! Undoing on a call's arguments what lowering widened, and only that.
//!
//! What a model sent is followed through the steps that lowering wrote down. A value of another shape than was asked for is
//! left as it is, for the gate to judge by the canonical schema, unless it would pass there for other data than was meant.

use std::{borrow::Cow, collections::HashMap};

use serde_json::{Map, Value};

use super::{choice::Branch, misfit::Misfit};
use crate::{
    json::{self, Kind, Node},
    limits::Limits,
    wire::{Arguments, Call},
};

/// The place of a step among all.
pub(super) type StepId = usize;

/// The step that does nothing.
pub(super) const KEEP: StepId = 0;

/// The most steps inside one another. Arguments of the deepest nesting by default need about 200.
pub(super) const DEEPEST: usize = 400;

/// The deepest that JSON in a string may nest.
pub(super) const DEEPEST_TEXT: usize = 127;

/// How arguments in a lowered shape become arguments in the canonical one.
#[derive(Debug, Default)]
pub struct Raise {
    pub(super) steps: Vec<Step>,
    pub(super) root: StepId,
}

/// What is to be done with one value.
#[derive(Debug)]
pub(super) enum Step {
    Keep,
    /// What a definition says, for which there is a step of its own.
    Same(StepId),
    Object {
        /// Sorted by the key that is sent.
        members: Vec<Member>,
        /// For the values of other keys.
        rest: StepId,
        /// The key whose list of pairs belongs to the object itself.
        spread: Option<(String, Pairs)>,
    },
    Array {
        leading: Vec<StepId>,
        rest: StepId,
    },
    Pairs(Pairs),
    /// An object with a key for each place.
    Tuple(Vec<Element>),
    /// JSON in a string.
    Text,
    /// Strings, each for a value.
    Options(Vec<(String, Value)>),
    /// Strings whose capitals may be others.
    Capitals(Vec<String>),
    Union(Vec<Branch>),
    /// The one property of an object.
    Wrapped(StepId),
}

#[derive(Debug)]
pub(super) struct Member {
    pub sent: String,
    pub key: String,
    pub step: StepId,
    /// Whether `null` stands for absence.
    pub drops_null: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Pairs {
    pub key: StepId,
    pub value: StepId,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Element {
    pub step: StepId,
    pub drops_null: bool,
}

/// The one property that a schema which is no plain object is wrapped in.
pub(super) const WRAPPED: &str = "value";

/// The keys of a pair.
pub(super) const PAIR: [&str; 2] = ["key", "value"];

/// The key of a place of a tuple.
pub(super) fn place_key(place: usize) -> String {
    format!("item_{place}")
}

impl Raise {
    /// Whether there is never anything to undo, so that arguments need not be looked at.
    pub fn is_nothing(&self) -> bool {
        self.root == KEEP
    }

    /// Whether all there may be to undo are capitals in the values of an `enum`: a call that conforms as it is needs nothing.
    pub fn is_for_misses(&self) -> bool {
        let is_minor = |step: &Step| !matches!(step, Step::Text | Step::Options(_) | Step::Pairs(_) | Step::Tuple(_));
        self.steps.iter().all(|step| match step {
            Step::Object { members, spread, .. } => {
                spread.is_none() && members.iter().all(|member| !member.drops_null && member.sent == member.key)
            }
            Step::Wrapped(_) => false,
            step => is_minor(step),
        })
    }

    /// The call with its arguments as the canonical schema has them; none where they are so already, or are not what this can
    /// tell: cut, too long, no JSON or no object.
    ///
    /// # Errors
    ///
    /// Where a part of them is of the shape that was asked for and stands for nothing.
    pub(crate) fn call(&self, call: &Call, limits: &Limits) -> Result<Option<Call>, Misfit> {
        let tape = match call.arguments() {
            _ if call.is_cut() => return Ok(None),
            Arguments::Text(text) if text.len() <= limits.argument_bytes => json::read(text, limits.depth),
            Arguments::Value(value) => match json::view(value, &[], limits.depth) {
                Ok(tape) if tape.bytes() > limits.argument_bytes => return Ok(None),
                viewed => viewed,
            },
            _ => return Ok(None),
        };
        let Some(tape) = tape.ok().filter(|tape| tape.root().kind() == Kind::Object) else { return Ok(None) };
        if self.keeps(tape.root(), self.root, DEEPEST) {
            return Ok(None);
        }
        let sent = tape.root().to_value_exact();
        let mut raising = self.raising();
        let raised = raising.step(&sent, self.root);
        raising.misfit(&sent, self.root)?;
        Ok(raised.map(|raised| Call::new(None, call.name(), raised.into())))
    }

    /// Whether there is certainly nothing to undo, which is seen without making a value first.
    fn keeps(&self, value: Node<'_>, id: StepId, most: usize) -> bool {
        let Some(most) = most.checked_sub(1) else { return false };
        match (self.steps.get(id), value.kind()) {
            (Some(Step::Keep), _) => true,
            (Some(Step::Same(id)), _) => self.keeps(value, *id, most),
            (Some(Step::Object { members, rest, spread: None }), Kind::Object) => {
                value.members().all(|(key, value)| {
                    match members.binary_search_by(|member| member.sent.as_str().cmp(key)).map(|place| &members[place])
                    {
                        Ok(member) if member.key != key || member.drops_null && value.is_null() => false,
                        Ok(member) => self.keeps(value, member.step, most),
                        Err(_) => self.keeps(value, *rest, most),
                    }
                })
            }
            (Some(Step::Array { leading, rest }), Kind::Array) => value
                .elements()
                .enumerate()
                .all(|(place, value)| self.keeps(value, leading.get(place).copied().unwrap_or(*rest), most)),
            (Some(Step::Capitals(options)), Kind::String) => {
                options.iter().any(|option| Some(option.as_str()) == value.as_str())
            }
            _ => false,
        }
    }

    /// The arguments as the canonical schema has them; none where they are so already. It takes any value, and looks at each
    /// part of it once for each alternative that it may belong to.
    pub fn raise(&self, arguments: &Value) -> Option<Value> {
        if self.is_nothing() {
            return None;
        }
        self.raising().step(arguments, self.root)
    }

    pub(super) fn raising(&self) -> Raising<'_> {
        let has_capitals = self.steps.iter().any(|step| matches!(step, Step::Capitals(_)));
        Raising { steps: &self.steps, has_capitals, forgives_capitals: true, chosen: HashMap::new(), depth: 0 }
    }
}

pub(super) struct Raising<'r> {
    pub steps: &'r [Step],
    has_capitals: bool,
    /// Whether other capitals are taken for those that were asked for.
    forgives_capitals: bool,
    /// The branch of a union that a value belongs to, with other capitals and without.
    chosen: HashMap<(*const Value, StepId, bool), Choice>,
    pub depth: usize,
}

/// The step of the branch that a value belongs to.
#[derive(Clone, Copy)]
enum Choice {
    Takes(StepId),
    Resembles(StepId),
    None,
}

impl Choice {
    fn step(self) -> Option<StepId> {
        match self {
            Self::Takes(step) | Self::Resembles(step) => Some(step),
            Self::None => None,
        }
    }
}

impl Raising<'_> {
    /// The value raised; none where it stays as it is.
    pub(super) fn step(&mut self, value: &Value, id: StepId) -> Option<Value> {
        if id == KEEP || self.depth == DEEPEST {
            return None;
        }
        self.depth += 1;
        let raised = self.apply(value, id);
        self.depth -= 1;
        raised
    }

    fn apply(&mut self, value: &Value, id: StepId) -> Option<Value> {
        let steps = self.steps;
        match (steps.get(id)?, value) {
            (Step::Same(id), _) => self.step(value, *id),
            (Step::Object { members, rest, spread }, Value::Object(sent)) => {
                self.object(sent, members, *rest, spread.as_ref())
            }
            (Step::Array { leading, rest }, Value::Array(sent)) => self.array(sent, leading, *rest),
            (Step::Pairs(pairs), Value::Array(sent)) => self.pairs(sent, *pairs).map(Value::Object),
            (Step::Tuple(elements), Value::Object(sent)) => self.tuple(sent, elements),
            (Step::Text, Value::String(text)) => {
                json::read(text, DEEPEST_TEXT).ok().map(|tape| tape.root().to_value_exact())
            }
            (Step::Options(options), Value::String(sent)) => {
                options.iter().find(|(label, _)| label == sent).map(|(_, value)| value.clone())
            }
            (Step::Capitals(options), Value::String(sent)) if self.forgives_capitals => recapitalised(sent, options),
            (Step::Union(branches), _) => self.union(value, id, branches),
            (Step::Wrapped(step), Value::Object(sent)) if sent.len() == 1 => {
                let inside = sent.get(WRAPPED)?;
                // Arguments are an object: else it is a key of theirs.
                Some(self.step(inside, *step).unwrap_or_else(|| inside.clone())).filter(Value::is_object)
            }
            _ => None,
        }
    }

    fn object(
        &mut self,
        sent: &Map<String, Value>,
        members: &[Member],
        rest: StepId,
        spread: Option<&(String, Pairs)>,
    ) -> Option<Value> {
        let mut is_changed = false;
        let mut raised: Vec<(String, Cow<'_, Value>)> = Vec::with_capacity(sent.len());
        for (key, value) in sent {
            if let Some((_, pairs)) = spread.filter(|(spread, _)| spread == key) {
                is_changed = true;
                match value {
                    Value::Null => {}
                    Value::Array(list) => {
                        raised
                            .extend(self.pairs(list, *pairs)?.into_iter().map(|(key, value)| (key, Cow::Owned(value))));
                    }
                    _ => return None,
                }
                continue;
            }
            let member = members.binary_search_by(|member| member.sent.as_str().cmp(key)).ok();
            let member = member.and_then(|place| members.get(place));
            if value.is_null() && member.is_some_and(|member| member.drops_null) {
                is_changed = true;
                continue;
            }
            let inside = self.step(value, member.map_or(rest, |member| member.step));
            let name = member.map_or(key, |member| &member.key);
            is_changed |= inside.is_some() || name != key;
            raised.push((name.clone(), inside.map_or(Cow::Borrowed(value), Cow::Owned)));
        }
        if !is_changed {
            return None;
        }
        let mut object = Map::with_capacity(raised.len());
        for (key, value) in raised {
            // Two of one key: the gate is shown what was sent.
            if object.insert(key, value.into_owned()).is_some() {
                return None;
            }
        }
        Some(object.into())
    }

    fn array(&mut self, sent: &[Value], leading: &[StepId], rest: StepId) -> Option<Value> {
        if rest == KEEP && leading.iter().all(|step| *step == KEEP) {
            return None;
        }
        let raised: Vec<Option<Value>> = sent
            .iter()
            .enumerate()
            .map(|(place, value)| self.step(value, leading.get(place).copied().unwrap_or(rest)))
            .collect();
        if raised.iter().all(Option::is_none) {
            return None;
        }
        Some(raised.into_iter().zip(sent).map(|(raised, sent)| raised.unwrap_or_else(|| sent.clone())).collect())
    }

    /// A map of a list of pairs; none where an element is no pair, or two have one key.
    fn pairs(&mut self, sent: &[Value], Pairs { key, value }: Pairs) -> Option<Map<String, Value>> {
        let mut map = Map::with_capacity(sent.len());
        for pair in sent {
            let pair = pair.as_object().filter(|pair| pair.len() == PAIR.len())?;
            let (named, held) = (pair.get(PAIR[0])?, pair.get(PAIR[1])?);
            let named = self.step(named, key).unwrap_or_else(|| named.clone());
            let held = self.step(held, value).unwrap_or_else(|| held.clone());
            if map.insert(named.as_str()?.to_owned(), held).is_some() {
                return None;
            }
        }
        Some(map)
    }

    pub(super) fn tuple(&mut self, sent: &Map<String, Value>, elements: &[Element]) -> Option<Value> {
        let mut raised = Vec::with_capacity(elements.len());
        let mut dropped = 0;
        for (place, element) in elements.iter().enumerate() {
            match sent.get(&place_key(place)) {
                Some(Value::Null) if element.drops_null => dropped += 1,
                // What follows an absent one would move into its place.
                Some(value) if raised.len() == place => {
                    raised.push(self.step(value, element.step).unwrap_or_else(|| value.clone()));
                }
                Some(_) => return None,
                None => {}
            }
        }
        (raised.len() + dropped == sent.len()).then_some(raised.into())
    }

    /// By the first branch whose canonical schema takes what the value is raised to by it: as it is written, if there is one,
    /// and in the shape that was asked for. Where none does, by one that the value resembles: what the gate says of it is then
    /// about the branch that was meant.
    fn union(&mut self, value: &Value, id: StepId, branches: &[Branch]) -> Option<Value> {
        let forgives = self.forgives_capitals;
        let chosen = self.chosen(value, id, branches);
        let raised = chosen.step().and_then(|step| self.step(value, step));
        self.forgives_capitals = forgives;
        raised
    }

    /// The step of the branch that a value belongs to.
    pub(super) fn branch(&mut self, value: &Value, id: StepId, branches: &[Branch]) -> Option<StepId> {
        let forgives = self.forgives_capitals;
        let chosen = self.chosen(value, id, branches);
        self.forgives_capitals = forgives;
        chosen.step()
    }

    /// The branch, with capitals forgiven from then on where they had to be.
    fn chosen(&mut self, value: &Value, id: StepId, branches: &[Branch]) -> Choice {
        let forgives = self.forgives_capitals;
        let mut chosen = Choice::None;
        for now in [forgives && !self.has_capitals, forgives] {
            self.forgives_capitals = now;
            chosen = self.choice(value, id, branches);
            if let Choice::Takes(_) = chosen {
                break;
            }
        }
        chosen
    }

    fn choice(&mut self, value: &Value, id: StepId, branches: &[Branch]) -> Choice {
        let key = (std::ptr::from_ref(value), id, self.forgives_capitals);
        if let Some(known) = self.chosen.get(&key) {
            return *known;
        }
        let mut choice = Choice::None;
        let (asked_for, others): (Vec<&Branch>, Vec<&Branch>) =
            branches.iter().partition(|branch| self.is_of_shape(value, branch.step, DEEPEST));
        for branch in asked_for.into_iter().chain(others) {
            let raised = self.step(value, branch.step);
            let seen = raised.as_ref().unwrap_or(value);
            if branch.takes(seen) {
                choice = Choice::Takes(branch.step);
                break;
            }
            if matches!(choice, Choice::None) && branch.resembles(seen) {
                choice = Choice::Resembles(branch.step);
            }
        }
        self.chosen.insert(key, choice);
        choice
    }

    /// Whether a value is of the type that a step undoes.
    fn is_of_shape(&self, value: &Value, id: StepId, most: usize) -> bool {
        match self.steps.get(id) {
            Some(Step::Text | Step::Options(_)) => value.is_string(),
            Some(Step::Pairs(_)) => value.is_array(),
            Some(Step::Tuple(_)) => value.is_object(),
            Some(Step::Same(inner)) => most > 0 && self.is_of_shape(value, *inner, most - 1),
            _ => true,
        }
    }
}

/// The option that a text is but for its capitals; none where it is one as it stands.
fn recapitalised(sent: &str, options: &[String]) -> Option<Value> {
    if options.iter().any(|option| option == sent) {
        return None;
    }
    let folded = sent.to_lowercase();
    options.iter().find(|option| option.to_lowercase() == folded).map(|option| option.as_str().into())
}
