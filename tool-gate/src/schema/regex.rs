//! What is wrong with a pattern that does not compile. Patterns are those of ECMA-262, but for what takes more than linear time
//! to match.

use crate::text;

/// The longest that a pattern is repeated.
const LONGEST: usize = 120;

/// Why a pattern that does not compile cannot be used, in words that follow its name and "which".
pub(crate) fn unusable(pattern: &str) -> String {
    if looks_around_or_back(pattern) {
        return "cannot be matched in linear time: look-around and back-references are not supported".into();
    }
    let (why, at) = match regex_syntax::parse(pattern) {
        Err(regex_syntax::Error::Parse(error)) => (error.kind().to_string(), error.span().start.offset),
        Err(regex_syntax::Error::Translate(error)) => (error.kind().to_string(), error.span().start.offset),
        // What another dialect takes, or more than there is room for.
        _ => return "is no regular expression of ECMA-262, or too large a one".into(),
    };
    let before = pattern.get(..at).unwrap_or_default().chars().count();
    format!("is no regular expression: {why}, at character {}", before + 1)
}

/// A pattern as it is told of.
pub(crate) fn shown(pattern: &str) -> String {
    text::excerpt(pattern, LONGEST)
}

/// Whether a pattern looks ahead or behind, or back at what a group matched.
fn looks_around_or_back(pattern: &str) -> bool {
    let mut rest = pattern;
    let mut is_in_class = false;
    while let Some(first) = rest.chars().next() {
        let after = &rest[first.len_utf8()..];
        let second = after.chars().next();
        match first {
            '\\' if !is_in_class && (matches!(second, Some('1'..='9')) || after.starts_with("k<")) => return true,
            '(' if !is_in_class && ["?=", "?!", "?<=", "?<!"].iter().any(|look| after.starts_with(look)) => {
                return true;
            }
            '[' => is_in_class = true,
            ']' => is_in_class = false,
            _ => {}
        }
        let escaped = second.filter(|_| first == '\\').map_or(0, char::len_utf8);
        rest = &after[escaped..];
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_with_a_pattern_is_told() {
        let linear = "cannot be matched in linear time: look-around and back-references are not supported";
        for pattern in ["(?=a)b", "a(?!b)", "(?<=a)b", "(?<!a)b", r"(a)\1", r"(?<n>a)\k<n>", r"\cA(?=b)", r"[\]](?=b)"]
        {
            assert_eq!(unusable(pattern), linear, "{pattern}");
        }
        for (pattern, why) in [
            ("é(", "is no regular expression: unclosed group, at character 2"),
            ("[(?=", "is no regular expression: unclosed character class, at character 1"),
            (
                "a{2,1}",
                "is no regular expression: invalid repetition count range, the start must be <= the end, at character 2",
            ),
            (r"\p{Nope}", "is no regular expression: Unicode property not found, at character 1"),
            ("((a{1000}){1000}){1000}", "is no regular expression of ECMA-262, or too large a one"),
        ] {
            assert_eq!(unusable(pattern), why, "{pattern}");
        }
    }
}
