//! Values of which a schema of schemars' says less than their type asks.

use std::net::SocketAddr;

use serde_json::{Map, Value, json};

use super::{ANYTHING, Around, At, NO_SOCKETS, Probe, Verdict, is_of_sockets, place};
use crate::schema::{patterns, witness::join};

impl Probe<'_, '_> {
    /// Text that only some type takes.
    pub(super) fn text(&mut self, schema: &Map<String, Value>, at: &At, around: Around<'_>) {
        if ["enum", "const", "format", "pattern", "maxLength"].iter().any(|keyword| schema.contains_key(*keyword)) {
            return;
        }
        let Verdict::Refused(refused) = self.verdict(ANYTHING.into(), at, around) else { return };
        let pattern = if self.takes(ANYTHING_WITHOUT_NUL, at, around) {
            patterns::WITHOUT_NUL
        } else if !is_of_sockets(&refused) || NO_SOCKETS.iter().any(|text| self.takes(*text, at, around)) {
            // A type of the user's own that takes addresses among others.
            return;
        } else {
            match (self.takes("192.0.2.1:80", at, around), self.takes("[2001:db8::1]:80", at, around)) {
                (true, true) => patterns::SOCKET,
                (true, false) => patterns::SOCKET_V4,
                (false, true) => patterns::SOCKET_V6,
                // A type of the user's own: the model reads its words.
                (false, false) => return,
            }
        };
        // An example that the type reads, and that is no such text: it takes more than it was asked about.
        let examples = schema.get("examples").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        let is_of_pattern = |text: &str| pattern == patterns::WITHOUT_NUL || text.parse::<SocketAddr>().is_ok();
        if examples.into_iter().any(|example| !is_of_pattern(example) && self.takes(example, at, around)) {
            return;
        }
        self.mend(at, move |schema| _ = schema.insert("pattern".into(), pattern.into()));
    }

    /// A `Duration` carries nanoseconds over, and overflows; so does a `SystemTime`, which holds fewer seconds than a `u64`.
    pub(super) fn times(&mut self, properties: &Map<String, Value>, at: &At, around: Around<'_>) {
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

    /// chrono's `TimeDelta` counts milliseconds in 64 bits.
    pub(super) fn span(&mut self, parts: &[Value], at: &At, around: Around<'_>) {
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

    /// A flattened `Option` is `None` where a part of it cannot be read or is missing, and what there is of it is dropped.
    pub(super) fn swallowing(
        &mut self,
        schema: &Map<String, Value>,
        properties: &Map<String, Value>,
        whole: &Value,
        at: &At,
        around: Around<'_>,
    ) {
        let required = schema.get("required").and_then(Value::as_array);
        let may_be_missing = |name: &str| required.is_none_or(|names| !names.iter().any(|known| known == name));
        let dropped = properties.iter().find(|(name, property)| {
            let of = self.witness.referred(property).map_or(*property, |(_, referred)| referred);
            // An optional field is nullable, or has a default: this one is neither.
            let Some(Value::String(kind)) = of.get("type") else { return false };
            let wrong = if kind == "object" { json!(0) } else { json!({"~": 0}) };
            let is_plain = kind != "null" && property.get("default").is_none() && may_be_missing(name);
            is_plain && (self.read)(&around(join(json!({ name.as_str(): wrong }), whole.clone()))).is_ok()
        });
        if let Some((name, _)) = dropped {
            self.problems.push(format!(
                "holds{} a flattened `Option` with `{name}`, which serde drops without a word where a part is missing: flatten the type itself, or give it a field of its own",
                place(at)
            ));
        }
    }
}

/// The same, for a type that takes any text which C can hold.
const ANYTHING_WITHOUT_NUL: &str = "~~ any text ~";
