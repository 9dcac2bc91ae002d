//! Texts in a format of JSON Schema, or matching a pattern.

use regex_syntax::hir::{Class, Hir, HirKind};

use super::draw::Draw;

/// Texts in the format; none for one that is not known.
pub(super) fn in_format(format: &str) -> &'static [&'static str] {
    match format {
        "date" => &["2026-02-28", "2024-02-29", "0001-01-01", "9999-12-31", "0000-01-01", "1582-10-10"],
        "date-time" => &[
            "2026-02-28T09:30:00Z",
            "2024-02-29T23:59:59.999999999+23:59",
            "2026-02-28t09:30:00z",
            "2026-02-28T09:30:00.5-08:00",
            "2026-02-28T09:30:00.1234567890123Z",
            "1998-12-31T23:59:60Z",
            "2026-02-28T09:30:00-00:00",
            "0000-01-01T00:00:00Z",
            "9999-12-31T23:59:59-12:00",
        ],
        "time" => &["09:30:00Z", "23:59:59.5+01:00", "00:00:00-00:00", "23:59:60Z", "09:30:00z"],
        "duration" => &["P3DT4H", "PT0S", "P1Y2M3D", "P2W", "PT36H", "P1Y", "P99999Y"],
        "email" | "idn-email" => {
            &["ann@example.org", "a.b+c@sub.example.org", "\"ann b\"@example.org", "a@[192.0.2.1]", "A@B.C"]
        }
        "hostname" | "idn-hostname" => &["example.org", "localhost", "xn--bcher-kva.example", "a-b.c", "1.2.3.4"],
        "ipv4" => &["192.0.2.1", "0.0.0.0", "255.255.255.255"],
        "ipv6" => &["2001:db8::1", "::", "::1", "::ffff:192.0.2.1", "2001:DB8:0:0:0:0:0:1", "fe80::1"],
        "uri" => {
            &["https://example.org/a?b#c", "urn:isbn:0451450523", "mailto:ann@example.org", "http://[::1]:80/", "a:b"]
        }
        "iri" => &["https://example.org/ä", "https://example.org/a"],
        "uri-reference" | "iri-reference" => &["/a/b", "a", "#c", "", "https://example.org/a"],
        "uri-template" => &["https://example.org/{id}", "/a{?b,c}"],
        "uuid" => &[
            "6fa459ea-ee8a-3ca4-894e-db77e160355e",
            "6FA459EA-EE8A-3CA4-894E-DB77E160355E",
            "00000000-0000-0000-0000-000000000000",
            "ffffffff-ffff-ffff-ffff-ffffffffffff",
        ],
        "json-pointer" => &["", "/a/0", "/a~1b"],
        "relative-json-pointer" => &["0", "1/a", "2#"],
        "regex" => &["^a+$", "[0-9]{3}", "(?=a)a"],
        _ => &[],
    }
}

/// Texts that are nearly in the format, or that readers differ about.
pub(super) fn nearly_in_format(format: &str) -> &'static [&'static str] {
    match format {
        "date" => {
            &["2026-02-29", "2026-1-3", "2026-13-01", "20260228", "2026-02-28T00:00:00Z", "10000-01-01", "28.02.2026"]
        }
        "date-time" => {
            &["2026-02-28 09:30:00Z", "2026-02-28T09:30:00", "2026-02-28T25:00:00Z", "2026-02-28T09:30Z", "2026-02-28"]
        }
        "time" => &["09:30:00", "9:30:00Z", "24:00:00Z", "09:30"],
        "duration" => &["P", "PT", "P1.5D", "1D", "P-1D", "3 days", "P1W2D"],
        "email" | "idn-email" => &["ann", "ann@", "@example.org", "a b@example.org", "ann@example..org"],
        "hostname" | "idn-hostname" => &["-a.org", "a_b.org", "a..b", ".", "exämple.org"],
        "ipv4" => &["192.0.2", "192.0.2.256", "192.0.02.1", "0xC0.0.2.1"],
        "ipv6" => &[":::", "12345::", "fe80::1%eth0", "192.0.2.1"],
        "uri" | "iri" => &["/a/b", "example.org", "https://a b", "://a"],
        "uuid" => &["6fa459eaee8a3ca4894edb77e160355e", "{6fa459ea-ee8a-3ca4-894e-db77e160355e}", "6fa459ea"],
        "regex" => &["(", "[a"],
        "json-pointer" => &["a", "/~2"],
        _ => &[],
    }
}

/// How often a repetition is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    Least,
    Most,
    Any,
}

/// The most that a repetition is drawn.
const REPEATED: u32 = 200;

/// A text that matches the pattern; nothing where it is written in a way that is not known here.
pub(super) fn matching(pattern: &str, reach: Reach, draw: &mut Draw) -> Option<String> {
    let parsed = regex_syntax::ParserBuilder::new().nest_limit(64).build().parse(pattern).ok()?;
    let mut text = String::new();
    write(&parsed, reach, draw, &mut text)?;
    Some(text)
}

fn write(pattern: &Hir, reach: Reach, draw: &mut Draw, text: &mut String) -> Option<()> {
    // A repetition of repetitions.
    if text.len() > 20_000 {
        return None;
    }
    match pattern.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => text.push_str(std::str::from_utf8(&literal.0).ok()?),
        HirKind::Class(class) => text.push(one_of(class, draw)?),
        HirKind::Repetition(repetition) => {
            let most = repetition.max.unwrap_or(repetition.min.saturating_add(3));
            let times = match reach {
                Reach::Least => repetition.min,
                Reach::Most => most,
                Reach::Any => {
                    let more = usize::try_from(most.saturating_sub(repetition.min)).unwrap_or_default();
                    repetition.min.saturating_add(u32::try_from(draw.below(more.min(8) + 1)).unwrap_or_default())
                }
            };
            for _ in 0..times.min(repetition.min.max(REPEATED)) {
                write(&repetition.sub, reach, draw, text)?;
            }
        }
        HirKind::Capture(capture) => write(&capture.sub, reach, draw, text)?,
        HirKind::Concat(parts) => parts.iter().try_for_each(|part| write(part, reach, draw, text))?,
        HirKind::Alternation(branches) => write(draw.choose(branches)?, reach, draw, text)?,
    }
    Some(())
}

/// A character of the class: a plain one mostly, where it has one.
fn one_of(class: &Class, draw: &mut Draw) -> Option<char> {
    let Class::Unicode(class) = class else { return None };
    let ranges: Vec<(char, char)> = class.ranges().iter().map(|range| (range.start(), range.end())).collect();
    let plain: Vec<(char, char)> = ranges
        .iter()
        .map(|(start, end)| ((*start).max(' '), (*end).min('~')))
        .filter(|(start, end)| start <= end)
        .collect();
    // `\d` and its like are ASCII to JSON Schema, and more to the parser.
    let (start, end) = draw.choose(if plain.is_empty() { &ranges } else { &plain })?;
    let span = u32::from(*end) - u32::from(*start) + 1;
    let drawn = u32::from(*start) + u32::try_from(draw.below(usize::try_from(span).ok()?)).ok()?;
    char::from_u32(drawn).or(Some(*start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Formats, Oracle};

    #[test]
    fn what_is_drawn_matches() {
        let mut draw = Draw::new(1);
        for (pattern, least) in
            [("^c-[0-9]+$", "c-"), ("^[A-Z]{2,3}(-[a-z]{4})?$", ""), (r"^(red|green)\s?\d{0,2}$", ""), ("", "")]
        {
            for reach in [Reach::Least, Reach::Most, Reach::Any, Reach::Any] {
                let text = matching(pattern, reach, &mut draw).expect("it is a pattern");
                let schema = serde_json::json!({"pattern": pattern});
                let oracle = Oracle::new(&schema, Formats::Asserted).expect("a schema");
                assert!(oracle.takes(&text.as_str().into()), "{pattern} {text}");
                assert!(text.starts_with(least));
            }
        }
        assert_eq!(matching("(", Reach::Any, &mut draw), None);
    }

    #[test]
    fn examples_of_formats_are_examples() {
        for format in
            ["date", "date-time", "time", "duration", "email", "hostname", "ipv4", "ipv6", "uri", "uuid", "regex"]
        {
            let oracle = Oracle::new(&serde_json::json!({"format": format}), Formats::Asserted).expect("a schema");
            for text in in_format(format) {
                // Readers differ about the rarest: it is enough that the oracle judges them.
                assert!(oracle.takes(&(*text).into()) || in_format(format).len() > 2, "{format} {text}");
            }
            assert!(oracle.takes(&in_format(format)[0].into()), "{format}");
            assert!(nearly_in_format(format).iter().any(|text| !oracle.takes(&(*text).into())), "{format}");
        }
    }
}
