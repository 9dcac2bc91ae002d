//! A call's answer as a `functionResponse`.

use serde_json::{Map, Value, json};

use crate::{
    content::Content,
    result::{Outcome, ResultBlock},
    wire::{Answered, media::media},
};

/// The part that answers one call.
pub(super) fn part(answer: &Answered<'_>) -> Value {
    let block = answer.block();
    let mut response = Map::new();
    if let Some(id) = answer.id() {
        response.insert("id".into(), id.into());
    }
    response.insert("name".into(), answer.name().into());
    let key = if block.is_error() { "error" } else { "output" };
    let media: Vec<Value> = block.content().iter().filter_map(shown).collect();
    response.insert("response".into(), json!({key: output(block, !media.is_empty())}));
    if !media.is_empty() {
        response.insert("parts".into(), media.into());
    }
    json!({"functionResponse": response})
}

/// The answer as JSON where it is that, and else what the model reads.
fn output(block: &ResultBlock, has_media: bool) -> Value {
    if has_media {
        return beside_media(block).into();
    }
    match (block.outcome(), block.content()) {
        (Outcome::Completed { .. }, [Content::Json(value)]) if is_exact(value) => value.clone(),
        (Outcome::Completed { answer }, []) if answer.json() == block.text() => match answer.to_value() {
            // Nothing, of which the quotes are read, or what is too deep for a value.
            Value::String(_) => block.text().into(),
            value if is_exact(&value) => value,
            _ => block.text().into(),
        },
        _ => block.text().into(),
    }
}

/// Whether the provider, which keeps numbers as doubles, reads the very same.
fn is_exact(value: &Value) -> bool {
    const MOST: f64 = 9_007_199_254_740_992.0;
    match value {
        Value::Number(number) => number.as_f64().is_some_and(|number| number.abs() <= MOST),
        Value::Array(elements) => elements.iter().all(is_exact),
        Value::Object(members) => members.values().all(is_exact),
        Value::Null | Value::Bool(_) | Value::String(_) => true,
    }
}

/// What the model reads of the blocks that are not shown beside it.
fn beside_media(block: &ResultBlock) -> String {
    let texts = block.content().iter().filter(|content| shown(content).is_none()).map(Content::to_text);
    let text = texts.collect::<Vec<_>>().join("\n");
    if text.trim().is_empty() { "Done.".to_owned() } else { text }
}

/// The media types that a model is shown in a function's response (the guide "Function calling", multimodal responses).
const SHOWN: [&str; 5] = ["image/png", "image/jpeg", "image/webp", "application/pdf", "text/plain"];

/// A picture, a PDF or a plain text; nothing for what a model is not shown.
fn shown(content: &Content) -> Option<Value> {
    let media = media(content)?;
    let is_shown = SHOWN.contains(&&*media.media_type);
    is_shown.then(|| json!({"inlineData": {"mimeType": media.media_type, "data": content.base64()}}))
}
