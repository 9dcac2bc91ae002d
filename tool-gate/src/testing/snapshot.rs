//! What is published, held against a file: a change to it is seen in review.

use std::{env, fs, path::Path};

use serde_json::{Map, Value, json};

use crate::{offer::Offer, registry::Registry, tool::Definition};

/// Compares what is published of the tools with a file, in which a review sees how it changes: pretty JSON, one array.
///
/// Of an [`Offer`] that is the request's `tools`; of a [`Registry`] the definitions as they are, effects and scopes included,
/// before any wire. A relative path starts, as all do in tests, at the folder of the package.
///
/// `UPDATE_SNAPSHOTS=1 cargo test` writes the file anew.
///
/// # Panics
///
/// Where the two differ, with the first lines that do; where the file cannot be read, or written.
///
/// ```no_run
/// # use tool_gate::{Registry, Select, testing, wire};
/// # let registry = Registry::<()>::builder().build()?;
/// testing::assert_tools_snapshot(&registry.offer(wire::Anthropic::default(), Select::All)?, "tests/tools.json");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[track_caller]
pub fn assert_tools_snapshot(tools: &impl Surface, path: impl AsRef<Path>) {
    let update = env::var_os("UPDATE_SNAPSHOTS").is_some_and(|value| !value.is_empty() && value != "0");
    if let Err(message) = compare(&tools.published(), path.as_ref(), update) {
        panic!("{message}");
    }
}

/// What has tools to publish: an [`Offer`], a [`Registry`].
pub trait Surface: sealed::Sealed {
    /// The published array.
    #[doc(hidden)]
    fn published(&self) -> Value;
}

mod sealed {
    use crate::{Offer, Registry};

    pub trait Sealed {}

    impl<S: ?Sized> Sealed for Offer<S> {}
    impl<S: ?Sized> Sealed for Registry<S> {}
}

impl<S: ?Sized> Surface for Offer<S> {
    fn published(&self) -> Value {
        self.tools().to_value()
    }
}

impl<S: ?Sized> Surface for Registry<S> {
    fn published(&self) -> Value {
        self.definitions().map(definition).collect()
    }
}

fn definition(tool: &Definition) -> Value {
    let effects: Vec<&str> = tool.effects().names().collect();
    let all = json!({
        "name": tool.name(),
        "title": tool.title(),
        "description": tool.description(),
        "effects": effects,
        "requires": tool.requires(),
        "input_schema": tool.input_schema(),
        "output_schema": tool.output_schema(),
    });
    let known = |members: Map<String, Value>| members.into_iter().filter(|(_, member)| !member.is_null()).collect();
    match all {
        Value::Object(members) => Value::Object(known(members)),
        other => other,
    }
}

fn compare(published: &Value, path: &Path, update: bool) -> Result<(), String> {
    let shown = path.display();
    let now = format!("{published:#}\n");
    if update {
        let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
        return folder
            .and_then(|()| fs::write(path, now))
            .map_err(|error| format!("the snapshot {shown} cannot be written: {error}"));
    }
    let hint = "write it with `UPDATE_SNAPSHOTS=1 cargo test`, and read the difference before you commit it";
    let before =
        fs::read_to_string(path).map_err(|error| format!("the snapshot {shown} cannot be read ({error}): {hint}"))?;
    match difference(&before, &now) {
        Some(difference) => Err(format!("the tools are not as in {shown}:\n{difference}\nIf that is meant, {hint}.")),
        None => Ok(()),
    }
}

/// How many lines are shown before the first that differs, of each side, and how far the sides are searched for where they
/// meet again.
const BEFORE: usize = 3;
const SHOWN: usize = 12;
const SEARCHED: usize = 200;

/// The first lines that differ, if any do.
fn difference(before: &str, now: &str) -> Option<String> {
    // A checkout may have changed the ends of lines.
    let (before, now): (Vec<&str>, Vec<&str>) = (before.lines().collect(), now.lines().collect());
    let same = before.iter().zip(&now).take_while(|(one, other)| one == other).count();
    let (old, new) = (&before[same..], &now[same..]);
    if old.is_empty() && new.is_empty() {
        return None;
    }
    let (removed, added) = meet(old, new);
    let mut shown: Vec<String> = vec![format!("  line {}:", same + 1)];
    shown.extend(before[same.saturating_sub(BEFORE)..same].iter().map(|line| format!("    {line}")));
    for (sign, lines) in [('-', &old[..removed]), ('+', &new[..added])] {
        shown.extend(lines.iter().take(SHOWN).map(|line| format!("  {sign} {line}")));
        if lines.len() > SHOWN {
            shown.push(format!("  {sign} … {} lines more", lines.len() - SHOWN));
        }
    }
    if old[removed..] != new[added..] {
        shown.push("  … and more below.".to_owned());
    }
    Some(shown.join("\n"))
}

/// How many lines to leave out on each side, so that both go on alike.
fn meet(old: &[&str], new: &[&str]) -> (usize, usize) {
    let alike = |removed: usize, added: usize| {
        let (old, new) = (&old[removed..], &new[added..]);
        let ahead = old.len().min(new.len()).min(2);
        old[..ahead] == new[..ahead] && (ahead > 0 || (old.is_empty() && new.is_empty()))
    };
    for distance in 1..SEARCHED {
        let places = (0..=distance).map(|removed| (removed, distance - removed));
        let mut places = places.filter(|(removed, added)| *removed <= old.len() && *added <= new.len());
        if let Some(place) = places.find(|(removed, added)| alike(*removed, *added)) {
            return place;
        }
    }
    (old.len(), new.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(before: &str, now: &str) -> String {
        difference(before, now).unwrap_or_default()
    }

    #[test]
    fn the_first_difference_is_shown_with_what_stands_before_it() {
        assert_eq!(shown("a\nb\n", "a\r\nb\n"), "");
        assert_eq!(shown("a\nb\nc\nd\ne\n", "a\nb\nX\nd\ne\n"), "  line 3:\n    a\n    b\n  - c\n  + X");
        assert_eq!(shown("a\nb\nc\n", "a\nb\n"), "  line 3:\n    a\n    b\n  - c");
        assert_eq!(shown("a\nc\nd\n", "a\nb\nc\nd\n"), "  line 2:\n    a\n  + b");
        assert_eq!(
            shown("a\nb\nc\nd\ne\nf\ng\n", "a\nX\nc\nd\ne\nY\ng\n"),
            "  line 2:\n    a\n  - b\n  + X\n  … and more below."
        );
        let long: String = (0..300).map(|line| line.to_string()).collect::<Vec<_>>().join("\n");
        assert!(shown("", &long).ends_with("  + 11\n  + … 288 lines more"));
    }
}
