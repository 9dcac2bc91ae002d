//! How much of what a model sends is looked at, run and repeated.

use serde::{Deserialize, Serialize};

/// The bounds on what one reply may cost, in one place. Every bound is a count; none is a time.
///
/// ```
/// use tool_gate::Limits;
///
/// let mut limits = Limits::default();
/// limits.argument_bytes = 16 * 1024;
/// assert_eq!(limits.calls, 128);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Limits {
    /// The longest arguments of one call, in bytes of JSON. Default 262,144. A longer call is rejected unread.
    pub argument_bytes: usize,
    /// How deep arrays and objects may nest in the arguments, the argument object itself counting as one. Default 64.
    pub depth: usize,
    /// How many calls of one reply are judged. Default 128. The ones after are answered, and do not run.
    pub calls: usize,
    /// The longest name of a tool that is looked up, in bytes. Default 128. A longer one is a tool that does not exist.
    pub name_bytes: usize,
    /// Up to how many tools an unknown name is answered with all of their names; with more, the three nearest. Default 8.
    pub listed_names: usize,
    /// How many of an enum's values a rejection lists, the nearest first. Default 12.
    pub listed_options: usize,
    /// How many characters of a refused value a rejection repeats. Default 120.
    pub echoed_chars: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            argument_bytes: 256 * 1024,
            depth: 64,
            calls: 128,
            name_bytes: 128,
            listed_names: 8,
            listed_options: 12,
            echoed_chars: 120,
        }
    }
}
