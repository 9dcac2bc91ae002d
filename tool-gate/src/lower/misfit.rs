//! What is of a shape that was asked for and stands for nothing: it is refused, whatever the canonical schema makes of it as it
//! stands. That would be another value than was meant.

use std::collections::HashSet;

use serde_json::Value;

use super::raise::{DEEPEST, DEEPEST_TEXT, PAIR, Pairs, Raising, Step, StepId, WRAPPED, place_key};
use crate::{
    json,
    rejection::Rejection,
    schema::{Path, Segment},
};

/// A value that cannot be raised, in the shape that the model sees.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Misfit {
    path: Vec<Segment>,
    why: String,
}

impl Misfit {
    fn new(why: impl Into<String>) -> Self {
        Self { path: Vec::new(), why: why.into() }
    }

    /// The same, seen from one step further out.
    fn under(mut self, segment: Segment) -> Self {
        self.path.push(segment);
        self
    }

    /// The argument that it is in.
    pub(super) fn argument(&self) -> Option<&Segment> {
        self.path.last()
    }

    pub(super) fn rejection(self, tool: &str, sensitive: &[String]) -> Rejection {
        let mut segments = self.path.into_iter().rev().peekable();
        // Keys inside a sensitive argument may be as telling as the value.
        let is_sensitive = matches!(segments.peek(), Some(Segment::Key(key)) if sensitive.contains(key));
        let path: Path = segments.take(if is_sensitive { 1 } else { usize::MAX }).collect();
        Rejection::Value { tool: tool.to_owned(), path, reason: Some(self.why) }
    }
}

/// What a map has to be.
const A_LIST: &str = "it has to be a list of objects of `key` and `value`";

impl Raising<'_> {
    /// The first value that cannot be raised.
    pub(super) fn misfit(&mut self, value: &Value, id: StepId) -> Result<(), Misfit> {
        if self.depth == DEEPEST {
            return Ok(());
        }
        self.depth += 1;
        let found = self.misfit_of(value, id);
        self.depth -= 1;
        found
    }

    fn misfit_of(&mut self, value: &Value, id: StepId) -> Result<(), Misfit> {
        let steps = self.steps;
        match (steps.get(id), value) {
            (Some(Step::Same(inner)), _) => self.misfit(value, *inner),
            (Some(Step::Union(branches)), _) => match self.branch(value, id, branches) {
                Some(step) => self.misfit(value, step),
                None => Ok(()),
            },
            (Some(Step::Object { members, rest, spread }), Value::Object(sent)) => {
                let member = |name: &String| {
                    let place = members.binary_search_by(|member| member.sent.cmp(name)).ok()?;
                    members.get(place)
                };
                let is_absent =
                    |name, value: &Value| value.is_null() && member(name).is_some_and(|member| member.drops_null);
                let is_spread = |name: &str| spread.as_ref().is_some_and(|(spread, _)| spread == name);
                let mut given = HashSet::new();
                if spread.is_some() || members.iter().any(|member| member.sent != member.key) {
                    for (name, _) in sent.iter().filter(|(name, value)| !is_spread(name) && !is_absent(name, value)) {
                        let key = member(name).map_or(name, |member| &member.key);
                        if !given.insert(key.clone()) {
                            return Err(Misfit::new("it is given already, under another key").under(Segment::key(name)));
                        }
                    }
                }
                for (name, value) in sent {
                    let found = match (spread, value) {
                        (Some((_, pairs)), Value::Array(list)) if is_spread(name) => {
                            self.pairs_misfit(list, *pairs, std::mem::take(&mut given))
                        }
                        _ if is_absent(name, value) => Ok(()),
                        _ if is_spread(name) && !value.is_null() => Err(Misfit::new(A_LIST)),
                        _ => self.misfit(value, member(name).map_or(*rest, |member| member.step)),
                    };
                    found.map_err(|misfit| misfit.under(Segment::key(name)))?;
                }
                Ok(())
            }
            (Some(Step::Array { leading, rest }), Value::Array(sent)) => {
                sent.iter().enumerate().try_for_each(|(place, value)| {
                    let step = leading.get(place).copied().unwrap_or(*rest);
                    self.misfit(value, step).map_err(|misfit| misfit.under(Segment::Index(place)))
                })
            }
            // One pair is no map of a key called `key` and one called `value`.
            (Some(Step::Pairs(_)), Value::Object(sent))
                if sent.len() == 2 && PAIR.iter().all(|key| sent.contains_key(*key)) =>
            {
                Err(Misfit::new(A_LIST))
            }
            (Some(Step::Pairs(pairs)), Value::Array(sent)) => self.pairs_misfit(sent, *pairs, HashSet::new()),
            (Some(Step::Tuple(elements)), Value::Object(sent)) => {
                for (place, element) in elements.iter().enumerate() {
                    let name = place_key(place);
                    if let Some(value) = sent.get(&name).filter(|value| !(value.is_null() && element.drops_null)) {
                        self.misfit(value, element.step).map_err(|misfit| misfit.under(Segment::key(&name)))?;
                    }
                }
                match self.tuple(sent, elements) {
                    Some(_) => Ok(()),
                    None => Err(Misfit::new(match elements.len().checked_sub(1) {
                        Some(last) => format!(
                            "its keys are {} to {}, none before another left out",
                            place_key(0),
                            place_key(last)
                        ),
                        None => "it has no keys".to_owned(),
                    })),
                }
            }
            (Some(Step::Text), Value::String(text)) if json::read(text, DEEPEST_TEXT).is_err() => {
                Err(Misfit::new("it is not JSON text, in which a string stands in quotes and a key once"))
            }
            (Some(Step::Wrapped(inner)), Value::Object(sent)) => {
                let Some(inside) = sent.get(WRAPPED) else { return Ok(()) };
                if sent.len() > 1 {
                    return Err(Misfit::new("nothing stands beside `value`"));
                }
                let found = match self.step(inside, *inner).as_ref().unwrap_or(inside) {
                    Value::Object(_) => self.misfit(inside, *inner),
                    _ => self.misfit(inside, *inner).and(Err(Misfit::new("it stands for no arguments"))),
                };
                found.map_err(|misfit| misfit.under(Segment::key(WRAPPED)))
            }
            _ => Ok(()),
        }
    }

    /// Of keys that are none of those already.
    fn pairs_misfit(&mut self, sent: &[Value], pairs: Pairs, mut keys: HashSet<String>) -> Result<(), Misfit> {
        for (place, pair) in sent.iter().enumerate() {
            let under = |misfit: Misfit| misfit.under(Segment::Index(place));
            let pair = pair.as_object().filter(|pair| pair.len() == PAIR.len());
            let Some((named, held)) = pair.and_then(|pair| Some((pair.get(PAIR[0])?, pair.get(PAIR[1])?))) else {
                return Err(under(Misfit::new("it has to be an object of `key` and `value`")));
            };
            let name = self.step(named, pairs.key).unwrap_or_else(|| named.clone());
            match name.as_str() {
                Some(name) if keys.insert(name.to_owned()) => {}
                Some(_) => return Err(under(Misfit::new("its key is given already"))),
                None => return Err(under(Misfit::new("its key has to be a string"))),
            }
            self.misfit(held, pairs.value).map_err(|misfit| under(misfit.under(Segment::key(PAIR[1]))))?;
        }
        Ok(())
    }
}
