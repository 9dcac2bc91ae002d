//! One Markdown code block around the whole text.

/// What the block holds: its first line is the fence, with or without `json`, and its last line is the fence again. Whether
/// what is between them is one object is for the reader to say.
pub(super) fn inside(text: &str) -> Option<&str> {
    let (first, rest) = text.trim_ascii().strip_prefix(FENCE)?.split_once('\n')?;
    let (inner, last) = rest.rsplit_once('\n')?;
    (matches!(first.trim_ascii_end(), "" | "json") && last == FENCE).then_some(inner)
}

const FENCE: &str = "```";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_encloses_the_whole_text() {
        for text in ["```json\n{}\n```", "```\n{}\n```", " \n```json \r\n{}\r\n```\n\n"] {
            assert_eq!(inside(text).map(str::trim), Some("{}"), "{text:?}");
        }
        for text in [
            "```json\n{}\n``` That is all.",
            "Here: ```json\n{}\n```",
            "```json\n{}",
            "{}\n```",
            "```json\n```",
            "```python\n{}\n```",
            "```json {}\n```",
            "````\n{}\n````",
            "~~~\n{}\n~~~",
            "```{}```",
            "```",
            "",
        ] {
            assert_eq!(inside(text), None, "{text:?}");
        }
        // What is inside must be JSON, which two blocks are not.
        assert_eq!(inside("```json\n{}\n```\n```json\n{}\n```"), Some("{}\n```\n```json\n{}"));
    }
}
