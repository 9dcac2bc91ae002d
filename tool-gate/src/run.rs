//! One conversation's progress, saved beside its message list.

use serde::{Deserialize, Serialize};

/// One conversation's progress: how many replies were settled. Save it beside the message list, and resume with both.
///
/// ```
/// let run = tool_gate::Run::default();
/// let saved = serde_json::to_string(&run)?;
/// let resumed: tool_gate::Run = serde_json::from_str(&saved)?;
/// assert_eq!(resumed, run);
/// # Ok::<_, serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Run {
    steps: u64,
}

impl Run {
    /// How many replies were opened in this conversation.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Counts one reply and returns its number, from 1.
    pub(crate) fn step(&mut self) -> u64 {
        self.steps += 1;
        self.steps
    }
}
