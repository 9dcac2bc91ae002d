//! What narrowing leaves out on purpose, though the type reads it.

use serde_json::Value;

use super::violation::{Contract, Path, Segment, Violation};

/// Whether the value breaks a clause that stands there so that a value is written in one way: a key `01` for `1`, nanoseconds that
/// a `Duration` carries over, an integer key that no reader of JSON could be expected to keep.
pub(crate) fn is_left_out(violation: &Violation, value: &Value) -> bool {
    match &violation.contract {
        Contract::PropertyNames { .. } => {
            let keys = at(value, &violation.path).and_then(Value::as_object).into_iter().flatten().map(|(key, _)| key);
            keys.into_iter().any(|key| is_integer_otherwise(key))
        }
        Contract::Maximum { limit } => {
            let is_of_nanos = |name: &str| name == "nanos" || name == "nanos_since_epoch";
            let last = violation.path.segments().last();
            limit.as_u64() == Some(999_999_999) && matches!(last, Some(Segment::Key(name)) if is_of_nanos(name))
        }
        _ => false,
    }
}

/// An integer that is not written as integers are, or one of more digits than [`integers`](super::patterns) go to.
fn is_integer_otherwise(key: &str) -> bool {
    const MOST_DIGITS: usize = 38;

    let digits = key.trim_start_matches(['+', '-']);
    let is_one = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    let is_plain = key.parse::<i128>().is_ok_and(|number| number.to_string() == *key);
    is_one && (!is_plain || digits.len() > MOST_DIGITS)
}

fn at<'v>(value: &'v Value, path: &Path) -> Option<&'v Value> {
    path.segments().iter().try_fold(value, |value, segment| match segment {
        Segment::Key(key) => value.get(key),
        Segment::Index(place) => value.get(place),
    })
}
