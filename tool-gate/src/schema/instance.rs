//! The tape as `jsonschema` sees it, so that arguments are validated where they lie.

use std::borrow::Cow;

use jsonschema::json::{self, Json, JsonNumber, NodeIdentity, cmp, unique};
use serde_json::Value;

use crate::json::{Elements, Kind, Members, Node, Number, Tape};

/// The representation of JSON that validators are built for.
#[derive(Debug)]
pub(crate) struct Instance;

impl Json for Instance {
    type Node<'a> = Node<'a>;
    type PreparedKey = String;
    type StringBuffer = Tape<'static>;

    // A lookup walks the members, so one walk is worth as many lookups as there are keys to find.
    const KEYS_PER_LOOKUP: usize = 8;
    const ACYCLIC: bool = true;

    fn prepare_key(key: &str) -> String {
        key.to_owned()
    }

    fn with_string_node<T>(buffer: &mut Tape<'static>, string: &str, f: impl FnOnce(Node<'_>) -> T) -> T {
        f(buffer.hold(string))
    }
}

impl<'a> json::Node<'a, Instance> for Node<'a> {
    type Object = Object<'a>;
    type Array = Array<'a>;
    type Number = Number<'a>;

    fn as_object(&self) -> Option<Object<'a>> {
        (self.kind() == Kind::Object).then_some(Object(*self))
    }

    fn as_array(&self) -> Option<Array<'a>> {
        (self.kind() == Kind::Array).then_some(Array(*self))
    }

    fn as_string(&self) -> Option<Cow<'a, str>> {
        self.as_str().map(Cow::Borrowed)
    }

    fn as_number(&self) -> Option<Number<'a>> {
        Node::as_number(*self)
    }

    fn as_boolean(&self) -> Option<bool> {
        self.as_bool()
    }

    fn is_null(&self) -> bool {
        Node::is_null(*self)
    }

    fn is_number(&self) -> bool {
        self.kind() == Kind::Number
    }

    fn is_string(&self) -> bool {
        self.kind() == Kind::String
    }

    fn json_type(&self) -> jsonschema::JsonType {
        match self.kind() {
            Kind::Null => jsonschema::JsonType::Null,
            Kind::Bool => jsonschema::JsonType::Boolean,
            Kind::Number => jsonschema::JsonType::Number,
            Kind::String => jsonschema::JsonType::String,
            Kind::Array => jsonschema::JsonType::Array,
            Kind::Object => jsonschema::JsonType::Object,
        }
    }

    fn string_length(&self) -> Option<u64> {
        self.as_str().map(characters)
    }

    fn string_length_within(&self, min: u64, max: u64) -> Option<bool> {
        let string = self.as_str()?;
        // A character takes one to four bytes: that often decides without counting.
        let most = string.len() as u64;
        let fewest = most.div_ceil(4);
        if most < min || fewest > max {
            return Some(false);
        }
        Some(min <= fewest && most <= max || (min..=max).contains(&characters(string)))
    }

    fn equals_value(&self, expected: &Value) -> bool {
        match expected {
            Value::Null => Node::is_null(*self),
            Value::Bool(expected) => self.as_bool() == Some(*expected),
            Value::Number(expected) => {
                Node::as_number(*self).is_some_and(|number| cmp::equal_numbers(&number, expected))
            }
            Value::String(expected) => self.as_str() == Some(expected),
            Value::Array(expected) => {
                self.kind() == Kind::Array
                    && self.len() == expected.len()
                    && self.elements().zip(expected).all(|(element, expected)| element.equals_value(expected))
            }
            Value::Object(expected) => {
                self.kind() == Kind::Object
                    && self.len() == expected.len()
                    && self
                        .members()
                        .all(|(key, value)| expected.get(key).is_some_and(|expected| value.equals_value(expected)))
            }
        }
    }

    fn to_value(&self) -> Cow<'a, Value> {
        Cow::Owned(Node::to_value(*self))
    }

    fn identity(&self) -> Option<NodeIdentity> {
        Some(NodeIdentity::new(self.address()))
    }
}

/// An object, as a validator walks it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Object<'a>(Node<'a>);

impl<'a> json::Object<'a, Instance> for Object<'a> {
    type Node = Node<'a>;
    type MemberName = &'a str;
    type MembersIter = Members<'a>;

    fn len(&self) -> usize {
        self.0.len()
    }

    fn get(&self, key: &String) -> Option<Node<'a>> {
        self.0.get(key)
    }

    fn members(&self) -> Members<'a> {
        self.0.members()
    }
}

/// An array, as a validator walks it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Array<'a>(Node<'a>);

impl<'a> json::Array<'a, Instance> for Array<'a> {
    type Node = Node<'a>;
    type ElementsIter = Elements<'a>;

    fn len(&self) -> usize {
        self.0.len()
    }

    fn elements(&self) -> Elements<'a> {
        self.0.elements()
    }

    fn is_unique(&self) -> bool {
        let values: Vec<Value> = self.0.elements().map(exact_value).collect();
        unique::is_unique(&values)
    }
}

impl JsonNumber for Number<'_> {
    fn as_u64(&self) -> Option<u64> {
        Number::as_u64(*self)
    }

    fn as_i64(&self) -> Option<i64> {
        Number::as_i64(*self)
    }

    fn as_f64(&self) -> Option<f64> {
        Some(Number::as_f64(*self))
    }

    fn as_str(&self) -> Cow<'_, str> {
        self.text()
    }

    fn to_number(&self) -> Cow<'_, serde_json::Number> {
        Cow::Owned(self.to_json())
    }

    fn is_integer(&self) -> bool {
        Number::is_integer(*self)
    }

    fn is_written_as_integer(&self) -> bool {
        self.written_as_integer()
    }
}

/// The value with integers as integers, however they are written: as floats, neighbours beyond 2^53 would be equal.
fn exact_value(node: Node<'_>) -> Value {
    match node.kind() {
        Kind::Array => node.elements().map(exact_value).collect(),
        Kind::Object => node.members().map(|(key, value)| (key.to_owned(), exact_value(value))).collect(),
        Kind::Number => node.as_number().map(Number::to_integer).map_or(Value::Null, |number| number.to_json().into()),
        Kind::Null | Kind::Bool | Kind::String => node.to_value(),
    }
}

/// How many characters a string has.
fn characters(string: &str) -> u64 {
    // Every byte but the continuation bytes starts one; counted this way the loop is vectorised.
    string.bytes().filter(|byte| byte & 0xC0 != 0x80).count() as u64
}
