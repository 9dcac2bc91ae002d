//! A turn whose calls are blocks among others in its content, as Anthropic and Bedrock have them.

use serde_json::{Value, json};

use super::Answered;

/// The assistant's turn as a wire keeps it until its calls are answered: the blocks, and which of them are calls. A thought
/// that nothing follows stays behind: "The final block in an assistant message cannot be `thinking`".
pub(super) fn kept(mut blocks: Vec<Value>, calls: &[usize], thinks: impl Fn(&Value) -> bool) -> Value {
    while blocks.last().is_some_and(&thinks) {
        blocks.pop();
    }
    let mut kept = json!({"calls": calls});
    kept["content"] = blocks.into();
    kept
}

/// The assistant's turn with its calls as `call` writes them, and one user message with the results.
pub(super) fn messages(
    kept: &Value,
    answers: &[Answered<'_>],
    call: impl Fn(&mut Value, &Answered<'_>),
    result: impl Fn(&Answered<'_>) -> Value,
) -> Vec<Value> {
    let mut content = kept["content"].as_array().cloned().unwrap_or_default();
    let places = kept["calls"].as_array().into_iter().flatten().filter_map(Value::as_u64);
    for (place, answer) in places.zip(answers) {
        if let Some(block) = usize::try_from(place).ok().and_then(|place| content.get_mut(place)) {
            call(block, answer);
        }
    }
    let mut messages = Vec::with_capacity(2);
    // An empty content is refused in a request, though a reply may have one.
    if !content.is_empty() {
        messages.push(message("assistant", "content", content));
    }
    if !answers.is_empty() {
        messages.push(message("user", "content", answers.iter().map(result).collect()));
    }
    messages
}

/// A message that holds this list. Named in `json!` the list would be copied, and all the pictures in it.
pub(super) fn message(role: &str, key: &str, list: Vec<Value>) -> Value {
    let mut message = json!({"role": role});
    message[key] = list.into();
    message
}
