//! From a value that shows something to the smallest one that still shows it.

use serde_json::{Map, Value};

use super::edges;

/// How many smaller values are tried.
const TRIES: usize = 4_000;

/// The smallest value for which `shows` holds still, as far as it is found by making one place smaller after another.
pub(super) fn smallest(mut value: Value, mut shows: impl FnMut(&Value) -> bool) -> Value {
    let mut left = TRIES;
    loop {
        let smaller = smaller(&value).into_iter().find(|smaller| {
            left = left.saturating_sub(1);
            left > 0 && shows(smaller)
        });
        match smaller {
            Some(smaller) => value = smaller,
            None => return value,
        }
    }
}

/// Values that are smaller in one place, the much smaller ones first.
fn smaller(value: &Value) -> Vec<Value> {
    match value {
        Value::Null => Vec::new(),
        Value::Bool(value) => value.then_some(Value::Bool(false)).into_iter().chain([Value::Null]).collect(),
        Value::Number(_) => [Value::Null].into_iter().chain(smaller_numbers(value)).collect(),
        Value::String(text) => {
            [Value::Null].into_iter().chain(smaller_texts(text).into_iter().map(Value::from)).collect()
        }
        Value::Array(elements) => smaller_arrays(elements),
        Value::Object(members) => smaller_objects(members),
    }
}

fn smaller_numbers(number: &Value) -> Vec<Value> {
    if let Some(whole) = edges::integer(number) {
        // Halves of what is left, so that the least of many is found in a few steps.
        let steps = (0..64).map(|halves| whole / (1_i128 << halves)).take_while(|step| *step != 0);
        let opposite = (whole < 0).then_some(-whole);
        let least = (0..4).filter(|least| *least < whole.abs());
        return least.chain(steps.map(|step| whole - step)).chain(opposite).filter_map(edges::of_integer).collect();
    }
    let Some(float) = number.as_f64() else { return Vec::new() };
    if float.fract() == 0.0 && float.abs() < 1e15 {
        #[expect(clippy::cast_possible_truncation, reason = "it is whole, and not large")]
        let whole = float as i128;
        // First the integer itself, then smaller ones that are written in the same way.
        let smaller = smaller_numbers(&Value::from(i64::try_from(whole).unwrap_or_default()));
        let written_alike = smaller.iter().filter_map(edges::as_float);
        return edges::of_integer(whole).into_iter().chain(written_alike).collect();
    }
    // The one that takes less to write, and of those the one that is nearer to 0.
    let size = |float: f64| (Value::from(float).to_string().len(), float.abs());
    let candidates = [0.0, 1.0, float.trunc(), 0.5, float.fract(), -float, float / 2.0, float.sqrt()];
    candidates.into_iter().filter(|smaller| size(*smaller) < size(float)).map(Value::from).collect()
}

fn smaller_texts(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    let length = characters.len();
    if length == 0 {
        return Vec::new();
    }
    let mut found = vec![String::new()];
    // A number in a text, as the keys of maps are.
    if let Ok(number) = text.parse::<i128>()
        && number.to_string() == text
        && let Some(number) = edges::of_integer(number)
    {
        found.extend(smaller_numbers(&number).iter().map(Value::to_string));
    }
    let without = |from: usize, to: usize| -> String { characters[..from].iter().chain(&characters[to..]).collect() };
    let mut part = length / 2;
    while part > 1 {
        found.extend([without(length - part, length), without(0, part)]);
        part /= 2;
    }
    found.extend((0..length.min(64)).rev().map(|place| without(place, place + 1)));
    let plainer = |character: char| match character {
        'a' | '0' => None,
        '1'..='9' => Some('0'),
        _ => Some('a'),
    };
    for (place, character) in characters.iter().enumerate().take(64) {
        if let Some(plain) = plainer(*character) {
            let mut changed = characters.clone();
            changed[place] = plain;
            found.push(changed.into_iter().collect());
        }
    }
    found
}

fn smaller_arrays(elements: &[Value]) -> Vec<Value> {
    let mut found = vec![Value::Null];
    found.extend((!elements.is_empty()).then(|| Value::Array(Vec::new())));
    let mut part = elements.len() / 2;
    while part > 1 {
        found.extend([Value::from(&elements[..elements.len() - part]), Value::from(&elements[part..])]);
        part /= 2;
    }
    for place in 0..elements.len().min(64) {
        found.push(elements[..place].iter().chain(&elements[place + 1..]).cloned().collect());
    }
    found.extend(elements.iter().take(4).cloned());
    if let [one, other] = elements
        && one == other
    {
        // What shows it may be that they are equal.
        found.extend(smaller(one).into_iter().map(|smaller| Value::Array(vec![smaller.clone(), smaller])));
    }
    for (place, element) in elements.iter().enumerate().take(64) {
        for smaller in smaller(element) {
            let mut changed = elements.to_vec();
            changed[place] = smaller;
            found.push(changed.into());
        }
    }
    found
}

fn smaller_objects(members: &Map<String, Value>) -> Vec<Value> {
    let mut found = vec![Value::Null];
    found.extend((!members.is_empty()).then(|| Value::Object(Map::new())));
    for key in members.keys() {
        let mut changed = members.clone();
        changed.shift_remove(key);
        found.push(changed.into());
    }
    found.extend(members.values().take(8).cloned());
    for (key, member) in members {
        for smaller in smaller(member) {
            let mut changed = members.clone();
            changed.insert(key.clone(), smaller);
            found.push(changed.into());
        }
    }
    for key in members.keys() {
        for shorter in smaller_texts(key).into_iter().filter(|shorter| !members.contains_key(shorter)) {
            let renamed = members.iter().map(|(known, member)| {
                let name = if known == key { shorter.clone() } else { known.clone() };
                (name, member.clone())
            });
            found.push(Value::Object(renamed.collect()));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_shows_it_is_all_that_is_left() {
        let beyond = |value: &Value| {
            value["list"].as_array().is_some_and(|list| list.iter().any(|n| n.as_u64() > Some(4_294_967_295)))
        };
        let value = json!({"other": {"a": [1, 2]}, "list": [3, u64::MAX, "x"]});
        assert_eq!(smallest(value, beyond), json!({"list": [4_294_967_296_u64]}));
        let negative = |value: &Value| value.as_i64().is_some_and(|number| number < -5);
        assert_eq!(smallest(json!(-1_000_000), negative), json!(-6));
        let has_space = |value: &Value| value.as_str().is_some_and(|text| text.contains(' ') && text.len() > 2);
        assert_eq!(smallest(json!("what a long text, éé"), has_space), json!("aa "));
        assert_eq!(smallest(json!(300.0), Value::is_f64), json!(0.0));
        assert_eq!(
            smallest(json!({"long key": 1}), |value| value.as_object().is_some_and(|o| o.len() == 1)),
            json!({"": null})
        );
    }
}
