//! What a type's own `Deserialize` says when it does not take a value.

use std::{
    error::Error,
    fmt::{self, Write},
};

use serde::de;

use crate::schema::{Path, Segment};

/// The most bytes that a message keeps: it may quote what the model wrote.
const MESSAGE: usize = 300;

/// A value that a type refused.
#[derive(Debug)]
pub(crate) struct Refused(Box<Inner>);

/// Boxed, so that a result is as small as its good half.
#[derive(Debug)]
struct Inner {
    /// Innermost first: it is put together while the error unwinds.
    path: Vec<Segment>,
    message: String,
    /// What an enum has in the place of a variant that it does not know.
    variants: Option<&'static [&'static str]>,
}

impl Refused {
    /// Where the refused value is, and what the type said: at most 300 bytes of it.
    pub(crate) fn into_parts(self) -> (Path, String) {
        (self.0.path.into_iter().rev().collect(), self.0.message)
    }

    /// The way to the refused value, outermost first.
    pub(crate) fn segments(&self) -> impl Iterator<Item = &Segment> {
        self.0.path.iter().rev()
    }

    /// The names of the variants that the type has, where it was given another one.
    pub(crate) fn variants(&self) -> Option<&'static [&'static str]> {
        self.0.variants
    }

    /// The same, seen from the object that holds it under this key.
    #[cold]
    pub(crate) fn in_member(mut self, key: &str) -> Self {
        self.0.path.push(Segment::key(key));
        self
    }

    /// The same, seen from the array that holds it.
    #[cold]
    pub(super) fn in_element(mut self, index: usize) -> Self {
        self.0.path.push(Segment::Index(index));
        self
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl Error for Refused {}

impl de::Error for Refused {
    #[cold]
    fn custom<T: fmt::Display>(message: T) -> Self {
        let mut bounded = Bounded(String::new());
        // The error means that the message was cut.
        let _ = write!(bounded, "{message}");
        Self(Box::new(Inner { path: Vec::new(), message: bounded.0, variants: None }))
    }

    #[cold]
    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        let listed: Vec<String> = expected.iter().map(|name| format!("`{name}`")).collect();
        let mut refused = match listed.as_slice() {
            [] => Self::custom(format_args!("unknown variant `{variant}`, there are no variants")),
            [only] => Self::custom(format_args!("unknown variant `{variant}`, expected {only}")),
            all => Self::custom(format_args!("unknown variant `{variant}`, expected one of {}", all.join(", "))),
        };
        refused.0.variants = Some(expected);
        refused
    }
}

/// Takes as much text as fits and stops its writer there, however much more there is.
struct Bounded(String);

impl Write for Bounded {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = MESSAGE - self.0.len();
        let fits = (0..=room.min(text.len())).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
        self.0.push_str(&text[..fits]);
        if fits == text.len() { Ok(()) } else { Err(fmt::Error) }
    }
}
