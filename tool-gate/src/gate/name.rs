//! The name gate: only offered names exist.

use crate::{limits::Limits, rejection::Rejection, text};

/// The offered names, sorted, each with the place of its tool in the registry.
pub(crate) type Offered = [(String, usize)];

/// The place of the tool that is called. Surrounding white space is not part of a name; nothing else is forgiven.
///
/// # Errors
///
/// [`Rejection::UnknownName`], which does not tell a tool that exists elsewhere from one that does not.
pub(crate) fn find(name: &str, offered: &Offered, limits: &Limits) -> Result<usize, Rejection> {
    if let Some(place) = place(name, offered, limits) {
        return Ok(offered[place].1);
    }
    let shown = text::excerpt(trimmed(name), 64);
    let known = offered.iter().map(|(known, _)| known.as_str());
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

/// Where in the offered names this one stands.
pub(crate) fn place(name: &str, offered: &Offered, limits: &Limits) -> Option<usize> {
    let name = trimmed(name);
    let found = || offered.binary_search_by(|(known, _)| known.as_str().cmp(name)).ok();
    (name.len() <= limits.name_bytes).then(found).flatten()
}

fn trimmed(name: &str) -> &str {
    name.trim_matches(|c: char| c.is_ascii_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offered(names: &[&str]) -> Vec<(String, usize)> {
        let mut names: Vec<_> = names.iter().enumerate().map(|(at, name)| ((*name).to_owned(), at)).collect();
        names.sort();
        names
    }

    fn suggestions(name: &str, names: &[&str]) -> Vec<String> {
        match find(name, &offered(names), &Limits::default()) {
            Err(Rejection::UnknownName { suggestions, .. }) => suggestions,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_name_is_exact_but_for_white_space_around_it() {
        let offered = offered(&["search", "lookup"]);
        let limits = Limits::default();
        assert_eq!(find("search", &offered, &limits), Ok(0));
        assert_eq!(find(" \n\tsearch ", &offered, &limits), Ok(0));
        for name in ["Search", "sea rch", "search()", "functions.search", "\u{a0}search", "serch"] {
            assert!(find(name, &offered, &limits).is_err(), "{name:?}");
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
            let Err(Rejection::UnknownName { name: shown, .. }) = find(name, &offered(&["none"]), &Limits::default())
            else {
                panic!("{name:?} does not exist");
            };
            assert_ne!(shown, "none");
        }
        let padded = format!("none{}", " ".repeat(200));
        assert_eq!(find(&padded, &offered(&["none"]), &Limits::default()), Ok(0));
    }

    #[test]
    fn a_huge_name_is_cut_before_anything_looks_at_it() {
        let huge = "search".repeat(1_000_000);
        let Err(Rejection::UnknownName { name, .. }) = find(&huge, &offered(&["search"]), &Limits::default()) else {
            panic!("it does not exist");
        };
        assert_eq!(name.chars().count(), 65);
    }
}
