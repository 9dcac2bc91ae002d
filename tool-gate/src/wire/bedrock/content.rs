//! What stands in a `toolResult`: an object as JSON, pictures and documents as such, and everything else as text.

use serde_json::{Value, json};

use super::Answered;
use crate::content::{Content, written};

/// The largest picture and the largest document, in bytes (`Message`).
const PICTURE: usize = 3_750_000;
const DOCUMENT: usize = 4_500_000;

/// The most characters of a document's name (`DocumentBlockNameString`).
const NAME: usize = 200;

/// The content of the result, never empty.
pub(super) fn of(answer: &Answered<'_>) -> Vec<Value> {
    let block = answer.block();
    if !block.content().is_empty() {
        let id = answer.id().unwrap_or_default();
        return (1..).zip(block.content()).flat_map(|(place, content)| shown(content, id, place)).collect();
    }
    // What a value does not hold to the last digit is sent as it was written.
    let is_exact = |object: &Value| {
        let written = object.to_string();
        written == block.text()
    };
    match block.object().filter(is_exact) {
        Some(object) => vec![json!({"json": object})],
        None => vec![json!({"text": block.text()})],
    }
}

fn shown(content: &Content, id: &str, place: usize) -> Vec<Value> {
    let blocks = match content {
        Content::Json(value @ Value::Object(_)) => Some(vec![json!({"json": value})]),
        Content::Image { .. } => picture(content).map(|picture| vec![picture]),
        Content::File { name, .. } => document(content).map(|(format, source)| {
            // "A text block must be included when using documents", and the name that the model is to know is not neutral.
            let title = if name.trim().is_empty() { "A document" } else { name };
            let title: String = title.chars().take(NAME).collect();
            let document = json!({"format": format, "name": neutral(name, id, place), "source": source});
            vec![json!({"text": format!("{title}:")}), json!({"document": document})]
        }),
        _ => None,
    };
    blocks.unwrap_or_else(|| vec![json!({"text": content.to_text()})])
}

fn picture(content: &Content) -> Option<Value> {
    let (media_type, data) = content.media()?;
    let format =
        media_type.strip_prefix("image/").filter(|format| matches!(*format, "png" | "jpeg" | "gif" | "webp"))?;
    (data.len() <= PICTURE).then(|| json!({"image": {"format": format, "source": {"bytes": content.base64()}}}))
}

/// The format and the source of a document; nothing for what a model is not shown.
fn document(content: &Content) -> Option<(&'static str, Value)> {
    let (media_type, data) = content.media()?;
    let format = format(&media_type)?;
    let says_something = !media_type.starts_with("text/") || written(data).is_some();
    (says_something && data.len() <= DOCUMENT).then(|| (format, json!({"bytes": content.base64()})))
}

/// The media types of documents (`DocumentFormat`). Texts of other kinds are taken as plain ones.
fn format(media_type: &str) -> Option<&'static str> {
    Some(match media_type {
        "application/pdf" => "pdf",
        "application/msword" => "doc",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document" => "docx",
        "application/vnd.ms-excel" => "xls",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" => "xlsx",
        "text/csv" => "csv",
        "text/html" => "html",
        "text/markdown" => "md",
        text if text.starts_with("text/") => "txt",
        _ => return None,
    })
}

/// A name of letters, digits, single spaces, hyphens and brackets (`DocumentBlock`). The call's id is in it: "Messages can't
/// contain duplicate document names", those of earlier turns included.
fn neutral(name: &str, id: &str, place: usize) -> String {
    let plain = |text: &str| -> String {
        let plain = text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' });
        plain.take(NAME / 2).collect()
    };
    let name = if name.trim().is_empty() { "document" } else { name.trim() };
    format!("{} ({} {place})", plain(name), plain(id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_documents_name_is_one_that_bedrock_takes_and_no_other_document_has() {
        assert_eq!(neutral(" a.b  c.pdf", "tooluse_1", 2), "a-b--c-pdf (tooluse-1 2)");
        assert_eq!(neutral("Übersicht.pdf", "t", 1), "-bersicht-pdf (t 1)");
        assert_eq!(neutral("", "t", 1), "document (t 1)");
        // Bedrock's ids have at most 64 characters.
        assert!(neutral(&"n".repeat(500), &"i".repeat(64), 1_000_000).len() <= NAME);
    }
}
