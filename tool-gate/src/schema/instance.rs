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
        // What lies below every `i64` may round to the least of them, and would pass for it.
        const LEAST: f64 = -9_223_372_036_854_775_808.0;
        let float = Number::as_f64(*self);
        let rounded_up = float.to_bits() == LEAST.to_bits() && self.as_i64().is_none() && self.is_integer();
        Some(if rounded_up { float.next_down() } else { float })
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

#[cfg(test)]
mod tests {
    use jsonschema::{Draft, Validator};
    use serde_json::json;

    use super::*;
    use crate::json::{read, view};

    fn validator(schema: &Value) -> Validator<Instance> {
        jsonschema::options_for::<Instance>().with_draft(Draft::Draft202012).build(schema).expect("a schema")
    }

    fn is_valid(schema: &Value, text: &str) -> bool {
        let tape = read(text, 64).expect("JSON");
        validator(schema).is_valid(tape.root())
    }

    #[track_caller]
    fn assert_judged(schema: &Value, valid: &[&str], invalid: &[&str]) {
        for text in valid {
            assert!(is_valid(schema, text), "{schema} takes {text}");
        }
        for text in invalid {
            assert!(!is_valid(schema, text), "{schema} refuses {text}");
        }
    }

    #[test]
    fn an_integer_is_one_by_its_value() {
        assert_judged(
            &json!({"type": "integer"}),
            &["5", "-5", "5.0", "1e2", "-0", "9007199254740993.0", "18446744073709551616", "1e300", "0e-1000000000"],
            &["5.5", "9007199254740992.5", "1e-400", "1e-1000000000", "\"5\"", "true", "null", "[5]"],
        );
        assert_judged(&json!({"type": "number"}), &["5", "5.5", "1e300"], &["\"5\"", "true"]);
    }

    #[test]
    fn bounds_are_exact_beyond_2_to_the_53() {
        assert_judged(
            &json!({"maximum": u64::MAX}),
            &["18446744073709551615", "18446744073709551615.0", "1.8446744073709551615e19", "-1e300"],
            &["18446744073709551616", "18446744073709551616.0", "1e20"],
        );
        assert_judged(
            &json!({"minimum": i64::MIN}),
            &["-9223372036854775808", "-9223372036854775808.0", "1e300"],
            &["-9223372036854775809", "-9223372036854775810.0e0", "-1e20"],
        );
        assert_judged(
            &json!({"maximum": 9_007_199_254_740_992_u64}),
            &["9007199254740992.0"],
            &["9007199254740993", "9007199254740993.0", "9.007199254740993e15"],
        );
        assert_judged(&json!({"exclusiveMinimum": 0}), &["1e-300", "1"], &["0", "-0", "-0.0"]);
    }

    #[test]
    fn equality_is_by_value_and_exact() {
        for keyword in ["const", "enum"] {
            let schema = |value: Value| {
                let clause = if keyword == "enum" { json!([value, "other"]) } else { value };
                json!({ keyword: clause })
            };
            assert_judged(
                &schema(json!(9_007_199_254_740_993_u64)),
                &["9007199254740993", "9007199254740993.0", "9007199254740993000e-3"],
                &["9007199254740992", "9007199254740992.0", "9007199254740994", "\"9007199254740993\""],
            );
            assert_judged(&schema(json!(9_007_199_254_740_992_u64)), &["9007199254740992.0"], &["9007199254740993.0"]);
            assert_judged(&schema(json!(1.0)), &["1", "1.0", "1e0"], &["true", "[1]"]);
            assert_judged(
                &schema(json!({"a": [1, {"b": null}], "c": "é"})),
                &[r#"{"c": "\u00e9", "a": [1.0, {"b": null}]}"#],
                &[
                    r#"{"a": [1, {"b": null}]}"#,
                    r#"{"a": [1, {"b": null}, 2], "c": "é"}"#,
                    r#"{"a": [1, {"b": false}], "c": "é"}"#,
                ],
            );
        }
        assert_judged(
            &json!({"enum": [1, 2, 9_007_199_254_740_993_u64]}),
            &["2.0", "9007199254740993.0"],
            &["9007199254740992.0"],
        );
    }

    #[test]
    fn multiples_are_counted_exactly() {
        assert_judged(
            &json!({"multipleOf": 3}),
            &["9007199254740993", "9007199254740993.0", "0", "-6.0"],
            &["9007199254740992.0", "1.5"],
        );
        assert_judged(&json!({"multipleOf": 0.01}), &["19.99", "1", "1e2"], &["0.001"]);
    }

    #[test]
    fn uniqueness_is_exact() {
        assert_judged(
            &json!({"uniqueItems": true}),
            &[
                "[9007199254740992.0, 9007199254740993.0]",
                "[1, true, \"1\", [1], {\"a\": 1}]",
                "[]",
                r#"[{"a": 1}, {"a": 2}]"#,
            ],
            &["[1, 1.0]", "[9007199254740993, 9007199254740993.0]", r#"[{"a": 1, "b": [2]}, {"b": [2.0], "a": 1e0}]"#],
        );
    }

    #[test]
    fn strings_are_measured_in_characters() {
        let schema = json!({"minLength": 2, "maxLength": 3});
        assert_judged(
            &schema,
            &["\"ab\"", "\"ééé\"", r#""\ud83d\ude00\n""#, "5"],
            &["\"a\"", "\"😀\"", "\"abcd\"", "\"éééé\""],
        );
    }

    #[test]
    fn names_of_properties_are_judged_like_strings() {
        let schema = json!({"propertyNames": {"pattern": "^[a-z]+$", "maxLength": 3}});
        assert_judged(&schema, &[r#"{"a": 1, "abc": 2}"#, "{}"], &[r#"{"a": 1, "abcd": 2}"#, r#"{"A": 1}"#]);
    }

    #[test]
    fn a_recursive_schema_ends_with_the_instance() {
        let schema = json!({"type": "object", "properties": {"next": {"$ref": "#"}}, "additionalProperties": false});
        assert_judged(&schema, &[r#"{"next": {"next": {}}}"#], &[r#"{"next": {"next": {"other": 1}}}"#]);
    }

    #[test]
    fn verdicts_are_those_of_the_stock_representation() {
        let schema = json!({
            "type": "object",
            "properties": {
                "a": {"type": ["integer", "null"], "minimum": 1},
                "b": {"type": "array", "items": {"anyOf": [{"type": "string", "minLength": 1}, {"$ref": "#/$defs/c"}]}, "maxItems": 3},
                "c": {"$ref": "#/$defs/c"},
            },
            "required": ["a"],
            "patternProperties": {"^x-": {"type": "boolean"}},
            "unevaluatedProperties": false,
            "$defs": {"c": {"type": "object", "required": ["d"], "minProperties": 1, "maxProperties": 2}},
        });
        let (ours, stock) = (validator(&schema), jsonschema::validator_for(&schema).expect("a schema"));
        for text in [
            r#"{"a": 1}"#,
            r#"{"a": 0}"#,
            r#"{"a": null, "b": ["x", {"d": 1}], "c": {"d": 1, "e": 2}, "x-1": true}"#,
            r#"{"a": null, "b": [""]}"#,
            r#"{"a": null, "b": ["x", "x", "x", "x"]}"#,
            r#"{"a": null, "c": {"d": 1, "e": 2, "f": 3}}"#,
            r#"{"a": null, "x-1": 1}"#,
            r#"{"a": null, "y": 1}"#,
            "{}",
            "[]",
        ] {
            let value: Value = serde_json::from_str(text).expect("JSON");
            let (read, viewed) = (read(text, 64).expect("JSON"), view(&value, &[], 64).expect("a view"));
            assert_eq!(ours.is_valid(read.root()), stock.is_valid(&value), "{text}");
            assert_eq!(ours.is_valid(viewed.root()), stock.is_valid(&value), "{text}");
            let ours: Vec<String> = ours.iter_errors(read.root()).map(|error| error.to_string()).collect();
            let stock: Vec<String> = stock.iter_errors(&value).map(|error| error.to_string()).collect();
            assert_eq!(ours, stock, "{text}");
        }
    }
}
