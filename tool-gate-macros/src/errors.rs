//! Collects the mistakes of one item, so that all of them are told at once.

use std::{fmt::Display, thread};

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::Error;

/// The mistakes found so far.
///
/// Dropping it unread panics: a stage that forgets its errors would accept what it found wrong.
pub(crate) struct Errors(Option<Vec<Error>>);

impl Errors {
    pub(crate) fn new() -> Self {
        Self(Some(Vec::new()))
    }

    /// A mistake on one token.
    pub(crate) fn at(&mut self, span: Span, message: impl Display) {
        self.push(Error::new(span, message));
    }

    /// A mistake on all of `tokens`.
    pub(crate) fn on(&mut self, tokens: impl ToTokens, message: impl Display) {
        self.push(Error::new_spanned(tokens, message));
    }

    pub(crate) fn push(&mut self, error: Error) {
        self.0.get_or_insert_default().push(error);
    }

    /// The mistakes as the compiler is told them; nothing if there were none.
    pub(crate) fn finish(mut self) -> Option<TokenStream> {
        let errors = self.0.take().unwrap_or_default();
        (!errors.is_empty()).then(|| errors.iter().map(Error::to_compile_error).collect())
    }

    #[cfg(test)]
    pub(crate) fn messages(mut self) -> Vec<String> {
        self.0.take().unwrap_or_default().iter().map(Error::to_string).collect()
    }
}

impl Drop for Errors {
    fn drop(&mut self) {
        assert!(self.0.is_none() || thread::panicking(), "the errors of an item were not looked at");
    }
}

/// The end of a message about an unknown word: the nearest known one, or else all of them.
pub(crate) fn suggestion(unknown: &str, known: &[&str]) -> String {
    let percent = |known: &str| distance(unknown, known) * 100 / known.len().max(unknown.len()).max(1);
    match known.iter().min_by_key(|known| percent(known)) {
        Some(nearest) if percent(nearest) <= 50 => format!("; did you mean `{nearest}`?"),
        _ => format!("; there are {}", known.iter().map(|known| format!("`{known}`")).collect::<Vec<_>>().join(", ")),
    }
}

/// Levenshtein's.
fn distance(left: &str, right: &str) -> usize {
    let mut row: Vec<usize> = (0..=right.chars().count()).collect();
    for (i, l) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, r) in right.chars().enumerate() {
            let substituted = diagonal + usize::from(l != r);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[right.chars().count()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "not looked at")]
    fn unread_errors_panic() {
        drop(Errors::new());
    }

    #[test]
    fn all_mistakes_are_told() {
        let mut errors = Errors::new();
        errors.at(Span::call_site(), "one");
        errors.at(Span::call_site(), "two");
        assert_eq!(errors.messages(), ["one", "two"]);
    }

    #[test]
    fn an_unknown_word_is_told_the_nearest_or_all() {
        let known = ["name", "description", "read_only"];
        assert_eq!(suggestion("describe", &known), "; did you mean `description`?");
        assert_eq!(suggestion("readonly", &known), "; did you mean `read_only`?");
        assert_eq!(suggestion("zzz", &["name", "in"]), "; there are `name`, `in`");
    }
}
