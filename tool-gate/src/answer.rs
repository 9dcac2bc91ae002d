//! What a tool answered: JSON text, or blocks of content.

use std::{borrow::Cow, fmt};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::{Value, value::RawValue};

use crate::{
    content::{self, Content},
    error::ToolError,
    json,
};

/// What a tool that ran answered: JSON text, or blocks of [`Content`].
///
/// JSON text is written once, when the tool returns, and never parsed again on its way to the model: fields keep the order
/// of their struct and numbers their digits.
#[derive(Clone, PartialEq)]
pub struct Answer(Held);

#[derive(Clone, PartialEq, Serialize)]
#[serde(untagged)]
enum Held {
    /// The tool returned `()`: unlike `null`, that is no value to tell.
    Nothing,
    Json(String),
    #[serde(serialize_with = "content::save")]
    Blocks(Vec<Content>),
}

impl Answer {
    /// Writes the value down.
    ///
    /// # Errors
    ///
    /// Where the value's own `Serialize` fails, or JSON cannot hold it (a map whose keys are not text).
    pub(crate) fn of<T: Serialize + ?Sized>(value: &T) -> Result<Self, ToolError> {
        let json = serde_json::to_string(value).map_err(|source| ToolError::from(NotSerialized(source)))?;
        Ok(Self(Held::Json(json)))
    }

    /// The answer of a tool that has nothing to say but that it ran.
    pub(crate) const fn done() -> Self {
        Self(Held::Nothing)
    }

    /// The answer as JSON text; `null` where the tool returned `()`, and what the model reads, as a string, where it returned
    /// [`Content`].
    pub fn json(&self) -> Cow<'_, str> {
        match &self.0 {
            Held::Nothing => Cow::Borrowed("null"),
            Held::Json(json) => Cow::Borrowed(json),
            Held::Blocks(_) => Cow::Owned(Value::from(self.text()).to_string()),
        }
    }

    /// The answer as a JSON value, read anew from the text on each call.
    ///
    /// An answer nested deeper than JSON readers go (127 levels) comes back as a string that holds its JSON text.
    pub fn to_value(&self) -> Value {
        let json = self.json();
        serde_json::from_str(&json).unwrap_or_else(|_| Value::from(json))
    }

    /// The answer as a JSON object, where it is one.
    pub(crate) fn object(&self) -> Option<Value> {
        let Held::Json(text) = &self.0 else { return None };
        let tape = json::read(text, DEPTH).ok().filter(|tape| tape.root().kind() == json::Kind::Object)?;
        Some(tape.root().to_value())
    }

    /// The blocks of a tool that returned [`Content`], without blank texts; none where it returned anything else.
    pub fn content(&self) -> &[Content] {
        match &self.0 {
            Held::Blocks(blocks) => blocks,
            Held::Nothing | Held::Json(_) => &[],
        }
    }

    /// What the model reads, never empty: a string's own content unless that is blank, `Done.` for `()`, the text of each
    /// block on lines of its own, and JSON text for everything else.
    pub fn text(&self) -> Cow<'_, str> {
        match &self.0 {
            Held::Nothing => Cow::Borrowed(DONE),
            Held::Json(json) => match content_of(json) {
                Some(content) if !content.trim().is_empty() => content,
                _ => Cow::Borrowed(json),
            },
            Held::Blocks(blocks) => match &blocks[..] {
                [] => Cow::Borrowed(DONE),
                [block] => block.to_text(),
                blocks => Cow::Owned(blocks.iter().map(Content::to_text).collect::<Vec<_>>().join("\n")),
            },
        }
    }
}

/// How deep an answer may nest to be sent as an object, and not as its text.
const DEPTH: usize = 120;

/// What the model reads of a tool that has nothing to say but that it ran.
const DONE: &str = "Done.";

/// As a dynamic tool answers.
impl From<Value> for Answer {
    fn from(value: Value) -> Self {
        Self(Held::Json(value.to_string()))
    }
}

impl From<Vec<Content>> for Answer {
    fn from(mut blocks: Vec<Content>) -> Self {
        blocks.retain(|block| !block.is_blank());
        Self(Held::Blocks(blocks))
    }
}

impl From<Content> for Answer {
    fn from(block: Content) -> Self {
        vec![block].into()
    }
}

impl<const N: usize> From<[Content; N]> for Answer {
    fn from(blocks: [Content; N]) -> Self {
        Vec::from(blocks).into()
    }
}

/// What a tool answered may be anything, and debug output ends in logs: how much there is, and not what.
impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Held::Nothing => f.write_str("Nothing"),
            Held::Json(text) => write!(f, "Json({} bytes)", text.len()),
            Held::Blocks(blocks) => f.debug_list().entries(blocks).finish(),
        }
    }
}

impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Answer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Saved {
            Nothing,
            Json(String),
            Blocks(#[serde(deserialize_with = "content::load")] Vec<Content>),
        }
        Ok(match Saved::deserialize(deserializer)? {
            Saved::Nothing => Self::done(),
            Saved::Json(json) => {
                serde_json::from_str::<&RawValue>(&json).map_err(de::Error::custom)?;
                Self(Held::Json(json))
            }
            Saved::Blocks(blocks) => blocks.into(),
        })
    }
}

/// The content of a JSON string; nothing where the text is another kind of value.
fn content_of(json: &str) -> Option<Cow<'_, str>> {
    if !json.starts_with('"') {
        return None;
    }
    match serde_json::from_str(json) {
        Ok(plain) => Some(Cow::Borrowed(plain)),
        Err(_) => serde_json::from_str(json).ok().map(Cow::Owned),
    }
}

/// The source of the failure where a tool's answer could not be written as JSON.
#[derive(Debug)]
struct NotSerialized(serde_json::Error);

impl fmt::Display for NotSerialized {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the tool's answer could not be written as JSON")
    }
}

impl std::error::Error for NotSerialized {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn text(value: impl Serialize) -> String {
        Answer::of(&value).unwrap().text().into_owned()
    }

    #[test]
    fn a_string_is_read_as_it_is() {
        assert_eq!(text("shipped"), "shipped");
        assert_eq!(text("two\n\"lines\""), "two\n\"lines\"");
    }

    #[test]
    fn no_text_is_empty() {
        assert_eq!(text(""), "\"\"");
        assert_eq!(text(" \n"), "\" \\n\"");
        assert_eq!(text(None::<u8>), "null");
        assert_eq!(text(Vec::<u8>::new()), "[]");
        assert_eq!(Answer::done().text(), "Done.");
    }

    #[test]
    fn fields_keep_their_order_and_numbers_their_digits() {
        #[derive(Serialize)]
        struct Length {
            value: f64,
            unit: &'static str,
        }
        let answer = Answer::of(&Length { value: 1.25, unit: "m" }).unwrap();
        assert_eq!(answer.json(), r#"{"value":1.25,"unit":"m"}"#);
        assert_eq!(answer.text(), answer.json());
        assert_eq!(answer.to_value()["unit"], "m");
    }

    #[test]
    fn blocks_are_lines_and_blank_ones_are_left_out() {
        let blocks = [
            Content::text(" "),
            Content::text("Two files."),
            Content::json(&[1]).unwrap(),
            Content::image("image/png", [0; 5]),
            Content::file("a.pdf", "application/pdf", [1]),
        ];
        let answer = Answer::from(blocks);
        assert_eq!(
            answer.text(),
            "Two files.\n[1]\n[image/png, 5 bytes: not shown]\n[a.pdf, application/pdf, 1 bytes: not shown]"
        );
        assert_eq!(answer.content().len(), 4);
        assert_eq!(answer.to_value(), Value::from(answer.text()));
        assert_eq!(Answer::from(Content::text("")).text(), "Done.");
        assert_eq!(Answer::from(Vec::new()).json(), r#""Done.""#);
    }

    #[test]
    fn what_is_saved_comes_back_and_nothing_and_null_stay_apart() {
        let blocks =
            [Content::image("image/png", [255, 0]), Content::file("a", "b/c", []), Content::Json(json!({"a": 1.5}))];
        let nothing = Answer::from(Vec::new());
        for answer in
            [Answer::done(), Answer::of(&None::<u8>).unwrap(), Answer::of("x").unwrap(), blocks.into(), nothing]
        {
            let saved = serde_json::to_string(&answer).unwrap();
            assert_eq!(serde_json::from_str::<Answer>(&saved).unwrap(), answer);
        }
    }

    #[test]
    fn debug_output_says_how_much_there_is_and_not_what() {
        assert_eq!(format!("{:?}", Answer::of("secret").unwrap()), "Json(8 bytes)");
        assert_eq!(format!("{:?}", Answer::from(Content::text("secret"))), "[Text(6 bytes)]");
        assert_eq!(format!("{:?}", Answer::done()), "Nothing");
    }

    #[test]
    fn a_saved_answer_that_is_not_json_is_refused() {
        assert!(serde_json::from_str::<Answer>(r#""{""#).is_err());
    }

    #[test]
    fn what_json_cannot_hold_is_a_failure_with_a_source() {
        let map = std::collections::BTreeMap::from([(vec![1], 2)]);
        let error = Answer::of(&map).unwrap_err();
        assert_eq!(error.words(), None);
        assert!(error.source().is_some());
    }
}
