//! The schema gate: the arguments conform to what was published.

use crate::{
    json::{Node, Tape},
    rejection::Rejection,
    schema::{self, Terms},
};

/// Passes the arguments on, numbers that the schema calls integers written as such.
///
/// # Errors
///
/// [`Rejection::Schema`] with the one violation that is told.
pub(crate) fn conform<'c>(mut arguments: Tape<'c>, tool: &str, terms: Terms<'_>) -> Result<Tape<'c>, Rejection> {
    let root: Node<'_> = arguments.root();
    if !terms.validator.is_valid(root) {
        let violation = Box::new(schema::explain(terms, root));
        return Err(Rejection::Schema { tool: tool.to_owned(), violation });
    }
    if arguments.has_integral_decimal() {
        let integers = schema::integers(terms.schema, root);
        arguments.integers_exact(&integers);
    }
    Ok(arguments)
}
