//! Schemas in the dialects of providers: which there are, and when arguments came back from one as they were.

use serde_json::{Map, Value};
use tool_gate::lower::Dialect;

/// All dialects, each with its row in the table of what providers take.
pub fn dialects() -> Vec<(&'static str, Dialect)> {
    vec![
        ("anthropic", Dialect::anthropic()),
        ("anthropic_strict", Dialect::anthropic_strict()),
        ("openai", Dialect::openai()),
        ("openai_strict", Dialect::openai_strict()),
        ("deepseek_strict", Dialect::deepseek_strict()),
        ("gemini", Dialect::gemini()),
        ("gemini_openapi", Dialect::gemini_openapi()),
        ("bedrock", Dialect::bedrock()),
        ("mistral", Dialect::mistral()),
        ("mistral_strict", Dialect::mistral_strict()),
        ("cohere", Dialect::cohere()),
        ("cohere_strict", Dialect::cohere_strict()),
        ("ollama", Dialect::ollama()),
        ("mcp", Dialect::mcp()),
        ("plain", Dialect::plain()),
    ]
}

/// Whether two values are the same, a member that is null being as good as none.
pub fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            let held = |members: &Map<String, Value>, other: &Map<String, Value>| {
                members.iter().all(|(key, value)| match other.get(key) {
                    Some(theirs) => same(value, theirs),
                    None => value.is_null(),
                })
            };
            held(one, other) && held(other, one)
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Number(one), Value::Number(other)) => one == other || one.as_f64() == other.as_f64(),
        _ => one == other,
    }
}
