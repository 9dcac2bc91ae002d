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

/// Levenshtein's, with two neighbours that changed places as one slip: `rnage` is nearer to `range` than to `rename`.
fn distance(left: &str, right: &str) -> usize {
    let (left, right): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=right.len()).collect()];
    for i in 1..=left.len() {
        let mut row = vec![i];
        for j in 1..=right.len() {
            let substituted = rows[i - 1][j - 1] + usize::from(left[i - 1] != right[j - 1]);
            let mut least = substituted.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[left.len()][right.len()]
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
        assert_eq!(suggestion("rnage", &["rename", "range"]), "; did you mean `range`?");
        assert_eq!(suggestion("zzz", &["name", "in"]), "; there are `name`, `in`");
    }
}
