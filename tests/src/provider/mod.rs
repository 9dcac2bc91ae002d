//! The providers as they look from outside: what their servers send, and what they take back.
//!
//! Nothing here asks the wires. The rules are the providers' own, so that a wire that breaks one is found out.

mod check;
mod reply;
mod sample;
mod stream;
mod written;

use std::sync::Arc;

use tool_gate::wire::{self, Wire};

pub use check::{faults, takes_tool};
pub use reply::{Asked, Ending};
pub use written::{Answer, Call, Written};

/// A provider, or a family of servers that speak alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Provider {
    /// Anthropic's Messages API.
    Anthropic,
    /// OpenAI's Chat Completions API, and what speaks it.
    OpenAiChat,
    /// OpenAI's Responses API.
    OpenAiResponses,
    /// Google's `generateContent`.
    Gemini,
    /// Amazon Bedrock's Converse.
    Bedrock,
    /// Mistral's chat completions.
    Mistral,
    /// Cohere's second chat API.
    Cohere,
    /// Ollama's own chat API.
    Ollama,
    /// A client of the Model Context Protocol.
    Mcp,
    /// A model that is asked for a bare proposal.
    Plain,
}

impl Provider {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Anthropic,
        Self::OpenAiChat,
        Self::OpenAiResponses,
        Self::Gemini,
        Self::Bedrock,
        Self::Mistral,
        Self::Cohere,
        Self::Ollama,
        Self::Mcp,
        Self::Plain,
    ];

    /// The wire that speaks to it.
    pub fn wire(self) -> Arc<dyn Wire> {
        match self {
            Self::Anthropic => Arc::new(wire::Anthropic::default()),
            Self::OpenAiChat => Arc::new(wire::OpenAiChat::default()),
            Self::OpenAiResponses => Arc::new(wire::OpenAiResponses::default()),
            Self::Gemini => Arc::new(wire::Gemini::default()),
            Self::Bedrock => Arc::new(wire::Bedrock::default()),
            Self::Mistral => Arc::new(wire::Mistral::default()),
            Self::Cohere => Arc::new(wire::Cohere::default()),
            Self::Ollama => Arc::new(wire::Ollama::default()),
            Self::Mcp => Arc::new(wire::Mcp::default()),
            Self::Plain => Arc::new(wire::Plain::default()),
        }
    }

    /// The wires of all of them, by name, with those that publish in a dialect of their own.
    pub fn wires() -> Vec<(&'static str, Self, Arc<dyn Wire>)> {
        let own = Self::ALL.map(|provider| (provider.name(), provider, provider.wire()));
        let others: [(&str, Self, Arc<dyn Wire>); 2] = [
            ("deepseek", Self::OpenAiChat, Arc::new(wire::OpenAiChat::deepseek())),
            ("gemini_openapi", Self::Gemini, Arc::new(wire::Gemini::openapi())),
        ];
        own.into_iter().chain(others).collect()
    }

    /// Its name, which is that of its folder of samples.
    pub fn name(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic",
            Self::OpenAiChat => "openai_chat",
            Self::OpenAiResponses => "openai_responses",
            Self::Gemini => "gemini",
            Self::Bedrock => "bedrock",
            Self::Mistral => "mistral",
            Self::Cohere => "cohere",
            Self::Ollama => "ollama",
            Self::Mcp => "mcp",
            Self::Plain => "plain",
        }
    }

    /// The folders of samples that are read as its replies.
    pub fn folders(self) -> &'static [&'static str] {
        match self {
            Self::Anthropic => &["anthropic"],
            Self::OpenAiChat => &["openai_chat", "openai_compatible", "deepseek"],
            Self::OpenAiResponses => &["openai_responses"],
            Self::Gemini => &["gemini"],
            Self::Bedrock => &["bedrock"],
            Self::Mistral => &["mistral"],
            Self::Cohere => &["cohere"],
            Self::Ollama => &["ollama"],
            Self::Mcp => &["mcp"],
            Self::Plain => &[],
        }
    }
}
