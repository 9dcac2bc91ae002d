//! Every provider's replies, read and written back: what each wire finds, and what it sends.
//!
//! `cases/wire` holds a folder of samples for each provider; the modules are named like the wires.

#![allow(clippy::unwrap_used, reason = "a test fails where it is wrong")]

mod anthropic;
mod bedrock;
mod cohere;
mod compatible;
mod deepseek;
mod family;
mod gemini;
mod mcp;
mod mistral;
mod ollama;
mod openai_chat;
mod openai_responses;
mod plain;
mod replaced;
mod requests;
mod streams;
mod support;
