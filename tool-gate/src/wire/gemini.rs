//! Google's Gemini API, `generateContent`, on the Gemini API and on Vertex AI.
//!
//! Sources: the `google-genai` Python SDK 3.6 (`types.py`: `FunctionDeclaration`, `FunctionCall`, `FunctionResponse`,
//! `FinishReason`, `BlockedReason`, `PartialArg`), the guide "Function calling", and what Gemini 2.0 to 3 were recorded to
//! send.

mod partial;
mod result;
mod stream;

use serde_json::{Map, Value, json};

#[cfg(feature = "testing")]
use super::Said;
use super::{
    Answered, Arguments, Assemble, Call, Choice, ChoiceError, Ending, Item, PublishedTool, Reading, ReplyError, Step,
    ToolChoice, Wire, answered::placed, blocks,
};
use crate::{lower::Dialects, offer::Tools, schema::JsonType};

/// Google's `generateContent`: `functionCall` parts of the first candidate, answered by `functionResponse` parts of one user
/// content.
///
/// A reply is the response body. Its `finishReason` is `STOP` beside calls as without them. `args` may be absent; so may
/// `id`, and then call and result pair by name and position, and none is sent. Each part goes back as it came, with the
/// signature of the thought beside it.
///
/// The tools are one entry with all declarations, as JSON Schema. A result is an object: what a tool answered under
/// `output`, and anything else under `error`. An answer with an integer that a double does not hold exactly goes as text,
/// since the provider reads numbers as doubles.
///
/// The provider cannot be kept to one call in a reply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gemini {
    openapi: bool,
}

impl Gemini {
    /// Tools are published by `parameters`, in the subset of OpenAPI's schemas that older models and gateways know, and not by
    /// `parametersJsonSchema`.
    pub fn openapi() -> Self {
        Self { openapi: true }
    }
}

/// Where a call's arguments stand, in a reply and in each event of a stream.
const ARGUMENTS: &[&[Step]] = &[&[
    Step::Key("candidates"),
    Step::Each,
    Step::Key("content"),
    Step::Key("parts"),
    Step::Each,
    Step::Key("functionCall"),
    Step::Key("args"),
]];

#[diagnostic::do_not_recommend]
impl Wire for Gemini {
    fn publish(&self, tools: &[PublishedTool<'_>]) -> Value {
        let declarations: Vec<Value> = tools.iter().map(|tool| self.declaration(tool)).collect();
        if declarations.is_empty() { json!([]) } else { json!([{"functionDeclarations": declarations}]) }
    }

    fn dialects(&self) -> Dialects {
        if self.openapi { Dialects::gemini_openapi() } else { Dialects::gemini() }
    }

    fn request(&self, tools: &Tools, choice: &ToolChoice) -> Result<Map<String, Value>, ChoiceError> {
        // Of no call there are no two.
        if choice.choice() != &Choice::None {
            choice.must_allow_parallel_calls()?;
        }
        let config = match choice.choice() {
            Choice::Auto => json!({"mode": "AUTO"}),
            Choice::Required => json!({"mode": "ANY"}),
            Choice::Named(name) => json!({"mode": "ANY", "allowedFunctionNames": [name]}),
            Choice::None => json!({"mode": "NONE"}),
        };
        let config = json!({"functionCallingConfig": config});
        Ok(Map::from_iter([("tools".to_owned(), tools.to_value()), ("toolConfig".to_owned(), config)]))
    }

    fn argument_places(&self) -> &'static [&'static [Step]] {
        ARGUMENTS
    }

    fn read(&self, reply: Item<'_>) -> Result<Reading, ReplyError> {
        let reading =
            |calls, ending, assistant| Reading::new(calls, ending, assistant).of_reply(reply.text("responseId"));
        let Some(candidate) = candidate(reply) else {
            return match blocked(reply) {
                true => Ok(reading(Vec::new(), Ending::Refused, json!({"parts": [], "calls": []}))),
                false if reply.get("error").is_some() => {
                    Err(ReplyError::new("the reply is an error of the provider's, and no content"))
                }
                false => Err(ReplyError::new("a Gemini reply has an array `candidates`, not empty")),
            };
        };
        let calls: Vec<Call> = parts(candidate).filter_map(function_call).map(call).collect();
        let reason = candidate.get("finishReason").filter(|reason| reason.json_type() != JsonType::Null);
        let ending = match reason.map(|reason| reason.as_str().unwrap_or_default()) {
            Some("STOP") if calls.is_empty() => Ending::Complete,
            Some("STOP") => Ending::ToolUse,
            // Of a malformed call nothing is there, and without a reason the model has not stopped.
            Some("MAX_TOKENS" | "CONTINUATION" | "MALFORMED_FUNCTION_CALL" | "FINISH_REASON_UNSPECIFIED") | None => {
                Ending::Cut
            }
            Some(
                "SAFETY"
                | "RECITATION"
                | "LANGUAGE"
                | "BLOCKLIST"
                | "PROHIBITED_CONTENT"
                | "SPII"
                | "IMAGE_SAFETY"
                | "IMAGE_PROHIBITED_CONTENT"
                | "IMAGE_RECITATION"
                | "MODEL_ARMOR"
                | "ESCALATION",
            ) => Ending::Refused,
            Some(_) => Ending::Unknown,
        };
        Ok(reading(calls, ending, assistant(candidate)))
    }

    fn assemble(&self) -> Option<Box<dyn Assemble>> {
        Some(Box::new(stream::Streamed::default()))
    }

    fn write(&self, assistant: &Value, answers: &[Answered<'_>]) -> Vec<Value> {
        let mut parts = assistant["parts"].as_array().cloned().unwrap_or_default();
        for (place, answer) in placed(assistant, answers) {
            let call = parts.get_mut(place).and_then(|part| part.get_mut("functionCall"));
            if let Some(call) = call.and_then(Value::as_object_mut) {
                match answer.id() {
                    Some(id) => _ = call.insert("id".into(), id.into()),
                    None => _ = call.remove("id"),
                }
                call.insert("name".into(), answer.name().into());
                if call.contains_key("args") {
                    call.insert("args".into(), answer.arguments_to_keep());
                }
            }
        }
        let mut contents = Vec::with_capacity(2);
        if !parts.is_empty() {
            contents.push(blocks::message("model", "parts", parts));
        }
        if !answers.is_empty() {
            contents.push(blocks::message("user", "parts", answers.iter().map(result::part).collect()));
        }
        contents
    }

    fn takes_id(&self, id: &str) -> bool {
        !id.is_empty() && id.len() <= 256 && id.bytes().all(|byte| byte.is_ascii_graphic())
    }

    fn takes_name(&self, name: &str) -> bool {
        name.len() <= 64
            && name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b':' | b'-'))
    }

    fn needs_ids(&self) -> bool {
        false
    }

    #[cfg(feature = "testing")]
    fn compose(&self, said: &Said) -> Option<Value> {
        let reason = match said.ending() {
            Ending::ToolUse | Ending::Complete => "STOP",
            Ending::Cut => "MAX_TOKENS",
            Ending::Refused => "SAFETY",
            Ending::Unknown => "OTHER",
            Ending::Paused => return None,
        };
        let text = said.text().map(|text| json!({"text": text}));
        let calls = said.calls().iter().map(|call| {
            let mut function = json!({"id": call.id(), "name": call.name()});
            match call.arguments() {
                Arguments::Absent => {}
                Arguments::Text(text) => function["args"] = (**text).into(),
                Arguments::Value(value) => function["args"] = (**value).clone(),
            }
            json!({"functionCall": function})
        });
        let parts: Value = text.into_iter().chain(calls).collect();
        Some(json!({
            "candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": reason, "index": 0}],
            "usageMetadata": {"promptTokenCount": 0, "candidatesTokenCount": 0, "totalTokenCount": 0},
            "modelVersion": "scripted",
            "responseId": format!("response_{}", said.number()),
        }))
    }
}

impl Gemini {
    fn declaration(self, tool: &PublishedTool<'_>) -> Value {
        let mut declaration = json!({"name": tool.name(), "description": tool.description()});
        if !declares_nothing(tool.input_schema()) {
            let key = if self.openapi { "parameters" } else { "parametersJsonSchema" };
            declaration[key] = tool.input_schema().clone();
        }
        declaration
    }
}

/// Whether a schema names no parameter and asks for none. An object without properties is refused as parameters.
fn declares_nothing(schema: &Value) -> bool {
    let says_nothing = |(key, value): (&String, &Value)| match key.as_str() {
        "$schema" | "type" | "title" | "description" => true,
        "properties" | "required" => {
            value.as_object().is_some_and(Map::is_empty) || value.as_array().is_some_and(Vec::is_empty)
        }
        "additionalProperties" | "unevaluatedProperties" => value.is_boolean(),
        _ => false,
    };
    schema.as_object().is_some_and(|schema| schema.iter().all(says_nothing))
}

/// The candidate that is answered: that of index 0, which is also what a missing one means.
fn candidate(reply: Item<'_>) -> Option<Item<'_>> {
    let is_first = |candidate: &Item<'_>| {
        let index = candidate.get("index").and_then(|index| index.to_value().as_u64());
        candidate.json_type() == JsonType::Object && index.is_none_or(|index| index == 0)
    };
    reply.get("candidates")?.elements().find(is_first)
}

/// Whether the prompt was blocked, so that there is no candidate.
fn blocked(reply: Item<'_>) -> bool {
    reply.get("promptFeedback").is_some_and(|feedback| feedback.text("blockReason").is_some())
}

fn parts(candidate: Item<'_>) -> impl Iterator<Item = Item<'_>> {
    candidate.get("content").and_then(|content| content.get("parts")).into_iter().flat_map(Item::elements)
}

fn function_call(part: Item<'_>) -> Option<Item<'_>> {
    part.get("functionCall").filter(|call| call.json_type() == JsonType::Object)
}

fn call(function: Item<'_>) -> Call {
    let arguments = function.get("args").map_or(Arguments::Absent, Item::arguments);
    Call::new(function.text("id").map(str::to_owned), function.text("name").unwrap_or_default(), arguments)
}

/// The parts as they came, thoughts and the provider's own tools included, and which of them are calls. Those that hold
/// nothing stay behind: a stream ends with one, and a request may not have it.
fn assistant(candidate: Item<'_>) -> Value {
    let mut calls = Vec::new();
    let mut kept = Vec::new();
    for part in parts(candidate) {
        let is_call = function_call(part).is_some();
        let mut holds = part.members().filter(|(key, member)| !(*key == "text" && member.as_str() == Some("")));
        if holds.next().is_none() {
            continue;
        }
        let mut part = part.to_value();
        if is_call {
            calls.push(kept.len());
            // The arguments are written when it is known what they are, where some were sent.
            part["functionCall"].get_mut("args").into_iter().for_each(|args| *args = Value::Null);
        }
        kept.push(part);
    }
    json!({"parts": kept, "calls": calls})
}
