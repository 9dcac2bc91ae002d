//! What schemars leaves out of a schema, asked of the type itself.
//!
//! Of a map's keys schemars writes at most whether they are integers, and of a `SocketAddr` that it is a string. What such a
//! type takes is found out once, when the registry is built, by reading values that differ in that one place.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::{
    overlap, patterns,
    violation::{Path, Segment},
    witness::{Witness, join, sample},
};
use crate::json::Refused;

/// Reads a value as the type that the schema is of.
pub(crate) type Read<'r> = &'r dyn Fn(&Value) -> Result<(), Refused>;

/// Narrows a parameter's schema, as schemars made it, to what its type takes. Gives back what no schema can mend, in words that
/// follow the parameter's name.
pub(crate) fn narrow(schema: &mut Value, definitions: &mut Map<String, Value>, read: Read<'_>) -> Vec<String> {
    let (mends, problems) = {
        let mut probe = Probe {
            witness: Witness { definitions },
            read,
            seen: BTreeSet::new(),
            mends: Vec::new(),
            problems: Vec::new(),
        };
        probe.visit(schema, &At { root: None, pointer: String::new(), path: Vec::new() }, &|value| value);
        probe.problems.dedup();
        (probe.mends, probe.problems)
    };
    for (at, mend) in mends {
        let root = match &at.root {
            None => Some(&mut *schema),
            Some(name) => definitions.get_mut(name),
        };
        if let Some(Value::Object(place)) = root.and_then(|root| root.pointer_mut(&at.pointer)) {
            mend(place);
        }
    }
    problems
}

type Mend = Box<dyn FnOnce(&mut Map<String, Value>)>;

/// Puts a value at a place into the least value around it.
type Around<'a> = &'a dyn Fn(Value) -> Value;

/// A place in a schema, and where its values stand.
#[derive(Clone)]
struct At {
    /// The definition that it is in.
    root: Option<String>,
    /// Where in it.
    pointer: String,
    path: Vec<Segment>,
}

impl At {
    fn under(&self, steps: &[&str]) -> Self {
        let mut at = self.clone();
        for step in steps {
            at.pointer.push('/');
            at.pointer.push_str(&step.replace('~', "~0").replace('/', "~1"));
        }
        at
    }

    fn inside(mut self, segment: Segment) -> Self {
        self.path.push(segment);
        self
    }
}

struct Probe<'s, 'r> {
    witness: Witness<'s>,
    read: Read<'r>,
    /// The definitions that were looked into.
    seen: BTreeSet<String>,
    mends: Vec<(At, Mend)>,
    problems: Vec<String>,
}

/// What became of a value at a place.
enum Verdict {
    Taken,
    /// Refused there, or around it.
    Refused(Refused),
}

impl<'s> Probe<'s, '_> {
    fn visit(&mut self, schema: &'s Value, at: &At, around: Around<'_>) {
        let Value::Object(keywords) = schema else { return };
        if let Some((name, referred)) = self.witness.referred(schema)
            && self.seen.insert(name.clone())
        {
            let own = self.own(schema);
            let inside = At { root: Some(name.clone()), pointer: String::new(), path: at.path.clone() };
            self.visit(referred, &inside, &|value| around(join(value, own.clone())));
        }
        let list = |keyword: &str| keywords.get(keyword).and_then(Value::as_array);
        for keyword in ["anyOf", "oneOf", "allOf"] {
            for (place, branch) in list(keyword).into_iter().flatten().enumerate() {
                let own = self.own(schema);
                let at = at.under(&[keyword, &place.to_string()]);
                let around: Around<'_> = &|value| around(join(value, own.clone()));
                self.visit(branch, &at, around);
                self.branch(keyword, branch, &at, around);
            }
        }
        let lost = list("anyOf").and_then(|branches| overlap::swallowed(branches, &self.witness));
        if let Some(lost) = lost {
            self.problems.push(format!("holds{} an untagged enum {lost}", place(at)));
        }
        let is_wide = keywords.get("format").is_some_and(|format| format == "uint128" || format == "int128");
        if is_wide
            && let Verdict::Refused(refused) = self.verdict(1.into(), at, around)
            && refused.to_string().ends_with("128 is not supported")
        {
            self.problems.push(format!(
                "holds{} an integer of 128 bits in a flattened or a tagged type, where serde reads none: take one of 64 bits",
                place(at)
            ));
        }
        if is_of(keywords, "string") {
            self.text(keywords, at, around);
        }
        if let Some(leading) = list("prefixItems") {
            self.span(leading, at, around);
            let whole = self.witness.of(schema);
            for (place, part) in leading.iter().enumerate() {
                let at = at.under(&["prefixItems", &place.to_string()]).inside(Segment::Index(place));
                self.visit(part, &at, &|value| {
                    let mut whole = whole.clone();
                    if let Some(element) = whole.get_mut(place) {
                        *element = value;
                    }
                    around(whole)
                });
            }
        } else if let Some(items) = keywords.get("items") {
            let fewest = keywords.get("minItems").and_then(Value::as_u64).and_then(|count| usize::try_from(count).ok());
            let count = fewest.unwrap_or(1).clamp(1, 64);
            self.visit(items, &at.under(&["items"]).inside(Segment::Index(0)), &|value| {
                around(vec![value; count].into())
            });
        }
        self.object(schema, keywords, at, around);
    }

    fn object(&mut self, schema: &'s Value, keywords: &'s Map<String, Value>, at: &At, around: Around<'_>) {
        if let Some(properties) = keywords.get("properties").and_then(Value::as_object) {
            let whole = self.witness.of(schema);
            for (name, property) in properties {
                let at = at.under(&["properties", name]).inside(Segment::key(name));
                // First, so that whatever is wrong with the others is not come to before it.
                self.visit(property, &at, &|value| around(join(json!({ name.as_str(): value }), whole.clone())));
            }
            self.times(properties, at, around);
        }
        let patterns = keywords.get("patternProperties").and_then(Value::as_object);
        let others = keywords.get("additionalProperties").filter(|open| **open != Value::Bool(false));
        let own = self.own(schema);
        if let Some((pattern, of_values)) = patterns.and_then(|patterns| patterns.iter().next()) {
            if [r"^\d+$", r"^-?\d+$"].contains(&pattern.as_str()) {
                self.integer_keys(keywords, of_values, at, &|value| around(join(value, own.clone())));
            }
            let at = at.under(&["patternProperties", pattern]).inside(Segment::key("1"));
            self.visit(of_values, &at, &|value| around(join(json!({"1": value}), own.clone())));
        } else if let Some(of_values) = others {
            let key = self.keys(keywords, of_values, at, &|value| around(join(value, own.clone())));
            let at = at.under(&["additionalProperties"]).inside(Segment::key(key));
            self.visit(of_values, &at, &|value| around(join(json!({ key: value }), own.clone())));
        }
    }

    /// The properties that a schema has beside its parts.
    fn own(&self, schema: &Value) -> Value {
        if schema.get("properties").is_some() { self.witness.of(schema) } else { Value::Null }
    }

    fn verdict(&self, value: Value, at: &At, around: Around<'_>) -> Verdict {
        match (self.read)(&around(value)) {
            Ok(()) => Verdict::Taken,
            // It was read before what is wrong elsewhere.
            Err(refused) if refused.segments().zip(&at.path).any(|(theirs, ours)| theirs != ours) => Verdict::Taken,
            Err(refused) => Verdict::Refused(refused),
        }
    }

    fn takes(&self, value: impl Into<Value>, at: &At, around: Around<'_>) -> bool {
        matches!(self.verdict(value.into(), at, around), Verdict::Taken)
    }

    /// Whether a key is taken, whatever becomes of its value.
    fn key(&self, key: &str, of_values: &Value, at: &At, around: Around<'_>) -> Result<(), Refused> {
        match self.verdict(json!({ key: self.witness.of(of_values) }), at, around) {
            Verdict::Taken => Ok(()),
            Verdict::Refused(refused) if refused.segments().count() > at.path.len() => Ok(()),
            Verdict::Refused(refused) => Err(refused),
        }
    }

    /// Text that only some type takes.
    fn text(&mut self, schema: &Map<String, Value>, at: &At, around: Around<'_>) {
        if ["enum", "const", "format", "pattern", "maxLength"].iter().any(|keyword| schema.contains_key(*keyword)) {
            return;
        }
        let pattern = if self.takes(ANYTHING, at, around) {
            return;
        } else if self.takes(ANYTHING_WITHOUT_NUL, at, around) {
            patterns::WITHOUT_NUL
        } else {
            match (self.takes("192.0.2.1:80", at, around), self.takes("[2001:db8::1]:80", at, around)) {
                (true, true) => patterns::SOCKET,
                (true, false) => patterns::SOCKET_V4,
                (false, true) => patterns::SOCKET_V6,
                // A type of the user's own: the model reads its words.
                (false, false) => return,
            }
        };
        self.mend(at, move |schema| _ = schema.insert("pattern".into(), pattern.into()));
    }

    /// A `Duration` carries nanoseconds over, and overflows; so does a `SystemTime`, which holds fewer seconds than a `u64`.
    fn times(&mut self, properties: &Map<String, Value>, at: &At, around: Around<'_>) {
        let whole = [["secs", "nanos"], ["secs_since_epoch", "nanos_since_epoch"]];
        let Some(names) = whole.into_iter().find(|names| properties.keys().eq(names)) else { return };
        let [secs, nanos] = names;
        let takes = |of_secs: u64, of_nanos: u32| self.takes(json!({secs: of_secs, nanos: of_nanos}), at, around);
        if !takes(0, 999_999_999) || takes(u64::MAX, 1_000_000_000) {
            return;
        }
        let (mut taken, mut refused) = (0, u64::MAX);
        if takes(refused, 999_999_999) {
            taken = refused;
        }
        while refused - taken > 1 {
            let middle = taken + (refused - taken) / 2;
            if takes(middle, 999_999_999) { taken = middle } else { refused = middle }
        }
        for (name, most) in [(secs, taken), (nanos, 999_999_999)] {
            self.mend(&at.under(&["properties", name]), move |schema| _ = schema.insert("maximum".into(), most.into()));
        }
    }

    /// The keys of a map whose schema leaves them open. Gives back one that it takes.
    fn keys(&mut self, schema: &Map<String, Value>, of_values: &'s Value, at: &At, around: Around<'_>) -> &'static str {
        let refused = match self.key(ANYTHING, of_values, at, around) {
            // What a struct leaves over is put into any map that is flattened into it.
            Ok(()) => return "a",
            Err(_) if schema.contains_key("properties") || schema.contains_key("propertyNames") => return "a",
            Err(refused) => refused,
        };
        let takes = |key: &str| self.key(key, of_values, at, around).is_ok();
        if let Some(names) = refused.variants().filter(|names| names.iter().all(|name| takes(name))) {
            let first = names.first().copied().unwrap_or_default();
            self.mend(at, move |schema| list_keys(schema, names));
            return first;
        }
        if takes("true") && takes("false") {
            self.mend(at, |schema| list_keys(schema, &["true", "false"]));
            return "true";
        }
        if takes("1") && !takes("a") {
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
        if let Some((pattern, key)) = socket {
            self.mends.push((at.clone(), named(json!({"pattern": pattern, "description": patterns::words(pattern)}))));
            return key;
        }
        for (format, words) in KEY_FORMATS {
            let Some(key) = sample(format).filter(|key| takes(key)) else { continue };
            let format = if *format == "ipv4" && sample("ipv6").is_some_and(takes) { "ip" } else { format };
            let words = if format == "ip" { "an IP address" } else { words };
            self.mends.push((at.clone(), named(json!({"format": format, "description": words}))));
            return key;
        }
        if !takes("a") {
            self.unreadable(schema, at, around);
        }
        "a"
    }

    /// The keys of a map of integers: from the least that the type takes to the greatest.
    fn integer_keys(&mut self, schema: &Map<String, Value>, of_values: &'s Value, at: &At, around: Around<'_>) {
        let takes = |key: &&&str| self.key(key, of_values, at, around).is_ok();
        let greatest = GREATEST.iter().rfind(takes);
        let least = LEAST.iter().rfind(takes);
        let has_zero = self.key("0", of_values, at, around).is_ok();
        let (Some(greatest), least) = (greatest, least.copied().unwrap_or(if has_zero { "0" } else { "1" })) else {
            // Not even the least of bytes: of the user's own, or never read at all.
            if !["0", "1", "-1"].iter().any(|key| takes(&key)) {
                self.unreadable(schema, at, around);
            }
            return;
        };
        let pattern = patterns::integers(least, greatest, has_zero);
        let but_zero = if !has_zero && least.starts_with('-') { ", but not 0" } else { "" };
        let words = format!("a whole number from {least} to {greatest}{but_zero}");
        let of_values = of_values.clone();
        self.mend(at, move |schema| {
            schema.shift_remove("patternProperties");
            schema.insert("additionalProperties".into(), of_values);
            schema.insert("propertyNames".into(), json!({"pattern": pattern, "description": words}));
        });
    }

    /// chrono's `TimeDelta` counts milliseconds in 64 bits.
    fn span(&mut self, parts: &[Value], at: &At, around: Around<'_>) {
        const MOST: i64 = i64::MAX / 1000;

        let of_seconds = json!({"type": "integer", "format": "int64"});
        let of_nanos = json!({"type": "integer", "minimum": 0, "exclusiveMaximum": 1_000_000_000});
        let takes = |seconds: i64| self.takes(json!([seconds, 999_999_999]), at, around);
        if parts == [of_seconds, of_nanos] && takes(MOST - 1) && takes(-MOST) && !takes(MOST) {
            self.mend(&at.under(&["prefixItems", "0"]), |schema| {
                schema.insert("minimum".into(), (-MOST).into());
                schema.insert("maximum".into(), (MOST - 1).into());
            });
            self.mend(&at.under(&["prefixItems", "1"]), |schema| {
                schema.shift_remove("exclusiveMaximum");
                schema.insert("maximum".into(), 999_999_999.into());
            });
        }
    }

    /// A variant that serde never reads, though the schema has it.
    fn branch(&mut self, keyword: &str, branch: &Value, at: &At, around: Around<'_>) {
        let Verdict::Refused(refused) = self.verdict(self.witness.of(branch), at, around) else { return };
        if refused.segments().count() != at.path.len() {
            return;
        }
        let properties = branch.get("properties").and_then(Value::as_object);
        let tag =
            properties.filter(|properties| properties.len() == 1).and_then(|properties| properties.values().next());
        let variant = tag.and_then(|tag| tag.get("const")).and_then(Value::as_str);
        let is_wide = branch.get("format").is_some_and(|format| format == "uint128" || format == "int128");
        match variant {
            Some(variant) if refused.to_string().starts_with("invalid type: map, expected") => {
                self.problems.push(format!(
                    "holds{} the variant `{variant}`, which serde never reads: beside a tag there is only room for fields, so take a struct variant or `#[serde(content = …)]`",
                    place(at)
                ));
            }
            None if is_wide && keyword == "anyOf" && !self.takes(1, at, around) => {
                self.problems.push(format!(
                    "holds{} an integer of 128 bits in an untagged enum, where serde reads none: take one of 64 bits",
                    place(at)
                ));
            }
            _ => {}
        }
    }

    /// A map that takes no key at all is one that serde cannot read where it stands.
    fn unreadable(&mut self, schema: &Map<String, Value>, at: &At, around: Around<'_>) {
        if schema.contains_key("properties") || self.takes(json!({}), at, around) {
            self.problems.push(format!(
                "holds{} a map whose keys are no strings, in a flattened, a tagged or an untagged type: serde reads none of its keys there, so take `String` keys",
                place(at)
            ));
        }
    }

    fn mend(&mut self, at: &At, mend: impl FnOnce(&mut Map<String, Value>) + 'static) {
        self.mends.push((at.clone(), Box::new(mend)));
    }
}

/// What no type takes that does not take any text.
const ANYTHING: &str = "\u{0}~ any text ~";
const ANYTHING_WITHOUT_NUL: &str = "~ any text ~";

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

/// Where in the parameter, in words.
fn place(at: &At) -> String {
    let path: Path = at.path.iter().cloned().collect();
    if path.is_root() { String::new() } else { format!(", at `{path}`,") }
}

fn is_of(schema: &Map<String, Value>, name: &str) -> bool {
    schema.get("type").is_some_and(|of| of == name || of.as_array().is_some_and(|of| of.iter().any(|of| of == name)))
}

/// A map whose keys are known: an object of as many properties, all of which may be missing.
fn list_keys(schema: &mut Map<String, Value>, names: &[&str]) {
    let of_values = schema.insert("additionalProperties".into(), false.into()).unwrap_or_default();
    let properties: Map<String, Value> = names.iter().map(|name| ((*name).to_owned(), of_values.clone())).collect();
    schema.insert("properties".into(), properties.into());
}
