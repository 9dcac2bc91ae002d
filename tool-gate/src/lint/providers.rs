//! What the providers take, in one place: numbers and keywords, each with where it is from.
//!
//! *Documented* is on the provider's own pages: for Anthropic
//! <https://platform.claude.com/docs/en/build-with-claude/structured-outputs>, for `OpenAI`
//! <https://platform.openai.com/docs/guides/structured-outputs>, under "Supported schemas". *Recorded* and *reported* is an
//! error text of its API, in recorded traffic or where others have published it. All of it changes without notice, so what a
//! finding says of a provider is a reason to look, and no rule of this library.

/// Whose API it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Provider {
    Anthropic,
    OpenAi,
    Gemini,
}

impl Provider {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Anthropic => "Anthropic",
            Self::OpenAi => "OpenAI",
            Self::Gemini => "Gemini",
        }
    }
}

use Provider::{Anthropic, Gemini, OpenAi};

use super::Code;

const BOTH: &[Provider] = &[Anthropic, OpenAi];

/// Something that has no place in strict modes.
#[derive(Debug)]
pub(super) struct Refusal {
    /// In words that follow the place.
    pub what: &'static str,
    pub by: &'static [Provider],
    pub mend: &'static str,
}

const fn refusal(what: &'static str, by: &'static [Provider], mend: &'static str) -> Refusal {
    Refusal { what, by, mend }
}

/// Documented by both: every object has `additionalProperties: false`.
pub(super) const OPEN_KEYS: Refusal =
    refusal("takes keys that are not listed", BOTH, "take a list of objects with a key and a value");

/// Reported of both: Anthropic "Empty schema ({}) that accepts any JSON value is not supported", OpenAI "schema must have a
/// 'type' key".
pub(super) const ANY_VALUE: Refusal = refusal("takes any value", BOTH, "name its type, or take the JSON as a string");

/// Recorded of Anthropic: "Circular reference detected in schema definitions". OpenAI documents recursion as supported.
pub(super) const RECURSION: Refusal = refusal(
    "may hold itself",
    &[Anthropic],
    "nest to a fixed depth, or take a list of objects that name their parents",
);

/// Keywords that cannot be left out of what is sent without sending something else. What only bounds a value is not among
/// them.
///
/// OpenAI documents `allOf`, `not`, `if`, `then`, `else`, `dependentRequired` and `dependentSchemas` as not supported, and
/// `oneOf`, `patternProperties` and `uniqueItems` are reported as "not permitted". Of Anthropic all that are listed for it are
/// reported as "not supported"; `allOf` it documents as limited: see
/// [`PLAIN_ALL_OF`].
pub(super) const KEYWORDS: &[(&str, Refusal)] = &[
    (
        "oneOf",
        refusal("has `oneOf`", BOTH, "send it as `anyOf`, which is the same where the branches exclude one another"),
    ),
    ("allOf", refusal("has `allOf`", BOTH, "say in one schema what its parts say together")),
    ("not", refusal("has `not`", BOTH, "say what is taken, and refuse the rest in the tool")),
    ("if", refusal("has `if`", BOTH, "make a union of the cases, or refuse in the tool what does not go together")),
    ("dependentRequired", refusal("has `dependentRequired`", BOTH, "refuse in the tool what does not go together")),
    ("dependentSchemas", refusal("has `dependentSchemas`", &[OpenAi], "refuse in the tool what does not go together")),
    ("prefixItems", refusal("has `prefixItems`", &[Anthropic], "take an object, whose keys have names")),
    ("contains", refusal("has `contains`", &[Anthropic], "refuse in the tool what lacks it")),
    ("uniqueItems", refusal("has `uniqueItems`", BOTH, "take a list, and leave out in the tool what is there twice")),
];

/// An `allOf` that neither refers to anything nor speaks of objects: Anthropic is reported to take it.
pub(super) const PLAIN_ALL_OF: Refusal =
    refusal("has an `allOf` of plain values", &[OpenAi], "say in one schema what its parts say together");

/// The keyword that closes an object of several parts. Anthropic is reported to refuse it, and both want
/// `additionalProperties: false` in its place, which would close each part against the others.
pub(super) const PARTS: Refusal = refusal("is an object of several parts", BOTH, "list all properties in one object");

/// How many of something a provider takes.
#[derive(Debug)]
pub(super) struct Budget {
    pub by: Provider,
    /// What is counted.
    pub of: &'static str,
    pub most: usize,
    /// The place of a finding about it, where it is counted over a request.
    pub place: &'static str,
    pub code: Code,
}

/// The places of what is counted over a request.
pub(super) const REQUEST: &[&str] =
    &[OPENAI_TOOLS.place, GEMINI_TOOLS.place, STRICT_TOOLS.place, STRICT_OPTIONALS.place, STRICT_UNIONS.place];

const fn tools(by: Provider, place: &'static str, most: usize) -> Budget {
    Budget { by, of: "tools", most, place, code: Code::Budget }
}

const fn strict(place: &'static str, of: &'static str, most: usize) -> Budget {
    Budget { by: Anthropic, of, most, place, code: Code::StrictBudget }
}

const fn in_a_schema(of: &'static str, most: usize) -> Budget {
    Budget { by: OpenAi, of, most, place: "", code: Code::StrictBudget }
}

/// Reported: "Invalid 'tools': array too long. Expected an array with maximum length 128".
pub(super) const OPENAI_TOOLS: Budget = tools(OpenAi, "openai.tools", 128);

/// Reported: "At most 512 function declarations can be specified."
pub(super) const GEMINI_TOOLS: Budget = tools(Gemini, "gemini.tools", 512);

/// Documented, and recorded: "Too many strict tools … The maximum number of strict tools supported is 20."
pub(super) const STRICT_TOOLS: Budget = strict("anthropic.strict_tools", "strict tools", 20);

/// Documented, and recorded: "Schemas contains too many optional parameters … (limit: 24)", over all strict schemas.
pub(super) const STRICT_OPTIONALS: Budget =
    strict("anthropic.strict_optionals", "optional properties of strict tools", 24);

/// Documented, and recorded: "Schemas contains too many parameters with union types … (limit: 16 parameters with unions)", type
/// arrays and `anyOf` over all strict schemas.
pub(super) const STRICT_UNIONS: Budget = strict("anthropic.strict_unions", "unions of strict tools", 16);

/// Documented under "Supported schemas", for one schema: "up to 5000 object properties total".
pub(super) const PROPERTIES: Budget = in_a_schema("properties in a strict schema", 5_000);

/// Documented there: "up to 10 levels of nesting".
pub(super) const LEVELS: Budget = in_a_schema("levels of objects in a strict schema", 10);

/// Documented there: "up to 1000 enum values across all enum properties".
pub(super) const ENUM_VALUES: Budget = in_a_schema("values of `enum` in a strict schema", 1_000);

/// Documented there: all property names, definition names, enum values and const values.
pub(super) const CHARACTERS: Budget = in_a_schema("characters of names and values in a strict schema", 120_000);

/// Documented there, for one `enum` of strings with more than [`LONG_ENUM`] values.
pub(super) const ENUM_CHARACTERS: Budget = in_a_schema("characters in one `enum` of more than 250 strings", 15_000);

/// See [`ENUM_CHARACTERS`].
pub(super) const LONG_ENUM: usize = 250;

/// Reported of Anthropic: "Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'".
pub(super) fn is_key_for_anthropic(key: &str) -> bool {
    (1..=64).contains(&key.len())
        && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-'))
}

/// Keywords that must not stand beside the arguments. Reported of Anthropic: "does not support oneOf, allOf, or anyOf at
/// the top level"; of OpenAI: "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top
/// level".
pub(super) const NOT_AT_ROOT: &[(&str, &[Provider])] =
    &[("anyOf", BOTH), ("oneOf", BOTH), ("allOf", BOTH), ("enum", &[OpenAi]), ("not", &[OpenAi])];

/// Reported of OpenAI: "array schema missing items".
pub(super) const WITHOUT_ITEMS: &[Provider] = &[OpenAi];

/// Reported of Anthropic: "JSON schema is invalid. It must match JSON Schema draft 2020-12".
pub(super) const OLD_DRAFTS: &[Provider] = &[Anthropic];
