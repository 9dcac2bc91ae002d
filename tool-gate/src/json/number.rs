//! Numbers, kept exactly as written.

use std::borrow::Cow;

use super::{Fault, FaultKind};

/// A JSON number.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Number<'t> {
    /// Written as an integer that fits `u64`.
    Unsigned(u64),
    /// Written as a negative integer that fits `i64`.
    Negative(i64),
    /// Text with a fraction that does not end in `0` and no exponent: certainly no integer.
    Fraction(&'t str),
    /// Any other text: `5.0`, `1e2`, `-0`, an integer beyond 64 bits. Finite as a float.
    Decimal(&'t str),
    /// A finite float that came without its text.
    Float(f64),
}

/// The integer that a number is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Whole {
    negative: bool,
    /// `None` where it takes more than 128 bits.
    magnitude: Option<u128>,
}

impl Whole {
    /// The integer as an `i128`, where it fits.
    pub(super) fn as_i128(self) -> Option<i128> {
        let magnitude = self.magnitude?;
        if self.negative { 0_i128.checked_sub_unsigned(magnitude) } else { i128::try_from(magnitude).ok() }
    }

    /// The integer as a `u128`, where it fits.
    pub(super) fn as_u128(self) -> Option<u128> {
        self.magnitude.filter(|&magnitude| !self.negative || magnitude == 0)
    }
}

impl<'t> Number<'t> {
    /// The number as a `u64`, if that is exactly what it is.
    #[inline]
    pub(crate) fn as_u64(self) -> Option<u64> {
        match self {
            Self::Unsigned(number) => Some(number),
            Self::Negative(_) | Self::Fraction(_) => None,
            Self::Decimal(_) | Self::Float(_) => u64::try_from(self.whole()?.as_u128()?).ok(),
        }
    }

    /// The number as an `i64`, if that is exactly what it is.
    #[inline]
    pub(crate) fn as_i64(self) -> Option<i64> {
        match self {
            Self::Unsigned(number) => i64::try_from(number).ok(),
            Self::Negative(number) => Some(number),
            Self::Fraction(_) => None,
            Self::Decimal(_) | Self::Float(_) => i64::try_from(self.whole()?.as_i128()?).ok(),
        }
    }

    /// The number as the nearest float; always finite.
    #[expect(clippy::cast_precision_loss, reason = "the nearest float is what is asked for")]
    #[inline]
    pub(crate) fn as_f64(self) -> f64 {
        match self {
            Self::Unsigned(number) => number as f64,
            Self::Negative(number) => number as f64,
            // What was scanned as a number parses as one.
            Self::Fraction(text) | Self::Decimal(text) => text.parse().unwrap_or(f64::NAN),
            Self::Float(number) => number,
        }
    }

    /// Whether the number is an integer, however it is written and however large it is.
    #[inline]
    pub(crate) fn is_integer(self) -> bool {
        matches!(self, Self::Unsigned(_) | Self::Negative(_)) || self.whole().is_some()
    }

    /// Whether the number is written as an integer: with neither a fraction nor an exponent.
    pub(crate) fn written_as_integer(self) -> bool {
        match self {
            Self::Unsigned(_) | Self::Negative(_) => true,
            Self::Decimal(text) => !text.contains(['.', 'e', 'E']),
            Self::Fraction(_) | Self::Float(_) => false,
        }
    }

    /// The number as text: its own where it has one.
    pub(crate) fn text(self) -> Cow<'t, str> {
        match self {
            Self::Unsigned(number) => number.to_string().into(),
            Self::Negative(number) => number.to_string().into(),
            Self::Fraction(text) | Self::Decimal(text) => text.into(),
            Self::Float(_) => self.to_json().to_string().into(),
        }
    }

    /// The number as `serde_json` would have read it.
    pub(crate) fn to_json(self) -> serde_json::Number {
        match self {
            Self::Unsigned(number) => number.into(),
            Self::Negative(number) => number.into(),
            Self::Fraction(text) | Self::Decimal(text) => text.parse().unwrap_or_else(|_| 0.into()),
            Self::Float(number) => serde_json::Number::from_f64(number).unwrap_or_else(|| 0.into()),
        }
    }

    /// The same, but an integer of 64 bits that is written as a float, and too large for floats to hold every integer, keeps
    /// its digits.
    pub(crate) fn to_json_exact(self) -> serde_json::Number {
        /// From here on a float skips integers.
        const SPARSE: f64 = 9_007_199_254_740_992.0;

        match (self, self.to_integer()) {
            (Self::Decimal(_), Self::Unsigned(number)) if self.as_f64() >= SPARSE => number.into(),
            (Self::Decimal(_), Self::Negative(number)) if self.as_f64() <= -SPARSE => number.into(),
            _ => self.to_json(),
        }
    }

    /// The same number, written as an integer where it is one of 64 bits.
    pub(crate) fn to_integer(self) -> Self {
        self.as_u64().map(Self::Unsigned).or_else(|| self.as_i64().map(Self::Negative)).unwrap_or(self)
    }

    /// Whether the number may be an integer without being written as one. Cheap; not wrong where it says no.
    #[inline]
    pub(super) fn may_be_integral_decimal(self) -> bool {
        match self {
            Self::Unsigned(_) | Self::Negative(_) | Self::Fraction(_) => false,
            Self::Decimal(text) => text == "-0" || text.contains(['.', 'e', 'E']),
            Self::Float(number) => number.fract() == 0.0,
        }
    }

    /// The integer that the number is, if it is one.
    pub(super) fn whole(self) -> Option<Whole> {
        match self {
            Self::Unsigned(number) => Some(Whole { negative: false, magnitude: Some(number.into()) }),
            Self::Negative(number) => Some(Whole { negative: true, magnitude: Some(number.unsigned_abs().into()) }),
            Self::Fraction(_) => None,
            Self::Decimal(text) => whole(text),
            Self::Float(number) => (number.fract() == 0.0)
                .then(|| Whole { negative: number.is_sign_negative(), magnitude: integral_magnitude(number) }),
        }
    }

    /// Reads the number that starts at this byte; gives back the byte behind it too. It may be beyond every float:
    /// [`Number::is_finite`] tells.
    #[inline]
    pub(super) fn scan(text: &'t str, start: usize) -> Result<(Self, usize), Fault> {
        let bytes = text.as_bytes();
        let negative = bytes.get(start) == Some(&b'-');
        let first = start + usize::from(negative);
        if negative && text[first..].starts_with("Infinity") {
            return Err(Fault::new(FaultKind::NotFinite, start));
        }

        let (mut at, magnitude) = digits(bytes, first)?;
        if bytes[first] == b'0' && at > first + 1 {
            return Err(Fault::new(FaultKind::Unexpected, first + 1));
        }
        let integer_end = at;
        if bytes.get(at) == Some(&b'.') {
            (at, _) = digits(bytes, at + 1)?;
        }
        let fraction_end = at;
        if let Some(b'e' | b'E') = bytes.get(at) {
            let signed = matches!(bytes.get(at + 1), Some(b'+' | b'-'));
            (at, _) = digits(bytes, at + 1 + usize::from(signed))?;
        }
        if let Some(b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'.' | b'+' | b'-') = bytes.get(at) {
            return Err(Fault::new(FaultKind::Unexpected, at));
        }

        let text = &text[start..at];
        let number = match magnitude.filter(|_| at == integer_end) {
            Some(magnitude) if !negative => Self::Unsigned(magnitude),
            // `-0` is left out: as a float it is not `0`.
            Some(magnitude @ 1..) => 0_i64.checked_sub_unsigned(magnitude).map_or(Self::Decimal(text), Self::Negative),
            None if integer_end < at && at == fraction_end && !text.ends_with('0') => Self::Fraction(text),
            _ => Self::Decimal(text),
        };
        Ok((number, at))
    }

    /// Whether the number is within the range of a float.
    #[inline]
    pub(super) fn is_finite(self) -> bool {
        let text = match self {
            Self::Unsigned(_) | Self::Negative(_) | Self::Float(_) => return true,
            Self::Fraction(text) if text.len() < 309 => return true,
            Self::Fraction(text) | Self::Decimal(text) => text,
        };
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        // The largest float has 309 digits: with fewer before the point there is nothing to work out.
        let digits = i64::try_from(mantissa.find('.').unwrap_or(mantissa.len())).unwrap_or(i64::MAX);
        digits.saturating_add(exponent_value(exponent)) < 309 || self.as_f64().is_finite()
    }

    /// Whether the number has a minus sign.
    pub(super) fn is_negative(self) -> bool {
        match self {
            Self::Unsigned(_) => false,
            Self::Negative(_) => true,
            Self::Fraction(text) | Self::Decimal(text) => text.starts_with('-'),
            Self::Float(number) => number.is_sign_negative(),
        }
    }
}

/// At least one digit from `at` on: the byte behind the last one, and the integer they are where it fits.
fn digits(bytes: &[u8], mut at: usize) -> Result<(usize, Option<u64>), Fault> {
    match bytes.get(at) {
        Some(b'0'..=b'9') => {}
        Some(_) => return Err(Fault::new(FaultKind::Unexpected, at)),
        None => return Err(Fault::new(FaultKind::Truncated, at)),
    }
    let mut magnitude = Some(0_u64);
    while let Some(digit @ b'0'..=b'9') = bytes.get(at) {
        magnitude = magnitude.and_then(|number| number.checked_mul(10)?.checked_add(u64::from(digit - b'0')));
        at += 1;
    }
    Ok((at, magnitude))
}

/// The integer that a decimal text is, if it is one. The work is bounded by the text, whatever its exponent says.
fn whole(text: &str) -> Option<Whole> {
    let (negative, text) = text.strip_prefix('-').map_or((false, text), |text| (true, text));
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (integer, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let fraction = fraction.trim_end_matches('0');
    let digits = || integer.bytes().chain(fraction.bytes());

    if digits().all(|digit| digit == b'0') {
        return Some(Whole { negative, magnitude: Some(0) });
    }
    let written = i64::try_from(fraction.len()).unwrap_or(i64::MAX);
    let zeros = exponent_value(exponent).saturating_sub(written);
    // An exponent below zero moves digits behind the point: an integer only where they are all zeros.
    let dropped = if zeros < 0 { usize::try_from(zeros.unsigned_abs()).unwrap_or(usize::MAX) } else { 0 };
    if digits().rev().take(dropped).any(|digit| digit != b'0') {
        return None;
    }
    let magnitude = digits()
        .take(integer.len() + fraction.len() - dropped)
        .try_fold(0_u128, |number, digit| number.checked_mul(10)?.checked_add(u128::from(digit - b'0')))
        .and_then(|number| number.checked_mul(10_u128.checked_pow(u32::try_from(zeros.max(0)).ok()?)?));
    Some(Whole { negative, magnitude })
}

/// The exponent these digits are, held within an `i64`.
fn exponent_value(text: &str) -> i64 {
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
    let value = digits
        .bytes()
        .filter(u8::is_ascii_digit)
        .fold(0_i64, |value, digit| value.saturating_mul(10).saturating_add(i64::from(digit - b'0')));
    if negative { -value } else { value }
}

/// The magnitude of a float that has no fraction, where it fits.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the float is integral and in range")]
fn integral_magnitude(number: f64) -> Option<u128> {
    const BEYOND: f64 = 340_282_366_920_938_463_463_374_607_431_768_211_456.0;
    let magnitude = number.abs();
    (magnitude < BEYOND).then_some(magnitude as u128)
}
