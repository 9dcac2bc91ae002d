//! Values that are listed in a description, and in no `enum`: a model reads them, and nothing holds it to them.

use serde_json::{Map, Value};

use super::{
    Code, Finding,
    surface::{Role, Surface, properties, types},
};
use crate::text;

/// What a list comes after, and whether its words may stand there without quotes.
const LEADS: &[(&str, bool)] = &[
    ("one of", true),
    ("values", true),
    ("options", true),
    ("choices", true),
    ("either", false),
    ("must be", false),
    ("can be", false),
];

/// What may stand between the lead and the list.
const FILLERS: &[&str] =
    &["the following", "following", "these", "values", "are", "is", "one of", "either", ":", "[", "(", "{", "="];

/// What stands before a lead whose list is not the whole.
const SAMPLES: &[&str] = &["example", "common", "typical", "sample", "some", "such"];

/// A list that goes on.
const OPEN_ENDS: &[&str] = &["etc", "...", "…", "and so on", "other", "more", "similar"];

/// The longest word that is taken for a value.
const LONGEST: usize = 40;

/// Keywords by which a schema says itself which values it takes.
const NARROWING: &[&str] = &["enum", "const", "pattern", "format"];

/// Properties whose description lists what the schema does not.
pub(super) fn only_in_words(surface: &Surface<'_>, found: &mut Vec<Finding>) {
    for node in &surface.nodes {
        let (Role::Property { of, .. }, Some(words)) = (node.role, node.description()) else { continue };
        let narrows = |keywords: &Map<String, Value>| NARROWING.iter().any(|keyword| keywords.contains_key(*keyword));
        if surface.of_any_part(node.schema, narrows) {
            continue;
        }
        let Some(options) = listed(words) else { continue };
        let types = types(node.schema);
        let is_number = |option: &&str| option.parse::<f64>().is_ok();
        let fits = match types.as_slice() {
            [] => true,
            types if types.iter().any(|name| ["string", "array"].contains(name)) => true,
            types if types.iter().any(|name| ["integer", "number"].contains(name)) => options.iter().all(is_number),
            _ => false,
        };
        // "Give one of `id` or `email`" speaks of other arguments.
        let of_keys = properties(of).any(|(key, _)| options.contains(&key));
        if fits && !of_keys {
            let mut shown = options.iter().take(6).copied().collect::<Vec<_>>().join(", ");
            if options.len() > 6 {
                shown.push_str(", …");
            }
            found.push(Finding::new(
                Code::ListedValues,
                &*node.place,
                format!("lists its values in the description alone ({})", text::excerpt(&shown, 120)),
                "make it an `enum`, which is enforced",
            ));
        }
    }
}

/// The values that a description lists.
fn listed(words: &str) -> Option<Vec<&str>> {
    // Of the same length, byte for byte.
    let folded = words.to_ascii_lowercase();
    LEADS.iter().find_map(|(lead, bare)| {
        folded.match_indices(lead).find_map(|(at, _)| {
            let is_word = !folded[..at].ends_with(|c: char| c.is_alphanumeric());
            let is_sample = SAMPLES.iter().any(|word| folded[..at].trim_end().ends_with(word));
            let rest = (is_word && !is_sample).then(|| &words[at + lead.len()..])?;
            let rest = rest.strip_prefix(|c: char| c.is_alphanumeric()).map_or(Some(rest), |_| None)?;
            let rest = unfilled(rest);
            if rest.starts_with(['-', '*']) { bullets(rest) } else { row(rest, *bare) }
        })
    })
}

/// What follows the words that only lead to a list.
fn unfilled(mut rest: &str) -> &str {
    loop {
        rest = rest.trim_start();
        let is_next = |filler: &&&str| {
            rest.get(..filler.len()).is_some_and(|start| start.eq_ignore_ascii_case(filler))
                && !(filler.ends_with(char::is_alphabetic)
                    && rest[filler.len()..].starts_with(|c: char| c.is_alphanumeric()))
        };
        match FILLERS.iter().find(is_next) {
            Some(filler) => rest = &rest[filler.len()..],
            None => return rest,
        }
    }
}

/// `a, b or c`, `"a" | "b"`: two values at least, and nothing that says there are more.
fn row(mut rest: &str, bare: bool) -> Option<Vec<&str>> {
    let is_quoted = quoted(rest).is_some();
    let mut options = Vec::new();
    let next = |rest| quoted(rest).or_else(|| plain(rest).filter(|_| bare && !is_quoted));
    while let Some((option, after)) = next(rest) {
        if OPEN_ENDS.contains(&option.to_ascii_lowercase().as_str()) {
            return None;
        }
        options.push(option);
        rest = without_gloss(after);
        match separated(rest) {
            Some(after) => rest = after,
            // A word without quotes may be the first of several: "one of us".
            None if !is_quoted && !ends(rest) => return None,
            None => break,
        }
    }
    let tail = rest.trim_start_matches([' ', ',']).to_ascii_lowercase();
    (options.len() >= 2 && !OPEN_ENDS.iter().any(|end| tail.starts_with(end))).then_some(options)
}

/// One value a line, each followed by what it means.
fn bullets(rest: &str) -> Option<Vec<&str>> {
    let lines = rest.lines().map(str::trim_start).map_while(|line| line.strip_prefix(['-', '*']));
    let options: Vec<&str> = lines
        .map(|line| {
            let line = line.trim_start();
            let means = |(_, after): &(&str, &str)| ends(after) || after.trim_start().starts_with([':', '-', '–', '=']);
            quoted(line).or_else(|| plain(line).filter(means)).map(|(option, _)| option)
        })
        .collect::<Option<_>>()?;
    (options.len() >= 2).then_some(options)
}

/// A value in quotes, and what follows it.
fn quoted(rest: &str) -> Option<(&str, &str)> {
    const QUOTES: &[(char, char)] = &[('`', '`'), ('\'', '\''), ('"', '"'), ('“', '”'), ('‘', '’')];
    let (open, close) = QUOTES.iter().find(|(open, _)| rest.starts_with(*open))?;
    let rest = &rest[open.len_utf8()..];
    let (option, after) = rest.split_once(*close)?;
    (!option.is_empty() && option.len() <= LONGEST && !option.contains('\n')).then_some((option, after))
}

/// A value without quotes, and what follows it.
fn plain(rest: &str) -> Option<(&str, &str)> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '+');
    let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    let option = rest[..end].trim_end_matches(['.', '-']);
    let is_value = option.starts_with(|c: char| c.is_alphanumeric() || c == '-') && option.len() <= LONGEST;
    let is_article = ["a", "an", "the"].iter().any(|article| option.eq_ignore_ascii_case(article));
    (is_value && !(is_article && rest[end..].starts_with(' '))).then(|| (option, &rest[option.len()..]))
}

/// What follows `(what it means)`.
fn without_gloss(rest: &str) -> &str {
    let gloss = rest.trim_start().strip_prefix('(').and_then(|gloss| gloss.split_once(')'));
    gloss.filter(|(gloss, _)| !gloss.contains('(')).map_or(rest, |(_, after)| after)
}

/// What follows a comma, a stroke, `or`, `and`.
fn separated(rest: &str) -> Option<&str> {
    let rest = rest.trim_start_matches(' ');
    let after = rest.strip_prefix([',', '|', '/']).map(|rest| rest.trim_start_matches(' '));
    let word = ["or ", "and "].iter().find_map(|word| after.unwrap_or(rest).strip_prefix(word));
    word.or(after).map(|rest| rest.trim_start_matches(' '))
}

/// Whether a clause ends here.
fn ends(rest: &str) -> bool {
    let rest = rest.trim_start_matches(' ');
    rest.is_empty() || rest.starts_with(['.', ';', ')', ']', '}', '\n', '('])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_found() {
        for (words, options) in [
            ("The state, one of open, shipped or cancelled.", &["open", "shipped", "cancelled"][..]),
            ("Either `a` or `b`.", &["a", "b"]),
            ("Allowed values: red, green", &["red", "green"]),
            ("The goal. Possible options [lose, gain, maintain].", &["lose", "gain", "maintain"]),
            ("Allows one of following : 5m|15m", &["5m", "15m"]),
            ("One of the following : en|cn", &["en", "cn"]),
            ("Valid options are 'movie', 'series', and 'episode'.", &["movie", "series", "episode"]),
            ("Can be 'delete' or 'add'.", &["delete", "add"]),
            ("one of \"x\" (the default), \"y\" or nothing", &["x", "y"]),
            ("Options are:\n- 'add' - add it\n- 'remove' - take it off", &["add", "remove"]),
            ("The level. One of:\n* low: little\n* high: much", &["low", "high"]),
        ] {
            assert_eq!(listed(words).as_deref(), Some(options), "{words}");
        }
    }

    #[test]
    fn prose_and_open_lists_are_not_lists_of_values() {
        for words in [
            "One of the customer's orders.",
            "An order, one of those in the cart, or none.",
            "A path, either absolute or relative.",
            "Options: 'single', 'double', etc.",
            "Options: 'single', 'double', ...",
            "Example values: 'red', 'blue'.",
            "Must be a positive integer.",
            "Values can be comma separated.",
            "Must be \"image\".",
            "someone of note, or nobody",
            "At least one of name and email.x must be given",
            "",
            "one of",
            "options:\n- ",
        ] {
            assert_eq!(listed(words), None, "{words}");
        }
    }
}
