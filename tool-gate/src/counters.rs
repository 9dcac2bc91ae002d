//! How calls end, counted: live, and as snapshots that add up.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use serde::{Deserialize, Serialize};

use crate::{
    leniency::{Eased, EasedKind},
    rejection::RejectionKind,
    result::{FailureKind, Outcome},
    run::{Change, Turned},
};

/// The streaks that are told apart by their length; longer ones count as the longest.
const LENGTHS: usize = 16;

/// The counters of one registry, counting on all threads. Cheap to clone: clones count together.
#[derive(Clone, Debug)]
pub struct Counters(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    /// Sorted by name, as the registry's tools are.
    tools: Vec<(String, Tally)>,
    /// Calls that named no offered tool.
    unknown: Tally,
}

#[derive(Debug, Default)]
struct Tally {
    completed: AtomicU64,
    denied: AtomicU64,
    failed: [AtomicU64; FailureKind::ALL.len()],
    rejected: [AtomicU64; RejectionKind::ALL.len()],
    eased: [AtomicU64; EasedKind::ALL.len()],
    begun: AtomicU64,
    mended: [AtomicU64; LENGTHS],
    never: AtomicU64,
}

impl Counters {
    /// Counters for these tools, in the order of their names.
    pub(crate) fn new(names: impl IntoIterator<Item = String>) -> Self {
        let tools = names.into_iter().map(|name| (name, Tally::default())).collect();
        Self(Arc::new(Inner { tools, unknown: Tally::default() }))
    }

    /// What was counted so far. Calls that end meanwhile may be in it or not, each as a whole.
    pub fn snapshot(&self) -> Snapshot {
        let tools = self.0.tools.iter().map(|(name, tally)| (name.clone(), tally.counts()));
        Snapshot {
            tools: tools.filter(|(_, counts)| *counts != Counts::default()).collect(),
            unknown: self.0.unknown.counts(),
        }
    }

    /// Counts one call.
    pub(crate) fn call(&self, tool: Option<&str>, outcome: &Outcome) {
        let tally = self.tally(tool).unwrap_or(&self.0.unknown);
        let counter = match outcome {
            Outcome::Completed { .. } => &tally.completed,
            Outcome::Denied { .. } => &tally.denied,
            Outcome::Failed { failure } => &tally.failed[failure.kind() as usize],
            Outcome::Rejected { rejection } => &tally.rejected[rejection.kind() as usize],
        };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts what was forgiven for one call to be admitted: each kind once, in however many places.
    pub(crate) fn eased(&self, tool: &str, eased: &[Eased]) {
        let Some(tally) = self.tally(Some(tool)) else { return };
        for kind in EasedKind::ALL {
            if eased.iter().any(|eased| eased.kind == kind) {
                tally.eased[kind as usize].fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    /// Counts a streak's beginning or end.
    pub(crate) fn streak(&self, turned: &Turned) {
        let Some(tally) = self.tally(turned.tool.as_deref()) else { return };
        let counter = match turned.change {
            Change::Begun => &tally.begun,
            Change::Never => &tally.never,
            Change::Mended(steps) => {
                let longest = LENGTHS - 1;
                &tally.mended[usize::try_from(steps).map_or(longest, |steps| steps.saturating_sub(1).min(longest))]
            }
        };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    /// The counters of a tool, or of the calls that name none. A run that is resumed may tell of a tool that this registry
    /// does not have.
    fn tally(&self, tool: Option<&str>) -> Option<&Tally> {
        let Some(tool) = tool else { return Some(&self.0.unknown) };
        let place = self.0.tools.binary_search_by(|(name, _)| name.as_str().cmp(tool)).ok()?;
        Some(&self.0.tools[place].1)
    }
}

impl Tally {
    fn counts(&self) -> Counts {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let mended = self.mended.iter().map(read).zip(1_u32..).filter(|(times, _)| *times > 0);
        Counts {
            completed: read(&self.completed),
            denied: read(&self.denied),
            failed: counted(&FailureKind::ALL, &self.failed),
            rejected: counted(&RejectionKind::ALL, &self.rejected),
            eased: counted(&EasedKind::ALL, &self.eased),
            streaks: Streaks {
                begun: read(&self.begun),
                mended_after: mended.map(|(times, steps)| (steps, times)).collect(),
                never: read(&self.never),
            },
        }
    }
}

fn counted<K: Copy + Ord>(kinds: &[K], counters: &[AtomicU64]) -> BTreeMap<K, u64> {
    let times = counters.iter().map(|counter| counter.load(Ordering::Relaxed));
    kinds.iter().copied().zip(times).filter(|(_, times)| *times > 0).collect()
}

/// Counts at one moment: to be stored, sent, and added to those of other processes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Snapshot {
    /// By offered tool; a tool of which nothing was counted is left out.
    pub tools: BTreeMap<String, Counts>,
    /// Calls that named no offered tool. All their streaks are one: see [`Run`](crate::Run).
    pub unknown: Counts,
}

/// What became of the calls of one tool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Counts {
    /// It ran and answered.
    pub completed: u64,
    /// Policy said no.
    pub denied: u64,
    /// It ran and could not do it. Rising counts point at what the tool depends on.
    pub failed: BTreeMap<FailureKind, u64>,
    /// It never ran. Rising counts point at the tool's own name, description and schema.
    pub rejected: BTreeMap<RejectionKind, u64>,
    /// How many were admitted only because the offer forgave something, by what it was; a call that needed two kinds counts
    /// under both. They are among the others: see [`Leniency`](crate::Leniency).
    pub eased: BTreeMap<EasedKind, u64>,
    /// How its streaks of rejected steps went.
    pub streaks: Streaks,
}

/// How streaks of rejected steps went: the numbers that say whether the bound on them is right.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Streaks {
    /// How many began.
    pub begun: u64,
    /// How many were mended after so many rejected steps. 16 stands for all that were longer, too.
    pub mended_after: BTreeMap<u32, u64>,
    /// How many were open when their run stopped.
    pub never: u64,
}

impl Snapshot {
    /// Adds another snapshot to this one.
    pub fn merge(&mut self, other: &Self) {
        self.unknown.merge(&other.unknown);
        for (tool, counts) in &other.tools {
            self.tools.entry(tool.clone()).or_default().merge(counts);
        }
    }

    /// All tools and the calls that named none, added up.
    pub fn total(&self) -> Counts {
        let mut total = self.unknown.clone();
        self.tools.values().for_each(|counts| total.merge(counts));
        total
    }

    /// How many calls were settled.
    pub fn calls(&self) -> u64 {
        self.total().calls()
    }

    /// Rejections of this kind for each call that was settled; 0 before the first.
    pub fn rejection_rate(&self, kind: RejectionKind) -> f64 {
        rate(self.total().rejected.get(&kind).copied().unwrap_or_default(), self.calls())
    }

    /// Streaks that began for each call that was settled; 0 before the first. A call that is mended on the third try is
    /// one streak and two rejections.
    pub fn streak_rate(&self) -> f64 {
        rate(self.total().streaks.begun, self.calls())
    }
}

impl Counts {
    /// How many calls were settled.
    pub fn calls(&self) -> u64 {
        self.completed + self.denied + self.failures() + self.rejections()
    }

    /// How many failed, for whatever reason.
    pub fn failures(&self) -> u64 {
        self.failed.values().sum()
    }

    /// How many were rejected, for whatever reason.
    pub fn rejections(&self) -> u64 {
        self.rejected.values().sum()
    }

    fn merge(&mut self, other: &Self) {
        self.completed += other.completed;
        self.denied += other.denied;
        add(&mut self.failed, &other.failed);
        add(&mut self.rejected, &other.rejected);
        add(&mut self.eased, &other.eased);
        self.streaks.begun += other.streaks.begun;
        add(&mut self.streaks.mended_after, &other.streaks.mended_after);
        self.streaks.never += other.streaks.never;
    }
}

impl Streaks {
    /// The part of the ended streaks that was mended after at most so many rejected steps; 1 where none has ended.
    pub fn mended_within(&self, steps: u32) -> f64 {
        let mended: u64 = self.mended_after.values().sum();
        let within = self.mended_after.range(..=steps).map(|(_, times)| times).sum();
        if mended + self.never == 0 { 1.0 } else { rate(within, mended + self.never) }
    }
}

fn add<K: Copy + Ord>(counts: &mut BTreeMap<K, u64>, others: &BTreeMap<K, u64>) {
    for (kind, times) in others {
        *counts.entry(*kind).or_default() += times;
    }
}

#[allow(clippy::cast_precision_loss, reason = "a rate is read to a few digits")]
fn rate(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
