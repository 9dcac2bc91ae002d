//! A response as its events tell it.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::{
    super::{Assemble, Item, ReplyError, assemble::append},
    items::is_function,
};
use crate::schema::JsonType;

/// A response as its events tell it. The one that the last event holds is taken as it is; without it, what the others
/// told.
#[derive(Default)]
pub(super) struct Streamed {
    response: Map<String, Value>,
    items: Vec<Streaming>,
    /// The last item of each index, and of each id.
    places: HashMap<Option<Value>, usize>,
    ids: HashMap<String, usize>,
    /// Whether an event said how the response ended.
    ended: bool,
    /// Whether the stream was over, without such an event.
    done: bool,
}

struct Streaming {
    item: Value,
    /// Whether the name of the call was told.
    named: bool,
    whole: bool,
}

/// A text that comes in pieces.
struct Text {
    /// The event's type before `.delta` and `.done`.
    event: &'static str,
    /// The key of the text, in the item or in a part of it and in the event that repeats it whole.
    key: &'static str,
    part: Option<Part>,
}

struct Part {
    /// The key of the item's parts.
    parts: &'static str,
    /// The event's key for which of them it is.
    index: &'static str,
    kind: &'static str,
}

const CONTENT: &str = "content";
const SUMMARY: &str = "summary";

const TEXTS: [Text; 8] = [
    text("response.function_call_arguments", "arguments"),
    text("response.mcp_call_arguments", "arguments"),
    text("response.custom_tool_call_input", "input"),
    text("response.code_interpreter_call_code", "code"),
    of_part("response.output_text", "text", CONTENT, "content_index", "output_text"),
    of_part("response.refusal", "refusal", CONTENT, "content_index", "refusal"),
    of_part("response.reasoning_text", "text", CONTENT, "content_index", "reasoning_text"),
    of_part("response.reasoning_summary_text", "text", SUMMARY, "summary_index", "summary_text"),
];

const fn text(event: &'static str, key: &'static str) -> Text {
    Text { event, key, part: None }
}

const fn of_part(
    event: &'static str,
    key: &'static str,
    parts: &'static str,
    index: &'static str,
    kind: &'static str,
) -> Text {
    Text { event, key, part: Some(Part { parts, index, kind }) }
}

impl Assemble for Streamed {
    fn take(&mut self, event: Item<'_>) -> Result<Vec<String>, ReplyError> {
        let kind = event.text("type").unwrap_or_default();
        match kind {
            "error" => return Err(ReplyError::new("the stream reports an error of the provider's")),
            "response.created" | "response.queued" | "response.in_progress" => self.response(event),
            "response.completed" | "response.incomplete" | "response.failed" | "response.cancelled" => {
                self.response(event);
                self.ended = true;
                self.response.insert("status".into(), kind.trim_start_matches("response.").into());
            }
            "response.output_item.added" => return self.item(event, false),
            "response.output_item.done" => return self.item(event, true),
            "response.content_part.added" => self.part(event, CONTENT, "content_index", true),
            "response.content_part.done" => self.part(event, CONTENT, "content_index", false),
            "response.reasoning_summary_part.added" => self.part(event, SUMMARY, "summary_index", true),
            "response.reasoning_summary_part.done" => self.part(event, SUMMARY, "summary_index", false),
            _ => self.text(kind, event),
        }
        Ok(Vec::new())
    }

    fn done(&mut self) {
        self.done = true;
    }

    fn reply(self: Box<Self>) -> Value {
        let Self { mut response, items, ended, done, .. } = *self;
        // Some servers leave the output out at the end, having told it before.
        let tells_all = response.get("output").and_then(Value::as_array).is_some_and(|output| !output.is_empty());
        if !(ended && tells_all) {
            let broke_off = !ended && !done;
            response.insert("output".into(), items.into_iter().map(|item| item.told(broke_off)).collect());
        }
        if !ended && done {
            response.insert("status".into(), "completed".into());
        } else if !ended {
            response.insert("status".into(), "incomplete".into());
            response.insert("incomplete_details".into(), json!({"reason": "max_output_tokens"}));
        }
        Value::Object(response)
    }
}

impl Streamed {
    fn response(&mut self, event: Item<'_>) {
        if let Some(Value::Object(response)) = event.get("response").map(Item::to_value) {
            self.response = response;
        }
    }

    /// An item that begins, or that is there as a whole.
    fn item(&mut self, event: Item<'_>, whole: bool) -> Result<Vec<String>, ReplyError> {
        let item = event.get("item").filter(|item| item.json_type() == JsonType::Object);
        let item = item.ok_or_else(|| ReplyError::new("an item of a response's output is an object"))?;
        let name = item.text("name").filter(|name| is_function(item) && !name.is_empty());
        let (named, index) = (name.is_some(), event.get("output_index").map(Item::to_value));
        let place = self.places.get(&index).copied().filter(|_| whole).unwrap_or(self.items.len());
        let was_named = self.items.get(place).is_some_and(|known| known.named);
        self.places.insert(index, place);
        self.ids.extend(item.text("id").map(|id| (id.to_owned(), place)));
        let told = Streaming { item: item.to_value(), named: named || was_named, whole };
        match self.items.get_mut(place) {
            Some(known) => *known = told,
            None => self.items.push(told),
        }
        Ok(name.filter(|_| !was_named).map(str::to_owned).into_iter().collect())
    }

    /// The item of which an event speaks.
    fn spoken_of(&mut self, event: Item<'_>) -> Option<&mut Value> {
        let place = match event.get("output_index") {
            Some(index) => self.places.get(&Some(index.to_value())),
            None => event.text("item_id").and_then(|id| self.ids.get(id)),
        };
        self.items.get_mut(*place?).map(|known| &mut known.item)
    }

    /// A part that begins, or that is there as a whole.
    fn part(&mut self, event: Item<'_>, parts: &str, index: &str, begins: bool) {
        let Some(part) = event.get("part").map(Item::to_value) else { return };
        if let Some(place) = self.spoken_of(event).and_then(|item| place(item, parts, event.get(index), begins)) {
            *place = part;
        }
    }

    /// A piece of a text, or the whole of it.
    fn text(&mut self, kind: &str, event: Item<'_>) {
        let Some((name, is_piece)) = (match kind.strip_suffix(".delta") {
            Some(name) => Some((name, true)),
            None => kind.strip_suffix(".done").map(|name| (name, false)),
        }) else {
            return;
        };
        let Some(text) = TEXTS.iter().find(|text| text.event == name) else { return };
        let Some(piece) = event.text(if is_piece { "delta" } else { text.key }) else { return };
        let Some(item) = self.spoken_of(event) else { return };
        let holder = match &text.part {
            None => Some(item),
            Some(part) => place(item, part.parts, event.get(part.index), false).map(|holder| {
                if holder.is_null() {
                    *holder = begun(part.kind);
                }
                holder
            }),
        };
        match holder {
            Some(holder) if is_piece => append(holder, text.key, piece),
            Some(Value::Object(holder)) => _ = holder.insert(text.key.to_owned(), piece.into()),
            _ => {}
        }
    }
}

/// A part of which no event told that it begins.
fn begun(kind: &str) -> Value {
    match kind {
        "output_text" => json!({"type": kind, "text": "", "annotations": []}),
        kind => json!({"type": kind}),
    }
}

/// The place of one part of an item, the last one where there is none of this index. A part that begins has a new place,
/// null, where none has its index; so has one of an item without any.
fn place<'i>(item: &'i mut Value, parts: &str, index: Option<Item<'_>>, begins: bool) -> Option<&'i mut Value> {
    let parts = item.as_object_mut()?.entry(parts).or_insert_with(|| json!([]));
    if !parts.is_array() {
        *parts = json!([]);
    }
    let parts = parts.as_array_mut()?;
    let index = index.and_then(|index| usize::try_from(index.to_value().as_u64()?).ok()).unwrap_or(0);
    if parts.is_empty() || begins && index >= parts.len() {
        parts.push(Value::Null);
    }
    let last = parts.len() - 1;
    parts.get_mut(index.min(last))
}

impl Streaming {
    /// The item, as far as it came. Of a stream that broke off, what was not whole was cut.
    fn told(mut self, broke_off: bool) -> Value {
        if broke_off
            && !self.whole
            && let Some(item) = self.item.as_object_mut()
            && (item.contains_key("status") || item.get("type").is_some_and(|kind| kind == "function_call"))
        {
            item.insert("status".into(), "incomplete".into());
        }
        self.item
    }
}
