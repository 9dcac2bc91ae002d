//! The loop around the tools: send, settle, append, until the model is done or stopped.

use std::error::Error;

use serde_json::{Value, json};
use tool_gate::{Offer, Registry, Run, Select, Settled, Snapshot, Stop, wire::ToolChoice};

use super::{
    provider::{Provider, Recording},
    recording::STORY,
    session::{Session, scopes_are_granted},
    tools::SUPPORT,
};

/// Why a conversation was broken off: the host's own mistakes and the provider's. A model's are answered.
pub type Failed = Box<dyn Error + Send + Sync>;

/// One conversation from the question to the answer, or to where it was stopped.
#[derive(Debug)]
pub struct Conversation {
    /// What was sent to the provider and came back, as its API wants it.
    pub messages: Vec<Value>,
    /// Each reply, with every call in it answered.
    pub steps: Vec<Settled>,
    /// Why there is no answer: the bound that the model reached before it gave one.
    pub stop: Option<Stop>,
}

/// All conversations of the story.
#[derive(Debug)]
pub struct Story {
    /// One for each of [`STORY`], in its order.
    pub conversations: Vec<Conversation>,
    /// What was counted in them.
    pub counted: Snapshot,
}

/// The support agent's tools, for one provider.
///
/// # Errors
///
/// Where the tools' declarations contradict themselves.
pub fn offer(provider: Provider) -> Result<Offer<Session>, Failed> {
    let registry = Registry::builder()
        .list(&SUPPORT)
        .expect_tools(["get_shipment", "issue_refund", "lookup_policy", "search_orders"])
        .policy(scopes_are_granted)
        .build()?;
    Ok(registry.offer(provider.wire(), Select::All)?)
}

/// Plays the recorded story as one provider.
///
/// A carrier in it never answers. Poll this inside a tokio runtime with timers, or nobody gives that carrier up.
///
/// # Errors
///
/// See [`converse`].
pub async fn recorded(provider: Provider) -> Result<Story, Failed> {
    let offer = offer(provider)?;
    let mut conversations = Vec::new();
    for script in &STORY {
        let session = Session::sign_in(script.customer)?;
        let mut recording = Recording::new(provider, script.replies);
        conversations.push(converse(script.question, &mut recording, &offer, &session).await?);
    }
    Ok(Story { conversations, counted: offer.counters().snapshot() })
}

/// Answers one question. A model that is stopped first is no error: what was said until then is the record of it.
///
/// # Errors
///
/// Where the provider refuses a request, or its reply is not of its own shape.
pub async fn converse(
    question: &str,
    provider: &mut Recording,
    offer: &Offer<Session>,
    session: &Session,
) -> Result<Conversation, Failed> {
    let mut run = Run::default();
    let mut messages = vec![provider.provider().question(question)];
    let mut steps = Vec::new();
    loop {
        // What a request says of its tools, under the provider's own keys. A client would add its model and its limits.
        let mut request = offer.request(&ToolChoice::auto())?;
        request.insert("messages".to_owned(), json!(messages));
        let reply = provider.send(&request.into()).await?;
        let settled = offer.settle(&reply, session, &mut run).await?;
        messages.extend(settled.messages());
        let finished = settled.finished();
        steps.push(settled);
        let stop = match finished {
            Ok(false) => continue,
            Ok(true) => None,
            Err(stop) => Some(stop),
        };
        return Ok(Conversation { messages, steps, stop });
    }
}
