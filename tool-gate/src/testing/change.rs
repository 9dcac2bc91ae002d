//! Values that differ from a good one in a single place.

use serde_json::{Map, Value, json};

use super::{
    edges,
    flat::{Form, count, forms, may_have, members},
    instances::{KEYS, LEVELS, Source},
};
use crate::schema::Segment;

/// One change in one place.
#[derive(Clone, Debug)]
pub(super) struct Change {
    at: Vec<Segment>,
    /// What stands there instead; nothing where it is left out.
    to: Option<Value>,
}

impl Change {
    /// The value with the change made to it.
    pub(super) fn made_to(&self, value: &Value) -> Value {
        fn make(value: &Value, at: &[Segment], to: Option<&Value>) -> Option<Value> {
            let Some((step, rest)) = at.split_first() else { return to.cloned() };
            let mut value = value.clone();
            match (step, &mut value) {
                (Segment::Key(key), Value::Object(members)) => {
                    match make(members.get(key).unwrap_or(&Value::Null), rest, to) {
                        Some(made) => drop(members.insert(key.clone(), made)),
                        None => drop(members.shift_remove(key)),
                    }
                }
                (Segment::Index(place), Value::Array(elements)) if *place < elements.len() => {
                    match make(&elements[*place], rest, to) {
                        Some(made) => elements[*place] = made,
                        None => drop(elements.remove(*place)),
                    }
                }
                _ => {}
            }
            Some(value)
        }
        make(value, &self.at, self.to.as_ref()).unwrap_or_default()
    }
}

/// The most changes that are listed.
const MOST: usize = 6_000;

/// How many elements make a long array, and how many are made at the most where a schema asks for more.
const LONG: usize = 20;
const LONGEST: usize = 200;

/// How many elements of an array are changed by themselves.
const ELEMENTS: usize = 3;

/// How many keys of an object are changed, and how many are put in: of more, as many are chosen each time.
const KEYS_OF_MANY: usize = 64;

/// What can be done to a value in one place, whichever, so that the schema refuses it for that, or takes it all the same.
pub(super) fn everywhere(source: &mut Source<'_>, schema: &Value, value: &Value) -> Vec<Change> {
    listed(source, schema, value, false)
}

/// The same, for one place in it and those around that.
pub(super) fn somewhere(source: &mut Source<'_>, schema: &Value, value: &Value) -> Vec<Change> {
    listed(source, schema, value, true)
}

fn listed(source: &mut Source<'_>, schema: &Value, value: &Value, narrow: bool) -> Vec<Change> {
    let mut changes = Changes { source, at: Vec::new(), found: Vec::new(), narrow };
    changes.of(schema, value, LEVELS);
    changes.found
}

struct Changes<'c, 's> {
    source: &'c mut Source<'s>,
    at: Vec<Segment>,
    found: Vec<Change>,
    /// Whether of the members and elements of a value only one is changed.
    narrow: bool,
}

impl Changes<'_, '_> {
    fn add(&mut self, to: Value) {
        self.push(Some(to));
    }

    fn add_all(&mut self, all: impl IntoIterator<Item = Value>) {
        all.into_iter().for_each(|to| self.add(to));
    }

    fn leave_out(&mut self) {
        self.push(None);
    }

    fn push(&mut self, to: Option<Value>) {
        if self.found.len() < MOST {
            self.found.push(Change { at: self.at.clone(), to });
        }
    }

    fn inside(&mut self, step: Segment, change: impl FnOnce(&mut Self)) {
        self.at.push(step);
        change(self);
        self.at.pop();
    }

    fn of(&mut self, schema: &Value, value: &Value, levels: i32) {
        if levels < 0 || self.found.len() >= MOST {
            return;
        }
        self.kinds(value);
        let forms = forms(schema, self.source.root);
        let of_root = self.at.is_empty();
        for form in &forms {
            if may_have(form, value) {
                self.of_form(form, value, levels);
            } else if !of_root && !self.narrow {
                self.other_form(form, levels);
            }
        }
    }

    /// Values of other types.
    fn kinds(&mut self, value: &Value) {
        let others =
            [json!(true), json!(7), json!(0.5), json!("5"), json!("text"), json!([]), json!({}), json!([value])];
        self.add_all(others);
        if !self.at.is_empty() {
            // In the place of all arguments, null stands for none.
            self.add(Value::Null);
        }
        match value {
            Value::Number(_) | Value::Bool(_) => self.add(Value::from(value.to_string())),
            // As serde reads a struct, and the variant of an enum.
            Value::Object(members) => self.add(members.values().cloned().collect::<Value>()),
            Value::String(text) => self.add(json!({text: null})),
            _ => {}
        }
    }

    /// A value of a form that this one is not of, and what can be done to it.
    fn other_form(&mut self, form: &Form<'_>, levels: i32) {
        let other = self.source.of_form(form, levels - 1);
        let inner = {
            let mut inner = Changes { source: self.source, at: Vec::new(), found: Vec::new(), narrow: true };
            inner.of_form(form, &other, levels - 2);
            inner.found
        };
        for change in self.source.draw.sample(inner, 40) {
            let changed = change.made_to(&other);
            self.add(changed);
        }
        self.add(other);
    }

    fn of_form(&mut self, form: &Map<String, Value>, value: &Value, levels: i32) {
        if levels < 0 {
            return;
        }
        if let Some(options) = form.get("enum").and_then(Value::as_array) {
            self.add_all(options.iter().take(64).cloned());
        }
        match value {
            Value::Number(_) => self.add_all(edges::numbers(form)),
            Value::String(text) => self.text(form, text),
            Value::Array(elements) => self.array(form, elements, levels),
            Value::Object(object) => self.object(form, object, levels),
            Value::Null | Value::Bool(_) => {}
        }
    }

    fn text(&mut self, form: &Map<String, Value>, text: &str) {
        if form.contains_key("enum") || form.contains_key("const") {
            let near =
                [text.to_uppercase(), text.to_lowercase(), format!("{text}~"), format!(" {text}"), String::new()];
            self.add_all(near.map(Value::from));
            return;
        }
        let texts = edges::texts(form, &mut self.source.draw);
        self.add_all(texts.into_iter().map(Value::from));
    }

    fn array(&mut self, form: &Map<String, Value>, elements: &[Value], levels: i32) {
        let least = count(form, "minItems").unwrap_or(0);
        let most = count(form, "maxItems").unwrap_or(LONG);
        let mut lengths =
            vec![0, 1, least.saturating_sub(1), least, most.saturating_sub(1), most, most.saturating_add(1)];
        lengths.sort_unstable();
        lengths.dedup();
        lengths.retain(|length| *length <= if self.narrow { LONG } else { LONGEST });
        for length in lengths {
            let mut changed: Vec<Value> = elements.iter().take(length).cloned().collect();
            if let Value::Array(more) = self.source.elements(form, length - changed.len(), 1) {
                changed.extend(more);
            }
            // Where there may be no more, one too many.
            let last = changed.last().cloned().unwrap_or_default();
            changed.resize(length, last);
            self.add(Value::Array(changed));
        }
        if let Some(first) = elements.first() {
            self.add(Value::Array(elements.iter().chain([first]).cloned().collect()));
            self.add(Value::Array(vec![first.clone(), first.clone()]));
            let otherwise = edges::as_float(first).map(|otherwise| Value::Array(vec![first.clone(), otherwise]));
            self.add_all(otherwise);
        }
        let extra: Value = elements.iter().cloned().chain([Value::Null]).collect();
        self.add(extra);
        let chosen = self.source.draw.below(elements.len().min(ELEMENTS));
        for (place, element) in elements.iter().enumerate().take(ELEMENTS) {
            if self.narrow && place != chosen {
                continue;
            }
            let of = Source::element(form, place).cloned().unwrap_or(Value::Bool(true));
            self.inside(Segment::Index(place), |inner| {
                inner.leave_out();
                inner.of(&of, element, levels - 1);
            });
        }
    }

    fn object(&mut self, form: &Map<String, Value>, object: &Map<String, Value>, levels: i32) {
        let declared = form.get("properties").and_then(Value::as_object);
        let most = if self.narrow { 1 } else { KEYS_OF_MANY };
        for (key, member) in self.few(object.iter().collect(), most) {
            let of = declared.and_then(|declared| declared.get(key)).or_else(|| self.source.entry(form, key)).cloned();
            self.inside(Segment::Key(key.clone()), |inner| {
                inner.leave_out();
                inner.of(&of.unwrap_or(Value::Bool(true)), member, levels - 1);
            });
        }
        let absent = members(form, "properties").filter(|(key, _)| !object.contains_key(*key));
        let absent = if self.narrow { Vec::new() } else { self.few(absent.collect(), KEYS_OF_MANY) };
        for (key, property) in absent {
            let member = self.source.value(property, levels - 1);
            self.inside(Segment::Key(key.clone()), |inner| {
                inner.add(Value::Null);
                inner.add(member.clone());
                inner.of(property, &member, levels - 2);
            });
        }
        self.inside(Segment::Key("nobody_declared_this".into()), |inner| {
            inner.add_all([Value::Null, json!(1), json!({})]);
        });
        self.entries(form, object, levels);
    }

    /// All of them, or as many as there may be.
    fn few<T>(&mut self, all: Vec<T>, most: usize) -> Vec<T> {
        if all.len() > most { self.source.draw.sample(all, most) } else { all }
    }

    /// Keys of a map.
    fn entries(&mut self, form: &Map<String, Value>, object: &Map<String, Value>, levels: i32) {
        let is_map = form.contains_key("propertyNames")
            || form.contains_key("patternProperties")
            || (self.source.entry(form, "a").is_some() && !form.contains_key("properties"));
        if is_map {
            let mut keys = self.source.keys(form);
            keys.push("k".repeat(300));
            for key in keys.into_iter().filter(|key| !object.contains_key(key)) {
                let of = self.source.entry(form, &key).cloned().unwrap_or(Value::Bool(true));
                let member = self.source.value(&of, levels - 1);
                self.inside(Segment::Key(key), |inner| inner.add(member));
            }
        }
        for limit in [count(form, "minProperties"), count(form, "maxProperties")].into_iter().flatten() {
            for size in [limit.saturating_sub(1), limit, limit.saturating_add(1)].into_iter().filter(|size| *size < 200)
            {
                let mut changed: Map<String, Value> =
                    object.iter().take(size).map(|(key, member)| (key.clone(), member.clone())).collect();
                let numbered = (0..size).map(|number| format!("k{number}"));
                for key in self.source.keys(form).into_iter().chain(KEYS.map(str::to_owned)).chain(numbered) {
                    if changed.len() < size && !changed.contains_key(&key) {
                        let of = self.source.entry(form, &key).cloned().unwrap_or(Value::Bool(true));
                        changed.insert(key, self.source.value(&of, levels - 1));
                    }
                }
                self.add(Value::Object(changed));
            }
        }
    }
}
