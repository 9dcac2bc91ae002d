//! Values that are kept as they stand in the text.

use super::{Fault, FaultKind, read::plain};

/// One step of the way from the root of a reply to a captured value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The member of an object with this key.
    Key(&'static str),
    /// Every element of an array.
    Each,
}

/// Where a value stands in the container around it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place<'k> {
    /// It is an element of an array.
    Element,
    /// It is the member of an object with this key.
    Member(&'k str),
}

/// The capture paths of one reading, at most 64.
#[derive(Clone, Copy, Debug)]
pub(super) struct Captures<'c>(&'c [&'c [Step]]);

/// The paths, one bit each, that lead through a place.
pub(super) type Live = u64;

impl<'c> Captures<'c> {
    /// These paths.
    pub(super) fn new(paths: &'c [&'c [Step]]) -> Self {
        debug_assert!(paths.len() <= 64, "one bit a path");
        Self(paths)
    }

    /// Whether there is nothing to capture.
    pub(super) fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// The paths that lead through the root; `None` where one ends there.
    pub(super) fn root(self) -> Option<Live> {
        self.through(Live::MAX, 0, |_| true)
    }

    /// The paths that lead on through this place inside a container that `live` lead through, `level` steps from the
    /// root; `None` where one ends there.
    pub(super) fn inside(self, live: Live, level: usize, place: Place<'_>) -> Option<Live> {
        self.through(live, level + 1, |path| match (path[level], place) {
            (Step::Key(wanted), Place::Member(key)) => wanted == key,
            (Step::Each, Place::Element) => true,
            _ => false,
        })
    }

    fn through(self, live: Live, steps: usize, matches: impl Fn(&[Step]) -> bool) -> Option<Live> {
        let mut through = 0;
        if live == 0 {
            return Some(through);
        }
        for (bit, path) in self.0.iter().enumerate().take(64) {
            if live & (1 << bit) != 0 && matches(path) {
                if path.len() == steps {
                    return None;
                }
                through |= 1 << bit;
            }
        }
        Some(through)
    }
}

/// The byte behind the value that starts at this one, whatever is wrong inside it: brackets are matched, strings are
/// honoured, and anything else runs to the comma or bracket that ends it.
pub(super) fn skip(text: &str, start: usize) -> Result<usize, Fault> {
    let bytes = text.as_bytes();
    let mut closers = Vec::new();
    let mut at = start;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => {
                at = skip_string(bytes, at)?;
                if closers.is_empty() && bytes[start] == b'"' {
                    return Ok(at);
                }
                continue;
            }
            b'{' => closers.push(b'}'),
            b'[' => closers.push(b']'),
            b'}' | b']' => match closers.pop() {
                Some(closer) if closer != byte => return Err(Fault::new(FaultKind::Unexpected, at)),
                Some(_) if closers.is_empty() && matches!(bytes[start], b'{' | b'[') => return Ok(at + 1),
                Some(_) => {}
                None => break,
            },
            b',' if closers.is_empty() => break,
            _ => {}
        }
        at += 1;
    }
    if !closers.is_empty() {
        return Err(Fault::new(FaultKind::Truncated, at));
    }
    let behind = start + text[start..at].trim_ascii_end().len();
    match (behind > start, at < bytes.len()) {
        (true, _) => Ok(behind),
        (false, true) => Err(Fault::new(FaultKind::Unexpected, at)),
        (false, false) => Err(Fault::new(FaultKind::Truncated, at)),
    }
}

/// The byte behind the string that starts at this one.
fn skip_string(bytes: &[u8], start: usize) -> Result<usize, Fault> {
    let mut at = start + 1;
    loop {
        at = plain(bytes, at);
        match bytes.get(at) {
            Some(b'"') => return Ok(at + 1),
            Some(b'\\') => at += 2,
            Some(_) => at += 1,
            None => return Err(Fault::new(FaultKind::Truncated, bytes.len())),
        }
    }
}
