//! Replies of the chat family as their streams tell them.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::{IN_DELTAS, completion, no_error, put_calls};
use crate::{
    schema::JsonType,
    wire::{Assemble, Item, ReplyError, Step, assemble::append},
};

/// Chunks with `choices`, of which the first is put together.
pub(in crate::wire) struct Chunks {
    /// What the chunks say beside their choices.
    about: Map<String, Value>,
    message: Value,
    calls: Calls,
    reason: Option<String>,
    done: bool,
}

/// What a message may have as parts: its content, and `OpenRouter`'s reasoning.
const PARTS: [&str; 2] = ["content", "reasoning_details"];

/// The texts that it may have beside them.
const TEXTS: [&str; 2] = ["refusal", "reasoning_content"];

impl Default for Chunks {
    fn default() -> Self {
        let message = json!({"role": "assistant", "content": null});
        Self { about: Map::new(), message, calls: Calls::default(), reason: None, done: false }
    }
}

impl Assemble for Chunks {
    fn argument_places(&self) -> &'static [&'static [Step]] {
        IN_DELTAS
    }

    fn take(&mut self, event: Item<'_>) -> Result<Vec<String>, ReplyError> {
        no_error(event)?;
        let about = event.members().filter(|(key, member)| {
            !matches!(*key, "choices" | "object") && member.json_type() != JsonType::Null && member.as_str() != Some("")
        });
        self.about.extend(about.map(|(key, member)| (key.to_owned(), member.to_value())));
        let first = |choice: &Item<'_>| index(*choice).unwrap_or(0) == 0;
        let Some(choice) = event.get("choices").and_then(|choices| choices.elements().find(first)) else {
            return Ok(Vec::new());
        };
        if let Some(reason) = choice.text("finish_reason").filter(|reason| !reason.is_empty()) {
            self.reason = Some(reason.to_owned());
        }
        let Some(delta) = choice.get("delta") else { return Ok(Vec::new()) };
        for key in PARTS {
            if let (Some(message), Some(piece)) = (self.message.as_object_mut(), delta.get(key)) {
                add_content(message.entry(key).or_insert(Value::Null), piece);
            }
        }
        for key in TEXTS {
            if let Some(piece) = delta.text(key) {
                append(&mut self.message, key, piece);
            }
        }
        let pieces = delta.get("tool_calls").into_iter().flat_map(Item::elements);
        Ok(pieces.filter_map(|piece| self.calls.take(index(piece), piece)).collect())
    }

    fn done(&mut self) {
        self.done = true;
    }

    fn reply(self: Box<Self>) -> Value {
        let Self { about, mut message, calls, reason, done } = *self;
        put_calls(&mut message, calls.whole());
        let reason = match reason {
            Some(reason) => reason.into(),
            None if done => Value::Null,
            None => "length".into(),
        };
        let mut reply = completion("", message, reason);
        reply.extend(about);
        reply.into()
    }
}

/// The `index` that a choice or a piece of a call says it has.
pub(in crate::wire) fn index(piece: Item<'_>) -> Option<u64> {
    piece.get("index").and_then(|index| index.to_value().as_u64())
}

/// Calls that arrive in pieces.
#[derive(Default)]
pub(in crate::wire) struct Calls {
    calls: Vec<Begun>,
    /// The last call of each index.
    places: HashMap<u64, usize>,
}

/// A call, as far as it is there.
#[derive(Default)]
struct Begun {
    /// What it has beside its name and arguments, such as its id.
    about: Map<String, Value>,
    /// Whether it calls a custom tool: then its body has other keys.
    custom: bool,
    name: String,
    /// Their text, as far as it is written.
    arguments: Option<String>,
    /// Whether they came as an object, to which nothing is added.
    whole: bool,
}

impl Calls {
    /// Takes a piece of the call of this index, or without one of the last call. Gives back the name of a function where it is
    /// new.
    ///
    /// Servers number from 1 or not at all, send calls whole, give several of them one index, and repeat the name or leave
    /// it empty.
    pub(in crate::wire) fn take(&mut self, index: Option<u64>, piece: Item<'_>) -> Option<String> {
        if piece.json_type() != JsonType::Object {
            return None;
        }
        let place = match index {
            Some(index) => self.places.get(&index).copied(),
            None => self.calls.len().checked_sub(1),
        };
        let place = place.filter(|place| !self.calls[*place].is_ended_by(piece, index.is_some()));
        let place = place.unwrap_or_else(|| {
            self.calls.push(Begun::default());
            self.calls.len() - 1
        });
        if let Some(index) = index {
            self.places.insert(index, place);
        }
        self.calls.get_mut(place)?.add(piece)
    }

    /// The calls as a reply has them that came whole; the arguments may be text or an object.
    pub(in crate::wire) fn whole(self) -> Vec<Value> {
        self.calls.into_iter().map(Begun::whole).collect()
    }
}

impl Begun {
    /// Whether this piece is another call's: it is named, and has another name or another id, or nothing tells it apart from
    /// a call that came whole.
    fn is_ended_by(&self, piece: Item<'_>, numbered: bool) -> bool {
        let mut names = ["function", "custom"].into_iter().filter_map(|key| piece.get(key)?.text("name"));
        let Some(name) = names.find(|name| !name.is_empty()) else { return false };
        // In Mistral's description `null` is the text that stands for no id.
        let is_id = |id: &&str| !matches!(*id, "" | "null");
        let own = self.about.get("id").and_then(Value::as_str);
        let is_others = match (piece.text("id").filter(is_id), own.filter(is_id)) {
            (Some(id), Some(own)) => id != own,
            _ => !numbered || name != self.name,
        };
        is_others && !self.name.is_empty()
    }

    fn add(&mut self, piece: Item<'_>) -> Option<String> {
        for (key, member) in piece.members() {
            let says_something = member.json_type() != JsonType::Null && member.as_str() != Some("");
            if says_something && !matches!(key, "index" | "function" | "custom") && !self.about.contains_key(key) {
                self.about.insert(key.to_owned(), member.to_value());
            }
        }
        self.custom |= piece.text("type") == Some("custom");
        let body = piece.get(if self.custom { "custom" } else { "function" })?;
        let arguments = body.get(self.argument_key()).filter(|arguments| arguments.json_type() != JsonType::Null);
        if let Some(more) = arguments {
            let is_piece = more.json_type() == JsonType::String;
            let so_far = self.arguments.get_or_insert_default();
            if so_far.is_empty() || is_piece && !self.whole {
                so_far.push_str(&more.arguments().text());
                self.whole = !is_piece;
            }
        }
        let name = body.text("name").filter(|name| !name.is_empty() && self.name.is_empty())?;
        self.name = name.to_owned();
        (!self.custom).then(|| name.to_owned())
    }

    fn argument_key(&self) -> &'static str {
        if self.custom { "input" } else { "arguments" }
    }

    fn whole(self) -> Value {
        let key = self.argument_key();
        let mut body = Map::from_iter([("name".to_owned(), Value::from(self.name))]);
        body.extend(self.arguments.map(|arguments| (key.to_owned(), arguments.into())));
        let mut call = self.about;
        call.insert(if self.custom { "custom" } else { "function" }.to_owned(), body.into());
        call.into()
    }
}

/// Adds a piece to a message's content: text to text, parts to parts. Where there are parts, a text is one.
fn add_content(content: &mut Value, piece: Item<'_>) {
    let part = |text: &str| json!({"type": "text", "text": text});
    let more: Vec<Value> = match (piece.as_str(), &mut *content) {
        (Some(more), Value::String(text)) => return text.push_str(more),
        (Some(text), Value::Null) => return *content = text.into(),
        (Some(text), _) => vec![part(text)],
        (None, _) => piece.elements().map(Item::to_value).collect(),
    };
    if more.is_empty() {
        return;
    }
    let mut parts = match content.take() {
        Value::Array(parts) => parts,
        Value::String(text) if !text.is_empty() => vec![part(&text)],
        _ => Vec::new(),
    };
    for part in more {
        join(&mut parts, part);
    }
    // Not `into`, which looks at each.
    *content = Value::Array(parts);
}

/// The kinds of parts that arrive in pieces, and the keys under which their pieces stand.
const KINDS: [&str; 4] = ["text", "thinking", "reasoning.text", "reasoning.summary"];
const PIECES: [&str; 3] = ["text", "thinking", "summary"];

/// Adds a part. One that goes on with the last is made one with it.
fn join(parts: &mut Vec<Value>, part: Value) {
    let goes_on = |last: &Value| {
        let is_of_pieces = last["type"].as_str().is_some_and(|kind| KINDS.contains(&kind));
        is_of_pieces && last["type"] == part["type"] && last["index"] == part["index"]
    };
    match (parts.last_mut().filter(|last| goes_on(last)), part) {
        (Some(Value::Object(last)), Value::Object(part)) => {
            for (key, member) in part {
                match (last.get_mut(&key), member) {
                    (_, Value::Null) => {}
                    (Some(Value::String(text)), Value::String(more)) if PIECES.contains(&&*key) => text.push_str(&more),
                    (Some(Value::Array(thoughts)), Value::Array(more)) => {
                        for more in more {
                            join(thoughts, more);
                        }
                    }
                    (_, member) => _ = last.insert(key, member),
                }
            }
        }
        (_, part) => parts.push(part),
    }
}
