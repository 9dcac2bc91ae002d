//! The names under which a provider is told of tools: a tool's own where the provider takes it, or one made of that.
//!
//! A made name depends on the tool's own and, where two would be made alike, on the other tools of the registry: not on what
//! one request selects. So a conversation whose offers change goes on calling its tools by the names it has seen.

use std::collections::{HashMap, HashSet};

use crate::text;

/// The name of each tool for a provider that takes what `takes` does, in their order. No two are alike.
///
/// # Errors
///
/// The tool of which no name can be made.
pub(crate) fn published<'n>(own: &[&'n str], takes: &dyn Fn(&str) -> bool) -> Result<Vec<String>, &'n str> {
    let fitted: Vec<Option<String>> = own.iter().map(|name| fitted(name, takes)).collect();
    let (mut seen, mut twice) = (HashSet::new(), HashSet::new());
    for name in fitted.iter().flatten() {
        if !seen.insert(name.as_str()) {
            twice.insert(name.as_str());
        }
    }
    let mut published = Vec::with_capacity(own.len());
    for (own, fitted) in own.iter().zip(&fitted) {
        let name = match fitted {
            Some(fitted) if fitted == own || !twice.contains(fitted.as_str()) => fitted.clone(),
            _ => marked(own, 0, takes).ok_or(*own)?,
        };
        published.push(name);
    }
    // A name that was made may be another's: those that were are made anew, until none is.
    for round in 1.. {
        let mut count: HashMap<&str, usize> = HashMap::new();
        for name in &published {
            *count.entry(name).or_default() += 1;
        }
        let is_shared = |place: &usize| count[published[*place].as_str()] > 1 && published[*place] != own[*place];
        let shared: Vec<usize> = (0..own.len()).filter(is_shared).collect();
        match shared.first() {
            None => break,
            Some(first) if round == MOST_ROUNDS => return Err(own[*first]),
            Some(_) => {}
        }
        for place in shared {
            published[place] = marked(own[place], round, takes).ok_or(own[place])?;
        }
    }
    Ok(published)
}

/// How often names are made anew. One that meets another's by its hash does so once in four thousand million times.
const MOST_ROUNDS: u32 = 16;

/// The name with what the provider does not take replaced; none where that is too long.
fn fitted(own: &str, takes: &dyn Fn(&str) -> bool) -> Option<String> {
    let name = spelled(own, takes);
    takes(&name).then_some(name)
}

/// The same, cut and marked as this tool's by what its own name hashes to.
fn marked(own: &str, round: u32, takes: &dyn Fn(&str) -> bool) -> Option<String> {
    let (name, mark) = (spelled(own, takes), format!("_{:08x}", hash(own).wrapping_add(round)));
    // Of ASCII alone, so that every place is a boundary.
    let cut = |len: usize| format!("{}{mark}", &name[..len]);
    (1..=name.len()).rev().map(cut).find(|name| takes(name))
}

fn spelled(own: &str, takes: &dyn Fn(&str) -> bool) -> String {
    if takes(own) {
        return own.to_owned();
    }
    // A letter stands first everywhere, and one is never too long.
    let takes_inside = |c: char| c.is_ascii() && takes(&format!("a{c}"));
    let mut name: String = own.chars().map(|c| if takes_inside(c) { c } else { '_' }).collect();
    if !name.chars().next().is_some_and(|first| takes(&first.to_string())) {
        name.insert(0, '_');
    }
    name
}

/// FNV-1a: the same on every machine and in every version, since conversations are kept.
fn hash(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// Whether a tool can have this name: 1 to 128 of `A-Z a-z 0-9 _ . -`, which is what MCP's servers use.
pub(crate) fn is_name(name: &str) -> bool {
    text::is_plain(name, 128) && !name.contains(':')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::is_word;

    fn word(name: &str) -> bool {
        is_word(name, 64)
    }

    fn portable(name: &str) -> bool {
        word(name) && !name.contains('-') && !name.starts_with(|first: char| first.is_ascii_digit())
    }

    #[test]
    fn a_name_that_is_taken_stays_and_the_others_are_spelled_so_that_they_are() {
        let own = ["get-sum", "maps.route", "2fa.check", "plain"];
        assert_eq!(published(&own, &word).unwrap(), ["get-sum", "maps_route", "2fa_check", "plain"]);
        assert_eq!(published(&own, &portable).unwrap(), ["get_sum", "maps_route", "_2fa_check", "plain"]);
        assert_eq!(published(&own, &|_| true).unwrap(), own);
    }

    #[test]
    fn a_long_name_is_cut_and_marked() {
        let (one, other) = (format!("{}.one", "x".repeat(70)), format!("{}.two", "x".repeat(70)));
        let names = published(&[&one, &other], &word).unwrap();
        assert!(names.iter().all(|name| name.len() == 64 && name.starts_with(&"x".repeat(55))), "{names:?}");
        assert_ne!(names[0], names[1]);
        assert_eq!(published(&[&other], &word).unwrap(), names[1..], "whatever the other tools are");
    }

    #[test]
    fn names_that_would_be_made_alike_are_marked_and_an_own_name_is_nobody_elses() {
        let names = published(&["a.b", "a_b", "a-b"], &portable).unwrap();
        assert_eq!(names[1], "a_b");
        assert!(names[0].starts_with("a_b_") && names[2].starts_with("a_b_") && names[0] != names[2], "{names:?}");
        let reversed = published(&["a-b", "a_b", "a.b"], &portable).unwrap();
        assert!(reversed.iter().rev().eq(&names), "whatever their order");
    }

    #[test]
    fn a_marked_name_that_is_another_tools_is_marked_anew() {
        let marked = published(&["a.b", "a_b"], &portable).unwrap().swap_remove(0);
        for other in [marked.clone(), marked.replace('_', ".")] {
            let names = published(&["a.b", "a_b", &other], &portable).unwrap();
            let distinct: HashSet<&String> = names.iter().collect();
            assert_eq!(distinct.len(), 3, "{names:?}");
            assert!(names.iter().all(|name| portable(name)) && names[1] == "a_b", "{names:?}");
            assert!(!portable(&other) || names[2] == other, "an own name stays: {names:?}");
        }
    }

    #[test]
    fn a_provider_that_takes_nothing_is_told_of_nothing() {
        assert_eq!(published(&["search"], &|_| false), Err("search"));
    }
}
