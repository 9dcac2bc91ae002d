//! Providers that play a recording, and are as strict as the real ones about what they are sent.
//!
//! A further one is a file beside these three, a variant of [`Provider`], and its line in `ALL` and `api`.

mod anthropic;
mod bedrock;
mod openai;

use std::{collections::HashSet, error::Error, fmt, future, slice, str::FromStr, sync::Arc};

use serde_json::{Value, json};
use tool_gate::wire::Wire;

use super::recording::Said;

/// Whose API the support agent speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Provider {
    /// Anthropic's Messages API.
    #[default]
    Anthropic,
    /// `OpenAI`'s Chat Completions API.
    OpenAi,
    /// AWS Bedrock's Converse API.
    Bedrock,
}

impl Provider {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Anthropic, Self::OpenAi, Self::Bedrock];

    /// The provider's name on the command line.
    pub fn as_str(self) -> &'static str {
        self.api().name()
    }

    /// The wire that speaks to it.
    pub fn wire(self) -> Arc<dyn Wire> {
        self.api().wire()
    }

    /// The message in which a customer asks something.
    pub fn question(self, text: &str) -> Value {
        self.api().question(text)
    }

    /// Checks that every call is answered once, right after the message that made it, before anything else is said.
    ///
    /// # Errors
    ///
    /// [`BadRequest`] with the message that breaks the rule.
    pub fn check(self, messages: &[Value]) -> Result<(), BadRequest> {
        let api = self.api();
        let mut seen = HashSet::new();
        for (place, message) in messages.iter().enumerate() {
            let refuse = |why: String| Err(BadRequest(format!("messages.{place}: {why}")));
            let calls = api.calls(message);
            if let Some(id) = calls.iter().find(|id| !seen.insert(**id)) {
                return refuse(format!("the ids of calls must be unique: {id}"));
            }
            let answers = api.answers(message, &messages[place + 1..]);
            if answers != calls {
                return refuse(format!("the calls {calls:?} are answered by {answers:?}"));
            }
            if !api.is_sound(message) {
                return refuse(format!("malformed: {message}"));
            }
        }
        Ok(())
    }

    fn api(self) -> &'static dyn Api {
        match self {
            Self::Anthropic => &anthropic::Messages,
            Self::OpenAi => &openai::ChatCompletions,
            Self::Bedrock => &bedrock::Converse,
        }
    }
}

impl fmt::Display for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Provider {
    type Err = UnknownProvider;

    fn from_str(name: &str) -> Result<Self, UnknownProvider> {
        let named = Self::ALL.into_iter().find(|provider| provider.as_str() == name);
        named.ok_or_else(|| UnknownProvider(name.to_owned()))
    }
}

/// There is no provider of this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownProvider(String);

impl fmt::Display for UnknownProvider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = Provider::ALL.map(Provider::as_str);
        let (last, others) = known.split_last().unwrap_or((&"", &[]));
        write!(f, "there is no provider {:?}: say {} or {last}", self.0, others.join(", "))
    }
}

impl Error for UnknownProvider {}

/// One provider's shapes, as its server writes and reads them.
trait Api {
    /// The provider's name on the command line.
    fn name(&self) -> &'static str;

    /// The wire that speaks to it.
    fn wire(&self) -> Arc<dyn Wire>;

    /// The message in which a customer asks something.
    fn question(&self, text: &str) -> Value {
        json!({"role": "user", "content": text})
    }

    /// Where a request tells of its tools.
    fn tools<'r>(&self, request: &'r Value) -> &'r Value {
        &request["tools"]
    }

    /// The response body of the reply of this number.
    fn reply(&self, number: usize, said: &Said) -> Value;

    /// The ids of the calls in a message.
    fn calls<'m>(&self, message: &'m Value) -> Vec<&'m str>;

    /// The ids of the calls that are answered right after a message, before anything else is said.
    fn answers<'m>(&self, message: &Value, after: &'m [Value]) -> Vec<&'m str>;

    /// Whether the calls and results in a message are such as a request may hold.
    fn is_sound(&self, message: &Value) -> bool;
}

/// Plays recorded replies one after another, whatever it is asked.
///
/// It stands in place of a host's HTTP client. Like the API, it refuses a conversation in which a call is not answered,
/// so a gate that forgot one would end the story here.
#[derive(Debug)]
pub struct Recording {
    provider: Provider,
    sent: usize,
    replies: slice::Iter<'static, Said>,
}

impl Recording {
    /// A recording of these replies, played as this provider.
    pub fn new(provider: Provider, replies: &'static [Said]) -> Self {
        Self { provider, sent: 0, replies: replies.iter() }
    }

    /// Who plays it.
    pub fn provider(&self) -> Provider {
        self.provider
    }

    /// Sends one request and returns the response body.
    ///
    /// # Errors
    ///
    /// [`BadRequest`] where the API would answer 400, and at the end of the recording.
    pub async fn send(&mut self, request: &Value) -> Result<String, BadRequest> {
        if self.provider.api().tools(request).as_array().is_none_or(Vec::is_empty) {
            return Err(BadRequest("calls are made, and no tools are told of".to_owned()));
        }
        self.provider.check(request["messages"].as_array().map_or(&[], Vec::as_slice))?;
        let said = self.replies.next().ok_or_else(|| BadRequest("the recording is over".to_owned()))?;
        self.sent += 1;
        // Where a real one waits for the network.
        future::ready(Ok(self.provider.api().reply(self.sent, said).to_string())).await
    }
}

/// The request is refused, as the API refuses it with status 400.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRequest(String);

impl fmt::Display for BadRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for BadRequest {}
