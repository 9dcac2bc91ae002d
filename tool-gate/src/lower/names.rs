//! Names that are made up where a provider refuses those that are there.

use std::collections::{HashMap, HashSet};

/// Names that are taken, and how far those that were made up are numbered.
#[derive(Debug, Default)]
pub(super) struct Names {
    taken: HashSet<String>,
    numbered: HashMap<String, usize>,
}

impl Names {
    fn new<'n>(taken: impl Iterator<Item = &'n str>) -> Self {
        Self { taken: taken.map(str::to_owned).collect(), numbered: HashMap::new() }
    }

    /// Words for those keys of an object that are refused.
    pub(super) fn of_keys<'k>(
        keys: impl Iterator<Item = &'k str> + Clone,
        takes: impl Fn(&str) -> bool,
    ) -> HashMap<String, String> {
        let mut names = Self::new(keys.clone().filter(|key| takes(key)));
        keys.filter(|key| !takes(key)).map(|key| (key.to_owned(), names.word(key))).collect()
    }

    /// A word of letters, digits and underscores, at most 64, for a key that is none.
    fn word(&mut self, key: &str) -> String {
        let plain = key.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).take(56);
        let word = "_".chars().filter(|_| !key.starts_with(|c: char| c.is_ascii_alphabetic())).chain(plain).collect();
        self.unique(word)
    }

    /// A name for what a reference leads to, of characters that need no escapes.
    pub(super) fn definition(&mut self, reference: &str) -> String {
        let last = reference.rsplit('/').next().unwrap_or_default();
        let plain = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.') { c } else { '_' };
        let name: String = last.chars().map(plain).take(60).collect();
        self.unique(if name.is_empty() || name == "_" { "root".to_owned() } else { name })
    }

    /// The word, or the word with the first number that is free.
    pub(super) fn unique(&mut self, word: String) -> String {
        if self.taken.insert(word.clone()) {
            return word;
        }
        let number = self.numbered.entry(word.clone()).or_insert(1);
        loop {
            *number += 1;
            let name = format!("{word}_{number}");
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}
