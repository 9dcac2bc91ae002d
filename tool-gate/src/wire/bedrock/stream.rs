//! A message as the events of `ConverseStream` tell it.

use std::collections::HashMap;

use data_encoding::BASE64;
use serde_json::{Map, Value, json};

use super::{Assemble, Item, ReplyError, SERVER, asked};
use crate::{schema::JsonType, wire::assemble::append};

/// One streamed message.
#[derive(Default)]
pub(super) struct Streamed {
    blocks: Vec<Block>,
    /// The last block of each index.
    places: HashMap<Option<Value>, usize>,
    /// What `messageStop` and `metadata` say.
    rest: Map<String, Value>,
}

/// A block. A `toolUse`, a `toolResult` and an `image` have a start; the others begin with their first piece.
struct Block {
    /// An object.
    begun: Value,
    /// A tool's input, as far as it is written.
    input: String,
    /// Where the answer of a tool of the provider's stands.
    results: Vec<Value>,
    citations: Vec<Value>,
    /// Base64 of a picture, or of reasoning that is hidden, in pieces.
    bytes: Vec<String>,
}

impl Assemble for Streamed {
    fn take(&mut self, event: Item<'_>) -> Result<Vec<String>, ReplyError> {
        if event.members().any(|(name, _)| name.ends_with("Exception")) {
            return Err(ReplyError::new("the stream reports an error of the provider's"));
        }
        if let Some(started) = event.get("contentBlockStart") {
            let start = started.get("start").filter(|start| start.json_type() == JsonType::Object);
            let start = start.ok_or_else(|| ReplyError::new("a Bedrock block starts as an object"))?;
            self.begin(index(started), start.to_value());
            let name = asked(start).map(|tool_use| tool_use.text("name").unwrap_or_default());
            return Ok(name.map(str::to_owned).into_iter().collect());
        }
        if let Some(added) = event.get("contentBlockDelta")
            && let Some(delta) = added.get("delta")
        {
            self.block(index(added)).add(delta);
        }
        for said in ["messageStop", "metadata"].into_iter().filter_map(|name| event.get(name)) {
            self.rest.extend(said.members().map(|(key, member)| (key.to_owned(), member.to_value())));
        }
        Ok(Vec::new())
    }

    fn reply(self: Box<Self>) -> Value {
        let Self { blocks, mut rest, .. } = *self;
        let content: Value = blocks.into_iter().filter_map(Block::whole).collect();
        rest.insert("output".into(), json!({"message": {"role": "assistant", "content": content}}));
        if !rest.get("stopReason").is_some_and(Value::is_string) {
            rest.insert("stopReason".into(), "max_tokens".into());
        }
        Value::Object(rest)
    }
}

fn index(event: Item<'_>) -> Option<Value> {
    event.get("contentBlockIndex").map(Item::to_value)
}

impl Streamed {
    /// The block of this index, which begins now where there is none yet.
    fn block(&mut self, index: Option<Value>) -> &mut Block {
        let known = self.places.get(&index).copied();
        let place = known.unwrap_or_else(|| self.begin(index, json!({})));
        &mut self.blocks[place]
    }

    /// Begins a block; gives back its place.
    fn begin(&mut self, index: Option<Value>, begun: Value) -> usize {
        let place = self.blocks.len();
        self.places.insert(index, place);
        self.blocks.push(Block::new(begun));
        place
    }
}

impl Block {
    fn new(begun: Value) -> Self {
        let (input, results, citations, bytes) = (String::new(), Vec::new(), Vec::new(), Vec::new());
        Self { begun, input, results, citations, bytes }
    }

    fn add(&mut self, delta: Item<'_>) {
        for (kind, piece) in delta.members() {
            match kind {
                "text" => append(&mut self.begun, "text", piece.as_str().unwrap_or_default()),
                "toolUse" => self.input.push_str(piece.text("input").unwrap_or_default()),
                "reasoningContent" => self.think(piece),
                "citation" => self.citations.push(piece.to_value()),
                "toolResult" => self.results.extend(piece.elements().map(Item::to_value)),
                "image" => {
                    let bytes = piece.get("source").and_then(|source| source.text("bytes"));
                    self.bytes.extend(bytes.map(str::to_owned));
                }
                _ => {}
            }
        }
    }

    fn think(&mut self, piece: Item<'_>) {
        self.bytes.extend(piece.text("redactedContent").map(str::to_owned));
        for key in ["text", "signature"] {
            let Some(piece) = piece.text(key) else { continue };
            let thought = self.begun.as_object_mut().map(|block| block.entry("reasoningContent").or_insert(json!({})));
            let thought = thought.and_then(Value::as_object_mut);
            if let Some(thought) = thought {
                append(thought.entry("reasoningText").or_insert(json!({})), key, piece);
            }
        }
    }

    /// The block as a reply that is not streamed has it, but that a call's input is text, for the parse gate to judge.
    /// Nothing for one of which nothing was said.
    fn whole(self) -> Option<Value> {
        let Self { begun, input, results, citations, bytes } = self;
        let Value::Object(mut block) = begun else { return None };
        if !input.is_empty() {
            block.entry("toolUse").or_insert(json!({}));
        }
        if let Some(Value::Object(tool_use)) = block.get_mut("toolUse") {
            let is_the_servers = tool_use.get("type").is_some_and(|of_call| of_call == SERVER);
            let object = || serde_json::from_str(&input).unwrap_or_else(|_| json!({}));
            let input = if is_the_servers { object() } else { input.into() };
            tool_use.insert("input".into(), input);
        }
        if let Some(Value::Object(tool_result)) = block.get_mut("toolResult") {
            tool_result.insert("content".into(), results.into());
        }
        if !citations.is_empty() {
            let text = block.remove("text").unwrap_or_default();
            block.insert("citationsContent".into(), json!({"content": [{"text": text}], "citations": citations}));
        }
        if !bytes.is_empty() {
            let bytes = joined(&bytes);
            match block.get_mut("image") {
                Some(Value::Object(image)) => _ = image.insert("source".into(), json!({"bytes": bytes})),
                _ => _ = block.insert("reasoningContent".into(), json!({"redactedContent": bytes})),
            }
        }
        (!block.is_empty()).then_some(Value::Object(block))
    }
}

/// Pieces of base64, each padded by itself, as one.
fn joined(pieces: &[String]) -> String {
    let decoded: Result<Vec<_>, _> = pieces.iter().map(|piece| BASE64.decode(piece.as_bytes())).collect();
    decoded.map_or_else(|_| pieces.concat(), |pieces| BASE64.encode(&pieces.concat()))
}
