//! The name gate: only offered names exist.

use std::sync::Arc;

use crate::{
    limits::Limits,
    offered::{Offered, OfferedTool},
    rejection::Rejection,
    text,
};

/// The tool that is called. Surrounding white space is not part of a name; nothing else is forgiven.
///
/// # Errors
///
/// [`Rejection::UnknownName`], which does not tell a tool that exists elsewhere from one that does not.
pub(crate) fn find<'o>(name: &str, offered: &'o Offered, limits: &Limits) -> Result<&'o Arc<OfferedTool>, Rejection> {
    if let Some(tool) = offered_as(name, offered, limits) {
        return Ok(tool);
    }
    let shown = text::excerpt(trimmed(name), 64);
    let known = offered.iter().map(|tool| tool.name.as_str());
    let suggestions = if shown.is_empty() {
        // Nothing was asked for, so nothing is near it, and the whole catalogue is in the request already.
        Vec::new()
    } else if offered.len() <= limits.listed_names {
        known.map(str::to_owned).collect()
    } else {
        text::nearest(name, known, 3).into_iter().map(str::to_owned).collect()
    };
    Err(Rejection::UnknownName { name: shown, suggestions, offered: offered.len() })
}

/// The tool that is offered under this name.
pub(crate) fn offered_as<'o>(name: &str, offered: &'o Offered, limits: &Limits) -> Option<&'o Arc<OfferedTool>> {
    let name = trimmed(name);
    let found = || offered.binary_search_by(|tool| tool.name.as_str().cmp(name)).ok();
    (name.len() <= limits.name_bytes).then(found).flatten().map(|place| &offered[place])
}

fn trimmed(name: &str) -> &str {
    name.trim_matches(|c: char| c.is_ascii_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::offered::named;

    fn found(name: &str, names: &[&str]) -> Result<usize, Rejection> {
        find(name, &named(names), &Limits::default()).map(|tool| tool.place)
    }

    fn suggestions(name: &str, names: &[&str]) -> Vec<String> {
        match found(name, names) {
            Err(Rejection::UnknownName { suggestions, .. }) => suggestions,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_name_is_exact_but_for_white_space_around_it() {
        let names = ["search", "lookup"];
        assert_eq!(found("search", &names), Ok(0));
        assert_eq!(found(" \n\tsearch ", &names), Ok(0));
        for name in ["Search", "sea rch", "search()", "functions.search", "\u{a0}search", "serch"] {
            assert!(found(name, &names).is_err(), "{name:?}");
        }
    }

    #[test]
    fn few_tools_are_listed_sorted_and_many_by_nearness() {
        assert_eq!(suggestions("x", &["b", "a"]), ["a", "b"]);
        let many = ["aa", "bb", "cc", "dd", "ee", "ff", "gg", "search", "search_all"];
        assert_eq!(suggestions("serch", &many)[0], "search");
        assert_eq!(suggestions("serch", &many).len(), 3);
    }

    #[test]
    fn an_empty_name_gets_no_catalogue() {
        assert_eq!(suggestions("", &["a"]), Vec::<String>::new());
        assert_eq!(suggestions(" \n", &["a"]), Vec::<String>::new());
    }

    #[test]
    fn a_name_that_only_looks_like_an_offered_one_is_not_shown_as_it() {
        for name in ["\u{a0}none", "no\u{200b}ne", "none\u{0}"] {
            let Err(Rejection::UnknownName { name: shown, .. }) = found(name, &["none"]) else {
                panic!("{name:?} does not exist");
            };
            assert_ne!(shown, "none");
        }
        let padded = format!("none{}", " ".repeat(200));
        assert_eq!(found(&padded, &["none"]), Ok(0));
    }

    #[test]
    fn a_huge_name_is_cut_before_anything_looks_at_it() {
        let huge = "search".repeat(1_000_000);
        let Err(Rejection::UnknownName { name, .. }) = found(&huge, &["search"]) else {
            panic!("it does not exist");
        };
        assert_eq!(name.chars().count(), 65);
    }
}
