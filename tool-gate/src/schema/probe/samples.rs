//! Values that a type of the user's own takes, where its schema does not tell one.
//!
//! Where serde buffers what it reads, one part that is refused hides the others: none of them could be asked about.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Map, Value};

use super::{Around, At, Probe, Verdict, branches::is_of_shape, is_of};

/// What is known to be taken at a place, or to come further than others.
#[derive(Default)]
pub(super) struct Samples(BTreeMap<(Option<String>, String), Sample>);

struct Sample {
    value: Value,
    /// Whether it was read, and not only refused in other words than the rest.
    is_taken: bool,
}

impl Samples {
    /// Adds what one round has found, and says whether anything in it is new.
    pub(super) fn learn(&mut self, found: Self) -> bool {
        let mut is_new = false;
        for (place, sample) in found.0 {
            if self.0.get(&place).is_none_or(|known| !known.is_taken && known.value != sample.value) {
                self.0.insert(place, sample);
                is_new = true;
            }
        }
        is_new
    }

    /// The values by the addresses of the schemas that they are of, for as long as those stay where they are.
    pub(super) fn by_address(&self, schema: &Value, definitions: &Map<String, Value>) -> HashMap<*const Value, Value> {
        let places = self.0.iter().filter_map(|((root, pointer), sample)| {
            let root = root.as_ref().map_or(Some(schema), |name| definitions.get(name))?;
            Some((std::ptr::from_ref(root.pointer(pointer)?), sample.value.clone()))
        });
        places.collect()
    }
}

impl<'s> Probe<'s, '_> {
    /// Looks for a text or a number that is taken, where the least one is not.
    pub(super) fn sample(&mut self, schema: &'s Value, keywords: &'s Map<String, Value>, at: &At, around: Around<'_>) {
        let is_told = ["enum", "const", "pattern", "examples", "$ref", "anyOf", "oneOf", "allOf"];
        let candidates = match () {
            () if is_told.iter().any(|keyword| keywords.contains_key(*keyword)) => return,
            () if is_of(keywords, "null") => return,
            () if is_of(keywords, "string") => TEXTS.map(Value::from).to_vec(),
            () if is_of(keywords, "integer") || is_of(keywords, "number") => NUMBERS.map(Value::from).to_vec(),
            () => return,
        };
        let Verdict::Refused(words) = self.verdict(self.witness.of(schema), at, around) else { return };
        let (words, depth) = (words.to_string(), words.segments().count());
        let mut further = None;
        for value in candidates {
            match self.verdict(value.clone(), at, around) {
                Verdict::Taken => {
                    further = Some(Sample { value, is_taken: true });
                    break;
                }
                // Of another part, perhaps: this one is out of the way. If it is not, the next round finds out.
                Verdict::Refused(other) => {
                    let is_other = other.to_string() != words && !is_of_shape(&other);
                    if further.is_none() && is_other && other.segments().count() <= depth {
                        further = Some(Sample { value, is_taken: false });
                    }
                }
            }
        }
        if let Some(sample) = further {
            self.samples.0.insert((at.root.clone(), at.pointer.clone()), sample);
        }
    }
}

/// Texts as types of one's own ask for them: names, numbers, addresses, codes.
const TEXTS: [&str; 24] = [
    "a",
    "1",
    "abc",
    "ann@example.org",
    "https://example.org/",
    "example.org",
    "192.0.2.1:80",
    "[2001:db8::1]:80",
    "A-1",
    "A",
    "EUR",
    "en-GB",
    "12345",
    "1.2.3",
    "2024-02-29",
    "09:00",
    "2024-02-29T09:00:00Z",
    "6fa459ea-ee8a-3ca4-894e-db77e160355e",
    "+441632960961",
    "#a0b1c2",
    "/a",
    "a:b",
    "a=1",
    "Ann Example",
];

/// Numbers as types of one's own ask for them.
const NUMBERS: [i64; 8] = [1, 2, 3, 10, 100, 1_000, 1_700_000_000, -1];
