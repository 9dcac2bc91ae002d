//! What a tool answers where JSON text does not say it: blocks of text, JSON, images and files.

use std::{borrow::Cow, fmt, sync::Arc};

use data_encoding::BASE64;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::Value;

use crate::error::ToolError;

/// One block of an answer.
///
/// A tool that returns one, or a `Vec` or an array of them, has its images and files sent as such to a provider that takes
/// them in a tool's result. To any other goes [a line](Self::to_text) that says what there is and is not shown.
///
/// ```
/// use tool_gate::{Content, tool};
///
/// /// Draw the orders of a year, by month.
/// #[tool(read_only)]
/// fn chart_orders(year: u16) -> [Content; 2] {
///     [Content::text(format!("The orders of {year}.")), Content::image("image/png", draw(year))]
/// }
/// # fn draw(_: u16) -> Vec<u8> { vec![1, 2] }
/// # assert_eq!(chart_orders(2026)[1].to_text(), "[image/png, 2 bytes: not shown]");
/// ```
///
/// It is no `Serialize`: inside another value an image would reach the model as a wall of digits.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum Content {
    /// Text, as the model reads it. A blank one is left out.
    Text(String),
    /// A JSON value.
    Json(Value),
    /// A picture.
    Image {
        /// Such as `image/png`. Which of them a model can look at, the provider says.
        media_type: String,
        /// The bytes of its file, not encoded.
        data: Arc<[u8]>,
    },
    /// A document.
    File {
        /// What it is called, such as `invoice.pdf`.
        name: String,
        /// Such as `application/pdf`.
        media_type: String,
        /// Its bytes, not encoded.
        data: Arc<[u8]>,
    },
}

impl Content {
    /// Text, as the model reads it.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// A value as JSON.
    ///
    /// # Errors
    ///
    /// Where the value's own `Serialize` fails, or JSON cannot hold it (a map whose keys are not text).
    pub fn json(value: &(impl Serialize + ?Sized)) -> Result<Self, ToolError> {
        Ok(Self::Json(serde_json::to_value(value)?))
    }

    /// A picture: its media type, such as `image/png`, and the bytes of its file, not encoded.
    pub fn image(media_type: impl Into<String>, data: impl Into<Arc<[u8]>>) -> Self {
        Self::Image { media_type: media_type.into(), data: data.into() }
    }

    /// A document: its name, its media type, such as `application/pdf`, and its bytes, not encoded.
    pub fn file(name: impl Into<String>, media_type: impl Into<String>, data: impl Into<Arc<[u8]>>) -> Self {
        Self::File { name: name.into(), media_type: media_type.into(), data: data.into() }
    }

    /// The block as text: itself, JSON text, or a line that says what is not shown.
    pub fn to_text(&self) -> Cow<'_, str> {
        match self {
            Self::Text(text) => Cow::Borrowed(text),
            Self::Json(value) => Cow::Owned(value.to_string()),
            Self::Image { media_type, data } => Cow::Owned(format!("[{media_type}, {} bytes: not shown]", data.len())),
            Self::File { name, media_type, data } => {
                Cow::Owned(format!("[{name}, {media_type}, {} bytes: not shown]", data.len()))
            }
        }
    }

    /// The bytes of an image or a file in base64 (RFC 4648, padded), which is how JSON carries them.
    pub fn base64(&self) -> Option<String> {
        match self {
            Self::Text(_) | Self::Json(_) => None,
            Self::Image { data, .. } | Self::File { data, .. } => Some(BASE64.encode(data)),
        }
    }

    /// The media type of an image or a file, in lower case and without parameters, empty where it is none, and its bytes; nothing
    /// where there are no bytes.
    pub(crate) fn media(&self) -> Option<(String, &[u8])> {
        let (Self::Image { media_type, data } | Self::File { media_type, data, .. }) = self else { return None };
        let media_type = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let media_type = match media_type.as_str() {
            "image/jpg" => "image/jpeg".to_owned(),
            named if is_media_type(named) => media_type,
            _ => String::new(),
        };
        (!data.is_empty()).then_some((media_type, data))
    }

    /// Whether it is a text that says nothing.
    pub(crate) fn is_blank(&self) -> bool {
        matches!(self, Self::Text(text) if text.trim().is_empty())
    }
}

/// Whether it is a type and a subtype (RFC 6838, 4.2): in a data URL, a comma would end it.
fn is_media_type(text: &str) -> bool {
    let is_name = |name: &str| {
        name.starts_with(|first: char| first.is_ascii_alphanumeric())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&byte))
    };
    text.split_once('/').is_some_and(|(kind, subtype)| is_name(kind) && is_name(subtype))
}

/// The text that a file holds; nothing where it is none, or says nothing.
pub(crate) fn written(data: &[u8]) -> Option<&str> {
    std::str::from_utf8(data).ok().filter(|text| !text.trim().is_empty())
}

/// What a tool answered may be anything, and debug output ends in logs: how much there is, and not what.
impl fmt::Debug for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => write!(f, "Text({} bytes)", text.len()),
            Self::Json(_) => f.write_str("Json"),
            Self::Image { data, .. } => write!(f, "Image({} bytes)", data.len()),
            Self::File { data, .. } => write!(f, "File({} bytes)", data.len()),
        }
    }
}

/// How blocks are written where a conversation is put aside.
#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Saved<'t> {
    Text { text: Cow<'t, str> },
    Json { value: Cow<'t, Value> },
    Image { media_type: Cow<'t, str>, base64: String },
    File { name: Cow<'t, str>, media_type: Cow<'t, str>, base64: String },
}

/// Writes blocks where a conversation is put aside.
pub(crate) fn save<S: Serializer>(blocks: &[Content], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(blocks.iter().map(|block| match block {
        Content::Text(text) => Saved::Text { text: text.into() },
        Content::Json(value) => Saved::Json { value: Cow::Borrowed(value) },
        Content::Image { media_type, data } => {
            Saved::Image { media_type: media_type.into(), base64: BASE64.encode(data) }
        }
        Content::File { name, media_type, data } => {
            Saved::File { name: name.into(), media_type: media_type.into(), base64: BASE64.encode(data) }
        }
    }))
}

/// Reads what [`save`] wrote.
pub(crate) fn load<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Content>, D::Error> {
    let decode = |base64: &str| BASE64.decode(base64.as_bytes()).map_err(de::Error::custom);
    let block = |saved| {
        Ok(match saved {
            Saved::Text { text } => Content::text(text),
            Saved::Json { value } => Content::Json(value.into_owned()),
            Saved::Image { media_type, base64 } => Content::image(media_type, decode(&base64)?),
            Saved::File { name, media_type, base64 } => Content::file(name, media_type, decode(&base64)?),
        })
    };
    Vec::<Saved<'de>>::deserialize(deserializer)?.into_iter().map(block).collect()
}
