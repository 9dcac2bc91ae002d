//! A provider's reply with something planted in it.

use serde_json::{Value, json};

use super::Provider;

/// One step into a reply.
#[derive(Clone, Copy)]
enum Step {
    Key(&'static str),
    Each,
}

use Step::{Each, Key};

impl Provider {
    /// Where the calls of a reply stand, and the key of their ids.
    fn calls(self) -> (&'static [Step], &'static str) {
        match self {
            Self::Anthropic => (&[Key("content"), Each], "id"),
            Self::OpenAiChat | Self::Mistral => {
                (&[Key("choices"), Each, Key("message"), Key("tool_calls"), Each], "id")
            }
            Self::Cohere | Self::Ollama => (&[Key("message"), Key("tool_calls"), Each], "id"),
            Self::OpenAiResponses => (&[Key("output"), Each], "call_id"),
            Self::Gemini => (&[Key("candidates"), Each, Key("content"), Key("parts"), Each, Key("functionCall")], "id"),
            Self::Bedrock => (&[Key("output"), Key("message"), Key("content"), Each, Key("toolUse")], "toolUseId"),
            Self::Mcp | Self::Plain => (&[Each], "id"),
        }
    }

    /// The reply with one id for all of its calls.
    #[must_use]
    pub fn with_one_id(self, mut reply: Value) -> Value {
        let (path, key) = self.calls();
        let id = if self == Self::Mcp { json!(7) } else { json!("theSameId") };
        visit(&mut reply, path, &mut |call| {
            if call.get(key).is_some_and(|id| !id.is_null()) {
                call[key] = id.clone();
            }
        });
        reply
    }

    /// The reply as one that a limit on tokens cut; none where there is no such thing.
    pub fn cut(self, mut reply: Value) -> Option<Value> {
        let (path, key, word): (&[Step], &str, &str) = match self {
            Self::Anthropic => (&[], "stop_reason", "max_tokens"),
            Self::OpenAiChat | Self::Mistral => (&[Key("choices"), Each], "finish_reason", "length"),
            Self::Cohere => (&[], "finish_reason", "MAX_TOKENS"),
            Self::Ollama => (&[], "done_reason", "length"),
            Self::Gemini => (&[Key("candidates"), Each], "finishReason", "MAX_TOKENS"),
            Self::Bedrock => (&[], "stopReason", "max_tokens"),
            Self::OpenAiResponses => (&[], "status", "incomplete"),
            Self::Mcp | Self::Plain => return None,
        };
        visit(&mut reply, path, &mut |holder| holder[key] = word.into());
        if self == Self::OpenAiResponses {
            reply["incomplete_details"] = json!({"reason": "max_output_tokens"});
            if let Some(last) = reply["output"].as_array_mut().and_then(|items| items.last_mut()) {
                last["status"] = "incomplete".into();
            }
        }
        Some(reply)
    }
}

/// Shows each object at the end of the path.
fn visit(value: &mut Value, path: &[Step], change: &mut dyn FnMut(&mut Value)) {
    match path.split_first() {
        None if value.is_object() => change(value),
        None => {}
        Some((Key(key), rest)) => value.get_mut(key).into_iter().for_each(|inner| visit(inner, rest, change)),
        Some((Each, rest)) => {
            value.as_array_mut().into_iter().flatten().for_each(|inner| visit(inner, rest, change));
        }
    }
}
