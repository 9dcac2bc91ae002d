//! Constraints in words, for descriptions: what a provider does not enforce, the model may still keep to.

use serde_json::{Map, Number, Value};

use super::shape::LONGEST_CLAUSE as LONGEST;
use crate::text;

/// The longest that two descriptions become: thousands of parts may be one schema.
const LONGEST_OF_BOTH: usize = 4_000;

/// The most of a list that is repeated.
const MOST: usize = 12;

/// Keywords whose clauses are said in words where they are not taken; all others are left out without any.
pub(super) const SAID: &[&str] = &[
    "minimum",
    "exclusiveMinimum",
    "maximum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "format",
    "pattern",
    "minItems",
    "maxItems",
    "uniqueItems",
    "contains",
    "minContains",
    "maxContains",
    "minProperties",
    "maxProperties",
    "propertyNames",
    "patternProperties",
    "dependentRequired",
    "dependentSchemas",
    "not",
    "if",
    "then",
    "else",
    "const",
    "enum",
    "default",
    "examples",
    "deprecated",
];

/// A description with the clauses that are no longer in the schema, each said once.
pub(super) fn described(description: Option<&str>, dropped: &Map<String, Value>, about: &[&str]) -> Option<String> {
    let mut words = description.map(str::trim).unwrap_or_default().to_owned();
    for sentence in about.iter().map(|sentence| (*sentence).to_owned()).chain(sentences(dropped)) {
        // A doc comment often says it already.
        if says(&words.to_lowercase(), &sentence.trim_end_matches('.').to_lowercase()) {
            continue;
        }
        if !words.is_empty() {
            words.push_str(if words.ends_with(['.', '!', '?', ':']) { " " } else { ". " });
        }
        words.push_str(&sentence);
    }
    (!words.is_empty()).then_some(words)
}

/// What two schemas say that become one, the first one's before the other's and nothing twice. Only the first one's where both
/// are too long.
pub(super) fn of_both(own: &str, theirs: &str) -> String {
    let (own, theirs) = (own.trim(), theirs.trim());
    let is_among = |words: &str, others: &str| {
        words.is_empty() || says(&others.to_lowercase(), &words.trim_end_matches('.').to_lowercase())
    };
    let is_too_long = own.len() + theirs.len() > LONGEST_OF_BOTH;
    if (is_too_long && !own.is_empty()) || is_among(theirs, own) {
        return own.to_owned();
    }
    if is_among(own, theirs) {
        return theirs.to_owned();
    }
    let has_lines = own.contains('\n') || theirs.contains('\n') || theirs.starts_with("- ");
    let between = match (has_lines, own.ends_with(['.', '!', '?', ':'])) {
        (true, _) => "\n\n",
        (false, true) => " ",
        (false, false) => ". ",
    };
    format!("{own}{between}{theirs}")
}

/// Says of a schema what another says that becomes one with it.
pub(super) fn say_of_both(schema: &mut Map<String, Value>, theirs: Option<&Value>) {
    let Some(Value::String(theirs)) = theirs else { return };
    let own = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    let words = of_both(own, theirs);
    schema.insert("description".into(), words.into());
}

/// Whether words have these among them: `at least 10` does not say `at least 1`, nor does `2.5` say `2`.
fn says(words: &str, sentence: &str) -> bool {
    words.match_indices(sentence).any(|(at, found)| {
        let before = words[..at].chars().next_back();
        let mut after = words[at + found.len()..].chars();
        let next = after.next();
        let goes_on = match next {
            Some('.' | ',') => after.next().is_some_and(|c| c.is_ascii_digit()),
            next => next.is_some_and(char::is_alphanumeric),
        };
        !goes_on && !before.is_some_and(char::is_alphanumeric)
    })
}

/// Whether a clause is said in words: the ends of wide types are not, and no pattern that is too long to be read.
pub(super) fn is_said(keyword: &str, clause: &Value) -> bool {
    // These are said together with `if`.
    matches!(keyword, "then" | "else" | "minContains" | "maxContains")
        || !sentences(&Map::from_iter([(keyword.to_owned(), clause.clone())])).is_empty()
}

/// One sentence for each matter that the clauses are about.
fn sentences(dropped: &Map<String, Value>) -> Vec<String> {
    let clause = |keyword: &str| dropped.get(keyword);
    let range = |least: &str, most: &str, one: &str, many: &str| {
        let said = |prefix: &str, keyword: &str| {
            let count = clause(keyword).and_then(super::node::count)?;
            Some(format!("{prefix} {count} {}", if count == 1 { one } else { many }))
        };
        if clause(least).is_some() && clause(least) == clause(most) {
            return joined([said("exactly", least), None]);
        }
        joined([said("at least", least), said("at most", most)])
    };
    let mut found: Vec<Option<String>> = vec![
        numbers(dropped),
        clause("multipleOf").map(|step| format!("A multiple of {step}.")),
        range("minLength", "maxLength", "character", "characters"),
        clause("format").and_then(Value::as_str).map(format),
        clause("pattern")
            .and_then(Value::as_str)
            .filter(|pattern| pattern.chars().count() <= LONGEST)
            .map(|pattern| format!("It matches the pattern {}.", cut(pattern))),
        range("minItems", "maxItems", "item", "items"),
        clause("uniqueItems").filter(|unique| **unique == Value::Bool(true)).map(|_| "No item twice.".to_owned()),
        clause("contains").map(|schema| format!("Among the items is one that fits {}.", quoted(schema))),
        range("minProperties", "maxProperties", "key", "keys"),
        clause("propertyNames").map(keys),
        clause("dependentRequired").map(|needs| format!("Keys that need others: {}.", quoted(needs))),
        clause("dependentSchemas").map(|needs| format!("Keys that ask for more: {}.", quoted(needs))),
        clause("not").map(|refused| match refused.get("const") {
            Some(only) => format!("Not {}.", quoted(only)),
            None => format!("Nothing that fits {}.", quoted(refused)),
        }),
        conditions(dropped),
        clause("const").map(|only| format!("Always {}.", quoted(only))),
        clause("enum")
            .and_then(Value::as_array)
            .map(|options| format!("One of {}.", some_of(options.iter().map(quoted).collect()))),
        clause("default").filter(|default| !default.is_null()).map(|default| format!("Default: {}.", quoted(default))),
        clause("examples")
            .and_then(|examples| examples.get(0))
            .map(|example| format!("For example {}.", quoted(example))),
        clause("deprecated").filter(|is| **is == Value::Bool(true)).map(|_| "Deprecated.".to_owned()),
    ];
    if let Some(patterns) = clause("patternProperties").and_then(Value::as_object) {
        found.extend(patterns.iter().take(MOST).map(|(pattern, schema)| {
            Some(format!("What a key that matches {} holds fits {}.", cut(pattern), quoted(schema)))
        }));
    }
    found.into_iter().flatten().collect()
}

/// `At least 1, at most 100.`
fn numbers(dropped: &Map<String, Value>) -> Option<String> {
    let said = |prefix: &str, keyword: &str| {
        let limit = dropped.get(keyword).and_then(Value::as_number).filter(|limit| !is_of_a_type(limit))?;
        Some(format!("{prefix} {limit}"))
    };
    let limit = |keyword: &str| dropped.get(keyword).and_then(Value::as_f64);
    // Of two bounds on one side the narrower one is what counts.
    let is_narrower = |exclusive: &str, inclusive: &str, is_least: bool| {
        limit(exclusive)
            .zip(limit(inclusive))
            .is_some_and(|(one, other)| if is_least { one >= other } else { one <= other })
    };
    let least = said("at least", "minimum").filter(|_| !is_narrower("exclusiveMinimum", "minimum", true));
    let most = said("at most", "maximum").filter(|_| !is_narrower("exclusiveMaximum", "maximum", false));
    joined([
        least.or_else(|| said("more than", "exclusiveMinimum")),
        most.or_else(|| said("less than", "exclusiveMaximum")),
    ])
}

/// Whether a bound is where a wide type of Rust's ends. A model that comes near it has other troubles.
fn is_of_a_type(limit: &Number) -> bool {
    let integer = limit.as_i64().map(i128::from).or_else(|| limit.as_u64().map(i128::from));
    match integer {
        Some(limit) => [
            i128::from(i32::MIN),
            i128::from(i32::MAX),
            i128::from(u32::MAX),
            i128::from(i64::MIN),
            i128::from(i64::MAX),
            i128::from(u64::MAX),
        ]
        .contains(&limit),
        None => limit.as_f64().is_some_and(|limit| limit.abs() >= f64::from(f32::MAX)),
    }
}

fn joined(parts: [Option<String>; 2]) -> Option<String> {
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    let mut words = parts.join(", ");
    let first = words.get(..1)?.to_uppercase();
    words.replace_range(..1, &first);
    words.push('.');
    Some(words)
}

fn format(name: &str) -> String {
    match name {
        "date-time" => "A date and time as in RFC 3339, such as 2026-02-10T09:00:00Z.".to_owned(),
        "date" => "A date, such as 2026-02-10.".to_owned(),
        "time" => "A time with an offset, such as 09:00:00Z.".to_owned(),
        "duration" => "A duration as in ISO 8601, such as P1DT2H.".to_owned(),
        "email" => "An e-mail address.".to_owned(),
        "hostname" => "A host name.".to_owned(),
        "ipv4" => "An IPv4 address.".to_owned(),
        "ipv6" => "An IPv6 address.".to_owned(),
        "uri" => "A URI with its scheme.".to_owned(),
        "uuid" => "A UUID.".to_owned(),
        other => format!("In the format {}.", cut(other)),
    }
}

fn keys(names: &Value) -> String {
    let words = names.get("description").and_then(Value::as_str);
    match words {
        Some(words) => format!("Each key is {}.", text::excerpt(words.trim_end_matches('.'), LONGEST)),
        None => format!("Each key fits {}.", quoted(names)),
    }
}

fn conditions(dropped: &Map<String, Value>) -> Option<String> {
    let condition = quoted(dropped.get("if")?);
    let branch =
        |keyword: &str, words: &str| dropped.get(keyword).map(|schema| format!(", {words} {}", quoted(schema)));
    let (then, otherwise) = (branch("then", "then").unwrap_or_default(), branch("else", "else").unwrap_or_default());
    Some(format!("If it fits {condition}{then}{otherwise}."))
}

/// The first of them, and that there are more.
pub(super) fn some_of(mut words: Vec<String>) -> String {
    let more = words.len().saturating_sub(MOST);
    if more > 0 {
        words.truncate(MOST);
        words.push(format!("{more} others"));
    }
    text::alternatives(&words)
}

fn quoted(value: &Value) -> String {
    cut(&value.to_string())
}

pub(super) fn cut(words: &str) -> String {
    text::excerpt(words, LONGEST)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn said(description: Option<&str>, dropped: &Value) -> String {
        described(description, dropped.as_object().expect("an object"), &[]).unwrap_or_default()
    }

    #[test]
    fn bounds_are_said_in_one_sentence() {
        assert_eq!(said(None, &json!({"minimum": 1, "maximum": 100})), "At least 1, at most 100.");
        assert_eq!(said(Some("How many"), &json!({"exclusiveMinimum": 0})), "How many. More than 0.");
        assert_eq!(
            said(Some("Tags."), &json!({"minItems": 1, "uniqueItems": true})),
            "Tags. At least 1 item. No item twice."
        );
    }

    #[test]
    fn what_is_said_already_is_not_said_again() {
        assert_eq!(said(Some("Cents, at least 1."), &json!({"minimum": 1})), "Cents, at least 1.");
    }

    #[test]
    fn the_ends_of_wide_types_are_not_said() {
        assert_eq!(said(None, &json!({"minimum": 0, "maximum": u64::MAX})), "At least 0.");
        assert_eq!(said(None, &json!({"minimum": i64::MIN, "maximum": i64::MAX})), "");
    }
}
