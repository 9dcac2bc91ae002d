//! The same tape over a document that was parsed elsewhere.

use serde_json::Value;

use super::{
    Fault, FaultKind, Number, Step, Tape,
    capture::{Captures, Live, Place},
    tape::Slot,
};

/// How many slots there are room for at first: more than most calls have.
const ROOM: usize = 32;

/// Lays out a parsed value. The value at the end of each of the paths `captures` (at most 64) is kept whole. A fault has no
/// place here: it is at 0.
pub(crate) fn view<'t>(value: &'t Value, captures: &[&[Step]], depth: usize) -> Result<Tape<'t>, Fault> {
    let captures = Captures::new(captures);
    let tape = Tape { slots: Vec::with_capacity(ROOM), ..Tape::default() };
    let mut view = View { tape, captures, depth };
    match captures.root() {
        Some(live) => view.value(value, live, 0)?,
        None => view.tape.slots.push(Slot::Value(value)),
    }
    Ok(view.tape)
}

/// A value being laid out, on the stack, as it was made and will be dropped.
struct View<'t, 'c> {
    tape: Tape<'t>,
    captures: Captures<'c>,
    depth: usize,
}

impl<'t> View<'t, '_> {
    /// Appends the value, which these paths lead through, `level` steps from the root.
    fn value(&mut self, value: &'t Value, live: Live, level: usize) -> Result<(), Fault> {
        match value {
            Value::Null => self.tape.slots.push(Slot::Null),
            Value::Bool(value) => self.tape.slots.push(Slot::Bool(*value)),
            Value::String(string) => self.tape.slots.push(Slot::Plain(string)),
            Value::Number(number) => {
                let number = exact(number)?;
                self.tape.integral_decimal |= number.may_be_integral_decimal();
                self.tape.slots.push(Slot::Number(number));
            }
            Value::Array(elements) => {
                let slot = self.open(level)?;
                for element in elements {
                    self.inside(element, live, level, Place::Element)?;
                }
                self.tape.slots[slot] = Slot::Array { len: elements.len(), end: self.tape.slots.len() };
            }
            Value::Object(members) => {
                let slot = self.open(level)?;
                for (key, member) in members {
                    self.tape.slots.push(Slot::Plain(key));
                    self.inside(member, live, level, Place::Member(key))?;
                }
                self.tape.slots[slot] = Slot::Object { len: members.len(), end: self.tape.slots.len() };
            }
        }
        Ok(())
    }

    /// Appends what stands here in a container, or keeps it whole.
    #[inline]
    fn inside(&mut self, value: &'t Value, live: Live, level: usize, place: Place<'_>) -> Result<(), Fault> {
        if let Some(live) = self.captures.inside(live, level, place) {
            return self.value(value, live, level + 1);
        }
        self.tape.slots.push(Slot::Value(value));
        Ok(())
    }

    /// Makes room for a container: the slot of it.
    fn open(&mut self, level: usize) -> Result<usize, Fault> {
        if level == self.depth {
            return Err(Fault::new(FaultKind::TooDeep, 0));
        }
        self.tape.slots.push(Slot::Null);
        Ok(self.tape.slots.len() - 1)
    }
}

fn exact<'t>(number: &serde_json::Number) -> Result<Number<'t>, Fault> {
    if let Some(number) = number.as_u64() {
        return Ok(Number::Unsigned(number));
    }
    if let Some(number) = number.as_i64() {
        return Ok(Number::Negative(number));
    }
    // With `serde_json/arbitrary_precision` a number may be beyond every float.
    let float = number.as_f64().filter(|float| float.is_finite());
    float.map(Number::Float).ok_or(Fault::new(FaultKind::OutOfRange, 0))
}
