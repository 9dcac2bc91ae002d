//! One conversation's progress, and the bounds at which it ends.
//!
//! What is counted is steps, one for each reply, not calls: three bad calls in one reply are one step.

use std::{collections::BTreeMap, error::Error, fmt};

use serde::{Deserialize, Serialize};

use crate::{limits::Limits, text};

/// The format in which a run is saved. It grows when a field's meaning changes.
const VERSION: u32 = 1;

/// The longest sentence that a stop repeats, in characters.
const LAST: usize = 1_000;

/// One conversation's progress. Save it beside the message list, and resume with both, in another process if need be.
///
/// It holds how often in a row each tool was rejected, and whether the conversation is over. Its size is bounded by the
/// number of tools, not by the length of the conversation.
///
/// ```
/// use tool_gate::Run;
///
/// let run = Run::named("conversation 17");
/// let saved = serde_json::to_string(&run)?;
/// let resumed: Run = serde_json::from_str(&saved)?;
/// assert_eq!(resumed, run);
/// # Ok::<_, serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Saved", into = "Saved")]
pub struct Run {
    name: String,
    steps: u64,
    tools: BTreeMap<String, u32>,
    unknown: u32,
    idle: u32,
    last_reply: Option<u64>,
    stop: Option<Stop>,
}

impl Run {
    /// A new conversation with a name of the host's own, such as its row in a database. The name makes
    /// [idempotency keys](crate::CallInfo::idempotency_key) unique among conversations.
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// The name the host gave it; empty if it gave none.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many replies were opened in this conversation.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Why the conversation is over, if it is. Settling further replies runs nothing, and answers every call.
    pub fn stop(&self) -> Option<&Stop> {
        self.stop.as_ref()
    }

    /// How many steps in a row this tool was rejected in.
    pub fn rejected_in_a_row(&self, tool: &str) -> u32 {
        self.tools.get(tool).copied().unwrap_or_default()
    }

    /// How many steps in a row tools were called that were not offered.
    pub fn unknown_in_a_row(&self) -> u32 {
        self.unknown
    }

    /// Counts one reply; gives back its number, from 1, and whether it is the very one that was opened before.
    pub(crate) fn open(&mut self, reply: Option<u64>) -> (u64, bool) {
        let repeated = reply.is_some() && reply == self.last_reply;
        if !repeated {
            self.last_reply = reply;
            self.steps = self.steps.saturating_add(1);
        }
        (self.steps, repeated)
    }

    /// Counts what became of a step's calls; gives back the streaks that it ended or began.
    pub(crate) fn close(&mut self, step: &Step<'_>, limits: &Limits) -> Vec<Turned> {
        let mut turned = Vec::new();
        let admitted_any = !step.admitted.is_empty();
        for tool in &step.admitted {
            if let Some(steps) = self.tools.remove(*tool) {
                turned.push(Turned { tool: Some((*tool).to_owned()), change: Change::Mended(steps) });
            }
        }
        if admitted_any {
            if self.unknown > 0 {
                turned.push(Turned { tool: None, change: Change::Mended(self.unknown) });
            }
            (self.unknown, self.idle) = (0, 0);
        }
        for (tool, count) in self.lengthen(step) {
            if count == 1 {
                turned.push(Turned { tool, change: Change::Begun });
            }
        }
        if !admitted_any && !step.rejected.is_empty() {
            self.idle = self.idle.saturating_add(1);
        }
        let reached = self.reached(step, limits);
        turned.extend(self.end(reached));
        turned
    }

    /// Counts a reply of which nothing counts, since it was seen before: it admits nothing.
    pub(crate) fn idle(&mut self, limits: &Limits) -> Vec<Turned> {
        if self.stop.is_some() {
            return Vec::new();
        }
        self.idle = self.idle.saturating_add(1);
        let reached = self.idle_too_long(limits).then(|| Stop {
            reason: StopReason::NothingAdmitted,
            count: u64::from(self.idle),
            last: "the same reply, again and again".into(),
        });
        self.end(reached)
    }

    /// Stops, if a bound is reached; gives back the streaks that nothing mends now.
    fn end(&mut self, reached: Option<Stop>) -> Vec<Turned> {
        if self.stop.is_some() || reached.is_none() {
            return Vec::new();
        }
        self.stop = reached;
        let tools = self.tools.keys().map(|tool| Some(tool.clone()));
        let unknown = (self.unknown > 0).then_some(None);
        tools.chain(unknown).map(|tool| Turned { tool, change: Change::Never }).collect()
    }

    fn idle_too_long(&self, limits: &Limits) -> bool {
        self.idle >= limits.idle_steps.max(1)
    }

    /// Adds one to the streak of each tool that this step rejected and did not admit; gives back their lengths.
    fn lengthen(&mut self, step: &Step<'_>) -> Vec<(Option<String>, u32)> {
        let mut seen: Vec<Option<&str>> = Vec::new();
        let mut lengths = Vec::new();
        for (tool, _) in &step.rejected {
            let mended = tool.map_or(!step.admitted.is_empty(), |tool| step.admitted.contains(&tool));
            if mended || seen.contains(tool) {
                continue;
            }
            seen.push(*tool);
            let count = match tool {
                Some(tool) => self.tools.entry((*tool).to_owned()).or_default(),
                None => &mut self.unknown,
            };
            *count = count.saturating_add(1);
            lengths.push((tool.map(str::to_owned), *count));
        }
        lengths
    }

    /// The bound that this step reaches. A tool's own streak says most, so it is looked at first.
    fn reached(&self, step: &Step<'_>, limits: &Limits) -> Option<Stop> {
        let last = |wanted: Option<Option<&str>>| {
            let told = step.rejected.iter().rev().find(|(tool, _)| wanted.is_none_or(|wanted| *tool == wanted));
            told.map(|(_, sentence)| text::excerpt(sentence, LAST)).unwrap_or_default()
        };
        let rejected_now = |tool: &str| step.rejected.iter().any(|(named, _)| *named == Some(tool));
        let most = limits.rejected_steps.max(1);
        let tool = self.tools.iter().find(|(tool, count)| **count >= most && rejected_now(tool));
        if let Some((tool, count)) = tool {
            let reason = StopReason::ToolRejected { tool: tool.clone() };
            return Some(Stop { reason, count: u64::from(*count), last: last(Some(Some(tool))) });
        }
        // Only a step that adds to a count can reach its bound.
        let is_idle = step.admitted.is_empty() && !step.rejected.is_empty();
        if self.unknown >= most && is_idle && step.rejected.iter().any(|(tool, _)| tool.is_none()) {
            let count = u64::from(self.unknown);
            return Some(Stop { reason: StopReason::UnknownTools, count, last: last(Some(None)) });
        }
        if is_idle && self.idle_too_long(limits) {
            return Some(Stop { reason: StopReason::NothingAdmitted, count: u64::from(self.idle), last: last(None) });
        }
        (step.goes_on && self.steps >= limits.steps).then(|| Stop {
            reason: StopReason::Steps,
            count: self.steps,
            last: last(None),
        })
    }
}

/// What became of the calls of one reply.
#[derive(Debug, Default)]
pub(crate) struct Step<'s> {
    /// The tools that were admitted and ran. A denial is neither here nor there.
    pub admitted: Vec<&'s str>,
    /// The calls that were rejected: the offered tool they named, if they did, and the sentence.
    pub rejected: Vec<(Option<&'s str>, &'s str)>,
    /// Whether the model is waiting for results.
    pub goes_on: bool,
}

/// A streak that a step began or ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Turned {
    /// The tool; none for the streak of the tools that were not offered.
    pub tool: Option<String>,
    pub change: Change,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Change {
    Begun,
    /// Admitted, after so many steps in which it was rejected.
    Mended(u32),
    /// The run stopped first.
    Never,
}

/// A run is over: the bound that it reached, and what it was last told.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Stop {
    /// Which bound.
    pub reason: StopReason,
    /// How many steps it counted.
    pub count: u64,
    /// The last sentence that the model was told about it: at most 1,000 characters. It may hold what the model wrote.
    pub last: String,
}

/// The bounds at which a run ends, each one of the [`Limits`].
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
#[non_exhaustive]
pub enum StopReason {
    /// One tool was rejected in so many steps in a row: see [`Limits::rejected_steps`].
    ToolRejected {
        /// The tool.
        tool: String,
    },
    /// In so many steps in a row calls named no tool that exists in the offer: see [`Limits::rejected_steps`].
    UnknownTools,
    /// In so many steps in a row nothing was admitted: see [`Limits::idle_steps`].
    NothingAdmitted,
    /// The conversation has had as many steps as it may: see [`Limits::steps`].
    Steps,
}

/// Like its `Display`, since an error that leaves `main` is printed like this.
impl fmt::Debug for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Stop({self})")
    }
}

/// Names the tool and the count, and repeats nothing that a model wrote: it may end in a log.
impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.count;
        match &self.reason {
            StopReason::ToolRejected { tool } => write!(f, "`{tool}` was rejected in {count} steps in a row"),
            StopReason::UnknownTools => write!(f, "no tool that exists was named in {count} steps in a row"),
            StopReason::NothingAdmitted => write!(f, "no call was admitted in {count} steps in a row"),
            StopReason::Steps => write!(f, "the conversation has had {count} steps"),
        }
    }
}

impl Error for Stop {}

/// A run as it is saved.
#[derive(Deserialize, Serialize)]
struct Saved {
    version: u32,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    name: String,
    steps: u64,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    rejected_in_a_row: BTreeMap<String, u32>,
    #[serde(default)]
    unknown_in_a_row: u32,
    #[serde(default)]
    idle_in_a_row: u32,
    #[serde(default)]
    last_reply: Option<u64>,
    #[serde(default)]
    stop: Option<Stop>,
}

impl From<Run> for Saved {
    fn from(run: Run) -> Self {
        let Run { name, steps, tools, unknown, idle, last_reply, stop } = run;
        Self {
            version: VERSION,
            name,
            steps,
            rejected_in_a_row: tools,
            unknown_in_a_row: unknown,
            idle_in_a_row: idle,
            last_reply,
            stop,
        }
    }
}

impl TryFrom<Saved> for Run {
    type Error = String;

    fn try_from(saved: Saved) -> Result<Self, String> {
        if saved.version != VERSION {
            return Err(format!(
                "a run of version {} was saved by another release: this one reads {VERSION}",
                saved.version
            ));
        }
        let Saved { name, steps, last_reply, stop, .. } = saved;
        let (tools, unknown, idle) = (saved.rejected_in_a_row, saved.unknown_in_a_row, saved.idle_in_a_row);
        Ok(Self { name, steps, tools, unknown, idle, last_reply, stop })
    }
}
