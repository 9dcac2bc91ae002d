//! What is published in the dialects of providers, and how arguments come back from it.

#![allow(
    clippy::needless_pass_by_value,
    clippy::boxed_local,
    clippy::option_option,
    clippy::linkedlist,
    reason = "kinds of parameters"
)]
#![allow(dead_code, reason = "the rows of another test, of which not everything is looked at here")]

mod calls;
mod checker;
#[path = "../types/kinds.rs"]
mod kinds;
mod offering;
mod offers;
mod page;
mod raising;
mod real;
#[path = "../types/rows.rs"]
mod rows;
mod schemas;
mod sending;
mod types;

use tool_gate::lower::Dialect;

/// All dialects, each with its row in the table of what providers take.
pub(crate) fn dialects() -> Vec<(&'static str, Dialect)> {
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
