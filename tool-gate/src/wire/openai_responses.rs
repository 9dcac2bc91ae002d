//! OpenAI's Responses API.
//!
//! Sources: the `openai` Python SDK 3.57 (`types/responses/response.py`, `response_output_item.py`,
//! `response_input_item_param.py`, `response_function_tool_call.py`, `tool_choice_function_param.py`, and the
//! `response_*_event.py`), OpenAI's OpenAPI description (`FunctionCallItemParam`, `FunctionCallOutputItemParam`), the guide
//! "File inputs", and what OpenAI, xAI and `DeepSeek` were recorded to send.

mod items;
mod stream;

use std::collections::HashSet;

use serde_json::{Map, Value, json};

#[cfg(feature = "testing")]
use super::Said;
use super::{
    Answered, Arguments, Assemble, Call, Choice, ChoiceError, Ending, Item, PublishedTool, Reading, ReplyError, Step,
    ToolChoice, Wire,
    answered::placed,
    is_word,
    media::{self, media},
};
use crate::{content::Content, lower::Dialects, offer::Tools, schema::JsonType};

/// OpenAI's Responses API: `function_call` items in the reply's `output`, answered by one `function_call_output` item each.
///
/// A reply is the response body; the messages are items for the next request's `input`. Call and output pair by `call_id`.
/// Each item has a status of its own, which says whether it was cut; where the last call has none, it is the one that was
/// when `max_output_tokens` ended the reply. No status says that calls are to be run: a completed reply that has some asks
/// for it.
///
/// Calls that no offer can hold are [passed over](Reading::passing_over): those of custom tools, of functions in a
/// namespace, of the computer, of a shell and of patches, and requests for an approval. A function that the provider's
/// search for tools found has its own name for a namespace, and is called as any other. A call whose output the reply
/// holds as well was the provider's to make.
///
/// Functions are published with `strict: false`, which is not what leaving it out means there. The provider has no error
/// flag: the sentence says what happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpenAiResponses {}

#[diagnostic::do_not_recommend]
impl Wire for OpenAiResponses {
    fn publish(&self, tools: &[PublishedTool<'_>]) -> Value {
        tools
            .iter()
            .map(|tool| {
                json!({
                    "type": "function",
                    "name": tool.name(),
                    "description": tool.description(),
                    "parameters": tool.input_schema(),
                    "strict": tool.is_strict(),
                })
            })
            .collect()
    }

    fn dialects(&self) -> Dialects {
        Dialects::openai()
    }

    fn request(&self, tools: &Tools, choice: &ToolChoice) -> Result<Map<String, Value>, ChoiceError> {
        let chosen = match choice.choice() {
            Choice::Auto => json!("auto"),
            Choice::Required => json!("required"),
            Choice::Named(name) => json!({"type": "function", "name": name}),
            Choice::None => json!("none"),
        };
        let mut request = Map::from_iter([("tools".to_owned(), tools.to_value()), ("tool_choice".to_owned(), chosen)]);
        // Of no call there are no two.
        if !choice.allows_parallel_calls() && choice.choice() != &Choice::None {
            request.insert("parallel_tool_calls".into(), false.into());
        }
        Ok(request)
    }

    fn argument_places(&self) -> &'static [&'static [Step]] {
        &[&[Step::Key("output"), Step::Each, Step::Key("arguments")]]
    }

    fn read(&self, reply: Item<'_>) -> Result<Reading, ReplyError> {
        let status = status(reply)?;
        let output = reply.get("output").filter(|output| output.json_type() == JsonType::Array);
        if output.is_none() && status != Status::Failed {
            return Err(ReplyError::new(match reply.get("error") {
                Some(_) => "the reply is an error of the provider's, and no response",
                None => "a Responses reply has an array `output`",
            }));
        }
        let output: Vec<Item<'_>> = output.into_iter().flat_map(Item::elements).collect();
        let answered: HashSet<&str> = output.iter().copied().filter_map(items::answers).collect();
        let asks = |item: Item<'_>| !item.text("call_id").is_some_and(|id| answered.contains(id));
        let is_call = |item: Item<'_>| items::is_function(item) && asks(item);

        let calls: Vec<Call> = output.iter().copied().filter(|item| is_call(*item)).map(call).collect();
        let hosts = output.iter().copied().filter(|item| items::is_the_hosts(*item) && asks(*item));
        let passed_over: Vec<Value> = hosts.map(Item::to_value).collect();
        let ending = match status {
            _ if output.iter().copied().any(items::refuses) => Ending::Refused,
            Status::Ended if calls.is_empty() && passed_over.is_empty() => Ending::Complete,
            Status::Ended => Ending::ToolUse,
            Status::Incomplete(ending) => ending,
            Status::Failed => Ending::Refused,
        };
        // The rule of the last call is for where its item does not say.
        let last = output.iter().rev().copied().find(|item| is_call(*item));
        let marks_cuts = last.is_some_and(|item| items::status(item).is_some());
        let assistant = items::assistant(&output, is_call);
        let reading = Reading::new(calls, ending, assistant).passing_over(passed_over).of_reply(reply.text("id"));
        Ok(if marks_cuts { reading.marking_cuts() } else { reading })
    }

    fn assemble(&self) -> Option<Box<dyn Assemble>> {
        Some(Box::new(stream::Streamed::default()))
    }

    fn write(&self, assistant: &Value, answers: &[Answered<'_>]) -> Vec<Value> {
        let mut items = assistant["output"].as_array().cloned().unwrap_or_default();
        let mut results = Vec::with_capacity(answers.len());
        for (place, answer) in placed(assistant, answers) {
            let mut result = json!({
                "type": "function_call_output",
                "call_id": answer.id(),
                "output": media::content(answer.block(), "input_text", shown),
            });
            if let Some(call) = items.get_mut(place).and_then(Value::as_object_mut) {
                call.insert("call_id".into(), answer.id().into());
                call.insert("name".into(), answer.name().into());
                call.insert("arguments".into(), answer.arguments_text().into());
                if let Some(caller) = call.get("caller") {
                    result["caller"] = caller.clone();
                }
            }
            results.push(result);
        }
        items.extend(results);
        items
    }

    fn takes_id(&self, id: &str) -> bool {
        // Opaque, but for its length: other servers of this API have ids of their own.
        !id.is_empty() && id.len() <= 64 && id.bytes().all(|byte| byte.is_ascii_graphic())
    }

    fn takes_name(&self, name: &str) -> bool {
        is_word(name, 64)
    }

    #[cfg(feature = "testing")]
    fn compose(&self, said: &Said) -> Option<Value> {
        let (status, reason) = match said.ending() {
            Ending::ToolUse | Ending::Complete => ("completed", None),
            Ending::Cut => ("incomplete", Some("max_output_tokens")),
            Ending::Refused => ("incomplete", Some("content_filter")),
            Ending::Unknown => ("incomplete", Some("unknown")),
            Ending::Paused => return None,
        };
        let number = said.number();
        let text = said.text().map(|text| {
            let content = json!([{"type": "output_text", "text": text, "annotations": []}]);
            json!({
                "id": format!("msg_{number}"),
                "type": "message",
                "role": "assistant",
                "status": "completed",
                "content": content,
            })
        });
        let last = said.calls().len().checked_sub(1).filter(|_| said.ending() == Ending::Cut);
        let calls = said.calls().iter().enumerate().map(|(place, call)| {
            json!({
                "id": format!("fc_{number}_{place}"),
                "type": "function_call",
                "call_id": call.id(),
                "name": call.name(),
                "arguments": call.arguments().text(),
                "status": if last == Some(place) { "incomplete" } else { "completed" },
            })
        });
        let output: Value = text.into_iter().chain(calls).collect();
        Some(json!({
            "id": format!("resp_{number}"),
            "object": "response",
            "created_at": 0,
            "model": "scripted",
            "status": status,
            "error": null,
            "incomplete_details": reason.map(|reason| json!({"reason": reason})),
            "output": output,
            "usage": {"input_tokens": 0, "output_tokens": 0, "total_tokens": 0},
        }))
    }
}

/// What the reply as a whole says of itself.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Status {
    /// The model is done with it.
    Ended,
    /// It stopped before, and this is how that ends.
    Incomplete(Ending),
    /// The provider broke it off for what it says or would do.
    Failed,
}

/// The errors that speak of what was asked or said, and not of the service (`types/responses/response_error.py`).
const POLICIES: [&str; 3] = ["bio_policy", "misalignment_policy_violation", "image_content_policy_violation"];

fn status(reply: Item<'_>) -> Result<Status, ReplyError> {
    let status = reply.get("status").filter(|status| status.json_type() != JsonType::Null);
    let error = reply.get("error").filter(|error| error.json_type() != JsonType::Null);
    let failed = |what| Err(ReplyError::new(what));
    match status.map(|status| status.as_str().unwrap_or_default()) {
        Some("failed") => match error.and_then(|error| error.text("code")) {
            Some(code) if POLICIES.contains(&code) => Ok(Status::Failed),
            _ => failed("the reply is a response that failed"),
        },
        Some("cancelled") => failed("the reply is a response that was cancelled"),
        Some("queued" | "in_progress") => failed("the reply is a response that is not finished yet"),
        None if error.is_some() => failed("the reply is an error of the provider's, and no response"),
        Some("completed") | None => Ok(Status::Ended),
        Some("incomplete") => {
            let reason = reply.get("incomplete_details").and_then(|details| details.text("reason"));
            Ok(Status::Incomplete(match reason {
                Some("max_output_tokens") => Ending::Cut,
                Some("content_filter") => Ending::Refused,
                _ => Ending::Unknown,
            }))
        }
        Some(_) => Ok(Status::Incomplete(Ending::Unknown)),
    }
}

fn call(item: Item<'_>) -> Call {
    let arguments = item.get("arguments").map_or(Arguments::Absent, Item::arguments);
    let id = item.text("call_id").map(str::to_owned);
    let mut call = Call::new(id, item.text("name").unwrap_or_default(), arguments);
    if matches!(items::status(item), Some("incomplete" | "in_progress")) {
        call.mark_cut();
    }
    call
}

/// The media types of pictures that a model is shown (the guide "Images and vision").
const PICTURES: [&str; 4] = ["image/png", "image/jpeg", "image/webp", "image/gif"];

/// A picture, a PDF or a text; nothing for what a model is not shown.
fn shown(content: &Content) -> Option<Value> {
    let media = media(content)?;
    let url = || content.base64().map(|base64| format!("data:{};base64,{base64}", media.media_type));
    match content {
        Content::Image { .. } if PICTURES.contains(&&*media.media_type) => {
            Some(json!({"type": "input_image", "image_url": url()}))
        }
        Content::File { name, .. } if media.media_type == "application/pdf" || media.text().is_some() => {
            let name = if name.trim().is_empty() { "file" } else { name };
            Some(json!({"type": "input_file", "filename": name, "file_data": url()}))
        }
        _ => None,
    }
}
