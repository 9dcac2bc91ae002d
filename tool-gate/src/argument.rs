//! How the parameters of a tool are declared.

mod binding;
mod bounds;
mod check;
mod kinds;

use std::fmt;

use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
use serde::{
    Serialize,
    de::{self, DeserializeOwned},
};
use serde_json::{Map, Value};

use self::{binding::absent, check::Check};
pub use self::{
    binding::{Binding, Unbound},
    bounds::{Bounds, Primitive},
    check::{AnyGiven, Given, Reason, checked, together},
    kinds::{DefaultText, Items, Lent, Number, OwnDefault, Text, lend, own_default, text_default},
};
use crate::{
    json::{self, Node, Refused},
    running::unwinding,
    schema::{self, Definitions},
};

/// A type that a model can fill in: it is read from JSON and has a schema.
///
/// Every owned type that derives serde's `Deserialize` and schemars' `JsonSchema` is one. There is nothing to implement.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a tool argument",
    label = "the model cannot fill this in",
    note = "derive serde's `Deserialize` and schemars' `JsonSchema` for it (it must be `Send`, `Sync` and own its data), or mark the parameter `#[state]` or `#[call]`"
)]
pub trait Argument: DeserializeOwned + JsonSchema + Send + Sync + 'static {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema + Send + Sync + 'static> Argument for T {}

/// A parameter that is taken by value.
pub fn arg<T: Argument>(name: &'static str) -> Parameter<T> {
    Parameter {
        name,
        doc: "",
        sensitive: false,
        constraints: Constraints::default(),
        default: None,
        example: None,
        check: None,
        read: |node| T::deserialize(node),
        absent: absent::<T>,
        schema: |generator| generator.subschema_for::<T>().to_value(),
    }
}

/// A parameter that is taken as `&T`.
pub fn lent<T: Lent + ?Sized>(name: &'static str) -> Parameter<T::Owned> {
    arg::<T::Owned>(name)
}

/// One parameter of a tool, as its attributes declare it.
pub struct Parameter<T> {
    name: &'static str,
    doc: &'static str,
    sensitive: bool,
    constraints: Constraints,
    default: Option<DefaultOf<T>>,
    example: Option<Result<Value, String>>,
    check: Option<Check<T>>,
    read: fn(Node<'_>) -> Result<T, Refused>,
    absent: fn() -> Option<T>,
    schema: fn(&mut SchemaGenerator) -> Value,
}

struct DefaultOf<T> {
    value: fn() -> T,
    publish: fn(&T) -> Result<Value, String>,
}

impl<T> Parameter<T> {
    /// What the model is told of it.
    #[must_use]
    pub fn doc(mut self, doc: &'static str) -> Self {
        self.doc = doc;
        self
    }

    /// Keeps its values out of what the model and the log are told of a rejected call.
    #[must_use]
    pub fn sensitive(mut self) -> Self {
        self.sensitive = true;
        self
    }

    /// What stands in for it where a call leaves it out. The schema shows it, hence the bound.
    #[must_use]
    pub fn default(mut self, value: fn() -> T) -> Self
    where
        T: Published,
    {
        let publish = |value: &T| serde_json::to_value(value).map_err(|error| error.to_string());
        self.default = Some(DefaultOf { value, publish });
        self
    }

    /// What a model might send: any value that is written as what the type reads.
    #[must_use]
    #[allow(clippy::needless_pass_by_value, reason = "it is made where it is passed")]
    pub fn example<E: Shown>(mut self, value: E) -> Self {
        self.example = Some(serde_json::to_value(value).map_err(|error| error.to_string()));
        self
    }

    /// What its type and the other options do not say of it. The schema does not show it: the model reads the reason.
    #[must_use]
    pub fn check(mut self, check: Check<T>) -> Self {
        self.check = Some(check);
        self
    }

    /// The numbers it may be.
    #[must_use]
    pub fn range(mut self, range: impl Bounds<T::Primitive>) -> Self
    where
        T: Number,
    {
        self.constraints.between(range);
        self
    }

    /// How many characters it may have.
    #[must_use]
    pub fn length(mut self, range: impl Bounds<usize>) -> Self
    where
        T: Text,
    {
        (self.constraints.min_length, self.constraints.max_length) = bounds::count(range);
        self
    }

    /// How many elements it may have.
    #[must_use]
    pub fn items(mut self, range: impl Bounds<usize>) -> Self
    where
        T: Items,
    {
        (self.constraints.min_items, self.constraints.max_items) = bounds::count(range);
        self
    }

    /// The regular expression that matches somewhere in it.
    #[must_use]
    pub fn pattern(mut self, pattern: &'static str) -> Self
    where
        T: Text,
    {
        self.constraints.pattern = Some(pattern);
        self
    }

    /// The format of JSON Schema that it has.
    #[must_use]
    pub fn format(mut self, format: &'static str) -> Self
    where
        T: Text,
    {
        self.constraints.format = Some(format);
        self
    }
}

impl<T> fmt::Debug for Parameter<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parameter").field("name", &self.name).finish_non_exhaustive()
    }
}

/// What a default has to be: a name of our own for `Serialize`, for the sake of the error.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot have a default",
    label = "the schema has to show the default, and `{Self}` cannot be written as JSON",
    note = "derive serde's `Serialize` for `{Self}`, or take an `Option<{Self}>`"
)]
pub trait Published: Serialize {}

#[diagnostic::do_not_recommend]
impl<T: Serialize> Published for T {}

/// What an example has to be: a name of our own for `Serialize`, for the sake of the error.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an example",
    label = "the schema has to show the example, and `{Self}` cannot be written as JSON",
    note = "derive serde's `Serialize` for `{Self}`, or write what a model would send: text, a number, `serde_json::json!(…)`"
)]
pub trait Shown: Serialize {}

#[diagnostic::do_not_recommend]
impl<T: Serialize> Shown for T {}

/// What a parameter's attributes ask beyond its type.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Constraints {
    pub(crate) minimum: Option<serde_json::Number>,
    pub(crate) maximum: Option<serde_json::Number>,
    pub(crate) exclusive_minimum: Option<serde_json::Number>,
    pub(crate) exclusive_maximum: Option<serde_json::Number>,
    pub(crate) min_length: Option<u64>,
    pub(crate) max_length: Option<u64>,
    pub(crate) min_items: Option<u64>,
    pub(crate) max_items: Option<u64>,
    pub(crate) pattern: Option<&'static str>,
    pub(crate) format: Option<&'static str>,
}

/// A parameter without its type: what the tool's schema is made of.
#[derive(Debug)]
pub(crate) struct Described {
    pub(crate) name: &'static str,
    pub(crate) doc: &'static str,
    /// As schemars writes it and the type takes it, not tightened yet.
    pub(crate) schema: Value,
    /// Why some of what it takes would never be read.
    pub(crate) problems: Vec<String>,
    pub(crate) constraints: Constraints,
    /// The default as JSON.
    pub(crate) default: Option<Result<Value, Unfit>>,
    /// The example as JSON.
    pub(crate) example: Option<Result<Value, Unfit>>,
    /// The type has a value for an argument that is left out.
    pub(crate) optional: bool,
    pub(crate) sensitive: bool,
}

/// Why a default, or an example, is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unfit {
    /// It cannot be written as JSON.
    Unwritable(String),
    /// The parameter's type, or its check, refuses it.
    Refused(String),
}

/// What a type's own code makes of a default or an example; a panic of it is a refusal.
fn caught<T>(code: impl FnOnce() -> Result<T, Unfit>) -> Result<T, Unfit> {
    unwinding(code).unwrap_or_else(|panic| Err(Unfit::Refused(format!("it panics: {panic}"))))
}

/// The parameters of one tool, in the order of its signature.
#[derive(Debug, Default)]
pub struct Parameters {
    described: Vec<Described>,
    definitions: Definitions,
    /// Whether the types are left unasked: what schemars says of them is all.
    is_open: bool,
}

impl Parameters {
    /// Parameters whose schemas are not narrowed, for a test to hold against those that are.
    #[cfg(feature = "testing")]
    pub(crate) fn open() -> Self {
        Self { is_open: true, ..Self::default() }
    }

    /// Adds the next one.
    pub fn add<T>(&mut self, parameter: Parameter<T>) {
        let Parameter { name, doc, sensitive, constraints, default, example, check, read, absent, schema } = parameter;
        let mut generator = SchemaSettings::draft2020_12().for_deserialize().into_generator();
        let mut schema = schema(&mut generator);
        let mut definitions = generator.take_definitions(true);
        let is_read = |value: &Value| {
            let tape = json::view(value, &[], usize::MAX).map_err(de::Error::custom)?;
            // A type that breaks on what it is asked says as much as one that refuses.
            unwinding(|| read(tape.root()).map(drop)).unwrap_or_else(|panic| Err(de::Error::custom(panic)))
        };
        let problems = if self.is_open { Vec::new() } else { schema::narrow(&mut schema, &mut definitions, &is_read) };
        self.definitions.adopt(&mut schema, definitions);
        let default = default.map(|default| {
            caught(|| {
                let value = (default.value)();
                check.map_or(Ok(()), |check| check(&value)).map_err(Unfit::Refused)?;
                (default.publish)(&value).map_err(Unfit::Unwritable)
            })
        });
        let example = example.map(|example| {
            let example = example.map_err(Unfit::Unwritable)?;
            let tape = json::view(&example, &[], usize::MAX).map_err(|_| Unfit::Unwritable("it is too deep".into()))?;
            caught(|| {
                let value = read(tape.root()).map_err(|refused| Unfit::Refused(refused.to_string()))?;
                check.map_or(Ok(()), |check| check(&value)).map_err(Unfit::Refused)
            })?;
            Ok(example)
        });
        let optional = unwinding(|| absent().is_some()).unwrap_or_default();
        self.described.push(Described {
            name,
            doc,
            schema,
            problems,
            constraints,
            default,
            example,
            optional,
            sensitive,
        });
    }

    /// The parameters, and the definitions that their schemas refer to as `#/$defs/…`.
    pub(crate) fn finish(self) -> (Vec<Described>, Map<String, Value>) {
        (self.described, self.definitions.into_map())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    fn described<T>(parameter: Parameter<T>) -> Described {
        let mut list = Parameters::default();
        list.add(parameter);
        list.finish().0.remove(0)
    }

    #[test]
    fn optional_is_what_serde_says_so() {
        type Maybe<T> = Option<T>;
        #[derive(serde::Deserialize, schemars::JsonSchema)]
        #[serde(transparent)]
        struct Wrapped(#[expect(dead_code, reason = "only its type counts")] Option<u8>);

        assert!(described(arg::<Maybe<u8>>("a")).optional);
        assert!(described(arg::<Wrapped>("a")).optional);
        assert!(described(arg::<()>("a")).optional == absent::<()>().is_some());
        assert!(!described(arg::<u8>("a")).optional);
        assert!(!described(arg::<Vec<u8>>("a")).optional);
    }

    #[test]
    fn integers_end_inclusively_and_floats_as_written() {
        let limit = described(arg::<u32>("limit").range(1..10)).constraints;
        assert_eq!((limit.minimum, limit.maximum), (Some(1.into()), Some(9.into())));
        let ratio = described(arg::<f64>("ratio").range(0.5..2.0)).constraints;
        assert_eq!(ratio.minimum, serde_json::Number::from_f64(0.5));
        assert_eq!(ratio.exclusive_maximum, serde_json::Number::from_f64(2.0));
        assert_eq!(ratio.maximum, None);
    }

    #[test]
    fn a_single_precision_bound_is_published_as_it_was_written() {
        let ratio = described(arg::<f32>("ratio").range(0.1..)).constraints;
        assert_eq!(ratio.minimum.unwrap().to_string(), "0.1");
    }

    #[test]
    fn an_exclusive_end_at_the_least_integer_stays_exclusive() {
        let none = described(arg::<u8>("n").range(..0)).constraints;
        assert_eq!((none.maximum, none.exclusive_maximum), (None, Some(0.into())));
    }

    #[test]
    fn a_default_is_published_and_used() {
        assert_eq!(described(arg::<u8>("n").default(|| 3)).default, Some(Ok(3.into())));
        let empty = json::read("{}", 1).unwrap();
        let mut binding = Binding::of(empty.root());
        assert_eq!(binding.take(arg::<u8>("n").default(|| 3)).unwrap(), 3);
        assert_eq!(binding.take(arg::<Option<u8>>("n")).unwrap(), None);
        assert!(binding.take(arg::<u8>("n")).is_err());
    }

    #[test]
    fn what_was_read_is_checked_and_so_is_a_default() {
        let even: Check<u8> = |number| number.is_multiple_of(2).then_some(()).ok_or(format!("{number} is odd"));
        let take = |arguments: &str, default: fn() -> u8| {
            let arguments = json::read(arguments, 2).unwrap();
            let taken = Binding::of(arguments.root()).take(arg::<u8>("n").default(default).check(even));
            taken.map_err(|unbound| unbound.refused.to_string())
        };
        assert_eq!(take(r#"{"n": 4}"#, || 2), Ok(4));
        assert_eq!(take(r#"{"n": 1}"#, || 2), Err("1 is odd".into()));
        assert_eq!(take("{}", || 3), Err("3 is odd".into()));
        let refused = described(arg::<u8>("n").default(|| 3).check(even)).default;
        assert_eq!(refused, Some(Err(Unfit::Refused("3 is odd".into()))));
    }

    #[test]
    fn code_that_panics_over_a_default_or_an_example_refuses_it() {
        let panics: Check<u8> = |number| panic!("not {number}");
        let refused = Some(Err(Unfit::Refused("it panics: not 3".into())));
        assert_eq!(described(arg::<u8>("n").default(|| 3).check(panics)).default, refused);
        assert_eq!(described(arg::<u8>("n").example(3).check(panics)).example, refused);
    }

    #[test]
    fn lengths_and_items_count_from_what_is_lent() {
        let name = described(lent::<str>("name").length(1..=80).pattern("^[a-z]")).constraints;
        assert_eq!((name.min_length, name.max_length, name.pattern), (Some(1), Some(80), Some("^[a-z]")));
        let tags = described(lent::<[String]>("tags").items(..4)).constraints;
        assert_eq!((tags.min_items, tags.max_items), (None, Some(3)));
    }
}
