//! The counters as a table.

use std::fmt;

use tool_gate::{Counts, Snapshot};

/// A snapshot as a table: a column for each tool, a row for each way in which calls and streaks ended.
///
/// Rows of which nothing was counted are left out.
#[derive(Clone, Copy, Debug)]
pub struct Table<'s>(pub &'s Snapshot);

/// The width of the first column.
const LABEL: usize = 24;

/// The least width of the others.
const WIDTH: usize = 9;

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let total = self.0.total();
        let tools = self.0.tools.iter().map(|(name, counts)| (name.as_str(), counts));
        let columns: Vec<(&str, &Counts)> = tools.chain([("(unknown)", &self.0.unknown), ("all", &total)]).collect();

        write!(f, "{:<LABEL$}", "")?;
        for (name, _) in &columns {
            write!(f, "  {name:>WIDTH$}")?;
        }
        let mut row = |label: &str, count: &dyn Fn(&Counts) -> u64| {
            write!(f, "\n{label:<LABEL$}")?;
            columns.iter().try_for_each(|(name, counts)| {
                let width = name.len().max(WIDTH);
                match count(counts) {
                    0 => write!(f, "  {:>width$}", "·"),
                    times => write!(f, "  {times:>width$}"),
                }
            })
        };
        row("calls", &Counts::calls)?;
        row("completed", &|counts| counts.completed)?;
        row("denied", &|counts| counts.denied)?;
        for kind in total.failed.keys() {
            row(&format!("failed: {kind}"), &|counts| counts.failed.get(kind).copied().unwrap_or_default())?;
        }
        for kind in total.rejected.keys() {
            row(&format!("rejected: {kind}"), &|counts| counts.rejected.get(kind).copied().unwrap_or_default())?;
        }
        row("streaks of rejections", &|counts| counts.streaks.begun)?;
        for steps in total.streaks.mended_after.keys() {
            let mended = |counts: &Counts| counts.streaks.mended_after.get(steps).copied().unwrap_or_default();
            row(&format!("  mended after {steps}"), &mended)?;
        }
        row("  never mended", &|counts| counts.streaks.never)
    }
}
