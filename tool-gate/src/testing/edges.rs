//! Where numbers and texts are most often taken or refused by mistake: at the ends of what is asked, and of what types hold.

use std::cmp::Ordering;

use serde_json::{Map, Number, Value};

use super::{
    draw::Draw,
    flat::count,
    texts::{self, Reach},
};

/// The ends of the integer types, and of what a float holds exactly.
const ENDS: [i128; 15] = [
    0,
    i8::MIN as i128,
    i8::MAX as i128,
    u8::MAX as i128,
    i16::MAX as i128,
    u16::MAX as i128,
    i32::MIN as i128,
    i32::MAX as i128,
    u32::MAX as i128,
    1 << 53,
    -(1 << 53),
    i64::MIN as i128,
    i64::MAX as i128,
    u64::MAX as i128,
    100,
];

/// Numbers that a form may take or refuse by a hair.
pub(super) fn numbers(form: &Map<String, Value>) -> Vec<Value> {
    let mut found = Vec::new();
    let limits = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];
    let limits: Vec<&Value> = limits.iter().filter_map(|keyword| form.get(*keyword)).collect();
    let whole = limits.iter().filter_map(|limit| integer(limit));
    let step = form.get("multipleOf").and_then(integer).filter(|step| *step > 0);
    for end in whole.chain(ENDS) {
        found.extend([end, end - 1, end + 1].into_iter().filter_map(of_integer));
        if let Some(step) = step {
            let multiple = end - end.rem_euclid(step);
            found.extend([multiple, multiple + step].into_iter().filter_map(of_integer));
        }
    }
    // Integers that are written as floats are the same integers.
    found.extend([-0.0, 1.0, 5.0, 100.0].map(Value::from));
    let written_otherwise: Vec<Value> = limits.iter().filter_map(|limit| as_float(limit)).collect();
    found.extend(written_otherwise);
    found.extend([0.5, -1.5, 1e20, -1e20, 1e300, -1e300].map(Value::from));
    for limit in limits.iter().filter_map(|limit| limit.as_f64()) {
        found.extend([limit, limit.next_up(), limit.next_down(), limit + 0.5, limit - 0.5].map(Value::from));
    }
    if super::flat::types(form).contains(&"number") {
        let f32s = [f64::from(f32::MAX), f64::from(f32::MIN), 3.5e38, -3.5e38, 1e39, 1e-50];
        found.extend(f32s.map(Value::from));
        found.extend([0.1, 1e-7, 5e-324, f64::MAX, f64::MIN].map(Value::from));
    }
    found
}

/// One of the numbers that the form takes, drawn without listing all; nothing where the draw does not fit.
pub(super) fn number(form: &Map<String, Value>, draw: &mut Draw) -> Option<Value> {
    let beside = [-1, 0, 0, 1][draw.below(4)];
    let number = match draw.below(4) {
        0 => of_integer(ENDS[draw.below(ENDS.len())] + beside),
        1 => [0.0, -0.0, 1.0, 0.5, -1.5, 100.0, 1e-7].get(draw.below(7)).copied().map(Value::from),
        2 => {
            let limit = form.get(["minimum", "maximum", "multipleOf"][draw.below(3)])?;
            integer(limit).map_or_else(|| Some(limit.clone()), |limit| of_integer(limit + beside))
        }
        _ => of_integer(i128::try_from(draw.below(1_000)).unwrap_or_default()),
    };
    number.filter(|number| fits(form, number))
}

/// Whether the form takes the number, as far as its bounds and its type tell.
pub(super) fn fits(form: &Map<String, Value>, number: &Value) -> bool {
    let Some(float) = number.as_f64() else { return false };
    let limit = |keyword: &str| form.get(keyword).and_then(Value::as_f64);
    let types = super::flat::types(form);
    let refused = form.get("not").and_then(|not| not.get("const"));
    (types.contains(&"number") || float.fract() == 0.0)
        && limit("minimum").is_none_or(|least| float >= least)
        && limit("maximum").is_none_or(|most| float <= most)
        && limit("exclusiveMinimum").is_none_or(|least| float > least)
        && limit("exclusiveMaximum").is_none_or(|most| float < most)
        && limit("multipleOf").is_none_or(|step| (float / step).fract() == 0.0)
        && refused.and_then(Value::as_f64).is_none_or(|refused| (refused - float).abs() > 0.0)
}

/// The number as an integer, if it is one of 64 bits.
pub(super) fn integer(number: &Value) -> Option<i128> {
    number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from))
}

/// Numbers in their order, integers exactly.
pub(super) fn by_size(one: &Value, other: &Value) -> Ordering {
    let floats = || one.as_f64().partial_cmp(&other.as_f64()).unwrap_or(Ordering::Equal);
    integer(one).zip(integer(other)).map_or_else(floats, |(one, other)| one.cmp(&other))
}

/// The integer in JSON; nothing where only a float could hold it.
pub(super) fn of_integer(integer: i128) -> Option<Value> {
    let signed = i64::try_from(integer).ok().map(Number::from);
    signed.or_else(|| u64::try_from(integer).ok().map(Number::from)).map(Value::Number)
}

/// The same integer, written as a float, where that loses nothing.
pub(super) fn as_float(number: &Value) -> Option<Value> {
    let whole = integer(number).filter(|whole| whole.unsigned_abs() <= 1 << 53)?;
    #[expect(clippy::cast_precision_loss, reason = "up to 2^53 nothing is lost")]
    Number::from_f64(whole as f64).map(Value::Number)
}

/// The longest text that is made.
const LONGEST: usize = 20_000;

/// Texts that a type may refuse, whatever its schema says.
const PLAIN: [&str; 29] = [
    "",
    "a",
    "A",
    " ",
    " a",
    "a ",
    "two words",
    "é",
    "🦀",
    "e\u{301}",
    "\u{202e}",
    "\n",
    "\0",
    "\"\\/",
    "a:b",
    "a,b",
    "<b>",
    "../a",
    "\t",
    "0",
    "5",
    "-1",
    "01",
    "4294967296",
    "1e5",
    "true",
    "null",
    "2026-02-30",
    "192.0.2.1",
];

/// Texts that a form may take or refuse by a hair.
pub(super) fn texts(form: &Map<String, Value>, draw: &mut Draw) -> Vec<String> {
    let mut found: Vec<String> = PLAIN.map(str::to_owned).into();
    found.extend(good_texts(form, draw));
    let examples = form.get("examples").and_then(Value::as_array).into_iter().flatten();
    found.extend(examples.filter_map(Value::as_str).map(str::to_owned));
    for length in [count(form, "minLength"), count(form, "maxLength"), Some(300)].into_iter().flatten() {
        for length in [length.saturating_sub(1), length, length.saturating_add(1)] {
            found.extend(["a", "é", "🦀"].iter().filter(|_| length <= LONGEST).map(|letter| letter.repeat(length)));
        }
    }
    if let Some(format) = form.get("format").and_then(Value::as_str) {
        found.extend(texts::nearly_in_format(format).iter().map(|text| (*text).to_owned()));
    }
    let is_plain = !form.contains_key("pattern") && !form.contains_key("format");
    for good in found.clone().into_iter().skip(PLAIN.len()).take(if is_plain { 0 } else { 12 }) {
        found.extend([format!(" {good}"), format!("{good}\n"), format!("~{good}~"), good.to_uppercase()]);
    }
    found
}

/// Texts that the form takes, as far as one can tell.
pub(super) fn good_texts(form: &Map<String, Value>, draw: &mut Draw) -> Vec<String> {
    if let Some(format) = form.get("format").and_then(Value::as_str) {
        let examples = texts::in_format(format);
        if !examples.is_empty() {
            return examples.iter().map(|text| (*text).to_owned()).collect();
        }
    }
    let least = count(form, "minLength").unwrap_or(0).min(LONGEST);
    let most = count(form, "maxLength").unwrap_or(least.saturating_add(8)).clamp(least, LONGEST);
    if let Some(pattern) = form.get("pattern").and_then(Value::as_str) {
        let reaches = [Reach::Least, Reach::Most, Reach::Any, Reach::Any, Reach::Any];
        let matching: Vec<String> =
            reaches.into_iter().filter_map(|reach| texts::matching(pattern, reach, draw)).collect();
        let of_length = |text: &&String| (least..=most).contains(&text.chars().count());
        let fitting: Vec<String> = matching.iter().filter(of_length).cloned().collect();
        return if fitting.is_empty() { matching } else { fitting };
    }
    let letters = ['a', 'Z', '0', ' ', 'é', '🦀', '"', '\\', '\n', '\0'];
    let length = least + draw.below(most - least + 1);
    let mixed = (0..length).filter_map(|_| draw.choose(&letters).copied()).collect();
    vec!["a".repeat(least), "a".repeat(most), mixed]
}
