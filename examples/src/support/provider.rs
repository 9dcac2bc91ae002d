//! A provider that plays a recording, and is as strict as the real one about what it is sent.

use std::{collections::HashSet, error::Error, fmt, future, slice};

use serde_json::Value;

use super::recording::Recorded;

/// Plays recorded replies one after another, whatever it is asked.
///
/// It stands in place of a host's HTTP client. Like the API, it refuses a conversation in which a call is not answered,
/// so a gate that forgot one would end the story here.
#[derive(Debug)]
pub struct Recording {
    replies: slice::Iter<'static, Recorded>,
}

impl Recording {
    /// A recording of these replies.
    pub fn new(replies: &'static [Recorded]) -> Self {
        Self { replies: replies.iter() }
    }

    /// Sends one request and returns the response body.
    ///
    /// # Errors
    ///
    /// [`BadRequest`] where the API would answer 400, and at the end of the recording.
    pub async fn send(&mut self, request: &Value) -> Result<&'static str, BadRequest> {
        check_pairing(request["messages"].as_array().map_or(&[], Vec::as_slice))?;
        let reply = self.replies.next().ok_or_else(|| BadRequest::new("the recording is over"))?;
        // Where a real one waits for the network.
        future::ready(Ok(reply.body)).await
    }
}

/// Checks that every call is answered once, in the message after it, before anything else is said.
///
/// # Errors
///
/// [`BadRequest`] with the message that breaks the rule.
pub fn check_pairing(messages: &[Value]) -> Result<(), BadRequest> {
    let mut seen = HashSet::new();
    for (place, message) in messages.iter().enumerate() {
        let calls = ids(message, "tool_use", "id");
        if let Some(id) = calls.iter().find(|id| !seen.insert(**id)) {
            return Err(BadRequest::new(format!("messages.{place}: `tool_use` ids must be unique: {id}")));
        }
        let answers = messages.get(place + 1).map_or(Vec::new(), |next| ids(next, "tool_result", "tool_use_id"));
        if answers != calls {
            return Err(BadRequest::new(format!("messages.{place}: the calls {calls:?} are answered by {answers:?}")));
        }
        if let Some(block) = blocks(message).iter().find(|block| !is_sound(block)) {
            return Err(BadRequest::new(format!("messages.{place}: malformed block {block}")));
        }
    }
    Ok(())
}

fn blocks(message: &Value) -> &[Value] {
    message["content"].as_array().map_or(&[], Vec::as_slice)
}

/// The ids in the blocks of this kind. Results count only while nothing stands before them.
fn ids<'m>(message: &'m Value, kind: &str, key: &str) -> Vec<&'m str> {
    let of_kind = |block: &&Value| block["type"] == kind;
    let id = |block: &'m Value| block[key].as_str().unwrap_or_default();
    match kind {
        "tool_result" => blocks(message).iter().take_while(of_kind).map(id).collect(),
        _ => blocks(message).iter().filter(of_kind).map(id).collect(),
    }
}

fn is_sound(block: &Value) -> bool {
    match block["type"].as_str() {
        Some("tool_use") => block["input"].is_object(),
        Some("tool_result") => block["content"].as_str().is_some_and(|content| !content.is_empty()),
        _ => true,
    }
}

/// The request is refused, as the API refuses it with status 400.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRequest(String);

impl BadRequest {
    fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

impl fmt::Display for BadRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for BadRequest {}
