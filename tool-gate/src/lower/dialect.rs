//! What a provider takes of JSON Schema, in one mode, as data.

use super::budgets::Budget;

/// A provider's subset of JSON Schema in one mode.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "a table of what is taken, each row by itself")]
pub struct Dialect {
    pub(super) name: &'static str,
    pub(super) keywords: Keywords,
    pub(super) root: Root,
    /// The formats of strings that are taken; none for all.
    pub(super) formats: Option<&'static [&'static str]>,
    pub(super) takes_pattern: fn(&str) -> bool,
    /// What a property may be called.
    pub(super) takes_key: fn(&str) -> bool,
    pub(super) optionals: Optionals,
    /// Whether every object must require one property at least.
    pub(super) needs_a_required: bool,
    /// Whether objects say `additionalProperties: false`.
    pub(super) closes: bool,
    pub(super) maps: Maps,
    /// Whether an object may have no properties at all.
    pub(super) empty_objects: bool,
    pub(super) tuples: Tuples,
    pub(super) anything: Anything,
    pub(super) references: References,
    /// The keyword of the definitions.
    pub(super) definitions: &'static str,
    pub(super) recursion: Recursion,
    pub(super) types: Types,
    /// Whether a description may stand beside `anyOf`.
    pub(super) describes_unions: bool,
    pub(super) values: Values,
    /// Whether the capitals of strings in `enum` are not kept to.
    pub(super) capitals_drift: bool,
    /// The greatest `minItems`.
    pub(super) most_min_items: u64,
    pub(super) defaults: Defaults,
    pub(super) budgets: &'static [Budget],
}

/// Which keywords are taken.
#[derive(Clone, Copy, Debug)]
pub(super) enum Keywords {
    /// All of JSON Schema: what the provider refuses stands at the root, or is one of these.
    All {
        quirks: &'static [Quirk],
    },
    Only(&'static [&'static str]),
}

/// What a provider asks of schemas that it takes as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quirk {
    /// The words of earlier drafts are refused, or read as if they were those of 2020-12.
    NewDraft,
    /// An array says what its items are.
    Items,
    /// What is required is declared.
    Declared,
}

/// What the schema of all arguments may be.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "a table of what is taken, each row by itself")]
pub(super) struct Root {
    /// Whether `anyOf` and its like are refused there.
    pub is_plain: bool,
    /// Whether it has `properties`, be they none.
    pub lists_properties: bool,
    /// Whether `$schema` may stand there.
    pub names_draft: bool,
    /// Whether it may be described: else that goes to the tool's description.
    pub is_described: bool,
    /// What a tool without arguments has.
    pub without_arguments: WithoutArguments,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WithoutArguments {
    /// A schema like any other.
    Schema,
    /// No schema.
    None,
    /// It cannot be published.
    Refused,
}

/// How a property is optional.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Optionals {
    /// It is not `required`.
    Absent,
    /// The same, and `null` beside it is avoided, since unions are counted.
    AbsentNotNull,
    /// It is `required`, and `null` stands for absence.
    Null,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Maps {
    Kept,
    /// Lists of objects with a key and a value.
    Pairs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tuples {
    Kept,
    /// Objects with the keys `item_0`, `item_1`.
    Objects,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anything {
    /// A schema without a type.
    Kept,
    /// A string with JSON text.
    Text,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum References {
    /// Nothing may stand beside one.
    Alone,
    /// What they name is written out.
    Inlined,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Recursion {
    Kept,
    /// JSON text from the second time on.
    Text,
    Refused,
}

/// How a value may be of several types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Types {
    /// `type` may be a list.
    Listed,
    /// By `anyOf`.
    Unions,
    /// By `anyOf`, and `null` by `nullable`.
    Nullable,
}

/// What may stand in `enum`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Values {
    /// Anything but arrays and objects.
    Scalars,
    /// Strings and numbers.
    Numbers,
    Strings,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Defaults {
    Any,
    Numbers,
    None,
}

impl Dialect {
    /// The dialect's name: `Anthropic strict`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// What of its schemas the provider counts.
    pub(crate) fn budgets(&self) -> &'static [Budget] {
        self.budgets
    }

    pub(super) fn takes(&self, keyword: &str) -> bool {
        match self.keywords {
            Keywords::All { .. } => true,
            Keywords::Only(taken) => taken.contains(&keyword),
        }
    }

    pub(super) fn has(&self, quirk: Quirk) -> bool {
        matches!(self.keywords, Keywords::All { quirks } if quirks.contains(&quirk))
    }
}
