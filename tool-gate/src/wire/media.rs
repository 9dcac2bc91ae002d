//! Images and files of a tool's answer, as providers' shapes hold them.

use serde_json::{Value, json};

use crate::{
    content::{Content, written},
    result::ResultBlock,
};

/// An image or a file that has bytes.
pub(super) struct Media<'c> {
    /// See [`Content::media`].
    pub media_type: String,
    pub data: &'c [u8],
}

/// The image or the file of a block; none where its bytes are none: an empty one would spoil the request, and all that
/// come after it.
pub(super) fn media(content: &Content) -> Option<Media<'_>> {
    content.media().map(|(media_type, data)| Media { media_type, data })
}

impl<'c> Media<'c> {
    /// The text of a file of text; none where it says nothing or is not UTF-8.
    pub(super) fn text(&self) -> Option<&'c str> {
        self.media_type.starts_with("text/").then(|| written(self.data)).flatten()
    }
}

/// What a result holds where a provider takes text or a list of typed blocks: the text, or where there is more than that,
/// the blocks. `shown` makes the block of an image or a file; what it makes none of is a text, as all else is.
pub(super) fn content(block: &ResultBlock, text: &str, shown: impl Fn(&Content) -> Option<Value>) -> Value {
    let has_media = |content: &Content| !matches!(content, Content::Text(_) | Content::Json(_));
    if !block.content().iter().any(has_media) {
        return block.text().into();
    }
    let shown = |content| shown(content).unwrap_or_else(|| json!({"type": text, "text": content.to_text()}));
    block.content().iter().map(shown).collect()
}
