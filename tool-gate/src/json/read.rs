//! The reader: text to tape, in one pass and without recursion.

use std::{borrow::Cow, collections::HashSet};

use super::{
    Fault, FaultKind, Number, Step, Tape,
    capture::{self, Captures, Live, Place},
    tape::{Open, Slot},
};

/// From this many members on, the keys of an object are hashed instead of compared with one another.
const HASHED: usize = 16;

/// Reads one JSON value, strictly, with at most `depth` arrays and objects inside one another.
pub(crate) fn read(text: &str, depth: usize) -> Result<Tape<'_>, Fault> {
    Reader::new(text, depth, Captures::new(&[])).document()
}

/// Reads a provider's reply. The value at the end of each of the paths `captures` (at most 64) is kept as its text and
/// not looked into, so nothing wrong in there spoils the reply. In what is read, half of a surrogate pair becomes
/// U+FFFD and a number out of range the largest float: nothing there is an argument.
pub(crate) fn read_envelope<'t>(text: &'t str, captures: &[&[Step]], depth: usize) -> Result<Tape<'t>, Fault> {
    Reader { lenient: true, ..Reader::new(text, depth, Captures::new(captures)) }.document()
}

/// A reading under way.
struct Reader<'t, 'c> {
    text: &'t str,
    /// The byte that is read next.
    at: usize,
    tape: Tape<'t>,
    /// The container that is being read; those around it wait in their slots.
    inside: Open,
    /// How many more containers may be opened.
    depth: usize,
    /// Whether halves of surrogate pairs and numbers out of range are replaced.
    lenient: bool,
    captures: Captures<'c>,
    /// The paths that lead through each open container; empty where nothing is captured.
    live: Vec<Live>,
    /// The keys of each open object that has many, with its slot.
    keys: Vec<(usize, HashSet<Cow<'t, str>>)>,
}

impl<'t, 'c> Reader<'t, 'c> {
    fn new(text: &'t str, depth: usize, captures: Captures<'c>) -> Self {
        // About one slot to eight bytes is what arguments come to; a long text is mostly strings.
        let slots = Vec::with_capacity((text.len() / 8 + 4).min(4096));
        let tape = Tape { slots, ..Tape::default() };
        let inside = Open::OUTSIDE;
        Self { text, at: 0, tape, inside, depth, lenient: false, captures, live: Vec::new(), keys: Vec::new() }
    }

    /// The whole text as one value.
    fn document(mut self) -> Result<Tape<'t>, Fault> {
        if self.next().is_none() {
            return self.fail(FaultKind::Empty);
        }
        'values: loop {
            if self.value()? {
                continue;
            }
            while self.inside.slot != Open::OUTSIDE.slot {
                match (self.next(), self.inside.object) {
                    (Some(b','), _) => {
                        self.behind_comma()?;
                        continue 'values;
                    }
                    (Some(b'}'), true) | (Some(b']'), false) => self.close(),
                    (None, _) => return self.fail(FaultKind::Truncated),
                    _ => return self.fail(FaultKind::Unexpected),
                }
            }
            return if self.next().is_none() { Ok(self.tape) } else { self.fail(FaultKind::TrailingText) };
        }
    }

    /// Reads a scalar, a captured value, an empty container, or the start of another, its first key included. Whether
    /// another value follows at once.
    fn value(&mut self) -> Result<bool, Fault> {
        let Some(byte) = self.next() else { return self.fail(FaultKind::Truncated) };
        self.inside.len += 1;
        let mut live = 0;
        if !self.captures.is_empty() {
            match self.live() {
                Some(through) => live = through,
                None => return self.capture(),
            }
        }
        match byte {
            b'"' => self.string()?,
            b'{' => return self.open(true, live),
            b'[' => return self.open(false, live),
            b'0'..=b'9' | b'-' => self.number()?,
            b't' => self.word("true", Slot::Bool(true))?,
            b'f' => self.word("false", Slot::Bool(false))?,
            b'n' => self.word("null", Slot::Null)?,
            b'\'' => return self.fail(FaultKind::SingleQuotes),
            _ if self.text[self.at..].starts_with("NaN") || self.text[self.at..].starts_with("Infinity") => {
                return self.fail(FaultKind::NotFinite);
            }
            _ => return self.fail(FaultKind::Unexpected),
        }
        Ok(false)
    }

    /// Opens a container and reads on to its first value; closes it where there is none.
    fn open(&mut self, object: bool, live: Live) -> Result<bool, Fault> {
        let Some(depth) = self.depth.checked_sub(1) else { return self.fail(FaultKind::TooDeep) };
        self.depth = depth;
        self.inside = self.tape.open(object, self.inside);
        if !self.captures.is_empty() {
            self.live.push(live);
        }
        self.at += 1;
        match (self.next(), object) {
            (Some(b'}'), true) | (Some(b']'), false) => {
                self.close();
                return Ok(false);
            }
            (_, true) => self.key()?,
            (_, false) => {}
        }
        Ok(true)
    }

    /// Closes the innermost container at its bracket.
    fn close(&mut self) {
        self.at += 1;
        self.depth += 1;
        if self.inside.len > HASHED {
            self.keys.pop_if(|(object, _)| *object == self.inside.slot);
        }
        self.live.pop();
        self.inside = self.tape.close(self.inside);
    }

    /// Reads on from the comma to the next value.
    fn behind_comma(&mut self) -> Result<(), Fault> {
        let comma = self.at;
        self.at += 1;
        match (self.next(), self.inside.object) {
            (Some(b'}'), true) | (Some(b']'), false) => Err(Fault::new(FaultKind::TrailingComma, comma)),
            (_, true) => self.key(),
            (_, false) => Ok(()),
        }
    }

    /// Reads a key and its colon.
    fn key(&mut self) -> Result<(), Fault> {
        match self.next() {
            Some(b'"') => {}
            Some(b'\'') => return self.fail(FaultKind::SingleQuotes),
            Some(_) => return self.fail(FaultKind::Unexpected),
            None => return self.fail(FaultKind::Truncated),
        }
        let start = self.at;
        self.string()?;
        if self.is_duplicate() {
            return Err(Fault::new(FaultKind::DuplicateKey, start));
        }
        match self.next() {
            Some(b':') => self.at += 1,
            Some(_) => return self.fail(FaultKind::Unexpected),
            None => return self.fail(FaultKind::Truncated),
        }
        Ok(())
    }

    /// Whether the key in the last slot stands in the open object already.
    #[inline]
    fn is_duplicate(&mut self) -> bool {
        let Open { slot, len, .. } = self.inside;
        if len >= HASHED {
            return self.is_duplicate_of_many();
        }
        let at = self.tape.slots.len() - 1;
        let key = self.tape.string(at);
        let mut other = slot + 1;
        while other < at {
            if self.tape.string(other) == key {
                return true;
            }
            other = self.tape.behind(other + 1);
        }
        false
    }

    #[cold]
    fn is_duplicate_of_many(&mut self) -> bool {
        let at = self.tape.slots.len() - 1;
        let Open { slot, len, .. } = self.inside;
        if len == HASHED {
            let mut keys = HashSet::new();
            let mut other = slot + 1;
            while other < at {
                keys.insert(self.owned(other));
                other = self.tape.behind(other + 1);
            }
            self.keys.push((slot, keys));
        }
        let key = self.owned(at);
        self.keys.last_mut().is_some_and(|(_, keys)| !keys.insert(key))
    }

    /// The string in this slot, apart from the tape that grows.
    fn owned(&self, at: usize) -> Cow<'t, str> {
        match self.tape.slots[at] {
            Slot::Plain(string) => Cow::Borrowed(string),
            _ => Cow::Owned(self.tape.key(at).to_owned()),
        }
    }

    /// The paths that lead through the value that starts here; `None` where it is captured.
    fn live(&self) -> Option<Live> {
        let Some(&live) = self.live.last() else { return self.captures.root() };
        let place =
            if self.inside.object { Place::Member(self.tape.key(self.tape.slots.len() - 1)) } else { Place::Element };
        self.captures.inside(live, self.live.len() - 1, place)
    }

    /// Keeps the value that starts here as its text.
    fn capture(&mut self) -> Result<bool, Fault> {
        let behind = capture::skip(self.text, self.at)?;
        self.tape.slots.push(Slot::Raw(&self.text[self.at..behind]));
        self.at = behind;
        Ok(false)
    }

    fn number(&mut self) -> Result<(), Fault> {
        let (mut number, behind) = Number::scan(self.text, self.at)?;
        if !number.is_finite() {
            if !self.lenient {
                return self.fail(FaultKind::OutOfRange);
            }
            number = Number::Float(if number.is_negative() { f64::MIN } else { f64::MAX });
        }
        self.tape.integral_decimal |= number.may_be_integral_decimal();
        self.tape.slots.push(Slot::Number(number));
        self.at = behind;
        Ok(())
    }

    /// One of the three literals.
    fn word(&mut self, word: &str, slot: Slot<'t>) -> Result<(), Fault> {
        let rest = &self.text.as_bytes()[self.at..];
        let same = rest.iter().zip(word.as_bytes()).take_while(|(left, right)| left == right).count();
        self.at += same;
        if same < word.len() {
            return self.fail(if same == rest.len() { FaultKind::Truncated } else { FaultKind::Unexpected });
        }
        if rest.get(same).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_') {
            return self.fail(FaultKind::Unexpected);
        }
        self.tape.slots.push(slot);
        Ok(())
    }

    /// Reads the string that starts here.
    #[expect(clippy::inline_always, reason = "measured: reading takes a sixth longer without")]
    #[inline(always)]
    fn string(&mut self) -> Result<(), Fault> {
        let start = self.at + 1;
        let end = plain(self.text.as_bytes(), start);
        if self.text.as_bytes().get(end) != Some(&b'"') {
            return self.escaped_string(start, end);
        }
        self.tape.slots.push(Slot::Plain(&self.text[start..end]));
        self.at = end + 1;
        Ok(())
    }

    /// Reads the string that starts here and has something at `at` that does not stand for itself.
    #[inline(never)]
    fn escaped_string(&mut self, start: usize, mut at: usize) -> Result<(), Fault> {
        let bytes = self.text.as_bytes();
        let first = self.tape.unescaped.len();
        let mut run = start;
        loop {
            self.tape.unescaped.push_str(&self.text[run..at]);
            match bytes.get(at) {
                Some(b'"') => break,
                Some(b'\\') => run = self.escape(at)?,
                Some(_) => return Err(Fault::new(FaultKind::ControlCharacter, at)),
                None => return Err(Fault::new(FaultKind::Truncated, at)),
            }
            at = plain(bytes, run);
        }
        self.tape.slots.push(Slot::Unescaped { start: first, end: self.tape.unescaped.len() });
        self.at = at + 1;
        Ok(())
    }

    /// Appends what the escape at this backslash stands for; the byte behind it.
    fn escape(&mut self, at: usize) -> Result<usize, Fault> {
        let character = match self.text.as_bytes().get(at + 1) {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode_escape(at),
            Some(_) => return Err(Fault::new(FaultKind::InvalidEscape, at)),
            None => return Err(Fault::new(FaultKind::Truncated, at + 1)),
        };
        self.tape.unescaped.push(character);
        Ok(at + 2)
    }

    /// Appends the character of the `\u` escape at this backslash, with the second half of a pair; the byte behind it.
    fn unicode_escape(&mut self, at: usize) -> Result<usize, Fault> {
        let high = self.code_unit(at)?;
        let behind = at + 6;
        if let Some(character) = char::from_u32(high) {
            self.tape.unescaped.push(character);
            return Ok(behind);
        }
        if high < 0xDC00 {
            let bytes = &self.text.as_bytes()[behind..];
            if matches!(bytes, [] | [b'\\']) {
                return Err(Fault::new(FaultKind::Truncated, self.text.len()));
            }
            if bytes.starts_with(b"\\u") {
                let low = self.code_unit(behind)?;
                if let 0xDC00..=0xDFFF = low {
                    let code = 0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00);
                    self.tape.unescaped.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
                    return Ok(behind + 6);
                }
            }
        }
        if !self.lenient {
            return Err(Fault::new(FaultKind::LoneSurrogate, at));
        }
        self.tape.unescaped.push(char::REPLACEMENT_CHARACTER);
        Ok(behind)
    }

    /// The four hexadecimal digits of the `\u` escape at this backslash.
    fn code_unit(&self, at: usize) -> Result<u32, Fault> {
        let mut unit = 0;
        for place in at + 2..at + 6 {
            let Some(&byte) = self.text.as_bytes().get(place) else {
                return Err(Fault::new(FaultKind::Truncated, place));
            };
            let Some(digit) = char::from(byte).to_digit(16) else {
                return Err(Fault::new(FaultKind::InvalidEscape, at));
            };
            unit = unit * 16 + digit;
        }
        Ok(unit)
    }

    /// The next byte that is not white space; the reading stands on it.
    #[inline]
    fn next(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            if !matches!(byte, b' ' | b'\n' | b'\t' | b'\r') {
                return Some(byte);
            }
            self.at += 1;
        }
        None
    }

    /// A fault at the byte the reading stands on.
    #[cold]
    fn fail<T>(&self, kind: FaultKind) -> Result<T, Fault> {
        Err(Fault::new(kind, self.at))
    }
}

/// The first byte from `at` on that a string cannot hold as it is: a quote, a backslash, a control character; or the end.
#[inline]
pub(super) fn plain(bytes: &[u8], mut at: usize) -> usize {
    const ONES: u64 = u64::MAX / 255;
    const HIGHS: u64 = ONES << 7;
    // A byte's high bit ends up set where the byte is below `limit`; carries only reach bytes behind the first such one.
    let below = |word: u64, limit: u8| word.wrapping_sub(ONES * u64::from(limit)) & !word;

    let Some(rest) = bytes.get(at..) else { return at };
    let (words, _) = rest.as_chunks::<8>();
    for word in words {
        let word = u64::from_le_bytes(*word);
        let quote = below(word ^ (ONES * u64::from(b'"')), 1);
        let backslash = below(word ^ (ONES * u64::from(b'\\')), 1);
        let special = (quote | backslash | below(word, 0x20)) & HIGHS;
        if special != 0 {
            return at + special.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    while bytes.get(at).is_some_and(|byte| !matches!(byte, b'"' | b'\\' | 0..0x20)) {
        at += 1;
    }
    at
}
