//! What each provider takes of JSON Schema, in one mode, and where that is said.
//!
//! A keyword that a source does not name, or names with a question mark, is taken for one that is refused: leaving it out
//! costs a constraint, which the gate keeps anyway, and sending it may cost the request.

use super::{
    budgets::Budget,
    dialect::{
        Anything, Defaults, Dialect, Keywords, Maps, Optionals, Quirk, Recursion, References, Root, Tuples, Types,
        Values, WithoutArguments,
    },
};

const PLAIN_ROOT: Root = Root {
    is_plain: true,
    lists_properties: false,
    names_draft: true,
    is_described: true,
    without_arguments: WithoutArguments::Schema,
};

const OPENAI_FORMATS: &[&str] = &["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];

impl Dialect {
    /// All of JSON Schema 2020-12, whatever its root: for a wire that writes the schema into a prompt.
    pub fn plain() -> Self {
        Self {
            name: "Plain",
            keywords: Keywords::All { quirks: &[] },
            root: Root { is_plain: false, ..PLAIN_ROOT },
            formats: None,
            takes_pattern: |_| true,
            takes_key: |_| true,
            optionals: Optionals::Absent,
            needs_a_required: false,
            closes: true,
            maps: Maps::Kept,
            empty_objects: true,
            tuples: Tuples::Kept,
            anything: Anything::Kept,
            references: References::Alone,
            definitions: "$defs",
            recursion: Recursion::Kept,
            types: Types::Listed,
            describes_unions: true,
            values: Values::Scalars,
            capitals_drift: false,
            most_min_items: u64::MAX,
            defaults: Defaults::Any,
            budgets: &[],
        }
    }

    /// `inputSchema` of MCP: any keyword of 2020-12 under a root of `type: "object"`.
    ///
    /// Source: `modelcontextprotocol/modelcontextprotocol`, `schema/2026-07-28/schema.ts`, `Tool`.
    pub fn mcp() -> Self {
        Self { name: "MCP", ..Self::plain() }
    }

    /// Anthropic without `strict`: 2020-12, not enforced. Refused are a root of another type, `anyOf`, `oneOf` or `allOf` at
    /// the root, and the words of earlier drafts.
    ///
    /// Source: `anthropics/anthropic-sdk-python`, `src/anthropic/types/tool_param.py`; the texts of its 400s, recorded:
    /// "`input_schema.type`: Field required", "does not support oneOf, allOf, or anyOf at the top level", "It must match JSON
    /// Schema draft 2020-12"; reported, of the keys at the root, strict or not: "`input_schema.properties`: Property keys should
    /// match pattern `^[a-zA-Z0-9_.-]{1,64}$`".
    pub fn anthropic() -> Self {
        Self {
            name: "Anthropic",
            keywords: Keywords::All { quirks: &[Quirk::NewDraft] },
            root: PLAIN_ROOT,
            takes_key: is_anthropic_key,
            ..Self::plain()
        }
    }

    /// Anthropic with `strict: true`.
    ///
    /// Source: <https://platform.claude.com/docs/en/build-with-claude/structured-outputs>, "JSON Schema limitations", and
    /// `anthropics/anthropic-sdk-python`, `src/anthropic/lib/_parse/_transform.py`: closed objects, references alone, no
    /// recursion, `minItems` of 0 or 1, no bounds, ten formats, patterns without look-around, back-references and `\b`, and
    /// capitals in `enum` that are not promised. Recorded: "Circular reference detected in schema definitions", "Empty schema ({})
    /// that accepts any JSON value is not supported", "For 'anyOf', 'type' is not supported".
    pub fn anthropic_strict() -> Self {
        Self {
            name: "Anthropic strict",
            keywords: Keywords::Only(&[
                "type",
                "properties",
                "required",
                "additionalProperties",
                "items",
                "enum",
                "const",
                "anyOf",
                "$ref",
                "format",
                "pattern",
                "minItems",
                "default",
                "title",
                "description",
            ]),
            root: Root { names_draft: false, lists_properties: true, ..PLAIN_ROOT },
            formats: Some(&[
                "date-time",
                "time",
                "date",
                "duration",
                "email",
                "hostname",
                "uri",
                "ipv4",
                "ipv6",
                "uuid",
            ]),
            takes_pattern: is_simple_pattern,
            takes_key: is_anthropic_key,
            optionals: Optionals::AbsentNotNull,
            maps: Maps::Pairs,
            tuples: Tuples::Objects,
            anything: Anything::Text,
            recursion: Recursion::Refused,
            capitals_drift: true,
            most_min_items: 1,
            budgets: Budget::ANTHROPIC_STRICT,
            ..Self::plain()
        }
    }

    /// OpenAI's Chat Completions and Responses without `strict`: not enforced. Refused are a root of another type or without
    /// `properties`, `anyOf`, `oneOf`, `allOf`, `enum`, `const` or `not` at the root, the words of earlier drafts, arrays without
    /// `items`, and, by Responses, a required name that is not declared.
    ///
    /// Source: `openai/openai-openapi`, `openapi.yaml`, `FunctionParameters`; the texts of its 400s, reported: "schema must have
    /// type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level", "array schema missing items",
    /// "[{'type': 'number'}] is not of type 'object', 'boolean'", and, of the root alone, "In context=(), object schema missing
    /// properties" (`containers/kubernetes-mcp-server`, issue 340; that the objects inside may lack them:
    /// `caozhiyuan/copilot-api`, pull request 131).
    pub fn openai() -> Self {
        Self {
            name: "OpenAI",
            keywords: Keywords::All { quirks: &[Quirk::NewDraft, Quirk::Items, Quirk::Declared] },
            root: Root { lists_properties: true, ..PLAIN_ROOT },
            ..Self::plain()
        }
    }

    /// OpenAI's Chat Completions and Responses with `strict: true`.
    ///
    /// Source: <https://platform.openai.com/docs/guides/structured-outputs>, "Supported schemas"; `openai/openai-python`,
    /// `src/openai/lib/_pydantic.py`, and `openai/openai-agents-python`, `src/agents/strict_schema.py`: every property required,
    /// objects closed, references alone, recursion taken, bounds taken. Reported as refused: `minLength`, `maxLength`,
    /// `uniqueItems`, `default`, `oneOf`, `allOf`, `not`, the format `uri`.
    pub fn openai_strict() -> Self {
        Self {
            name: "OpenAI strict",
            keywords: Keywords::Only(&[
                "type",
                "properties",
                "required",
                "additionalProperties",
                "items",
                "enum",
                "const",
                "anyOf",
                "$ref",
                "format",
                "pattern",
                "minimum",
                "maximum",
                "exclusiveMinimum",
                "exclusiveMaximum",
                "multipleOf",
                "minItems",
                "maxItems",
                "title",
                "description",
            ]),
            root: Root { names_draft: false, lists_properties: true, ..PLAIN_ROOT },
            formats: Some(OPENAI_FORMATS),
            optionals: Optionals::Null,
            maps: Maps::Pairs,
            tuples: Tuples::Objects,
            anything: Anything::Text,
            defaults: Defaults::None,
            budgets: Budget::OPENAI_STRICT,
            ..Self::plain()
        }
    }

    /// DeepSeek's strict mode, a beta: all functions or none.
    ///
    /// Source: <https://api-docs.deepseek.com/guides/function_calling>, "strict mode": every property required, objects closed,
    /// `$ref` into `$def`, recursion, bounds of numbers, five formats, and neither lengths nor counts of items. Lists of types
    /// are not named there, so `null` goes by `anyOf`.
    pub fn deepseek_strict() -> Self {
        Self {
            name: "DeepSeek strict",
            keywords: Keywords::Only(&[
                "type",
                "properties",
                "required",
                "additionalProperties",
                "items",
                "enum",
                "anyOf",
                "$ref",
                "format",
                "pattern",
                "minimum",
                "maximum",
                "exclusiveMinimum",
                "exclusiveMaximum",
                "multipleOf",
                "default",
                "description",
            ]),
            definitions: "$def",
            formats: Some(&["email", "hostname", "ipv4", "ipv6", "uuid"]),
            types: Types::Unions,
            values: Values::Strings,
            defaults: Defaults::Numbers,
            budgets: &[],
            ..Self::openai_strict()
        }
    }

    /// Gemini's `parametersJsonSchema`.
    ///
    /// Source: `googleapis/python-genai`, `google/genai/types.py`, at `response_json_schema`, whose keywords are documented:
    /// the docstring of `parameters_json_schema` names none. Recursion is unrolled there to a depth that is not said.
    pub fn gemini() -> Self {
        Self {
            name: "Gemini",
            keywords: Keywords::Only(&[
                "type",
                "properties",
                "required",
                "additionalProperties",
                "items",
                "prefixItems",
                "enum",
                "anyOf",
                "$ref",
                "format",
                "minimum",
                "maximum",
                "minItems",
                "maxItems",
                "title",
                "description",
            ]),
            root: Root { names_draft: false, lists_properties: true, ..PLAIN_ROOT },
            takes_key: is_word,
            anything: Anything::Text,
            recursion: Recursion::Text,
            values: Values::Numbers,
            defaults: Defaults::None,
            ..Self::plain()
        }
    }

    /// Gemini's `parameters`: `Schema` of the Developer API, a part of OpenAPI 3.0.
    ///
    /// Source: `googleapis/python-genai`, `google/genai/types.py`, `Schema`, and `google/genai/_transformers.py`,
    /// `process_schema`. Reported as refused: `$ref`, `const`, `additionalProperties` ("Cannot find field"), lists of types
    /// ("Proto field is not repeating"), "properties: should be non-empty for OBJECT type", "enum: only allowed for STRING type",
    /// "only 'enum' and 'date-time' are supported for STRING type", and anything beside `anyOf`.
    pub fn gemini_openapi() -> Self {
        Self {
            name: "Gemini OpenAPI",
            keywords: Keywords::Only(&[
                "type",
                "properties",
                "required",
                "items",
                "enum",
                "anyOf",
                "nullable",
                "format",
                "pattern",
                "minimum",
                "maximum",
                "minLength",
                "maxLength",
                "minItems",
                "maxItems",
                "default",
                "title",
                "description",
            ]),
            root: Root { without_arguments: WithoutArguments::None, ..Self::gemini().root },
            formats: Some(&["date-time"]),
            closes: false,
            maps: Maps::Pairs,
            empty_objects: false,
            tuples: Tuples::Objects,
            references: References::Inlined,
            types: Types::Nullable,
            describes_unions: false,
            values: Values::Strings,
            defaults: Defaults::Any,
            ..Self::gemini()
        }
    }

    /// Bedrock's `inputSchema.json`: the subset is that of the model behind, of which Anthropic's is the one that is known.
    ///
    /// Source: `boto/botocore`, `botocore/data/bedrock-runtime/2023-09-30/service-2.json`, `ToolInputSchema`.
    pub fn bedrock() -> Self {
        Self { name: "Bedrock", ..Self::anthropic() }
    }

    /// Mistral without `strict`: any schema, not enforced. `parameters` must be there.
    ///
    /// Source: `mistralai/platform-docs-public`, its `openapi.yaml`, `Function`; `mistralai/mistral-common`,
    /// `src/mistral_common/protocol/instruct/validator.py`, which asks for a schema of draft 7, whatever `$schema` says: words of
    /// 2020-12 are none to it, and taken.
    pub fn mistral() -> Self {
        Self {
            name: "Mistral",
            keywords: Keywords::All { quirks: &[Quirk::NewDraft, Quirk::Declared] },
            root: Root { lists_properties: true, names_draft: false, ..PLAIN_ROOT },
            ..Self::plain()
        }
    }

    /// Mistral with `strict: true`, whose subset is not documented: that of `OpenAI`, whose flag it is.
    ///
    /// Source: `mistralai/platform-docs-public`, its `openapi.yaml`, `Function.strict`.
    pub fn mistral_strict() -> Self {
        Self { name: "Mistral strict", ..Self::openai_strict() }
    }

    /// Cohere v2 without `strict_tools`: not enforced.
    ///
    /// Source: `cohere-ai/cohere-developer-experience`, its OpenAPI file, `ToolV2`, and `errors.mdx`: "schema must be an object",
    /// "required field name not found in properties".
    pub fn cohere() -> Self {
        Self {
            name: "Cohere",
            keywords: Keywords::All { quirks: &[Quirk::NewDraft, Quirk::Declared] },
            root: Root { lists_properties: true, ..PLAIN_ROOT },
            ..Self::plain()
        }
    }

    /// Cohere v2 with `strict_tools: true`, which is said once for all tools of a request.
    ///
    /// Source: `cohere-ai/cohere-developer-experience`, `structured-outputs.mdx`: 200 fields over all tools, one required
    /// property at least in every object, patterns without anchors, four formats, no bounds, no `oneOf`, `allOf` or `not`.
    pub fn cohere_strict() -> Self {
        Self {
            name: "Cohere strict",
            keywords: Keywords::Only(&[
                "type",
                "properties",
                "required",
                "additionalProperties",
                "items",
                "enum",
                "const",
                "anyOf",
                "$ref",
                "format",
                "pattern",
                "description",
            ]),
            root: Root {
                names_draft: false,
                lists_properties: true,
                without_arguments: WithoutArguments::Refused,
                ..PLAIN_ROOT
            },
            formats: Some(&["date-time", "uuid", "date", "time"]),
            takes_pattern: |pattern| !["^", "$", "?=", "?!"].iter().any(|mark| pattern.contains(mark)),
            needs_a_required: true,
            maps: Maps::Pairs,
            empty_objects: false,
            tuples: Tuples::Objects,
            anything: Anything::Text,
            recursion: Recursion::Text,
            types: Types::Unions,
            values: Values::Strings,
            defaults: Defaults::None,
            budgets: Budget::COHERE_STRICT,
            ..Self::plain()
        }
    }

    /// Ollama: what its structs do not hold is lost before the prompt is written, without a word.
    ///
    /// Source: `ollama/ollama`, `api/types.go`, `ToolFunctionParameters` and `ToolProperty`.
    pub fn ollama() -> Self {
        Self {
            name: "Ollama",
            keywords: Keywords::Only(&["type", "properties", "required", "items", "enum", "anyOf", "description"]),
            root: Root { names_draft: false, lists_properties: true, is_described: false, ..PLAIN_ROOT },
            closes: false,
            maps: Maps::Pairs,
            tuples: Tuples::Objects,
            references: References::Inlined,
            recursion: Recursion::Text,
            defaults: Defaults::None,
            ..Self::plain()
        }
    }
}

/// Anthropic compiles patterns into a grammar: no look-around, no back-references, no `\b`, and of counted repetitions it is
/// not said which are too complex.
fn is_simple_pattern(pattern: &str) -> bool {
    !["(?", "{", "\\b", "\\B", "\\p", "\\P"].iter().any(|mark| pattern.contains(mark))
}

fn is_key(key: &str, takes: fn(u8) -> bool) -> bool {
    (1..=64).contains(&key.len()) && key.bytes().all(takes)
}

fn is_anthropic_key(key: &str) -> bool {
    is_key(key, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-'))
}

/// Of Gemini's properties: "Must start with a letter or an underscore … with a maximum length of 64".
fn is_word(key: &str) -> bool {
    is_key(key, |byte| byte.is_ascii_alphanumeric() || byte == b'_') && !key.starts_with(|c: char| c.is_ascii_digit())
}
