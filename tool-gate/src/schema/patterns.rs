//! Regular expressions that take exactly what a type of Rust reads from text, where JSON Schema has no format for it.

/// The hour, minute and second of a day, and a fraction of up to nine digits; `:60` is a leap second.
macro_rules! time {
    () => {
        r"([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\.[0-9]{1,9})?"
    };
}

/// A day of the calendar.
macro_rules! date {
    () => {
        concat!(
            r"([0-9]{4}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))",
            r"|([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29)"
        )
    };
}

macro_rules! ipv4 {
    () => {
        r"((25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])\.){3}(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
    };
}

macro_rules! ipv6 {
    () => {
        concat!(
            "(([0-9A-Fa-f]{1,4}:){7}([0-9A-Fa-f]{1,4}|:)|([0-9A-Fa-f]{1,4}:){6}(:[0-9A-Fa-f]{1,4}|:)",
            "|([0-9A-Fa-f]{1,4}:){5}(:[0-9A-Fa-f]{1,4}){1,2}|([0-9A-Fa-f]{1,4}:){5}:",
            "|([0-9A-Fa-f]{1,4}:){4}((:[0-9A-Fa-f]{1,4}){1,3}|:)|([0-9A-Fa-f]{1,4}:){3}((:[0-9A-Fa-f]{1,4}){1,4}|:)",
            "|([0-9A-Fa-f]{1,4}:){2}((:[0-9A-Fa-f]{1,4}){1,5}|:)|[0-9A-Fa-f]{1,4}:((:[0-9A-Fa-f]{1,4}){1,6}|:)",
            "|:((:[0-9A-Fa-f]{1,4}){1,7}|:))"
        )
    };
}

macro_rules! port {
    () => {
        r":(6553[0-5]|655[0-2][0-9]|65[0-4][0-9][0-9]|6[0-4][0-9]{3}|[1-5][0-9]{4}|[0-9]{1,4})"
    };
}

/// A time of day without an offset.
pub(crate) const TIME: &str = concat!("^", time!(), "$");
/// A date and a time of day without an offset.
pub(crate) const DATE_TIME: &str = concat!("^", date!(), "T", time!(), "$");
/// An IPv4 address and a port.
pub(crate) const SOCKET_V4: &str = concat!("^", ipv4!(), port!(), "$");
/// An IPv6 address in brackets and a port.
pub(crate) const SOCKET_V6: &str = concat!(r"^\[", ipv6!(), r"\]", port!(), "$");
/// Either.
pub(crate) const SOCKET: &str = concat!("^(", ipv4!(), r"|\[", ipv6!(), r"\])", port!(), "$");
/// Text that C can hold.
pub(crate) const WITHOUT_NUL: &str = r"^[^\x00]*$";

/// What one of these patterns asks for, in words that follow "must be".
pub(crate) fn words(pattern: &str) -> Option<&'static str> {
    Some(match pattern {
        TIME => "a time of day without an offset, such as 09:00:00",
        DATE_TIME => "a date and time without an offset, such as 2026-02-10T09:00:00",
        SOCKET_V4 => "an IPv4 address and a port, such as 192.0.2.1:8080",
        SOCKET_V6 => "an IPv6 address and a port, such as [2001:db8::1]:8080",
        SOCKET => "an IP address and a port, such as 192.0.2.1:8080",
        WITHOUT_NUL => "text without the character U+0000",
        _ => return None,
    })
}

/// A text that one of these patterns takes.
pub(super) fn sample(pattern: &str) -> Option<&'static str> {
    Some(match pattern {
        TIME => "09:00:00",
        DATE_TIME => "2024-02-29T09:00:00",
        SOCKET_V4 | SOCKET => "192.0.2.1:80",
        SOCKET_V6 => "[2001:db8::1]:80",
        WITHOUT_NUL => "",
        _ => return None,
    })
}

/// The integers from the least to the greatest, in the one way of writing each: no `01`, no `+1`, no `-0`.
///
/// Both are decimal: the least one 0, 1, or below zero and at least as long as the greatest.
pub(super) fn integers(least: &str, greatest: &str, has_zero: bool) -> String {
    let zero = if has_zero { "0|" } else { "" };
    let greater = up_to(greatest);
    match least.strip_prefix('-') {
        // All but the very least come in pairs.
        Some(beyond) if beyond != greatest => format!("^({zero}-?({greater})|{least})$"),
        Some(_) => format!("^({zero}-?({greater}))$"),
        None => format!("^({zero}{greater})$"),
    }
}

/// The integers from 1 to this one.
fn up_to(greatest: &str) -> String {
    let length = greatest.len();
    if greatest.bytes().all(|digit| digit == b'9') {
        return format!("[1-9]{}", fewer_digits(length - 1));
    }
    let shorter = if length > 1 { format!("[1-9]{}|", fewer_digits(length - 2)) } else { String::new() };
    format!("{shorter}{}", as_long(greatest.as_bytes(), b'1'))
}

/// The numbers of as many digits up to this one.
fn as_long(greatest: &[u8], least_digit: u8) -> String {
    let [digit, rest @ ..] = greatest else { return String::new() };
    if rest.is_empty() {
        return digits(least_digit, *digit);
    }
    let below = if *digit > least_digit {
        format!("{}{}|", digits(least_digit, digit - 1), many_digits(rest.len()))
    } else {
        String::new()
    };
    let rest = match as_long(rest, b'0') {
        rest if rest.contains('|') => format!("({rest})"),
        rest => rest,
    };
    format!("{below}{}{rest}", char::from(*digit))
}

fn digits(least: u8, greatest: u8) -> String {
    match greatest - least {
        0 => char::from(least).to_string(),
        _ => format!("[{}-{}]", char::from(least), char::from(greatest)),
    }
}

fn many_digits(count: usize) -> String {
    if count == 1 { "[0-9]".into() } else { format!("[0-9]{{{count}}}") }
}

fn fewer_digits(most: usize) -> String {
    match most {
        0 => String::new(),
        1 => "[0-9]?".into(),
        most => format!("[0-9]{{0,{most}}}"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::{
        json,
        schema::{Formats, Validator},
    };

    #[track_caller]
    fn assert_takes(pattern: &str, taken: &[&str], refused: &[&str]) {
        let validator = Validator::new(&json!({"pattern": pattern}), Formats::Asserted).unwrap();
        let takes = |text: &str| {
            let value = Value::from(text);
            validator.is_valid(json::view(&value, &[], 1).unwrap().root())
        };
        for (texts, is_taken) in [(taken, true), (refused, false)] {
            for text in texts {
                assert_eq!(takes(text), is_taken, "{pattern} and {text}");
            }
        }
    }

    #[test]
    fn integers_are_those_between_and_each_is_written_in_one_way() {
        let pattern = integers("-128", "127", true);
        let validator = Validator::new(&json!({"pattern": pattern}), Formats::Asserted).unwrap();
        for number in -2000..2000 {
            let text = Value::from(number.to_string());
            let takes = validator.is_valid(json::view(&text, &[], 1).unwrap().root());
            assert_eq!(takes, (-128..128).contains(&number), "{pattern} {number}");
        }
        assert_takes(
            &integers("0", "255", true),
            &["0", "9", "99", "199", "255"],
            &["256", "-1", "-0", "01", "+1", "", "1.0"],
        );
        assert_takes(
            &integers("1", "4294967295", false),
            &["1", "4294967295", "999999999"],
            &["0", "4294967296", "9999999999"],
        );
        assert_takes(
            &integers("-9223372036854775808", "9223372036854775807", true),
            &["-9223372036854775808", "9223372036854775807", "0"],
            &["-9223372036854775809", "9223372036854775808"],
        );
        assert_takes(&integers("0", "10", true), &["0", "1", "9", "10"], &["11", "100"]);
    }

    #[test]
    fn times_and_addresses_are_those_that_there_are() {
        assert_takes(TIME, &["00:00:00", "23:59:60", "10:00:00.123456789"], &["24:00:00", "10:00", "10:00:00Z"]);
        assert_takes(
            DATE_TIME,
            &["2024-02-29T10:00:00", "2000-02-29T10:00:00.5", "0000-12-31T23:59:60"],
            &["2026-02-29T10:00:00", "1900-02-29T10:00:00", "2026-04-31T10:00:00", "2026-02-28 10:00:00"],
        );
        assert_takes(SOCKET_V4, &["192.0.2.1:0", "0.0.0.0:65535"], &["192.0.2.1", "192.0.2.1:65536", "256.0.0.1:1"]);
        for (address, is_one) in [
            ("::", true),
            ("::1", true),
            ("1::", true),
            ("1:2:3:4:5:6:7:8", true),
            ("1:2:3:4:5:6:7::", true),
            ("::2:3:4:5:6:7:8", true),
            ("1::3:4:5:6:7:8", true),
            ("1:2:3:4:5:6::", true),
            ("1:2:3:4:5::7:8", true),
            ("2001:db8::1", true),
            ("1::2::3", false),
            ("1:2:3:4:5:6:7:8:9", false),
            ("12345::", false),
            (":", false),
        ] {
            assert_eq!(address.parse::<std::net::Ipv6Addr>().is_ok(), is_one, "{address}");
            let text = format!("[{address}]:80");
            if is_one {
                assert_takes(SOCKET_V6, &[&text], &[]);
                assert_takes(SOCKET, &[&text, "192.0.2.1:80"], &["x"]);
            } else {
                assert_takes(SOCKET_V6, &[], &[&text]);
            }
        }
    }
}
