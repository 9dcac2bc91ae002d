//! Every sentence that a model reads about a rejection.

use std::fmt::{self, Debug, Write as _};

use serde_json::{Number, Value};

use crate::{
    json::{Fault, FaultKind},
    rejection::{EnvelopeFault, Exceeded, NotRunnable, Rejection},
    schema::{Contract, Path, Received, Violation, patterns},
    text,
};

/// Turns rejections into what the model reads. Implement it to answer in other words or another language.
///
/// A good sentence quotes the contract that was broken and what came instead, and nothing more: the model mends what it
/// reads first. Everything in a [`Rejection`] that a model wrote is already bounded and stripped of control characters.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no sentences for rejections",
    label = "not an implementation of `Sentences`",
    note = "pass `English`, or implement `Sentences` for `{Self}`"
)]
pub trait Sentences: Debug + Send + Sync + 'static {
    /// The sentence for one rejection. It must not be empty: providers refuse an empty result.
    fn rejection(&self, rejection: &Rejection) -> String;
}

/// The sentences that tool-gate comes with.
///
/// ```
/// use tool_gate::{English, Rejection, Sentences};
///
/// let rejection = Rejection::Truncated { tool: "search_orders".into() };
/// assert_eq!(
///     English.rejection(&rejection),
///     "Arguments for search_orders end before they are complete. Send them whole; if they are long, send fewer items."
/// );
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct English;

#[diagnostic::do_not_recommend]
impl Sentences for English {
    fn rejection(&self, rejection: &Rejection) -> String {
        match rejection {
            Rejection::DuplicateId { id: Some(id) } => {
                format!("Two calls in this reply share the id \"{id}\", so neither ran. Make the calls again.")
            }
            Rejection::DuplicateId { id: None } => {
                "Two calls in this reply share one id, so neither ran. Make the calls again.".into()
            }
            Rejection::Envelope { fault } => {
                format!(
                    "The call is not usable: {}. Send one object with the keys name and arguments.",
                    envelope(fault)
                )
            }
            Rejection::UnknownName { name, suggestions, offered } => unknown_name(name, suggestions, *offered),
            Rejection::Unparsable { tool, fault } => {
                format!("Arguments for {tool} are not valid JSON: {}. Send one JSON object.", fault_words(*fault))
            }
            Rejection::Truncated { tool } => {
                format!(
                    "Arguments for {tool} end before they are complete. Send them whole; if they are long, send fewer items."
                )
            }
            Rejection::NotAnObject { tool, received, declared } => {
                let keys = match declared.as_slice() {
                    [] => "Send an object with no keys.".to_owned(),
                    keys => format!("Send an object with: {}.", listed(keys)),
                };
                format!("Arguments for {tool} are {}, not a JSON object. {keys}", received.with_article())
            }
            Rejection::Schema { tool, violation } => schema(tool, violation),
            Rejection::Value { tool, path, reason } if path.is_root() => match reason {
                Some(reason) => format!("{tool} rejected: {reason}."),
                None => format!("{tool} rejected: the arguments are not acceptable together."),
            },
            Rejection::Value { tool, path, reason } => match reason {
                Some(reason) => format!("{tool} rejected: {path} is not acceptable: {reason}."),
                None => format!("{tool} rejected: {path} is not acceptable."),
            },
            Rejection::OverLimit { limit: Exceeded::ArgumentBytes { tool, most } } => {
                format!("Arguments for {tool} are longer than {most} bytes. Send fewer items.")
            }
            Rejection::OverLimit { limit: Exceeded::Calls { most } } => {
                format!(
                    "This call did not run: a reply may hold {most} calls. Make the remaining calls in the next one."
                )
            }
            Rejection::TurnNotRunnable { reason } => match reason {
                NotRunnable::Refused => "This call did not run: the reply was stopped by the provider.".into(),
                NotRunnable::Paused => "This call did not run: the reply was paused before it was complete.".into(),
                NotRunnable::NotAskedFor => {
                    "This call did not run: the reply did not end by asking for tools. Make the call again.".into()
                }
                NotRunnable::Stopped => "This call did not run: the conversation is over. Call no more tools.".into(),
                NotRunnable::Repeated => "This call did not run: the same reply was seen before.".into(),
            },
        }
    }
}

fn unknown_name(name: &str, suggestions: &[String], offered: usize) -> String {
    let names = suggestions.join(", ");
    match (name.is_empty(), offered) {
        (true, _) => "The call names no tool. Send the name of one of the tools you were given.".into(),
        (false, 0) => format!("No tool named \"{name}\": there are no tools to call."),
        (false, _) if suggestions.len() == offered => format!("No tool named \"{name}\". Available tools: {names}."),
        (false, _) => format!("No tool named \"{name}\". The nearest of {offered} tools: {names}."),
    }
}

fn envelope(fault: &EnvelopeFault) -> String {
    match fault {
        EnvelopeFault::NotJson { at } => format!("it is not valid JSON: {}", fault_words(*at)),
        EnvelopeFault::NotAnObject { received } => format!("it is {}, not an object", received.with_article()),
        EnvelopeFault::MissingKey { key } => format!("the key {key} is missing"),
        EnvelopeFault::ExtraKey { key: Some(key) } => format!("it has the extra key {key}"),
        EnvelopeFault::ExtraKey { key: None } => "it has an extra key".into(),
        EnvelopeFault::NameNotAString { received } => format!("the name is {}, not a string", received.with_article()),
    }
}

fn fault_words(fault: Fault) -> String {
    let what = match fault.kind() {
        FaultKind::Truncated => "it ends before it is complete",
        FaultKind::NotFinite => "NaN and Infinity are not JSON numbers",
        FaultKind::OutOfRange => "a number is too large",
        FaultKind::LoneSurrogate => "an escape is half of a surrogate pair",
        FaultKind::DuplicateKey => "a key stands twice in one object",
        FaultKind::TooDeep => "it is nested too deep",
        FaultKind::ControlCharacter => "a raw control character is in a string (write a line break as \\n)",
        FaultKind::InvalidEscape => "an escape is not one of JSON's (write a backslash as \\\\)",
        FaultKind::TrailingText => "something follows the first value",
        FaultKind::SingleQuotes => "strings take double quotes",
        FaultKind::TrailingComma => "a comma has nothing after it",
        FaultKind::Empty => "it is empty",
        _ => "an unexpected character",
    };
    format!("{what}, at byte {}", fault.at())
}

/// The most declared keys that are listed, and the most characters of each: another server may have declared them.
const LISTED_KEYS: usize = 40;
const KEY_CHARS: usize = 64;

fn listed(keys: &[String]) -> String {
    let mut listed: Vec<String> = keys.iter().take(LISTED_KEYS).map(|key| text::excerpt(key, KEY_CHARS)).collect();
    if let Some(more) = keys.len().checked_sub(LISTED_KEYS).filter(|more| *more > 0) {
        listed.push(format!("and {more} more"));
    }
    listed.join(", ")
}

fn schema(tool: &str, violation: &Violation) -> String {
    let Violation { path, contract, received } = violation;
    let mut told = format!("{tool} rejected: ");
    let tell_received = match contract {
        Contract::AdditionalProperties { key, declared, meant, meant_is_required } => {
            let within = if path.is_root() { String::new() } else { format!(" in {path}") };
            match key {
                Some(key) => write!(told, "{key} is not declared{within}"),
                None => write!(told, "one key is not declared{within}"),
            }
            .and_then(|()| match meant {
                Some(meant) if *meant_is_required => write!(told, ", and {meant} is required"),
                Some(meant) => write!(told, "; did you mean {meant}?"),
                None => Ok(()),
            })
            .and_then(|()| {
                told.push_str(if told.ends_with('?') { "" } else { "." });
                match declared.as_slice() {
                    [] => write!(told, " No keys are declared."),
                    _ => write!(told, " Declared: {}.", listed(declared)),
                }
            })
            .unwrap_or_default();
            return told;
        }
        Contract::Required { key } => {
            let _ = write!(told, "{} is required.", path.child(key));
            return told;
        }
        _ => clause(contract, path, &mut told).is_ok(),
    };
    told.push('.');
    if tell_received {
        received_words(received, path, &mut told);
    }
    told
}

fn clause(contract: &Contract, path: &Path, told: &mut String) -> fmt::Result {
    match contract {
        Contract::Type { expected } => {
            let expected: Vec<String> = expected.iter().map(|name| type_words(name)).collect();
            write!(told, "{path} must be {}", text::alternatives(&expected))
        }
        Contract::Enum { options, total: 1 } if options.len() == 1 => {
            write!(told, "{path} must be {}", option_words(&options[0]))
        }
        Contract::Enum { options, total } => {
            let shown: Vec<String> = options.iter().map(option_words).collect();
            write!(told, "{path} must be one of {}", text::alternatives(&shown))?;
            match total.saturating_sub(options.len()) {
                0 => Ok(()),
                more => write!(told, " (and {more} more)"),
            }
        }
        Contract::Const { value } => write!(told, "{path} must be {}", option_words(value)),
        Contract::Minimum { limit } => write!(told, "{path} must be at least {}", number(limit)),
        Contract::Maximum { limit } => write!(told, "{path} must be at most {}", number(limit)),
        Contract::ExclusiveMinimum { limit } => write!(told, "{path} must be more than {}", number(limit)),
        Contract::ExclusiveMaximum { limit } => write!(told, "{path} must be less than {}", number(limit)),
        Contract::MultipleOf { step } => write!(told, "{path} must be a multiple of {}", number(step)),
        Contract::MinLength { limit } => write!(told, "{path} must have at least {}", count(*limit, "character")),
        Contract::MaxLength { limit } => write!(told, "{path} must have at most {}", count(*limit, "character")),
        Contract::PropertyNames { key, expected } => {
            write!(told, "each key of {path} must be {expected}")?;
            key.as_ref().map_or(Ok(()), |key| write!(told, ", and {key} is not"))
        }
        Contract::Pattern { pattern } => match patterns::words(pattern) {
            Some(words) => write!(told, "{path} must be {words}"),
            None => write!(told, "{path} must match the pattern {pattern}"),
        },
        Contract::Format { format } => write!(told, "{path} must be {}", format_words(format)),
        Contract::MinItems { limit } => write!(told, "{path} must have at least {}", count(*limit, "item")),
        Contract::MaxItems { limit } => write!(told, "{path} must have at most {}", count(*limit, "item")),
        Contract::UniqueItems => write!(told, "{path} must not have the same item twice"),
        Contract::MinProperties { limit } => write!(told, "{path} must have at least {}", count(*limit, "key")),
        Contract::MaxProperties { limit } => write!(told, "{path} must have at most {}", count(*limit, "key")),
        Contract::Not { value } => write!(told, "{path} must not be {}", option_words(value)),
        Contract::AnyOf { branches } => write!(told, "{path} must be {}", text::alternatives(branches)),
        Contract::Nothing => write!(told, "{path} must be left out"),
        Contract::Other { name, clause } => match name.as_str() {
            "not" => write!(told, "{path} must not be {clause}"),
            "contains" => write!(told, "{path} must have an item that is {clause}"),
            "contentEncoding" => write!(told, "{path} must be written in {clause}"),
            "oneOf" => write!(told, "{path} must fit one of its alternatives alone, and fits several"),
            _ => write!(told, "{path} must satisfy {name}: {clause}"),
        },
        Contract::AdditionalProperties { .. } | Contract::Required { .. } => Err(fmt::Error),
    }
}

fn received_words(received: &Received, path: &Path, told: &mut String) {
    match &received.excerpt {
        Some(excerpt) => {
            let _ = write!(told, " Received {excerpt}.");
        }
        // The whole argument object is no news to the model that just wrote it.
        None if path.is_root() => {}
        None => {
            let _ = write!(told, " Received {}.", received.json_type.with_article());
        }
    }
}

fn type_words(name: &str) -> String {
    match name {
        "null" => "null".into(),
        "integer" | "array" | "object" => format!("an {name}"),
        _ => format!("a {name}"),
    }
}

fn option_words(value: &Value) -> String {
    match value {
        // A text that could be read as a number or a literal stands in quotes.
        Value::String(word) if text::is_plain(word, 64) && serde_json::from_str::<Value>(word).is_err() => word.clone(),
        value => text::excerpt(&value.to_string(), 64),
    }
}

/// A number as it would be written by hand: a float that is whole has no fraction.
fn number(number: &Number) -> String {
    let text = number.to_string();
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

fn count(number: u64, thing: &str) -> String {
    if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
}

/// An example says more than a format's name: `date-time` alone is answered with `20260210T09:00:00`.
fn format_words(format: &str) -> String {
    let example = match format {
        "date-time" => "2026-02-10T09:00:00Z",
        "date" => "2026-02-10",
        "time" => "09:00:00Z",
        "duration" => "P3DT4H",
        "email" => "ann@example.org",
        "hostname" => "example.org",
        "ipv4" => "192.0.2.1",
        "ipv6" => "2001:db8::1",
        "uri" => "https://example.org/a",
        "uuid" => "6fa459ea-ee8a-3ca4-894e-db77e160355e",
        _ => return format!("in the format {format}"),
    };
    format!("in the format {format}, such as {example}")
}
