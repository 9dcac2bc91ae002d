//! A reply as its chunks tell it.

use serde_json::{Map, Value, json};

use super::{
    super::{Arguments, Assemble, Item, ReplyError, Step},
    ARGUMENTS, candidate, function_call,
    partial::Partial,
    parts,
};
use crate::schema::JsonType;

/// A reply as its chunks tell it. Each of them is a reply of its own, and their parts make up the whole.
#[derive(Default)]
pub(super) struct Streamed {
    reply: Map<String, Value>,
    candidate: Map<String, Value>,
    parts: Vec<Value>,
    /// The call whose arguments still arrive, and the place of its part.
    open: Option<(usize, Partial)>,
    /// Whether the stream was over.
    done: bool,
}

impl Assemble for Streamed {
    fn argument_places(&self) -> &'static [&'static [Step]] {
        ARGUMENTS
    }

    fn take(&mut self, chunk: Item<'_>) -> Result<Vec<String>, ReplyError> {
        if chunk.get("error").is_some() {
            return Err(ReplyError::new("the stream reports an error of the provider's"));
        }
        keep(&mut self.reply, chunk, "candidates");
        let Some(candidate) = candidate(chunk) else { return Ok(Vec::new()) };
        keep(&mut self.candidate, candidate, "content");
        let mut names = Vec::new();
        for part in parts(candidate) {
            match function_call(part) {
                Some(call) => names.extend(self.call(part, call)),
                None => self.parts.push(part.to_value()),
            }
        }
        Ok(names)
    }

    fn done(&mut self) {
        self.done = true;
    }

    fn reply(mut self: Box<Self>) -> Value {
        self.close(false);
        let Self { mut reply, mut candidate, parts, done, .. } = *self;
        let blocked = reply.get("promptFeedback").is_some_and(|feedback| feedback["blockReason"].is_string());
        if !(blocked && candidate.is_empty() && parts.is_empty()) {
            candidate.insert("content".into(), json!({"role": "model", "parts": parts}));
            let unsaid = if done { "STOP" } else { "MAX_TOKENS" };
            candidate.entry("finishReason").or_insert_with(|| unsaid.into());
            reply.insert("candidates".into(), json!([candidate]));
        }
        Value::Object(reply)
    }
}

impl Streamed {
    /// Takes a part with a call, or with a piece of one. Gives back the name of a call that it begins.
    fn call(&mut self, part: Item<'_>, call: Item<'_>) -> Option<String> {
        let name = call.text("name").filter(|name| !name.is_empty());
        let goes_on = call.get("willContinue").is_some_and(|goes_on| goes_on.to_value() == true);
        if let (None, Some((place, open))) = (name, &mut self.open) {
            open.take(call);
            if let Some(begun) = self.parts.get_mut(*place).and_then(Value::as_object_mut) {
                // A signature may come with any piece.
                for (key, member) in part.members().filter(|(key, _)| *key != "functionCall") {
                    begun.entry(key).or_insert_with(|| member.to_value());
                }
            }
        } else {
            self.close(false);
            // What closes a call when none is open.
            if part.members().count() == 1 && call.members().next().is_none() {
                return None;
            }
            let arguments = call.get("args").map_or(Arguments::Absent, Item::arguments);
            let streamed = goes_on || call.get("partialArgs").is_some();
            let place = self.parts.len();
            self.parts.push(begun(part, call, &arguments));
            if streamed {
                let mut open = Partial::new(&arguments);
                open.take(call);
                self.open = Some((place, open));
            }
        }
        if !goes_on {
            self.close(true);
        }
        name.map(str::to_owned)
    }

    /// Writes the arguments of the open call, if there is one, as far as they came.
    fn close(&mut self, whole: bool) {
        let Some((place, arguments)) = self.open.take() else { return };
        let call = self.parts.get_mut(place).and_then(|part| part.get_mut("functionCall"));
        if let Some(call) = call.and_then(Value::as_object_mut) {
            call.insert("args".into(), arguments.text(whole).into());
        }
    }
}

/// The part of a call that begins: its arguments as text, and nothing of how they are streamed.
fn begun(part: Item<'_>, call: Item<'_>, arguments: &Arguments) -> Value {
    let mut function: Map<String, Value> = call
        .members()
        .filter(|(key, _)| !matches!(*key, "args" | "partialArgs" | "willContinue"))
        .map(|(key, member)| (key.to_owned(), member.to_value()))
        .collect();
    match arguments {
        Arguments::Absent => {}
        Arguments::Text(text) => _ = function.insert("args".into(), (**text).into()),
        Arguments::Value(value) => _ = function.insert("args".into(), (**value).clone()),
    }
    let members = part.members().map(|(key, member)| match key {
        "functionCall" => (key.to_owned(), Value::Object(std::mem::take(&mut function))),
        key => (key.to_owned(), member.to_value()),
    });
    Value::Object(members.collect())
}

/// Keeps what an item says, but for one key. A later chunk's word is the last.
fn keep(kept: &mut Map<String, Value>, item: Item<'_>, but: &str) {
    let said = item.members().filter(|(key, member)| *key != but && member.json_type() != JsonType::Null);
    kept.extend(said.map(|(key, member)| (key.to_owned(), member.to_value())));
}
