//! What a tool returns when it could not do it: words for the model, a source for the log.

use std::{error::Error, fmt};

/// Boxed like this everywhere, so that `?` takes any error.
pub(crate) type Source = Box<dyn Error + Send + Sync>;

/// A tool ran and could not do it.
///
/// The two audiences are kept apart: the model reads only words written for it, and the source stays with the host.
/// `?` on any other error keeps that error as the source and tells the model a neutral sentence; [`Tell::tell`] gives it
/// words.
///
/// ```
/// use tool_gate::{Tell, ToolError};
///
/// fn read(path: &str) -> Result<String, ToolError> {
///     std::fs::read_to_string(path).tell("That document is not available; ask for another one.")
/// }
///
/// let error = read("/no/such/file").unwrap_err();
/// assert_eq!(error.words(), Some("That document is not available; ask for another one."));
/// assert!(error.source().is_some());
/// ```
///
/// It does not implement [`std::error::Error`], since it converts from everything that does. `?` turns it into a
/// `Box<dyn Error>` all the same, and [`into_error`](Self::into_error) into an error for everything else, so that a test may
/// call a tool as the function it is:
///
/// ```
/// use tool_gate::{Tell, ToolError, tool};
///
/// /// Look an order up.
/// #[tool(read_only)]
/// fn status(order_id: &str) -> Result<&'static str, ToolError> {
///     (order_id == "o-1").then_some("shipped").tell("There is no such order.")
/// }
///
/// fn an_order_has_a_status() -> Result<(), Box<dyn std::error::Error>> {
///     assert_eq!(status("o-1")?, "shipped");
///     Ok(())
/// }
///
/// fn an_order_has_a_status_across_threads() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
///     assert_eq!(status("o-1").map_err(ToolError::into_error)?, "shipped");
///     Ok(())
/// }
/// # an_order_has_a_status().unwrap();
/// # an_order_has_a_status_across_threads().unwrap();
/// ```
pub struct ToolError {
    words: Option<String>,
    source: Option<Source>,
}

impl ToolError {
    /// A failure described to the model in these words: the situation, and if there is one, a way on.
    pub fn new(words: impl Into<String>) -> Self {
        Self { words: Some(words.into()), source: None }
    }

    /// Adds what went wrong underneath, for the host alone.
    #[must_use]
    pub fn because(mut self, source: impl Into<Source>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// The words for the model, if there are any.
    pub fn words(&self) -> Option<&str> {
        self.words.as_deref()
    }

    /// What went wrong underneath. It may hold anything, the model's own text included: think before logging it.
    pub fn source(&self) -> Option<&(dyn Error + Send + Sync + 'static)> {
        self.source.as_deref()
    }

    /// The same as a [`std::error::Error`], for hosts and tests: it shows the words, and has the source for its source.
    ///
    /// `?` does this by itself where a function returns `Box<dyn Error>`, but not for `Box<dyn Error + Send + Sync>`, since a
    /// `ToolError` converts from what that converts from.
    pub fn into_error(self) -> Box<dyn Error + Send + Sync> {
        Box::new(AsError(self))
    }

    pub(crate) fn into_parts(self) -> (Option<String>, Option<Source>) {
        (self.words, self.source)
    }
}

impl<E: Into<Source>> From<E> for ToolError {
    fn from(source: E) -> Self {
        Self { words: None, source: Some(source.into()) }
    }
}

impl From<ToolError> for Box<dyn Error> {
    fn from(error: ToolError) -> Self {
        error.into_error()
    }
}

/// A [`ToolError`] that converts from nothing, and so may be an error.
struct AsError(ToolError);

impl fmt::Display for AsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.words().unwrap_or("the tool failed without words for the model"))
    }
}

impl fmt::Debug for AsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Error for AsError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source().map(|source| source as _)
    }
}

/// Shows the words and that there is a source, not what it says: a failed tool's debug output must not leak what it held.
impl fmt::Debug for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("ToolError");
        shown.field("words", &self.words).field("has_source", &self.source.is_some()).finish()
    }
}

/// Gives the model words for what went wrong, and keeps the cause for the host.
pub trait Tell<T> {
    /// Replaces the error by a [`ToolError`] with these words and that source.
    ///
    /// # Errors
    ///
    /// Where there was an error, or nothing, before.
    fn tell(self, words: impl Into<String>) -> Result<T, ToolError>;

    /// The same, with words that are only made where they are needed.
    ///
    /// # Errors
    ///
    /// Where there was an error, or nothing, before.
    fn tell_with<W: Into<String>>(self, words: impl FnOnce() -> W) -> Result<T, ToolError>;
}

impl<T, E: Into<Source>> Tell<T> for Result<T, E> {
    fn tell(self, words: impl Into<String>) -> Result<T, ToolError> {
        self.map_err(|source| ToolError::new(words).because(source))
    }

    fn tell_with<W: Into<String>>(self, words: impl FnOnce() -> W) -> Result<T, ToolError> {
        self.map_err(|source| ToolError::new(words()).because(source))
    }
}

impl<T> Tell<T> for Option<T> {
    fn tell(self, words: impl Into<String>) -> Result<T, ToolError> {
        self.ok_or_else(|| ToolError::new(words))
    }

    fn tell_with<W: Into<String>>(self, words: impl FnOnce() -> W) -> Result<T, ToolError> {
        self.ok_or_else(|| ToolError::new(words()))
    }
}
