//! Names of tools and keys: near ones, ones alike but for their habit, long ones.

use std::collections::HashMap;

use super::{
    Code, Finding,
    surface::{Role, Surface, properties},
};
use crate::text;

/// The longest name of a tool that is not remarked on, and the longest key.
const LONGEST: (usize, usize) = (48, 40);

/// Tools that a model takes for one another.
pub(super) fn near(surfaces: &[Surface<'_>], found: &mut Vec<Finding>) {
    let names: Vec<Name> = surfaces.iter().map(|surface| Name::of(surface.name())).collect();
    for (place, surface) in surfaces.iter().enumerate() {
        let others = surfaces.iter().zip(&names).skip(place + 1).filter(|(_, other)| names[place].is_near(other));
        let others: Vec<String> = others.map(|(other, _)| format!("`{}`", other.name())).collect();
        if !others.is_empty() {
            found.push(Finding::new(
                Code::NearNames,
                surface.name(),
                format!("is easily taken for {}", text::alternatives(&others)),
                "name them by what sets them apart",
            ));
        }
    }
}

/// A name, taken apart.
struct Name {
    /// Its words in lower case: `getOrders`, `get-orders` and `get_orders` are `get`, `orders`.
    words: Vec<String>,
    /// The same, none of them a plural.
    singular: Vec<String>,
    /// All of it in lower case, without what stands between its words.
    folded: String,
}

impl Name {
    fn of(name: &str) -> Self {
        let mut words = vec![String::new()];
        let mut before = '_';
        for c in name.chars() {
            if !c.is_alphanumeric() || (c.is_uppercase() && before.is_lowercase()) {
                words.push(String::new());
            }
            if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
                word.extend(c.to_lowercase());
            }
            before = c;
        }
        words.retain(|word| !word.is_empty());
        Self { singular: words.iter().map(|word| singular(word)).collect(), folded: words.concat(), words }
    }

    /// The same letters, or the same words but for plurals, and one slip or ending.
    ///
    /// `get_user` and `set_user`, `protect` and `unprotect` are one or two letters apart and no trouble: short words, and words
    /// with something put in front, say something else, and models know it.
    fn is_near(&self, other: &Self) -> bool {
        let differ = |place: &usize| self.singular[*place] != other.singular[*place];
        let by_one_word_at_most = || {
            let mut places = (0..self.words.len()).filter(differ);
            let (first, second) = (places.next(), places.next());
            second.is_none() && first.is_none_or(|place| is_slip(&self.words[place], &other.words[place]))
        };
        self.folded == other.folded || (self.words.len() == other.words.len() && by_one_word_at_most())
    }
}

/// Good enough to compare two words by: `stories` and `story`, `orders` and `order`.
fn singular(word: &str) -> String {
    match word.strip_suffix("ies") {
        Some(stem) if stem.len() > 1 => format!("{stem}y"),
        _ if word.len() > 3 && !word.ends_with("ss") => word.strip_suffix('s').unwrap_or(word).to_owned(),
        _ => word.to_owned(),
    }
}

/// `email` and `mail`, `authenticate` and `authentication`.
fn is_slip(one: &str, other: &str) -> bool {
    let (shorter, longer) =
        (one.chars().count().min(other.chars().count()), one.chars().count().max(other.chars().count()));
    let shared = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    let has_digit = |word: &str| word.contains(|c: char| c.is_ascii_digit());
    let by_a_letter = shorter >= 4 && longer >= 5 && strsim::osa_distance(one, other) <= 1;
    let by_an_ending = shared >= 7 && longer - shared <= 3;
    (by_a_letter || by_an_ending) && !has_digit(one) && !has_digit(other)
}

/// Names that are long enough to be misspelt.
pub(super) fn long(surface: &Surface<'_>, found: &mut Vec<Finding>) {
    let mut remark = |name: &str, place: &str, most: usize| {
        let length = name.chars().count();
        if length > most {
            found.push(Finding::new(
                Code::LongName,
                place,
                format!("has a name of {length} characters"),
                format!("models shorten and misspell long ones; {most} are enough"),
            ));
        }
    };
    remark(surface.name(), surface.name(), LONGEST.0);
    for node in &surface.nodes {
        if let Role::Property { key, .. } = node.role {
            remark(key, &node.place, LONGEST.1);
        }
    }
}

/// Keys of one object that a model cannot keep apart.
pub(super) fn alike(surface: &Surface<'_>, found: &mut Vec<Finding>) {
    for node in &surface.nodes {
        let mut known: HashMap<String, &str> = HashMap::new();
        for (key, _) in node.keywords().into_iter().flat_map(properties) {
            let letters = key.chars().filter(|c| !matches!(c, '_' | '-' | ' '));
            let folded: String = letters.flat_map(char::to_lowercase).collect();
            let Some(first) = known.get(&folded).filter(|_| !folded.is_empty()) else {
                known.insert(folded, key);
                continue;
            };
            found.push(Finding::new(
                Code::AlikeKeys,
                format!("{}.{}", node.place, text::excerpt(key, 64)),
                format!("is `{}` but for case and underscores", text::excerpt(first, 64)),
                "rename one of the two",
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(one: &str, other: &str) -> bool {
        Name::of(one).is_near(&Name::of(other))
    }

    #[test]
    fn names_are_near_by_habit_plural_slip_or_ending() {
        for (one, other) in [
            ("get_order", "getOrder"),
            ("get_order", "get_orders"),
            ("get_story", "get_stories"),
            ("send_email", "send_mail"),
            ("serach_orders", "search_orders"),
            ("user_authenticate", "user_authentication"),
            ("getorder", "get_order"),
        ] {
            assert!(near(one, other), "{one} {other}");
        }
    }

    #[test]
    fn names_that_say_something_else_are_not_near() {
        for (one, other) in [
            ("get_user", "set_user"),
            ("protect_document", "unprotect_document"),
            ("increase_limit", "decrease_limit"),
            ("sum_v1", "sum_v2"),
            ("sha256_hash", "sha512_hash"),
            ("generate_area_chart", "generate_bar_chart"),
            ("celsius_to_fahrenheit", "fahrenheit_to_celsius"),
            ("update_issue_title", "update_issue_type"),
            ("get_order", "get_order_status"),
        ] {
            assert!(!near(one, other), "{one} {other}");
        }
    }
}
