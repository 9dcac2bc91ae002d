//! The loop around the tools: send, settle, append, until the model is done.

use std::error::Error;

use serde_json::{Value, json};
use tool_gate::{Offer, Registry, Run, Select, Settled, wire};

use super::{
    provider::Recording,
    recording::{QUESTION, REPLIES},
    session::{Session, scopes_are_granted},
    tools::SUPPORT,
};

/// Why a conversation did not come to an end: the host's own mistakes and the provider's. A model's are answered.
pub type Failed = Box<dyn Error + Send + Sync>;

/// One conversation from the question to the answer.
#[derive(Debug)]
pub struct Conversation {
    /// What was sent to the provider and came back, as its API wants it.
    pub messages: Vec<Value>,
    /// Each reply, with every call in it answered.
    pub steps: Vec<Settled>,
}

/// The support agent's tools, for Anthropic.
///
/// # Errors
///
/// Where the tools' declarations contradict themselves.
pub fn offer() -> Result<Offer<Session>, Failed> {
    let registry = Registry::builder()
        .list(&SUPPORT)
        .expect_tools(["get_shipment", "issue_refund", "lookup_policy", "search_orders"])
        .policy(scopes_are_granted)
        .build()?;
    Ok(registry.offer(wire::Anthropic::default(), Select::All)?)
}

/// Plays the recorded conversation with Ada.
///
/// # Errors
///
/// See [`converse`].
pub async fn recorded() -> Result<Conversation, Failed> {
    converse(QUESTION, &mut Recording::new(&REPLIES), &offer()?, &Session::sign_in("ada")?).await
}

/// Answers one question.
///
/// # Errors
///
/// Where the provider refuses a request, its reply is not of its own shape, or the model stops before it answered.
pub async fn converse(
    question: &str,
    provider: &mut Recording,
    offer: &Offer<Session>,
    session: &Session,
) -> Result<Conversation, Failed> {
    let mut run = Run::default();
    let mut messages = vec![json!({"role": "user", "content": question})];
    let mut steps = Vec::new();
    loop {
        let request = json!({"model": "recorded", "max_tokens": 1024, "tools": offer.tools(), "messages": messages});
        let reply = provider.send(&request).await?;
        let settled = offer.settle(reply, session, &mut run).await?;
        messages.extend(settled.messages());
        let finished = settled.finished();
        steps.push(settled);
        if finished? {
            return Ok(Conversation { messages, steps });
        }
    }
}
