//! What kinds of findings there are.

use std::fmt;

/// What kind of trouble was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Code {
    /// Tools whose names are easily taken for one another: alike but for case, underscores or a plural, or a slip apart.
    NearNames,
    /// Keys of one object that are alike but for case and underscores.
    AlikeKeys,
    /// A tool's name of more than 48 characters, or a key of more than 40: models shorten and misspell them.
    LongName,
    /// An argument, or a property inside one, of which nothing says what it means.
    MissingDescription,
    /// One description for two: two tools, two properties of one object, or a tool and its argument.
    CopiedDescription,
    /// A description of more than 1,024 characters, which some deployments refuse.
    LongDescription,
    /// An `enum` or `const` that leaves nothing to choose. Tags of unions are none.
    EnumOfOne,
    /// An `enum` of more than 100 values.
    LargeEnum,
    /// Values that are listed in the description, and in no `enum`.
    ListedValues,
    /// A string, or an array: models send the array inside the string.
    StringOrArray,
    /// A schema of more than 16 KiB, which is sent with every request.
    LargeSchema,
    /// A schema for which a provider takes nothing, strict mode or not: an offer with the tool cannot be made for it.
    Refused,
    /// A schema that a provider's strict mode has no words for, or only in another shape.
    NotStrict,
    /// Four fifths of the tools that a provider takes in one request, or more.
    Budget,
    /// Four fifths of what a provider's strict mode takes in one request or in one schema, or more.
    StrictBudget,
    /// An [allowance](crate::lint::Findings::allow) that took nothing off.
    UnusedAllowance,
}

impl Code {
    /// Its name, as findings show it: `near_names`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NearNames => "near_names",
            Self::AlikeKeys => "alike_keys",
            Self::LongName => "long_name",
            Self::MissingDescription => "missing_description",
            Self::CopiedDescription => "copied_description",
            Self::LongDescription => "long_description",
            Self::EnumOfOne => "enum_of_one",
            Self::LargeEnum => "large_enum",
            Self::ListedValues => "listed_values",
            Self::StringOrArray => "string_or_array",
            Self::LargeSchema => "large_schema",
            Self::Refused => "refused",
            Self::NotStrict => "not_strict",
            Self::Budget => "budget",
            Self::StrictBudget => "strict_budget",
            Self::UnusedAllowance => "unused_allowance",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
