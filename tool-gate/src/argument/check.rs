//! What a user's own check may be, what it sees, and what becomes of what it says.

use serde::de::Error;

use super::Unbound;
use crate::json::Refused;

/// Says why a value will not do.
pub(crate) type Check<T> = fn(&T) -> Result<(), String>;

/// What a check may say: its words reach the model.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no reason that a model could read",
    label = "not text",
    note = "return `Result<(), String>`, or `Result<(), &'static str>`"
)]
pub trait Reason: Into<String> {}

#[diagnostic::do_not_recommend]
impl<E: Into<String>> Reason for E {}

/// What a check says of a value.
///
/// # Errors
///
/// Where it refuses the value.
pub fn checked<E: Reason>(said: Result<(), E>) -> Result<(), String> {
    said.map_err(Into::into)
}

/// What a check says of all the arguments together.
///
/// # Errors
///
/// Where it refuses them.
pub fn together(said: Result<(), String>) -> Result<(), Unbound> {
    said.map_err(|reason| Unbound { refused: Refused::custom(reason) })
}

/// A value as a check sees it: what an `Option` holds, and anything else as it is.
///
/// An inherent method wins over a trait's method of the same name, so that the type decides and not its spelling.
#[derive(Debug)]
pub struct Given<'v, T: ?Sized>(pub &'v T);

impl<T> Given<'_, Option<T>> {
    /// Checks the value if there is one.
    ///
    /// # Errors
    ///
    /// Where the check refuses it.
    pub fn check_given(self, check: impl FnOnce(&T) -> Result<(), String>) -> Result<(), String> {
        self.0.as_ref().map_or(Ok(()), check)
    }
}

/// The method for what is not an `Option`: there is a value.
pub trait AnyGiven<T: ?Sized> {
    /// Checks it.
    ///
    /// # Errors
    ///
    /// Where the check refuses it.
    fn check_given(self, check: impl FnOnce(&T) -> Result<(), String>) -> Result<(), String>;
}

impl<T: ?Sized> AnyGiven<T> for Given<'_, T> {
    fn check_given(self, check: impl FnOnce(&T) -> Result<(), String>) -> Result<(), String> {
        check(self.0)
    }
}
