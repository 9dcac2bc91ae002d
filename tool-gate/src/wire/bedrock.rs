//! AWS Bedrock's Converse API, whichever model stands behind it.
//!
//! Source: botocore 1.44, `data/bedrock-runtime/2023-09-30/service-2.json` (`ConverseResponse`, `ToolUseBlock`,
//! `ToolResultBlock`, `ToolConfiguration`, `StopReason`, `ConverseStreamOutput`), and what the models of four makers were
//! recorded to send. What is not in there and has an error of its own is said where it is kept to.

mod content;
mod stream;

use serde_json::{Map, Value, json};

#[cfg(feature = "testing")]
use super::Said;
use super::{
    Answered, Arguments, Assemble, Call, Choice, ChoiceError, Ending, Item, PublishedTool, Reading, ReplyError, Step,
    ToolChoice, Wire, blocks, is_word,
};
use crate::{lower::Dialects, offer::Tools, schema::JsonType, text};

/// AWS Bedrock's Converse API: `toolUse` blocks in the reply's `output.message.content`, answered by `toolResult` blocks in
/// one user message.
///
/// A reply is the response body. Its calls run only where `stopReason` is `tool_use`; in a turn that was cut, or that the
/// provider could not make out (`malformed_tool_use`), the last call is truncated and the ones before are judged as usual.
/// What Bedrock's own tools were asked (`server_tool_use`) is kept and not run.
///
/// An event of a stream has its name as the only key, as in the AWS SDKs: `{"contentBlockDelta": {…}}`. Bytes are base64, as
/// the HTTP body has them.
///
/// A request must have its `toolConfig` for as long as there are calls in the conversation. In it Bedrock has no words for
/// calling none of the tools, and none for at most one call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bedrock {}

#[diagnostic::do_not_recommend]
impl Wire for Bedrock {
    fn publish(&self, tools: &[PublishedTool<'_>]) -> Value {
        tools
            .iter()
            .map(|tool| {
                json!({
                    "toolSpec": {
                        "name": tool.name(),
                        "description": tool.description(),
                        "inputSchema": {"json": tool.input_schema()},
                    },
                })
            })
            .collect()
    }

    fn dialects(&self) -> Dialects {
        Dialects::bedrock()
    }

    fn request(&self, tools: &Tools, choice: &ToolChoice) -> Result<Map<String, Value>, ChoiceError> {
        choice.must_allow_parallel_calls()?;
        let chosen = match choice.choice() {
            Choice::Auto => json!({"auto": {}}),
            Choice::Required => json!({"any": {}}),
            Choice::Named(name) => json!({"tool": {"name": name}}),
            Choice::None => return Err(choice.unsupported()),
        };
        Ok(Map::from_iter([("toolConfig".to_owned(), json!({"tools": tools.to_value(), "toolChoice": chosen}))]))
    }

    fn argument_places(&self) -> &'static [&'static [Step]] {
        &[&[
            Step::Key("output"),
            Step::Key("message"),
            Step::Key("content"),
            Step::Each,
            Step::Key("toolUse"),
            Step::Key("input"),
        ]]
    }

    fn read(&self, reply: Item<'_>) -> Result<Reading, ReplyError> {
        let message = reply.get("output").and_then(|output| output.get("message"));
        let content = message.and_then(|message| message.get("content"));
        let content = content.filter(|content| content.json_type() == JsonType::Array).ok_or_else(|| {
            ReplyError::new(match reply.get("output") {
                None if reply.get("message").is_some() => "the reply is an error of the provider's, and no completion",
                _ => "a Bedrock reply has an array `output.message.content`",
            })
        })?;
        let ending = match reply.text("stopReason") {
            Some("tool_use") => Ending::ToolUse,
            Some("end_turn" | "stop_sequence") => Ending::Complete,
            Some("max_tokens" | "malformed_tool_use" | "malformed_model_output" | "model_context_window_exceeded") => {
                Ending::Cut
            }
            Some("guardrail_intervened" | "content_filtered") => Ending::Refused,
            Some(_) => Ending::Unknown,
            None => return Err(ReplyError::new("a Bedrock reply has a string `stopReason`")),
        };
        let calls = content.elements().filter_map(asked).map(call).collect();
        Ok(Reading::new(calls, ending, assistant(content)))
    }

    fn assemble(&self) -> Option<Box<dyn Assemble>> {
        Some(Box::new(stream::Streamed::default()))
    }

    fn write(&self, assistant: &Value, answers: &[Answered<'_>]) -> Vec<Value> {
        blocks::messages(assistant, answers, |block, answer| *block = replayed(answer), result)
    }

    fn takes_id(&self, id: &str) -> bool {
        text::is_plain(id, 64)
    }

    fn takes_name(&self, name: &str) -> bool {
        is_word(name, 64)
    }

    #[cfg(feature = "testing")]
    fn compose(&self, said: &Said) -> Option<Value> {
        let reason = match said.ending() {
            Ending::ToolUse => "tool_use",
            Ending::Complete => "end_turn",
            Ending::Cut => "max_tokens",
            Ending::Refused => "content_filtered",
            Ending::Unknown => "unknown",
            Ending::Paused => return None,
        };
        let text = said.text().map(|text| json!({"text": text}));
        let calls = said.calls().iter().map(|call| {
            let mut tool_use = json!({"toolUseId": call.id(), "name": call.name()});
            match call.arguments() {
                Arguments::Absent => {}
                Arguments::Text(text) => tool_use["input"] = (**text).into(),
                Arguments::Value(value) => tool_use["input"] = (**value).clone(),
            }
            json!({"toolUse": tool_use})
        });
        let content: Value = text.into_iter().chain(calls).collect();
        Some(json!({
            "output": {"message": {"role": "assistant", "content": content}},
            "stopReason": reason,
            "usage": {"inputTokens": 0, "outputTokens": 0, "totalTokens": 0},
            "metrics": {"latencyMs": 0},
        }))
    }
}

/// What a block asks for, where it is a call.
fn asked(block: Item<'_>) -> Option<Item<'_>> {
    block.get("toolUse").filter(|tool_use| tool_use.text("type") != Some(SERVER))
}

/// The type of what Bedrock's own tools are asked. Claude's calls were recorded with the type `tool_use`, which a request
/// does not know (`ToolUseType`).
const SERVER: &str = "server_tool_use";

fn call(tool_use: Item<'_>) -> Call {
    let arguments = tool_use.get("input").map_or(Arguments::Absent, Item::arguments);
    Call::new(tool_use.text("toolUseId").map(str::to_owned), tool_use.text("name").unwrap_or_default(), arguments)
}

/// The blocks as they came, and null in the place of each call. Blank texts stay behind: "The text field in the
/// `ContentBlock` object is blank".
fn assistant(content: Item<'_>) -> Value {
    let mut calls = Vec::new();
    let mut kept = Vec::new();
    for block in content.elements() {
        if asked(block).is_some() {
            calls.push(kept.len());
            kept.push(Value::Null);
        } else if block.text("text").is_none_or(|text| !text.trim().is_empty()) {
            kept.push(block.to_value());
        }
    }
    blocks::kept(kept, &calls, |block| block.get("reasoningContent").is_some())
}

/// The call with the keys that a request takes.
fn replayed(answer: &Answered<'_>) -> Value {
    json!({"toolUse": {"toolUseId": answer.id(), "name": answer.name(), "input": answer.arguments()}})
}

fn result(answer: &Answered<'_>) -> Value {
    let status = if answer.block().is_error() { "error" } else { "success" };
    json!({"toolResult": {"toolUseId": answer.id(), "status": status, "content": content::of(answer)}})
}
