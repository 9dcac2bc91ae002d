//! A call's arguments that arrive value by value, each under its JSON path.

use serde_json::{Map, Value};

use super::super::{Arguments, Item};

/// A call's arguments that arrive value by value, as Vertex AI streams them.
pub(super) struct Partial {
    arguments: Value,
    /// The path of the string whose next piece is still to come.
    unfinished: Option<String>,
    /// Whether a piece could not be placed: then nobody knows what was meant.
    broken: bool,
}

/// One step of a path.
#[derive(Debug, PartialEq, Eq)]
enum Place {
    Member(String),
    Element(usize),
}

/// How deep a path may lead. Arguments of that depth are refused all the same.
const DEPTH: usize = 100;

impl Partial {
    /// Arguments of which nothing has arrived but what the call began with.
    pub(super) fn new(begun: &Arguments) -> Self {
        let begun = match begun {
            Arguments::Text(text) => serde_json::from_str(text).ok(),
            _ => None,
        };
        let begun: Option<Map<String, Value>> = begun;
        Self { arguments: begun.unwrap_or_default().into(), unfinished: None, broken: false }
    }

    /// Takes the pieces that one part of the stream holds.
    pub(super) fn take(&mut self, call: Item<'_>) {
        for piece in call.get("partialArgs").into_iter().flat_map(Item::elements) {
            if self.add(piece).is_none() {
                self.broken = true;
            }
        }
    }

    fn add(&mut self, piece: Item<'_>) -> Option<()> {
        let path = piece.text("jsonPath")?;
        let value = value(piece)?;
        let place = place(&mut self.arguments, &parse(path)?)?;
        match (place, value) {
            (Value::String(begun), Value::String(more)) if self.unfinished.as_deref() == Some(path) => {
                begun.push_str(&more);
            }
            (place, value) => *place = value,
        }
        let continues = piece.get("willContinue").is_some_and(|continues| continues.to_value() == true);
        self.unfinished = continues.then(|| path.to_owned());
        Some(())
    }

    /// The arguments as text; where they are not whole, as text that ends early.
    pub(super) fn text(&self, whole: bool) -> String {
        let mut text = self.arguments.to_string();
        if !whole || self.broken {
            text.pop();
        }
        text
    }
}

fn value(piece: Item<'_>) -> Option<Value> {
    let value = |key| piece.get(key).map(Item::to_value);
    if let Some(text) = value("stringValue") {
        return text.is_string().then_some(text);
    }
    if let Some(number) = value("numberValue") {
        return number.is_number().then_some(number);
    }
    if let Some(truth) = value("boolValue") {
        return truth.is_boolean().then_some(truth);
    }
    value("nullValue").map(|_| Value::Null)
}

/// The value at a path, made where there is none. An array grows by one element at a time.
fn place<'v>(value: &'v mut Value, path: &[Place]) -> Option<&'v mut Value> {
    path.iter().try_fold(value, |value, step| match step {
        Place::Member(key) => {
            if value.is_null() {
                *value = Value::Object(Map::new());
            }
            Some(value.as_object_mut()?.entry(key.as_str()).or_insert(Value::Null))
        }
        Place::Element(index) => {
            if value.is_null() {
                *value = Value::Array(Vec::new());
            }
            let elements = value.as_array_mut()?;
            if *index == elements.len() {
                elements.push(Value::Null);
            }
            elements.get_mut(*index)
        }
    })
}

/// Reads a path that leads to one place: `$.a.b[0]`, `$['a key']`.
fn parse(path: &str) -> Option<Vec<Place>> {
    let mut rest = path.strip_prefix('$')?;
    let mut steps = Vec::new();
    while !rest.is_empty() {
        if steps.len() == DEPTH {
            return None;
        }
        let step;
        if let Some(name) = rest.strip_prefix('.') {
            let end = name.find(['.', '[']).unwrap_or(name.len());
            (step, rest) = (Place::Member(name[..end].to_owned()), &name[end..]);
            if end == 0 {
                return None;
            }
        } else {
            let inside = rest.strip_prefix('[')?;
            (step, rest) = if let quote @ ('\'' | '"') = inside.chars().next()? {
                quoted(&inside[1..], quote)?
            } else {
                let end = inside.find(']')?;
                (Place::Element(inside[..end].parse().ok()?), &inside[end..])
            };
            rest = rest.strip_prefix(']')?;
        }
        steps.push(step);
    }
    // The arguments as a whole are no piece of them.
    (!steps.is_empty()).then_some(steps)
}

/// A name in quotes, and what stands behind the closing one.
fn quoted(text: &str, quote: char) -> Option<(Place, &str)> {
    let mut name = String::new();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            end if end == quote => return Some((Place::Member(name), &text[at + 1..])),
            '\\' => match characters.next()?.1 {
                plain @ ('\\' | '\'' | '"' | '/') => name.push(plain),
                'n' => name.push('\n'),
                't' => name.push('\t'),
                'r' => name.push('\r'),
                _ => return None,
            },
            character => name.push(character),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_leads_to_one_place() {
        let member = |key: &str| Place::Member(key.to_owned());
        for (path, steps) in [
            ("$.a", vec![member("a")]),
            ("$.a.b[0]", vec![member("a"), member("b"), Place::Element(0)]),
            ("$['a b'][\"c.d\"]", vec![member("a b"), member("c.d")]),
            (r"$['it\'s'].x", vec![member("it's"), member("x")]),
            ("$.grün[12][3]", vec![member("grün"), Place::Element(12), Place::Element(3)]),
        ] {
            assert_eq!(parse(path), Some(steps), "{path}");
        }
    }

    #[test]
    fn what_is_no_such_path_is_none() {
        let deep = format!("${}", ".a".repeat(1_000_000));
        for path in
            ["", "$", "a", "$a", "$.", "$..a", "$[", "$[]", "$[-1]", "$[*]", "$['a]", "$['a'", "$[0", r"$['\x']", &deep]
        {
            assert_eq!(parse(path), None, "{}", &path[..path.len().min(20)]);
        }
    }
}
