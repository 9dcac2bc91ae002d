//! What a tool answered, and how its return type becomes that.

use std::{borrow::Cow, marker::PhantomData};

use serde::{Deserialize, Deserializer, Serialize, de};
use serde_json::{Value, value::RawValue};

use crate::error::ToolError;

/// What a tool that ran answered, as JSON text.
///
/// The text is written once, when the tool returns, and never parsed again on its way to the model: fields keep the order
/// of their struct and numbers their digits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Answer {
    /// Nothing where the tool returned `()`: unlike `null`, that is no value to tell.
    json: Option<String>,
}

impl Answer {
    /// Writes the value down.
    ///
    /// # Errors
    ///
    /// Where the value's own `Serialize` fails, or JSON cannot hold it (a map whose keys are not text).
    pub(crate) fn of<T: Serialize + ?Sized>(value: &T) -> Result<Self, ToolError> {
        let json = serde_json::to_string(value).map_err(|source| ToolError::from(NotSerialized(source)))?;
        Ok(Self { json: Some(json) })
    }

    /// The answer of a tool that has nothing to say but that it ran.
    pub(crate) const fn done() -> Self {
        Self { json: None }
    }

    /// The answer as JSON text; `null` where the tool returned `()`.
    pub fn json(&self) -> &str {
        self.json.as_deref().unwrap_or("null")
    }

    /// The answer as a JSON value, read anew from the text on each call.
    ///
    /// An answer nested deeper than JSON readers go (127 levels) comes back as a string that holds its JSON text.
    pub fn to_value(&self) -> Value {
        serde_json::from_str(self.json()).unwrap_or_else(|_| Value::from(self.json()))
    }

    /// What the model reads, never empty: a string's own content unless that is blank, `Done.` for `()`, and JSON text
    /// for everything else.
    pub fn text(&self) -> Cow<'_, str> {
        let Some(json) = self.json.as_deref() else { return Cow::Borrowed("Done.") };
        match content(json) {
            Some(content) if !content.trim().is_empty() => content,
            _ => Cow::Borrowed(json),
        }
    }
}

impl<'de> Deserialize<'de> for Answer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = Option::<String>::deserialize(deserializer)?;
        if let Some(text) = &json {
            serde_json::from_str::<&RawValue>(text).map_err(de::Error::custom)?;
        }
        Ok(Self { json })
    }
}

/// The content of a JSON string; nothing where the text is another kind of value.
fn content(json: &str) -> Option<Cow<'_, str>> {
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
#[derive(Debug)]
pub struct Probe<T>(PhantomData<fn() -> T>);

impl<T> Probe<T> {
    /// Carries the type of `value`, which may have no name.
    pub fn of(_: &T) -> Self {
        Self(PhantomData)
    }
}

impl<T, E> Probe<Result<T, E>> {
    /// Turns the tool's own error into a [`ToolError`].
    ///
    /// # Errors
    ///
    /// Where the tool failed.
    pub fn output(self, output: Result<T, E>) -> Result<T, ToolError>
    where
        E: Fails,
    {
        output.map_err(Into::into)
    }
}

/// The method for what is not a `Result`: nothing can fail.
pub trait AnyOutput<T> {
    /// Passes the value on.
    ///
    /// # Errors
    ///
    /// None.
    fn output(self, output: T) -> Result<T, ToolError>;
}

impl<T> AnyOutput<T> for Probe<T> {
    fn output(self, output: T) -> Result<T, ToolError> {
        Ok(output)
    }
}

impl Probe<()> {
    /// A tool that returns nothing.
    pub fn kind(self) -> Nothing {
        Nothing
    }
}

/// The method for what is not `()`: it is serialised.
pub trait AnyAnswer<T>: Sized {
    /// A tool that returns something.
    fn kind(self) -> Something<T> {
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
    pub fn answer(self, (): &()) -> Result<Answer, ToolError> {
        Ok(Answer::done())
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
    pub fn answer(self, value: &T) -> Result<Answer, ToolError>
    where
        T: Answers,
    {
        Answer::of(value)
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
    fn nothing_and_null_stay_apart_when_saved() {
        for answer in [Answer::done(), Answer::of(&None::<u8>).unwrap(), Answer::of("x").unwrap()] {
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
