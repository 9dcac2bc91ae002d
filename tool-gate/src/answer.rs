//! What a tool answered, and how its return type becomes that.

use std::{borrow::Cow, marker::PhantomData};

use schemars::{JsonSchema, generate::SchemaSettings};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::{Value, json, value::RawValue};

use crate::{
    content::{self, Content},
    error::ToolError,
};

/// What a tool that ran answered: JSON text, or blocks of [`Content`].
///
/// JSON text is written once, when the tool returns, and never parsed again on its way to the model: fields keep the order
/// of their struct and numbers their digits.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer(Held);

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
enum Held {
    /// The tool returned `()`: unlike `null`, that is no value to tell.
    Nothing,
    Json(String),
    #[serde(serialize_with = "content::save")]
    Blocks(Vec<Content>),
}

impl Answer {
    /// Writes the value down.
    ///
    /// # Errors
    ///
    /// Where the value's own `Serialize` fails, or JSON cannot hold it (a map whose keys are not text).
    pub(crate) fn of<T: Serialize + ?Sized>(value: &T) -> Result<Self, ToolError> {
        let json = serde_json::to_string(value).map_err(|source| ToolError::from(NotSerialized(source)))?;
        Ok(Self(Held::Json(json)))
    }

    /// The answer of a tool that has nothing to say but that it ran.
    pub(crate) const fn done() -> Self {
        Self(Held::Nothing)
    }

    /// The answer as JSON text; `null` where the tool returned `()`, and what the model reads, as a string, where it returned
    /// [`Content`].
    pub fn json(&self) -> Cow<'_, str> {
        match &self.0 {
            Held::Nothing => Cow::Borrowed("null"),
            Held::Json(json) => Cow::Borrowed(json),
            Held::Blocks(_) => Cow::Owned(Value::from(self.text()).to_string()),
        }
    }

    /// The answer as a JSON value, read anew from the text on each call.
    ///
    /// An answer nested deeper than JSON readers go (127 levels) comes back as a string that holds its JSON text.
    pub fn to_value(&self) -> Value {
        let json = self.json();
        serde_json::from_str(&json).unwrap_or_else(|_| Value::from(json))
    }

    /// The blocks of a tool that returned [`Content`], without blank texts; none where it returned anything else.
    pub fn content(&self) -> &[Content] {
        match &self.0 {
            Held::Blocks(blocks) => blocks,
            Held::Nothing | Held::Json(_) => &[],
        }
    }

    /// What the model reads, never empty: a string's own content unless that is blank, `Done.` for `()`, the text of each
    /// block on lines of its own, and JSON text for everything else.
    pub fn text(&self) -> Cow<'_, str> {
        match &self.0 {
            Held::Nothing => Cow::Borrowed(DONE),
            Held::Json(json) => match content_of(json) {
                Some(content) if !content.trim().is_empty() => content,
                _ => Cow::Borrowed(json),
            },
            Held::Blocks(blocks) => match &blocks[..] {
                [] => Cow::Borrowed(DONE),
                [block] => block.to_text(),
                blocks => Cow::Owned(blocks.iter().map(Content::to_text).collect::<Vec<_>>().join("\n")),
            },
        }
    }
}

/// What the model reads of a tool that has nothing to say but that it ran.
const DONE: &str = "Done.";

/// As a dynamic tool answers.
impl From<Value> for Answer {
    fn from(value: Value) -> Self {
        Self(Held::Json(value.to_string()))
    }
}

impl From<Vec<Content>> for Answer {
    fn from(mut blocks: Vec<Content>) -> Self {
        blocks.retain(|block| !block.is_blank());
        Self(Held::Blocks(blocks))
    }
}

impl From<Content> for Answer {
    fn from(block: Content) -> Self {
        vec![block].into()
    }
}

impl<const N: usize> From<[Content; N]> for Answer {
    fn from(blocks: [Content; N]) -> Self {
        Vec::from(blocks).into()
    }
}

impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Answer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Saved {
            Nothing,
            Json(String),
            Blocks(#[serde(deserialize_with = "content::load")] Vec<Content>),
        }
        Ok(match Saved::deserialize(deserializer)? {
            Saved::Nothing => Self::done(),
            Saved::Json(json) => {
                serde_json::from_str::<&RawValue>(&json).map_err(de::Error::custom)?;
                Self(Held::Json(json))
            }
            Saved::Blocks(blocks) => blocks.into(),
        })
    }
}

/// The content of a JSON string; nothing where the text is another kind of value.
fn content_of(json: &str) -> Option<Cow<'_, str>> {
    if !json.starts_with('"') {
        return None;
    }
    match serde_json::from_str(json) {
        Ok(plain) => Some(Cow::Borrowed(plain)),
        Err(_) => serde_json::from_str(json).ok().map(Cow::Owned),
    }
}

/// The source of the failure where a tool's answer could not be written as JSON.
#[derive(Debug)]
struct NotSerialized(serde_json::Error);

impl std::fmt::Display for NotSerialized {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the tool's answer could not be written as JSON")
    }
}

impl std::error::Error for NotSerialized {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

/// Tells a return type by what it is, not by how it is spelled, so that aliases of `Result` count.
///
/// An inherent method wins over a trait's method of the same name. The bounds stand on the methods, which makes the
/// compiler choose first and check afterwards: a `Result` with a bad error is never taken for a plain value.
///
/// The methods have names that no user's trait for every type is likely to have: two traits' methods of one name are an error.
#[derive(Debug)]
pub struct Probe<T>(PhantomData<fn() -> T>);

impl<T> Probe<T> {
    /// Carries a type that has a name.
    pub const TYPE: Self = Self(PhantomData);

    /// Carries the type of `value`, which may have no name.
    pub fn of(_: &T) -> Self {
        Self::TYPE
    }
}

impl<T, E> Probe<Result<T, E>> {
    /// Turns the tool's own error into a [`ToolError`].
    ///
    /// # Errors
    ///
    /// Where the tool failed.
    pub fn settle(self, output: Result<T, E>) -> Result<T, ToolError>
    where
        E: Fails,
    {
        output.map_err(Into::into)
    }

    /// The type of what it answers where it does not fail.
    pub fn answers(self) -> Probe<T> {
        Probe::TYPE
    }
}

/// The method for what is not a `Result`: nothing can fail.
pub trait AnyOutput<T> {
    /// Passes the value on.
    ///
    /// # Errors
    ///
    /// None.
    fn settle(self, output: T) -> Result<T, ToolError>;

    /// The type of what it answers.
    fn answers(self) -> Probe<T>;
}

impl<T> AnyOutput<T> for Probe<T> {
    fn settle(self, output: T) -> Result<T, ToolError> {
        Ok(output)
    }

    fn answers(self) -> Self {
        self
    }
}

impl<T: JsonSchema> Probe<T> {
    /// The schema of what such a tool answers; none for `()`.
    pub fn schema_of(self) -> Option<Value> {
        let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
        let mut schema = generator.into_root_schema_for::<T>();
        schema.remove("$schema");
        schema.remove("title");
        let schema = schema.to_value();
        (schema != json!({"type": "null"})).then_some(schema)
    }
}

/// The method for what has no schema.
pub trait AnySchema: Sized {
    /// None.
    fn schema_of(self) -> Option<Value> {
        None
    }
}

impl<T> AnySchema for Probe<T> {}

impl Probe<()> {
    /// A tool that returns nothing.
    pub fn answer_kind(self) -> Nothing {
        Nothing
    }
}

impl Probe<Answer> {
    /// A tool that returns what another answered.
    pub fn answer_kind(self) -> Blocks {
        Blocks
    }
}

impl Probe<Content> {
    /// A tool that returns one block.
    pub fn answer_kind(self) -> Blocks {
        Blocks
    }
}

impl Probe<Vec<Content>> {
    /// A tool that returns blocks.
    pub fn answer_kind(self) -> Blocks {
        Blocks
    }
}

impl<const N: usize> Probe<[Content; N]> {
    /// A tool that returns so many blocks.
    pub fn answer_kind(self) -> Blocks {
        Blocks
    }
}

/// The method for what is none of these: it is serialised.
pub trait AnyAnswer<T>: Sized {
    /// A tool that returns something.
    fn answer_kind(self) -> Something<T> {
        Something(PhantomData)
    }
}

impl<T> AnyAnswer<T> for Probe<T> {}

/// The kind of `()`.
#[derive(Debug)]
pub struct Nothing;

impl Nothing {
    /// Says that the tool ran.
    ///
    /// # Errors
    ///
    /// None.
    pub fn answer(self, (): ()) -> Result<Answer, ToolError> {
        Ok(Answer::done())
    }
}

/// The kind of [`Content`].
#[derive(Debug)]
pub struct Blocks;

impl Blocks {
    /// Takes the blocks.
    ///
    /// # Errors
    ///
    /// None.
    pub fn answer(self, blocks: impl Into<Answer>) -> Result<Answer, ToolError> {
        Ok(blocks.into())
    }
}

/// The kind of every other type.
#[derive(Debug)]
pub struct Something<T>(PhantomData<fn() -> T>);

impl<T> Something<T> {
    /// Writes the value down.
    ///
    /// # Errors
    ///
    /// See [`Answer::of`].
    #[allow(clippy::needless_pass_by_value, reason = "as the other kinds take it")]
    pub fn answer(self, value: T) -> Result<Answer, ToolError>
    where
        T: Answers,
    {
        Answer::of(&value)
    }
}

/// What a tool may return: a name of our own for `Serialize`, which says what is wrong in the words of this library.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a tool's answer",
    label = "cannot be written as JSON for the model",
    note = "derive serde's `Serialize` for it, or for what it holds"
)]
pub trait Answers: Serialize {}

#[diagnostic::do_not_recommend]
impl<T: Serialize + ?Sized> Answers for T {}

/// What a tool may fail with.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a tool's error",
    label = "not an error",
    note = "return `ToolError`, or an error that implements `Error + Send + Sync + 'static`"
)]
pub trait Fails: Into<ToolError> {}

#[diagnostic::do_not_recommend]
impl<E: Into<ToolError>> Fails for E {}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(value: impl Serialize) -> String {
        Answer::of(&value).unwrap().text().into_owned()
    }

    #[test]
    fn a_string_is_read_as_it_is() {
        assert_eq!(text("shipped"), "shipped");
        assert_eq!(text("two\n\"lines\""), "two\n\"lines\"");
    }

    #[test]
    fn no_text_is_empty() {
        assert_eq!(text(""), "\"\"");
        assert_eq!(text(" \n"), "\" \\n\"");
        assert_eq!(text(None::<u8>), "null");
        assert_eq!(text(Vec::<u8>::new()), "[]");
        assert_eq!(Answer::done().text(), "Done.");
    }

    #[test]
    fn fields_keep_their_order_and_numbers_their_digits() {
        #[derive(Serialize)]
        struct Length {
            value: f64,
            unit: &'static str,
        }
        let answer = Answer::of(&Length { value: 1.25, unit: "m" }).unwrap();
        assert_eq!(answer.json(), r#"{"value":1.25,"unit":"m"}"#);
        assert_eq!(answer.text(), answer.json());
        assert_eq!(answer.to_value()["unit"], "m");
    }

    #[test]
    fn blocks_are_lines_and_blank_ones_are_left_out() {
        let blocks = [
            Content::text(" "),
            Content::text("Two files."),
            Content::json(&[1]).unwrap(),
            Content::image("image/png", [0; 5]),
            Content::file("a.pdf", "application/pdf", [1]),
        ];
        let answer = Answer::from(blocks);
        assert_eq!(
            answer.text(),
            "Two files.\n[1]\n[image/png, 5 bytes: not shown]\n[a.pdf, application/pdf, 1 bytes: not shown]"
        );
        assert_eq!(answer.content().len(), 4);
        assert_eq!(answer.to_value(), Value::from(answer.text()));
        assert_eq!(Answer::from(Content::text("")).text(), "Done.");
        assert_eq!(Answer::from(Vec::new()).json(), r#""Done.""#);
    }

    #[test]
    fn a_type_with_a_schema_has_one_and_others_have_none() {
        assert_eq!(Probe::<Vec<u8>>::TYPE.answers().schema_of().unwrap()["items"]["type"], "integer");
        assert_eq!(Probe::<Result<bool, String>>::TYPE.answers().schema_of(), Some(json!({"type": "boolean"})));
        assert_eq!(Probe::<Result<(), String>>::TYPE.answers().schema_of(), None);
        assert_eq!(Probe::<Content>::TYPE.answers().schema_of(), None);
        assert_eq!(Probe::<Result<std::net::TcpStream, String>>::TYPE.answers().schema_of(), None);
    }

    #[test]
    fn what_is_saved_comes_back_and_nothing_and_null_stay_apart() {
        let blocks =
            [Content::image("image/png", [255, 0]), Content::file("a", "b/c", []), Content::Json(json!({"a": 1.5}))];
        let nothing = Answer::from(Vec::new());
        for answer in
            [Answer::done(), Answer::of(&None::<u8>).unwrap(), Answer::of("x").unwrap(), blocks.into(), nothing]
        {
            let saved = serde_json::to_string(&answer).unwrap();
            assert_eq!(serde_json::from_str::<Answer>(&saved).unwrap(), answer);
        }
    }

    #[test]
    fn a_saved_answer_that_is_not_json_is_refused() {
        assert!(serde_json::from_str::<Answer>(r#""{""#).is_err());
    }

    #[test]
    fn what_json_cannot_hold_is_a_failure_with_a_source() {
        let map = std::collections::BTreeMap::from([(vec![1], 2)]);
        let error = Answer::of(&map).unwrap_err();
        assert_eq!(error.words(), None);
        assert!(error.source().is_some());
    }
}
