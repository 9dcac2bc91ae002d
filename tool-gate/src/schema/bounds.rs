//! Bounds on numbers, of which the narrower stands.

use serde_json::{Map, Number, Value};

/// Sets a bound, unless a narrower one stands.
pub(super) fn narrow(
    schema: &mut Map<String, Value>,
    keyword: &str,
    bound: Option<&Number>,
    narrower: impl Fn(Size, Size) -> bool,
) {
    if let Some(bound) = bound {
        let standing = schema.get(keyword).and_then(Value::as_number);
        if standing.is_none_or(|standing| narrower(size(bound), size(standing))) {
            schema.insert(keyword.to_owned(), Value::Number(plain(bound)));
        }
    }
}

/// `1000000` for `1000000.0`: the same number, and how a person would publish it.
#[allow(clippy::cast_possible_truncation, reason = "only where the float is that integer")]
fn plain(number: &Number) -> Number {
    match number.as_f64() {
        Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() < 9e15 => (float as i64).into(),
        _ => number.clone(),
    }
}

/// A number's size, exact for integers.
#[derive(Clone, Copy)]
pub(super) enum Size {
    Integer(i128),
    Float(f64),
}

impl Size {
    #[allow(clippy::cast_precision_loss, reason = "a float bound is compared as a float")]
    fn as_f64(self) -> f64 {
        match self {
            Self::Integer(integer) => integer as f64,
            Self::Float(float) => float,
        }
    }
}

impl PartialEq for Size {
    fn eq(&self, other: &Self) -> bool {
        self.partial_cmp(other) == Some(std::cmp::Ordering::Equal)
    }
}

impl PartialOrd for Size {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        match (self, other) {
            (Self::Integer(a), Self::Integer(b)) => a.partial_cmp(b),
            (a, b) => a.as_f64().partial_cmp(&b.as_f64()),
        }
    }
}

pub(super) fn size(number: &Number) -> Size {
    let integer = number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from));
    integer.map_or_else(|| Size::Float(number.as_f64().unwrap_or(f64::NAN)), Size::Integer)
}
