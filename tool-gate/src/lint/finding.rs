//! A finding, and all of them: sorted, shown, and allowed one by one.

use std::{fmt, slice, vec};

use super::Code;

/// One thing that a model or a provider will have trouble with, and how to mend it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    code: Code,
    place: String,
    found: String,
    mend: String,
    /// Whether the place is what a provider counts over a request.
    is_of_request: bool,
}

impl Finding {
    pub(super) fn new(code: Code, place: impl Into<String>, found: impl Into<String>, mend: impl Into<String>) -> Self {
        Self { code, place: place.into(), found: found.into(), mend: mend.into(), is_of_request: false }
    }

    /// A finding about what a provider counts over a request.
    pub(super) fn of_request(
        code: Code,
        place: impl Into<String>,
        found: impl Into<String>,
        mend: impl Into<String>,
    ) -> Self {
        Self { is_of_request: true, ..Self::new(code, place, found, mend) }
    }

    /// What kind of trouble it is.
    pub fn code(&self) -> Code {
        self.code
    }

    /// Where: a tool (`search_orders`), a property of its arguments (`search_orders.filters.status`), the elements of one
    /// (`search_orders.tags[]`), the values of a map (`search_orders.labels.*`), or what a provider counts
    /// (`anthropic.strict_tools`).
    pub fn place(&self) -> &str {
        &self.place
    }

    /// What is found there, in words that follow the place.
    pub fn found(&self) -> &str {
        &self.found
    }

    /// What to do about it.
    pub fn mend(&self) -> &str {
        &self.mend
    }

    /// Tools first, in the order of their names; then what is counted over all of them; then allowances.
    fn order(&self) -> (bool, bool, &str, Code, &str) {
        (self.code == Code::UnusedAllowance, self.is_of_request, &self.place, self.code, &self.found)
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { code, place, found, mend, .. } = self;
        write!(f, "{code}: `{place}` {found}: {mend}")
    }
}

/// What [`Registry::lint`](crate::Registry::lint) found: the same for the same tools, in the order of their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    found: Vec<Finding>,
}

impl Findings {
    pub(super) fn of(found: Vec<Finding>) -> Self {
        let mut findings = Self { found };
        findings.sort();
        findings
    }

    fn sort(&mut self) {
        self.found.sort_by(|one, other| one.order().cmp(&other.order()));
        // Branches of a union say the same of the same place.
        self.found.dedup_by(|next, one| next.order() == one.order());
    }

    /// Takes off what is found of this kind at this place, since it is meant to be so.
    ///
    /// Where there is nothing to take off, the allowance is a finding itself, [`Code::UnusedAllowance`]: it is a leftover, or
    /// its place is misspelt.
    #[must_use = "an allowance takes effect in what is returned"]
    pub fn allow(mut self, code: Code, place: &str) -> Self {
        let before = self.found.len();
        self.found.retain(|finding| finding.code != code || finding.place != place);
        if self.found.len() == before {
            self.found.push(Finding::new(
                Code::UnusedAllowance,
                place,
                format!("is allowed `{code}`, and nothing of it is found there"),
                "take the allowance off, or correct its place",
            ));
            self.sort();
        }
        self
    }

    /// Takes off all that is found of a kind, wherever it is.
    #[must_use = "it takes effect in what is returned"]
    pub fn without(mut self, code: Code) -> Self {
        self.found.retain(|finding| finding.code != code);
        self
    }

    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// How many are left.
    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// Those that are left.
    pub fn iter(&self) -> slice::Iter<'_, Finding> {
        self.found.iter()
    }
}

/// One a line.
impl fmt::Display for Findings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, finding) in self.found.iter().enumerate() {
            f.write_str(if place == 0 { "" } else { "\n" })?;
            finding.fmt(f)?;
        }
        Ok(())
    }
}

impl IntoIterator for Findings {
    type Item = Finding;
    type IntoIter = vec::IntoIter<Finding>;

    fn into_iter(self) -> Self::IntoIter {
        self.found.into_iter()
    }
}

impl<'f> IntoIterator for &'f Findings {
    type Item = &'f Finding;
    type IntoIter = slice::Iter<'f, Finding>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
