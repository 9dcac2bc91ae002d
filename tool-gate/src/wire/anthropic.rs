//! Anthropic's Messages API.
//!
//! Sources: the `anthropic` Python SDK 2.14 (`types/tool_use_block.py`, `types/tool_result_block_param.py`,
//! `types/stop_reason.py`, `types/tool_choice_param.py`, `lib/streaming/_messages.py`) and the guide "Handle tool calls".

use std::collections::HashMap;

use serde_json::{Map, Value, json};

#[cfg(feature = "testing")]
use super::Said;
use super::{
    Answered, Arguments, Assemble, Call, Choice, ChoiceError, Ending, Item, PublishedTool, Reading, ReplyError, Step,
    ToolChoice, Wire,
    assemble::{append, arguments},
    blocks, is_word,
    media::{self, media},
};
use crate::{content::Content, lower::Dialects, offer::Tools, schema::JsonType};

/// Anthropic's Messages API: `tool_use` blocks in the reply's `content`, answered by `tool_result` blocks at the head of
/// one user message.
///
/// A reply is the response body. Its calls run only where `stop_reason` is `tool_use`; in a turn that `max_tokens` cut, the
/// last call is truncated and the ones before are judged as usual. A string in the place of `input`, as some gateways and
/// stream readers leave it, is read as the arguments' text.
///
/// Ids are new in the whole conversation, as Anthropic's own are; a server that speaks its API and sends one again in a later turn
/// makes a conversation that only it takes.
///
/// A call of a toolset, which has a `toolset_name`, is the host's own to answer: see
/// [`Settled::passed_over`](crate::Settled::passed_over). It goes back as it came, unless the reply was cut in it or nothing of
/// the reply may run; then it is left out. So are blank texts, and thoughts that nothing follows, such as those in which a
/// reply was cut: the provider refuses both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Anthropic {}

#[diagnostic::do_not_recommend]
impl Wire for Anthropic {
    fn publish(&self, tools: &[PublishedTool<'_>]) -> Value {
        tools
            .iter()
            .map(|tool| {
                let mut published = json!({
                    "name": tool.name(),
                    "description": tool.description(),
                    "input_schema": tool.input_schema(),
                });
                if tool.is_strict() {
                    published["strict"] = true.into();
                }
                published
            })
            .collect()
    }

    fn dialects(&self) -> Dialects {
        Dialects::anthropic()
    }

    fn request(&self, tools: &Tools, choice: &ToolChoice) -> Result<Map<String, Value>, ChoiceError> {
        let mut chosen = match choice.choice() {
            Choice::Auto => json!({"type": "auto"}),
            Choice::Required => json!({"type": "any"}),
            Choice::Named(name) => json!({"type": "tool", "name": name}),
            Choice::None => json!({"type": "none"}),
        };
        // Of no call there are no two.
        if !choice.allows_parallel_calls() && choice.choice() != &Choice::None {
            chosen["disable_parallel_tool_use"] = true.into();
        }
        Ok(Map::from_iter([("tools".to_owned(), tools.to_value()), ("tool_choice".to_owned(), chosen)]))
    }

    fn argument_places(&self) -> &'static [&'static [Step]] {
        &[&[Step::Key("content"), Step::Each, Step::Key("input")]]
    }

    fn read(&self, reply: Item<'_>) -> Result<Reading, ReplyError> {
        let content = reply.get("content").filter(|content| content.json_type() == JsonType::Array);
        let content = content.ok_or_else(|| ReplyError::new("an Anthropic reply has an array `content`"))?;
        let reason = reply.text("stop_reason");
        let ending = match reason {
            Some("tool_use") => Ending::ToolUse,
            Some("end_turn" | "stop_sequence") => Ending::Complete,
            Some("max_tokens" | "model_context_window_exceeded") => Ending::Cut,
            Some("pause_turn") => Ending::Paused,
            Some("refusal") => Ending::Refused,
            Some(_) => Ending::Unknown,
            None => return Err(ReplyError::new("an Anthropic reply has a string `stop_reason`")),
        };
        let calls = content.elements().filter(|block| is_call(*block, ending)).map(call).collect();
        let last = content.elements().filter(|block| asks(*block, ending)).last();
        let ends_in_a_toolset = last.is_some_and(is_of_a_toolset);
        let toolsets: Vec<Item<'_>> =
            content.elements().filter(|block| asks(*block, ending) && is_of_a_toolset(*block)).collect();
        let passed_over = match ending {
            Ending::ToolUse => &toolsets[..],
            Ending::Cut => &toolsets[..toolsets.len() - usize::from(ends_in_a_toolset)],
            _ => &[],
        };
        let passed_over: Vec<Value> = passed_over.iter().copied().map(Item::to_value).collect();
        let assistant = assistant(content, ending, passed_over.len());
        let reading = Reading::new(calls, ending, assistant).passing_over(passed_over).of_reply(reply.text("id"));
        // Where the reply was cut in a toolset's call, the others before are whole.
        Ok(if ends_in_a_toolset { reading.marking_cuts() } else { reading })
    }

    fn assemble(&self) -> Option<Box<dyn Assemble>> {
        Some(Box::new(Streamed::default()))
    }

    fn write(&self, assistant: &Value, answers: &[Answered<'_>]) -> Vec<Value> {
        let call = |block: &mut Value, answer: &Answered<'_>| {
            block["id"] = answer.id().into();
            block["name"] = answer.name().into();
            block["input"] = answer.arguments_to_keep();
        };
        blocks::messages(assistant, answers, call, result)
    }

    fn takes_id(&self, id: &str) -> bool {
        is_word(id, 256)
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
            Ending::Paused => "pause_turn",
            Ending::Refused => "refusal",
            Ending::Unknown => "unknown",
        };
        let text = said.text().map(|text| json!({"type": "text", "text": text}));
        let calls = said.calls().iter().map(|call| {
            let mut block = json!({"type": "tool_use", "id": call.id(), "name": call.name()});
            match call.arguments() {
                Arguments::Absent => {}
                Arguments::Text(text) => block["input"] = (**text).into(),
                Arguments::Value(value) => block["input"] = (**value).clone(),
            }
            block
        });
        let content: Value = text.into_iter().chain(calls).collect();
        Some(json!({
            "id": format!("msg_{}", said.number()),
            "type": "message",
            "role": "assistant",
            "model": "scripted",
            "content": content,
            "stop_reason": reason,
            "stop_sequence": null,
            "usage": {"input_tokens": 0, "output_tokens": 0},
        }))
    }
}

/// A `tool_use` block is a call, but for one that the provider's own code made and had answered: a turn that does not wait for
/// results may still show it. No limit cuts one of those, since no model writes it.
fn asks(block: Item<'_>, ending: Ending) -> bool {
    let made_by_code = || {
        let caller = block.get("caller").and_then(|caller| caller.text("type"));
        caller.is_some_and(|caller| caller != "direct")
    };
    block.text("type") == Some("tool_use") && (ending == Ending::ToolUse || !made_by_code())
}

/// Whether a block calls a tool of a toolset, which the host has declared beside the offer.
fn is_of_a_toolset(block: Item<'_>) -> bool {
    block.text("toolset_name").is_some()
}

fn is_call(block: Item<'_>, ending: Ending) -> bool {
    asks(block, ending) && !is_of_a_toolset(block)
}

fn call(block: Item<'_>) -> Call {
    let arguments = block.get("input").map_or(Arguments::Absent, Item::arguments);
    Call::new(block.text("id").map(str::to_owned), block.text("name").unwrap_or_default(), arguments)
}

/// The blocks as they came, thinking and server tools included, and which of them are calls. Of the calls of toolsets, so
/// many go back, since the host answers them. Blank texts stay behind, as a reply may have them and a request may not: "text
/// content blocks must contain non-whitespace text".
fn assistant(content: Item<'_>, ending: Ending, mut of_toolsets: usize) -> Value {
    let mut calls = Vec::new();
    let mut blocks = Vec::new();
    for block in content.elements() {
        let is_blank_text =
            block.text("type") == Some("text") && block.text("text").is_some_and(|text| text.trim().is_empty());
        if is_call(block, ending) {
            calls.push(blocks.len());
            // The arguments are written when it is known what they are.
            let kept = block.members().filter(|(key, _)| *key != "input");
            blocks.push(kept.map(|(key, member)| (key.to_owned(), member.to_value())).collect());
        } else if asks(block, ending) {
            if of_toolsets > 0 {
                of_toolsets -= 1;
                blocks.push(block.to_value());
            }
        } else if !is_blank_text {
            blocks.push(block.to_value());
        }
    }
    blocks::kept(blocks, &calls, |block| matches!(block["type"].as_str(), Some("thinking" | "redacted_thinking")))
}

fn result(answer: &Answered<'_>) -> Value {
    let mut result = json!({
        "type": "tool_result",
        "tool_use_id": answer.id(),
        "content": media::content(answer.block(), "text", shown),
    });
    if answer.block().is_error() {
        result["is_error"] = true.into();
    }
    result
}

/// The media types of pictures that a model is shown (`types/base64_image_source_param.py`).
const PICTURES: [&str; 4] = ["image/jpeg", "image/png", "image/gif", "image/webp"];

/// The largest picture, in bytes: "image exceeds 5 MB maximum" is said of its base64.
const PICTURE: usize = 5 * 1024 * 1024 / 4 * 3;

/// The most characters of a document's title, which has at least one (the API's description, `RequestDocumentBlock`).
const TITLE: usize = 500;

/// A picture, a PDF or a text (`types/document_block_param.py`); nothing for what a model is not shown.
fn shown(content: &Content) -> Option<Value> {
    let media = media(content)?;
    let media_type = media.media_type.as_str();
    let source = || json!({"type": "base64", "media_type": media_type, "data": content.base64()});
    match content {
        Content::Image { data, .. } if PICTURES.contains(&media_type) && data.len() <= PICTURE => {
            Some(json!({"type": "image", "source": source()}))
        }
        Content::File { name, .. } if media_type == "application/pdf" => Some(document(name, &source())),
        Content::File { name, .. } => {
            Some(document(name, &json!({"type": "text", "media_type": "text/plain", "data": media.text()?})))
        }
        _ => None,
    }
}

fn document(name: &str, source: &Value) -> Value {
    let mut document = json!({"type": "document", "source": source});
    if !name.trim().is_empty() {
        document["title"] = name.chars().take(TITLE).collect::<String>().into();
    }
    document
}

/// A message as its events tell it.
#[derive(Default)]
struct Streamed {
    message: Map<String, Value>,
    blocks: Vec<Block>,
    /// The last block of each index.
    places: HashMap<Option<Value>, usize>,
}

struct Block {
    begun: Value,
    /// Whether it is a call, whose input is judged as text.
    is_call: bool,
    /// A tool's input, as far as it is written.
    input: String,
}

impl Assemble for Streamed {
    fn argument_places(&self) -> &'static [&'static [Step]] {
        &[&[Step::Key("content_block"), Step::Key("input")]]
    }

    fn take(&mut self, event: Item<'_>) -> Result<Vec<String>, ReplyError> {
        let index = || event.get("index").map(Item::to_value);
        match event.text("type") {
            Some("message_start") => self.add("message", event),
            Some("content_block_start") => {
                let started = event.get("content_block").filter(|block| block.json_type() == JsonType::Object);
                let started = started.ok_or_else(|| ReplyError::new("an Anthropic block starts as an object"))?;
                let is_call = is_call(started, Ending::ToolUse);
                let mut begun = started.to_value();
                if let Some(input) = started.get("input").filter(|_| is_call) {
                    begun["input"] = arguments(input);
                }
                self.places.insert(index(), self.blocks.len());
                self.blocks.push(Block { begun, is_call, input: String::new() });
                let name = started.text("name").filter(|_| is_call);
                return Ok(name.map(str::to_owned).into_iter().collect());
            }
            Some("content_block_delta") => {
                let block = self.places.get(&index()).and_then(|place| self.blocks.get_mut(*place));
                if let (Some(block), Some(delta)) = (block, event.get("delta")) {
                    block.add(delta);
                }
            }
            Some("message_delta") => {
                self.add("delta", event);
                if let Some(usage) = event.get("usage") {
                    self.message.insert("usage".into(), usage.to_value());
                }
            }
            Some("error") => return Err(ReplyError::new("the stream reports an error of the provider's")),
            _ => {}
        }
        Ok(Vec::new())
    }

    fn reply(self: Box<Self>) -> Value {
        let Self { mut message, blocks, .. } = *self;
        message.insert("content".into(), blocks.into_iter().map(Block::whole).collect());
        if !message.get("stop_reason").is_some_and(Value::is_string) {
            message.insert("stop_reason".into(), "max_tokens".into());
        }
        Value::Object(message)
    }
}

impl Streamed {
    fn add(&mut self, key: &str, event: Item<'_>) {
        let members = event.get(key).into_iter().flat_map(Item::members);
        self.message.extend(members.map(|(key, member)| (key.to_owned(), member.to_value())));
    }
}

impl Block {
    fn add(&mut self, delta: Item<'_>) {
        let piece = |key| delta.text(key).unwrap_or_default();
        match delta.text("type") {
            Some("input_json_delta") => self.input.push_str(piece("partial_json")),
            Some("text_delta") => append(&mut self.begun, "text", piece("text")),
            Some("thinking_delta") => append(&mut self.begun, "thinking", piece("thinking")),
            Some("signature_delta") => append(&mut self.begun, "signature", piece("signature")),
            Some("citations_delta") => {
                if let (Some(block), Some(citation)) = (self.begun.as_object_mut(), delta.get("citation")) {
                    let citations = block.entry("citations").or_insert_with(|| json!([]));
                    if citations.is_null() {
                        *citations = json!([]);
                    }
                    citations.as_array_mut().into_iter().for_each(|cited| cited.push(citation.to_value()));
                }
            }
            _ => {}
        }
    }

    /// The block with its input: of a call as text, for the parse gate to judge, and else as the object that it is.
    fn whole(mut self) -> Value {
        if !self.input.is_empty() {
            let object = |text: &str| serde_json::from_str(text).unwrap_or_else(|_| json!({}));
            self.begun["input"] = if self.is_call { self.input.into() } else { object(&self.input) };
        }
        self.begun
    }
}
