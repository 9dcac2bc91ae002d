//! The keys of a map, of which schemars says at most that they are integers.

use serde_json::{Map, Value, json};

use super::{ANYTHING, Around, At, Mend, NO_SOCKETS, Probe, is_of_sockets, place};
use crate::{
    json::Refused,
    schema::{patterns, witness::sample},
};

impl<'s> Probe<'s, '_> {
    /// The keys of a map whose schema leaves them open. Gives back one that it takes.
    pub(super) fn keys(
        &mut self,
        schema: &Map<String, Value>,
        of_values: &'s Value,
        at: &At,
        around: Around<'_>,
    ) -> &'static str {
        let refused = match self.key(ANYTHING, of_values, at, around) {
            // What a struct leaves over is put into any map that is flattened into it.
            Ok(()) => return "a",
            Err(_) if schema.contains_key("propertyNames") => {
                let known = ["1", "a", "-1", "192.0.2.1:80", "[2001:db8::1]:80"].into_iter();
                let known = known.chain(KEY_FORMATS.iter().filter_map(|(format, _)| sample(format)));
                return known.into_iter().find(|key| self.key(key, of_values, at, around).is_ok()).unwrap_or("a");
            }
            Err(_) if schema.contains_key("properties") => return "a",
            Err(refused) => refused,
        };
        let takes = |key: &str| self.key(key, of_values, at, around).is_ok();
        if let Some(names) = refused.variants().filter(|names| names.iter().all(|name| takes(name))) {
            let first = names.first().copied().unwrap_or_default();
            self.mend(at, move |schema| list_keys(schema, names));
            return first;
        }
        let takes_any = |keys: &[&str]| keys.iter().any(|key| takes(key));
        if takes("true") && takes("false") && !takes_any(&["a", "1", "True", "yes", "truefalse"]) {
            self.mend(at, |schema| list_keys(schema, &["true", "false"]));
            return "true";
        }
        if takes("1") && !takes_any(&["a", "1a", "01", "+1", "1.0", "1e2", "1-1", "192.0.2.1:80"]) {
            self.integer_keys(schema, of_values, at, around);
            return "1";
        }
        let named = |names: Value| -> Mend { Box::new(move |schema| _ = schema.insert("propertyNames".into(), names)) };
        if takes("a") && takes("é") && !takes("ab") {
            let names = json!({"minLength": 1, "maxLength": 1, "description": "a single character"});
            self.mends.push((at.clone(), named(names)));
            return "a";
        }
        let sockets = (takes("192.0.2.1:80"), takes("[2001:db8::1]:80"));
        let socket = match sockets {
            (true, true) => Some((patterns::SOCKET, "192.0.2.1:80")),
            (true, false) => Some((patterns::SOCKET_V4, "192.0.2.1:80")),
            (false, true) => Some((patterns::SOCKET_V6, "[2001:db8::1]:80")),
            (false, false) => None,
        };
        if let Some((pattern, key)) = socket.filter(|_| is_of_sockets(&refused) && !takes_any(&NO_SOCKETS)) {
            self.mends.push((at.clone(), named(json!({"pattern": pattern, "description": patterns::words(pattern)}))));
            return key;
        }
        // One that takes several of them, or what only looks like one, is a type of the user's own.
        let is_ip = |format: &str| format == "ipv4" || format == "ipv6";
        let taken: Vec<_> = KEY_FORMATS.iter().filter(|(format, _)| sample(format).is_some_and(takes)).collect();
        let alike = taken.iter().all(|(format, _)| is_ip(format)) || taken.len() == 1;
        let few = if alike && !takes_any(NO_FORMATS) { &taken[..] } else { &[] };
        for (format, words) in few {
            let Some(key) = sample(format) else { continue };
            let format = if *format == "ipv4" && sample("ipv6").is_some_and(takes) { "ip" } else { format };
            let words = if format == "ip" { "an IP address" } else { words };
            self.mends.push((at.clone(), named(json!({"format": format, "description": words}))));
            return key;
        }
        if refused.to_string().starts_with("invalid type: string") && !takes("a") {
            self.unreadable(schema, &refused, at, around);
        }
        "a"
    }

    /// The keys of a map of integers: from the least that the type takes to the greatest.
    pub(super) fn integer_keys(
        &mut self,
        schema: &Map<String, Value>,
        of_values: &'s Value,
        at: &At,
        around: Around<'_>,
    ) {
        let takes = |key: &&&str| self.key(key, of_values, at, around).is_ok();
        let greatest = GREATEST.iter().rfind(takes);
        let least = LEAST.iter().rfind(takes);
        let has_zero = self.key("0", of_values, at, around).is_ok();
        let (Some(greatest), least) = (greatest, least.copied().unwrap_or(if has_zero { "0" } else { "1" })) else {
            // Not even the least of bytes: of the user's own, or never read at all.
            if let Err(refused) = self.key("1", of_values, at, around)
                && !has_zero
            {
                self.unreadable(schema, &refused, at, around);
            }
            return;
        };
        let pattern = patterns::integers(least, greatest, has_zero);
        let but_zero = if !has_zero && least.starts_with('-') { ", but not 0" } else { "" };
        let words = format!("a whole number from {least} to {greatest}{but_zero}");
        self.mend(at, move |schema| {
            if let Some(Value::Object(patterns)) = schema.shift_remove("patternProperties") {
                let of_values = patterns.into_iter().next().map(|(_, of_values)| of_values);
                schema.insert("additionalProperties".into(), of_values.unwrap_or(true.into()));
            }
            schema.insert("propertyNames".into(), json!({"pattern": pattern, "description": words}));
        });
    }

    /// A map whose keys serde reads as strings, though they are none: it does where it buffers what it reads.
    pub(super) fn unreadable(&mut self, schema: &Map<String, Value>, refused: &Refused, at: &At, around: Around<'_>) {
        let reason = refused.to_string();
        let is_buffered = ["invalid type: string", "data did not match any variant"];
        // What refuses a key in other words is a type of the user's own.
        if !is_buffered.iter().any(|start| reason.starts_with(start)) {
            return;
        }
        if schema.contains_key("properties") || self.takes(json!({}), at, around) {
            self.problems.push(format!(
                "holds{} a map whose keys serde does not read from text (in flattened, tagged and untagged types it reads strings alone): take `String` keys",
                place(at)
            ));
        }
    }
}

/// What the bounds of integer types are, the narrowest first.
const LEAST: &[&str] = &[
    "-128",
    "-32768",
    "-2147483648",
    "-9223372036854775808",
    // Of 128 bits all that have as many digits: the very last would take a long pattern for nothing.
    "-99999999999999999999999999999999999999",
];
const GREATEST: &[&str] = &[
    "127",
    "255",
    "32767",
    "65535",
    "2147483647",
    "4294967295",
    "9223372036854775807",
    "18446744073709551615",
    "99999999999999999999999999999999999999",
];

/// What has none of the formats, though it looks like it.
const NO_FORMATS: &[&str] = &[
    "a",
    "1",
    "a-b-c",
    "1.2",
    "a.b.c.d",
    "192.0.2.256",
    "a::b::c",
    "12:34:56:78",
    "2024-13-01",
    "2024-02-29T25:00:00Z",
    "6fa459ea-ee8a-3ca4-894e-db77e160355g",
];

/// The formats that a type of keys may have, and what such a key is.
const KEY_FORMATS: &[(&str, &str)] = &[
    ("uuid", "a UUID"),
    ("ipv4", "an IPv4 address"),
    ("ipv6", "an IPv6 address"),
    ("date-time", "a date and time, such as 2026-02-10T09:00:00Z"),
    ("date", "a date, such as 2026-02-10"),
    ("partial-date-time", "a date and time without an offset, such as 2026-02-10T09:00:00"),
    ("partial-time", "a time of day without an offset, such as 09:00:00"),
];

/// A map whose keys are known: an object of as many properties, all of which may be missing.
fn list_keys(schema: &mut Map<String, Value>, names: &[&str]) {
    if schema.get("additionalProperties") == Some(&Value::Bool(false)) {
        return;
    }
    let of_values = schema.insert("additionalProperties".into(), false.into()).unwrap_or_default();
    let properties: Map<String, Value> = names.iter().map(|name| ((*name).to_owned(), of_values.clone())).collect();
    schema.insert("properties".into(), properties.into());
}
