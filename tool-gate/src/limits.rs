//! How much of what a model sends is looked at, run and repeated, and how often it may be wrong.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The bounds on what a reply and a run may cost, all in one place.
///
/// With these, settling a reply and writing its messages takes time in proportion to its size, and at most four times its size
/// in memory, six kilobytes for each call, and sixteen megabytes; what the tools themselves take is not in it. How large a
/// reply may be is for the client that receives it to say.
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
    /// The longest arguments of one call, in bytes of JSON. Default 262,144. A longer text is rejected unread; a value that the
    /// host has parsed is measured by its strings, with a flat rate for everything else.
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
    /// How long one call may take where its tool does not say, from the moment it is started. Default 30 seconds; none
    /// means that the host waits.
    ///
    /// It is kept with the feature `tokio`, inside a tokio runtime whose timers are enabled. Elsewhere nothing is timed.
    pub timeout: Option<Duration>,
    /// How many `read_only` calls of one reply run at once. Default 8.
    pub concurrent: usize,
    /// In how many steps in a row one tool, or tools that were not offered, may be rejected before the run stops. Default 3:
    /// a model that mends a call does so at once or after a second try, hardly ever after a third.
    pub rejected_steps: u32,
    /// In how many steps in a row nothing may be admitted before the run stops. Default 5.
    pub idle_steps: u32,
    /// How many replies a run may have. Default 100. The one that reaches the number is answered, and if the conversation
    /// would go on, it stops.
    pub steps: u64,
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
            timeout: Some(Duration::from_secs(30)),
            concurrent: 8,
            rejected_steps: 3,
            idle_steps: 5,
            steps: 100,
        }
    }
}
