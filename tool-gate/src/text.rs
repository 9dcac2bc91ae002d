//! Making model-made text safe to repeat: bounded, on one line, without characters that hide or reorder others.

/// At most `most` characters of `text`, on a character boundary, an ellipsis marking a cut. What hides or reorders others
/// becomes U+FFFD, so that what is shown never looks like something else.
pub(crate) fn excerpt(text: &str, most: usize) -> String {
    // One character more than asked for tells whether anything was left out; the rest is never looked at.
    let shown = text.chars().map(|c| if is_visible(c) { c } else { char::REPLACEMENT_CHARACTER });
    let mut shown: String = shown.take(most.saturating_add(1)).collect();
    if let Some((cut, _)) = shown.char_indices().nth(most) {
        shown.truncate(cut);
        shown.push('…');
    }
    shown
}

/// Whether a key or an id may be repeated as it stands: 1 to `most` of `A-Z a-z 0-9 _ . : -`.
pub(crate) fn is_plain(text: &str, most: usize) -> bool {
    !text.is_empty()
        && text.len() <= most
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b':' | b'-'))
}

/// Whether a key reads as a name does: 1 to `most` letters and digits of any script, spaces, and what stands in the names of
/// columns and parameters, but no quotes and no brackets that markup is made of.
pub(crate) fn is_readable(text: &str, most: usize) -> bool {
    let is_of_names = |c: char| (c.is_alphanumeric() || " _.:-$@#/+*%&,()[]".contains(c)) && is_visible(c);
    !text.is_empty() && text.chars().all(is_of_names) && text.chars().nth(most).is_none()
}

/// Not a control character, and none of the marks that reorder, hide or join what stands around them.
fn is_visible(c: char) -> bool {
    !(c.is_control()
        || matches!(c,
            '\u{00ad}' | '\u{034f}' | '\u{061c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
            | '\u{13430}'..='\u{1345f}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'))
}

/// Words in a row: `a`, `a or b`, `a, b or c`.
pub(crate) fn alternatives<T: AsRef<str>>(words: &[T]) -> String {
    match words {
        [] => String::new(),
        [only] => only.as_ref().to_owned(),
        [most @ .., last] => {
            let most: Vec<&str> = most.iter().map(AsRef::as_ref).collect();
            format!("{} or {}", most.join(", "), last.as_ref())
        }
    }
}

/// The up to `most` words nearest to `word` by edit distance, nearest first; equally near ones stay in their order.
pub(crate) fn nearest<'w>(word: &str, words: impl IntoIterator<Item = &'w str>, most: usize) -> Vec<&'w str> {
    // Measuring costs the product of both lengths, and one of them is the model's to choose.
    const LONGEST: usize = 64;
    let word: String = word.chars().take(LONGEST).collect();
    let length = word.chars().count();
    let mut found: Vec<(usize, &str)> = Vec::with_capacity(most + 1);
    for candidate in words {
        let cut = candidate.char_indices().nth(LONGEST).map_or(candidate.len(), |(at, _)| at);
        let measured = &candidate[..cut];
        let worst = found.get(most.saturating_sub(1)).map_or(usize::MAX, |(distance, _)| *distance);
        // Two words are at least as far apart as their lengths differ: most of a large list is passed over by that.
        if measured.chars().count().abs_diff(length) >= worst {
            continue;
        }
        let distance = strsim::levenshtein(&word, measured);
        if distance < worst {
            let place = found.partition_point(|(other, _)| *other <= distance);
            found.insert(place, (distance, candidate));
            found.truncate(most);
        }
    }
    found.into_iter().map(|(_, candidate)| candidate).collect()
}

/// The word that `word` was probably meant to be: near enough that a reader would see the slip.
pub(crate) fn meant<'w>(word: &str, words: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    let folded = fold(word);
    let candidate = nearest_folded(&folded, words)?;
    let other = fold(candidate);
    let longer = folded.chars().count().max(other.chars().count());
    let distance = strsim::levenshtein(&folded, &other);
    let inside = folded.len().min(other.len()) >= 3 && (folded.contains(&other) || other.contains(&folded));
    (distance * 3 <= longer || inside).then_some(candidate)
}

fn nearest_folded<'w>(folded: &str, words: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    words.into_iter().min_by_key(|candidate| {
        let other = fold(candidate);
        let inside = folded.contains(&other) || other.contains(folded);
        (strsim::levenshtein(folded, &other), !inside)
    })
}

/// `customerId`, `customer-id` and `CUSTOMER_ID` differ in habit only.
fn fold(word: &str) -> String {
    word.chars().take(64).filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpt_cuts_on_a_character_boundary() {
        assert_eq!(excerpt("héllo", 2), "hé…");
        assert_eq!(excerpt("héllo", 5), "héllo");
        assert_eq!(excerpt("", 5), "");
    }

    #[test]
    fn excerpt_shows_where_something_hides_or_reorders() {
        assert_eq!(
            excerpt("a\u{202e}b\nc\u{0}\u{1b}[31m\u{200b}d\u{2028}e", 20),
            "a\u{fffd}b\u{fffd}c\u{fffd}\u{fffd}[31m\u{fffd}d\u{fffd}e"
        );
    }

    #[test]
    fn plain_keys_only() {
        assert!(is_plain("filters.status:0-x_Y", 64));
        for text in ["", "a b", "</arg_key>", "ключ", "a\n", &"x".repeat(65)] {
            assert!(!is_plain(text, 64), "{text:?}");
        }
    }

    #[test]
    fn readable_keys_only() {
        for text in ["filter[id]", "größe", "$top", "with space", "a/b", "ключ", "Price (EUR)", &"é".repeat(64)]
        {
            assert!(is_readable(text, 64), "{text:?}");
        }
        for text in ["", "</arg_key>", "a\n", "\"", "{}", "a\u{202e}b", "`x`", &"x".repeat(65)] {
            assert!(!is_readable(text, 64), "{text:?}");
        }
    }

    #[test]
    fn nearest_orders_by_distance_and_keeps_ties_in_order() {
        let words = ["get_order", "get_orders", "delete_order", "lookup_policy"];
        assert_eq!(nearest("get_ordr", words, 3), ["get_order", "get_orders", "delete_order"]);
        assert_eq!(nearest("x", ["b", "a"], 2), ["b", "a"]);
        assert_eq!(nearest("x", ["b"], 0), Vec::<&str>::new());
    }

    #[test]
    fn nearest_does_not_measure_a_huge_word() {
        let huge = "x".repeat(10_000_000);
        assert_eq!(nearest(&huge, ["x", "y"], 1), ["x"]);
    }

    #[test]
    fn meant_sees_habits_and_slips() {
        let declared = ["customer_id", "status", "limit"];
        assert_eq!(meant("customerId", declared), Some("customer_id"));
        assert_eq!(meant("customer", declared), Some("customer_id"));
        assert_eq!(meant("limt", declared), Some("limit"));
        assert_eq!(meant("execute", declared), None);
    }

    #[test]
    fn alternatives_read_as_a_sentence() {
        assert_eq!(alternatives(&["a"]), "a");
        assert_eq!(alternatives(&["a", "b"]), "a or b");
        assert_eq!(alternatives(&["a", "b", "c"]), "a, b or c");
    }
}
