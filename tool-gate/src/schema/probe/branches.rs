//! Branches of unions that the schema has and the type never reads.

use serde_json::{Map, Value, json};

use super::{Around, At, Probe, Verdict, place};
use crate::{
    json::{self, Refused},
    schema::{Formats, Validator, tighten::tighten, witness::join},
    text,
};

/// A value that the type refuses and the schema, once it is narrowed, may take: then no schema can mend it.
pub(super) struct Suspect {
    whole: Value,
    /// Where it is, in words: of one place one thing is told.
    place: String,
    /// What is said of it, if it is so.
    problem: String,
}

impl<'s> Probe<'s, '_> {
    /// The branches of one union.
    pub(super) fn union(
        &mut self,
        keyword: &str,
        branches: &'s [Value],
        keywords: &'s Map<String, Value>,
        at: &At,
        around: Around<'_>,
    ) {
        if self.one_platform(keyword, branches, at, around) {
            return;
        }
        let mut refused = Vec::new();
        for (number, branch) in branches.iter().enumerate() {
            let at = at.under(&[keyword, &number.to_string()]);
            self.visit(branch, &at, around);
            let value = self.witness.of(branch);
            match self.verdict(value.clone(), &at, around) {
                Verdict::Taken => self.beside_map(branch, keywords, &at, around),
                Verdict::Refused(words) if words.segments().count() == at.path.len() => {
                    if !self.known(keyword, branch, &words, &at, around) {
                        refused.push((number, value, words));
                    }
                }
                Verdict::Refused(_) => {}
            }
        }
        let is_beside_map = is_map(keywords);
        // Where none of them is read, it may be for what stands around the union.
        if refused.len() == branches.len() && !is_beside_map {
            return;
        }
        for (number, value, words) in refused.into_iter().filter(|(_, _, words)| is_of_shape(words)) {
            let problem = if is_beside_map {
                told_of_map(&words, at)
            } else {
                let value = text::excerpt(&value.to_string(), 64);
                format!(
                    "holds{} a union whose variant {} its schema has and serde does not read (of `{value}` it says: {words})",
                    place(at),
                    number + 1
                )
            };
            self.suspects.push(Suspect { whole: around(value), place: place(at), problem });
        }
    }

    /// Variants that are known to be read by nobody, with what to write instead.
    fn known(&mut self, keyword: &str, branch: &Value, refused: &Refused, at: &At, around: Around<'_>) -> bool {
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
            _ => return false,
        }
        true
    }

    /// An enum that is flattened beside a map: serde leaves its fields to the map, which has to read them as well.
    fn beside_map(&mut self, branch: &'s Value, keywords: &Map<String, Value>, at: &At, around: Around<'_>) {
        let behind = self.witness.referred(branch).map_or(branch, |(_, referred)| referred);
        let Some(properties) = behind.get("properties").and_then(Value::as_object).filter(|_| is_map(keywords)) else {
            return;
        };
        let whole = self.witness.of(branch);
        for name in properties.keys() {
            for value in OTHERS.iter().map(|value| value.parse::<Value>().unwrap_or_default()) {
                let whole = join(json!({ name.as_str(): value }), whole.clone());
                if let Verdict::Refused(words) = self.verdict(whole.clone(), at, around)
                    && words.segments().count() == at.path.len()
                    && is_of_shape(&words)
                {
                    let (problem, place) = (told_of_map(&words, at), place(at));
                    self.suspects.push(Suspect { whole: around(whole), place, problem });
                }
            }
        }
    }

    /// An `OsString`, of which schemars writes the form of every platform, and the type reads that of its own.
    fn one_platform(&mut self, keyword: &str, branches: &'s [Value], at: &At, around: Around<'_>) -> bool {
        let is_of = |branch: &Value, name: &str, format: &str| {
            let items = branch.pointer(&format!("/properties/{name}/items/format"));
            items.is_some_and(|items| items == format)
        };
        let [unix, windows] = branches else { return false };
        if keyword != "oneOf" || !is_of(unix, "Unix", "uint8") || !is_of(windows, "Windows", "uint16") {
            return false;
        }
        let is_read = |branch: &Value| self.takes(self.witness.of(branch), at, around);
        let Some(only) = [unix, windows].into_iter().find(|branch| is_read(branch)) else { return false };
        let Value::Object(only) = only.clone() else { return false };
        self.mend(at, move |schema| {
            schema.shift_remove("oneOf");
            schema.extend(only);
        });
        true
    }
}

/// The problems that are left once the schema is narrowed: of values that it takes.
pub(super) fn unmended(suspects: Vec<Suspect>, schema: &Value, definitions: &Map<String, Value>) -> Vec<String> {
    if suspects.is_empty() {
        return Vec::new();
    }
    // As it will be published, as far as this one parameter goes.
    let mut closed = schema.clone();
    let mut of_types = definitions.clone();
    let is_tightened = of_types.values_mut().chain([&mut closed]).all(|part| tighten(part, definitions).is_ok());
    closed = json!({"allOf": [closed], "$defs": of_types});
    let Ok(validator) = Validator::new(&closed, Formats::Asserted) else { return Vec::new() };
    let is_taken = |value: &Value| {
        is_tightened && json::view(value, &[], usize::MAX).is_ok_and(|tape| validator.is_valid(tape.root()))
    };
    let mut told: Vec<Suspect> = Vec::new();
    for suspect in suspects {
        if !told.iter().any(|known| known.place == suspect.place) && is_taken(&suspect.whole) {
            told.push(suspect);
        }
    }
    told.into_iter().map(|suspect| suspect.problem).collect()
}

/// What the fields of an enum may be, one of each kind and at the ends of the integer types.
const OTHERS: [&str; 12] = [
    "null",
    "true",
    "\"a\"",
    "0.5",
    "-1",
    "255",
    "65535",
    "4294967295",
    "18446744073709551615",
    "-9223372036854775808",
    "[]",
    "{}",
];

fn is_map(keywords: &Map<String, Value>) -> bool {
    let is_open = |keyword| keywords.get(keyword).is_some_and(Value::is_object);
    is_open("additionalProperties") || is_open("unevaluatedProperties")
}

/// Whether a value was refused for what it is, and not in the words of a type of the user's own.
pub(super) fn is_of_shape(refused: &Refused) -> bool {
    let words = refused.to_string();
    let shapes = [
        "invalid type:",
        "invalid value: integer",
        "invalid length",
        "unknown variant",
        "unknown field",
        "missing field",
    ];
    shapes.iter().any(|shape| words.starts_with(shape))
}

fn told_of_map(refused: &Refused, at: &At) -> String {
    format!(
        "holds{} an enum that is flattened beside a map, which reads the enum's fields as well and does not take all of them ({refused}): give one of the two a field of its own",
        place(at)
    )
}
