//! What a provider's server sends.

use serde_json::{Value, json};

use super::Provider;

/// One call, as a model asks for it.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Null where none is sent.
    pub id: Value,
    /// A string, if all is well.
    pub name: Value,
    /// Null where none are sent; a string is text that was to be JSON.
    pub arguments: Value,
    /// Whether such a text stands where an object is due as it is written, broken or not, and not as a string.
    pub as_written: bool,
}

impl Asked {
    /// A call as it should be.
    pub fn new(id: &str, name: &str, arguments: Value) -> Self {
        Self { id: id.into(), name: name.into(), arguments, as_written: false }
    }

    /// A call whose arguments are such a text.
    pub fn as_written(id: &str, name: &str, text: &str) -> Self {
        Self { as_written: true, ..Self::new(id, name, text.into()) }
    }

    /// The arguments as the text that most of the chat family has.
    fn text(&self) -> Value {
        match &self.arguments {
            Value::Null | Value::String(_) => self.arguments.clone(),
            value => value.to_string().into(),
        }
    }
}

/// How a reply ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The model waits for results.
    ToolUse,
    /// The model is done.
    Complete,
    /// A limit on tokens cut it.
    Cut,
    /// Safety or policy stopped it.
    Refused,
    /// The provider goes on when it is sent back.
    Paused,
    /// For a reason that is not known here.
    Unknown,
}

impl Ending {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::ToolUse, Self::Complete, Self::Cut, Self::Refused, Self::Paused, Self::Unknown];
}

/// The members that are there: null is what was not sent.
fn sent(mut object: Value) -> Value {
    if let Value::Object(members) = &mut object {
        members.retain(|_, member| !member.is_null());
    }
    object
}

impl Provider {
    /// The text of [`reply`](Self::reply).
    pub fn body(self, calls: &[Asked], ending: Ending) -> Option<String> {
        let has_text = matches!(self, Self::OpenAiChat | Self::OpenAiResponses | Self::Mistral | Self::Cohere);
        let mark = |place: usize| Value::from(format!("<the arguments of {place}>"));
        let mut marked = calls.to_vec();
        let written = |call: &Asked| call.as_written && !has_text && call.arguments.is_string();
        for (place, call) in marked.iter_mut().enumerate().filter(|(_, call)| written(call)) {
            call.arguments = mark(place);
        }
        let mut body = self.reply(&marked, ending)?.to_string();
        for (place, call) in calls.iter().enumerate().filter(|(_, call)| written(call)) {
            body = body.replacen(&mark(place).to_string(), call.arguments.as_str()?, 1);
        }
        Some(body)
    }

    /// The response body in which its server makes these calls; none where it has no such ending.
    pub fn reply(self, calls: &[Asked], ending: Ending) -> Option<Value> {
        let reason = self.reason(ending, calls.is_empty())?;
        let each = |make: &dyn Fn(&Asked) -> Value| calls.iter().map(make).collect::<Vec<Value>>();
        Some(match self {
            Self::Anthropic => {
                let mut content = each(&|call| {
                    sent(json!({"type": "tool_use", "id": call.id, "name": call.name, "input": call.arguments}))
                });
                content.insert(0, json!({"type": "text", "text": "I call."}));
                json!({"id": "msg_1", "type": "message", "role": "assistant", "content": content, "stop_reason": reason})
            }
            Self::OpenAiChat | Self::Mistral => {
                let message = json!({"role": "assistant", "content": null, "tool_calls": each(&chat_call)});
                json!({"id": "1", "choices": [{"index": 0, "message": message, "finish_reason": reason}]})
            }
            Self::Cohere => {
                let message = json!({"role": "assistant", "tool_plan": "I call.", "tool_calls": each(&chat_call)});
                json!({"id": "1", "message": message, "finish_reason": reason})
            }
            Self::Ollama => {
                let made = each(&|call| {
                    let function = sent(json!({"name": call.name, "arguments": call.arguments}));
                    sent(json!({"id": call.id, "function": function}))
                });
                let message = json!({"role": "assistant", "content": "", "tool_calls": made});
                json!({"model": "small", "message": message, "done": true, "done_reason": reason})
            }
            Self::OpenAiResponses => responses(
                &reason,
                &each(&|call| {
                    let (id, text) = (&call.id, call.text());
                    sent(json!({"type": "function_call", "call_id": id, "name": call.name, "arguments": text}))
                }),
            ),
            Self::Gemini => {
                let parts = each(&|call| {
                    let asked = sent(json!({"id": call.id, "name": call.name, "args": call.arguments}));
                    json!({"functionCall": asked, "thoughtSignature": "c2ln"})
                });
                json!({"candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": reason}]})
            }
            Self::Bedrock => {
                let mut content = each(&|call| {
                    let asked = json!({"toolUseId": call.id, "name": call.name, "input": call.arguments});
                    json!({"toolUse": sent(asked)})
                });
                content.insert(0, json!({"text": "I call."}));
                json!({"output": {"message": {"role": "assistant", "content": content}}, "stopReason": reason})
            }
            Self::Mcp => each(&|call| {
                let params = sent(json!({"name": call.name, "arguments": call.arguments}));
                json!({"jsonrpc": "2.0", "id": call.id, "method": "tools/call", "params": params})
            })
            .into(),
            Self::Plain => each(&|call| {
                let mut proposal = json!({"name": call.name, "arguments": call.arguments});
                if !call.id.is_null() {
                    proposal["id"] = call.id.clone();
                }
                proposal
            })
            .into(),
        })
    }

    /// What it calls such an ending. Beside calls some providers have no word for a model that is done.
    fn reason(self, ending: Ending, without_calls: bool) -> Option<Value> {
        let done = |word| without_calls.then_some(word);
        let words: [Option<&str>; 6] = match self {
            Self::Anthropic => ["tool_use", "end_turn", "max_tokens", "refusal", "pause_turn", "tomorrow"].map(Some),
            Self::OpenAiChat => {
                [Some("tool_calls"), done("stop"), Some("length"), Some("content_filter"), None, Some("tomorrow")]
            }
            Self::OpenAiResponses => [
                Some("completed"),
                done("completed"),
                Some("max_output_tokens"),
                Some("content_filter"),
                None,
                Some("tomorrow"),
            ],
            Self::Gemini => [Some("STOP"), done("STOP"), Some("MAX_TOKENS"), Some("SAFETY"), None, Some("TOMORROW")],
            Self::Bedrock => [
                Some("tool_use"),
                Some("end_turn"),
                Some("max_tokens"),
                Some("guardrail_intervened"),
                None,
                Some("tomorrow"),
            ],
            Self::Mistral => [Some("tool_calls"), done("stop"), Some("length"), None, None, Some("error")],
            Self::Cohere => [Some("TOOL_CALL"), Some("COMPLETE"), Some("MAX_TOKENS"), None, None, Some("TOMORROW")],
            Self::Ollama => [Some("stop"), done("stop"), Some("length"), None, None, Some("tomorrow")],
            Self::Mcp | Self::Plain => [Some(""), None, None, None, None, None],
        };
        let place = Ending::ALL.iter().position(|known| *known == ending)?;
        words[place].map(Value::from)
    }
}

fn chat_call(call: &Asked) -> Value {
    let function = sent(json!({"name": call.name, "arguments": call.text()}));
    sent(json!({"id": call.id, "type": "function", "function": function}))
}

fn responses(reason: &Value, calls: &[Value]) -> Value {
    let reasoning = json!({"id": "rs_1", "type": "reasoning", "summary": []});
    let output: Vec<&Value> = std::iter::once(&reasoning).chain(calls).collect();
    if reason == "completed" {
        json!({"id": "resp_1", "object": "response", "status": reason, "output": output})
    } else {
        let why = json!({"reason": reason});
        json!({"id": "resp_1", "object": "response", "status": "incomplete", "incomplete_details": why, "output": output})
    }
}
