//! The same tape over a document that was parsed elsewhere.

use std::slice;

use serde_json::{Value, map};

use super::{
    Fault, FaultKind, Number, Step, Tape,
    capture::{Captures, Place},
    tape::{Open, Slot},
};

/// Lays out a parsed value. The value at the end of each of the paths `captures` (at most 64) is kept whole. A fault has no
/// place here: it is at 0.
pub(crate) fn view<'t>(value: &'t Value, captures: &[&[Step]], depth: usize) -> Result<Tape<'t>, Fault> {
    let captures = Captures::new(captures);
    let mut tape = Tape::default();
    let Some(live) = captures.root() else {
        tape.slots.push(Slot::Value(value));
        return Ok(tape);
    };
    let mut inside = Open::OUTSIDE;
    let mut open = Vec::new();
    let mut next = Some((value, live));
    loop {
        if let Some((value, live)) = next.take() {
            let rest = match value {
                Value::Array(elements) => Rest::Elements(elements.iter()),
                Value::Object(members) => Rest::Members(members.iter()),
                _ => Rest::Nothing,
            };
            if let Rest::Nothing = rest {
                scalar(&mut tape, value)?;
            } else if open.len() == depth {
                return Err(Fault::new(FaultKind::TooDeep, 0));
            } else {
                inside = tape.open(value.is_object(), inside);
                open.push((rest, live));
            }
        }
        let level = open.len().saturating_sub(1);
        let Some((rest, live)) = open.last_mut() else { return Ok(tape) };
        let Some((place, value)) = rest.next() else {
            inside = tape.close(inside);
            open.pop();
            continue;
        };
        inside.len += 1;
        if let Place::Member(key) = place {
            tape.slots.push(Slot::Plain(key));
        }
        match captures.inside(*live, level, place) {
            Some(live) => next = Some((value, live)),
            None => tape.slots.push(Slot::Value(value)),
        }
    }
}

/// What of a container is still to be laid out.
enum Rest<'t> {
    Nothing,
    Elements(slice::Iter<'t, Value>),
    Members(map::Iter<'t>),
}

impl<'t> Iterator for Rest<'t> {
    type Item = (Place<'t>, &'t Value);

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Nothing => None,
            Self::Elements(elements) => elements.next().map(|value| (Place::Element, value)),
            Self::Members(members) => members.next().map(|(key, value)| (Place::Member(key), value)),
        }
    }
}

/// Appends a value that holds no others.
fn scalar<'t>(tape: &mut Tape<'t>, value: &'t Value) -> Result<(), Fault> {
    let slot = match value {
        Value::Bool(value) => Slot::Bool(*value),
        Value::String(string) => Slot::Plain(string),
        Value::Number(number) => {
            let number = if let Some(number) = number.as_u64() {
                Number::Unsigned(number)
            } else if let Some(number) = number.as_i64() {
                Number::Negative(number)
            } else {
                // With `serde_json/arbitrary_precision` a number may be beyond every float.
                let float = number.as_f64().filter(|float| float.is_finite());
                Number::Float(float.ok_or(Fault::new(FaultKind::OutOfRange, 0))?)
            };
            tape.integral_decimal |= number.may_be_integral_decimal();
            Slot::Number(number)
        }
        Value::Null | Value::Array(_) | Value::Object(_) => Slot::Null,
    };
    tape.slots.push(slot);
    Ok(())
}
