//! How a tool's return type becomes its answer, and the schema of it.

use std::marker::PhantomData;

use schemars::{JsonSchema, generate::SchemaSettings};
use serde::Serialize;
use serde_json::{Value, json};

use crate::{answer::Answer, content::Content, error::ToolError};

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

/// What is told otherwise than as JSON.
///
/// The method that finds its kind is one for all of them: where the compiler does not know a type, since it is misspelt or not
/// imported, it takes that one, and has nothing to say of several.
pub trait Special {
    /// How it is told.
    type Kind;
    /// The value of that type.
    const KIND: Self::Kind;
}

impl Special for () {
    type Kind = Nothing;
    const KIND: Nothing = Nothing;
}

impl Special for Answer {
    type Kind = Blocks;
    const KIND: Blocks = Blocks;
}

impl Special for Content {
    type Kind = Blocks;
    const KIND: Blocks = Blocks;
}

impl Special for Vec<Content> {
    type Kind = Blocks;
    const KIND: Blocks = Blocks;
}

impl<const N: usize> Special for [Content; N] {
    type Kind = Blocks;
    const KIND: Blocks = Blocks;
}

impl<T: Special> Probe<T> {
    /// A tool that returns nothing, or blocks.
    pub fn answer_kind(self) -> T::Kind {
        T::KIND
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
    note = "derive serde's `Serialize` for it, or for what it holds; `Content` is returned alone, in a `Vec` or in an array"
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

    #[test]
    fn a_type_with_a_schema_has_one_and_others_have_none() {
        assert_eq!(Probe::<Vec<u8>>::TYPE.answers().schema_of().unwrap()["items"]["type"], "integer");
        assert_eq!(Probe::<Result<bool, String>>::TYPE.answers().schema_of(), Some(json!({"type": "boolean"})));
        assert_eq!(Probe::<Result<(), String>>::TYPE.answers().schema_of(), None);
        assert_eq!(Probe::<Content>::TYPE.answers().schema_of(), None);
        assert_eq!(Probe::<Result<std::net::TcpStream, String>>::TYPE.answers().schema_of(), None);
    }
}
