//! What a wire finds in a reply: its calls, how it ended, and the assistant's turn.

use std::fmt::{self, Debug};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Arguments, Call};
use crate::json::{self, Kind, Node, Number};

/// What a reply holds: the calls, how it ended, and the assistant's turn to send back.
#[derive(Clone, PartialEq)]
pub struct Reading {
    pub(crate) calls: Vec<Call>,
    pub(crate) ending: Ending,
    pub(crate) assistant: Value,
    pub(crate) passed_over: Vec<Value>,
    /// Whether the provider itself says which of the calls were cut.
    pub(crate) marks_cuts: bool,
    reply_id: Option<String>,
}

impl Reading {
    /// `assistant` is handed to [`Wire::write`](super::Wire::write) as it is: what it looks like is the wire's own affair.
    pub fn new(calls: Vec<Call>, ending: Ending, assistant: Value) -> Self {
        Self { calls, ending, assistant, passed_over: Vec::new(), marks_cuts: false, reply_id: None }
    }

    /// The reply's own id, where the provider gives it one: with it, two replies that say the same are told apart.
    #[must_use]
    pub fn of_reply(mut self, id: Option<&str>) -> Self {
        self.reply_id = id.map(str::to_owned);
        self
    }

    /// The calls that are the host's own to answer, as they came: those of tools that no offer can hold, which it put
    /// beside the offer's. They stand in `assistant`, and nobody here answers them.
    #[must_use]
    pub fn passing_over(mut self, calls: Vec<Value>) -> Self {
        self.passed_over = calls;
        self
    }

    /// Says that the provider marks each call that it cut, and that the wire has [marked](Call::mark_cut) those. Without it
    /// the last call of a cut reply is taken for one that was.
    #[must_use]
    pub fn marking_cuts(mut self) -> Self {
        self.marks_cuts = true;
        self
    }

    /// A number that tells this reply from others, whatever form it came in; none where its calls have no ids, since then
    /// a model that repeats itself looks the same.
    pub(crate) fn digest(&self) -> Option<u64> {
        self.calls.iter().any(|call| call.id().is_some()).then(|| {
            let mut digest = Digest::default();
            digest.add(self.reply_id.as_deref().unwrap_or_default());
            match json::view(&self.assistant, &[], usize::MAX) {
                Ok(tape) => digest.add_value(tape.root()),
                Err(_) => digest.add(&self.assistant.to_string()),
            }
            for call in &self.calls {
                digest.add(call.id().unwrap_or_default());
                digest.add(call.name());
                match call.arguments() {
                    Arguments::Text(text) if text.len() > REPEATED_BYTES => digest.add(text),
                    arguments => {
                        // What is no object is like an empty one.
                        let object = arguments.object(REPEATED_DEPTH).or_else(|| json::read("{}", 1).ok());
                        if let Some(object) = &object {
                            digest.add_value(object.root());
                        }
                    }
                }
            }
            digest.0
        })
    }

    /// The calls, in the reply's order.
    pub fn calls(&self) -> &[Call] {
        &self.calls
    }

    /// How the reply ended.
    pub fn ending(&self) -> Ending {
        self.ending
    }
}

/// How deep arguments are looked at to tell whether a reply was seen before.
const REPEATED_DEPTH: usize = 120;

/// Up to what length their spacing makes no difference to that.
const REPEATED_BYTES: usize = 256 * 1024;

/// A hash of 64 bits, a word at a time: what a run saves must not change with the standard library's.
struct Digest(u64);

impl Default for Digest {
    fn default() -> Self {
        Self(Self::FACTOR)
    }
}

impl Digest {
    /// An odd number without a pattern.
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

    /// Adds a text and its length.
    fn add(&mut self, text: &str) {
        self.add_word(text.len() as u64);
        let (words, rest) = text.as_bytes().as_chunks();
        for word in words {
            self.add_word(u64::from_le_bytes(*word));
        }
        let last = rest.iter().fold(0, |last, byte| last << 8 | u64::from(*byte));
        self.add_word(last);
    }

    /// Adds a value. How its numbers and its strings are written makes no difference.
    fn add_value(&mut self, value: Node<'_>) {
        self.add_word(value.kind() as u64);
        match value.kind() {
            Kind::Null => {}
            Kind::Bool => self.add_word(u64::from(value.as_bool() == Some(true))),
            Kind::Number => self.add_number(value.as_number().unwrap_or(Number::Unsigned(0))),
            Kind::String => self.add(value.as_str().unwrap_or_default()),
            Kind::Array => {
                self.add_word(value.len() as u64);
                value.elements().for_each(|element| self.add_value(element));
            }
            Kind::Object => {
                self.add_word(value.len() as u64);
                for (key, member) in value.members() {
                    self.add(key);
                    self.add_value(member);
                }
            }
        }
    }

    fn add_number(&mut self, number: Number<'_>) {
        let (form, bits) = match number.to_integer() {
            Number::Unsigned(number) => (0, number),
            Number::Negative(number) => (1, number.cast_unsigned()),
            other => (2, other.as_f64().to_bits()),
        };
        self.add_word(form);
        self.add_word(bits);
    }

    #[expect(clippy::cast_possible_truncation, reason = "both halves of the product are taken")]
    fn add_word(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word) * u128::from(Self::FACTOR);
        self.0 = product as u64 ^ (product >> 64) as u64;
    }
}

/// How a reply ended, whatever the provider calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Ending {
    /// It asks for its calls to be run.
    ToolUse,
    /// The model is done with its turn.
    Complete,
    /// It was cut by a limit on tokens: its last call may be incomplete, even where it reads well.
    Cut,
    /// The provider paused it, and goes on when it is sent back.
    Paused,
    /// The provider stopped it for safety or policy.
    Refused,
    /// The wire does not know the reason that is given.
    Unknown,
}

// What a model wrote may be anything, and debug output ends in logs: how much there is, and not what.

impl Debug for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reading").field("ending", &self.ending).field("calls", &self.calls).finish_non_exhaustive()
    }
}
