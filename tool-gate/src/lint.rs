//! What a language model has trouble with in the published tools, and what a provider refuses.
//!
//! A registry that builds is sound: what it publishes is what it enforces. Whether a *model* can use it is another question,
//! and [`Registry::lint`](crate::Registry::lint) asks it: names that are easily taken for one another, arguments that nobody
//! described, values that stand in the description where the schema could hold them, schemas that a provider sends back.
//! It belongs in a test:
//!
//! ```
//! use tool_gate::{Registry, lint::Code, tool};
//!
//! /// Search the catalogue.
//! #[tool(read_only)]
//! fn search(
//!     /// What to look for.
//!     query: &str,
//!     /// The language of what is found, one of `en`, `de` or `fr`.
//!     language: &str,
//!     shelf: Option<u16>,
//! ) {
//!     let _ = (query, language, shelf);
//! }
//!
//! let registry = Registry::<()>::builder().tool::<search>().build()?;
//! let findings = registry.lint();
//! assert_eq!(
//!     findings.to_string(),
//!     "listed_values: `search.language` lists its values in the description alone (en, de, fr): make it an `enum`, which is \
//!      enforced\n\
//!      missing_description: `search.shelf` has no description: say what the model is to put there"
//! );
//!
//! // What is meant to be so is allowed, one by one, and an allowance that is no longer needed is a finding itself.
//! let findings = findings
//!     .allow(Code::ListedValues, "search.language")
//!     .allow(Code::MissingDescription, "search.shelf");
//! assert!(findings.is_empty(), "{findings}");
//! # Ok::<_, tool_gate::BuildError>(())
//! ```
//!
//! # Strict modes
//!
//! Some providers can be asked to hold a model to the schema, and take only some of JSON Schema there. What cannot be said in
//! that part, or only in another shape, is [`Code::NotStrict`]: recursion with one, maps and values of any type with all. Such
//! a tool is plain in [`Mode::Auto`](crate::Mode::Auto). A bound, a length or a default that a strict mode refuses is no finding:
//! it moves into the description, the gate enforces it all the same, and [`Offer::report`](crate::Offer::report) tells of it.
//! [`Code::StrictBudget`] counts as if all tools of the registry were in one request, and strict in it.
//!
//! Whoever does not use strict modes takes such findings off together:
//! `registry.lint().without(Code::NotStrict).without(Code::StrictBudget)`, see [`Findings::without`].

mod code;
mod descriptions;
mod finding;
mod listed;
mod names;
mod published;
mod surface;
mod values;

pub use code::Code;
pub use finding::{Finding, Findings};

use crate::{lower::Source, tool::Definition};
use surface::Surface;

/// The first of several, and how many more there are: `a, b, c and 2 more`.
fn row(words: &[String]) -> String {
    const SHOWN: usize = 3;
    match words {
        [most @ .., last] if words.len() <= SHOWN + 1 && !most.is_empty() => format!("{} and {last}", most.join(", ")),
        [] | [_] => words.concat(),
        several => format!("{} and {} more", several[..SHOWN].join(", "), several.len() - SHOWN),
    }
}

/// All that is found in these tools.
pub(crate) fn lint<'t>(tools: impl Iterator<Item = (&'t Definition, Source<'t>)>) -> Findings {
    let (tools, sources): (Vec<_>, Vec<_>) = tools.unzip();
    let surfaces: Vec<Surface<'_>> = tools.into_iter().map(Surface::of).collect();
    let mut found = Vec::new();
    names::near(&surfaces, &mut found);
    descriptions::shared(&surfaces, &mut found);
    published::of(&sources, &mut found);
    for surface in &surfaces {
        names::long(surface, &mut found);
        names::alike(surface, &mut found);
        descriptions::of_one(surface, &mut found);
        listed::only_in_words(surface, &mut found);
        values::of(surface, &mut found);
    }
    Findings::of(found)
}
