//! The items of a response's output: what each is, and how it goes back.

use serde_json::{Map, Value, json};

use super::super::Item;
use crate::schema::JsonType;

/// The item's own status, where it is one that calls have.
pub(super) fn status(item: Item<'_>) -> Option<&str> {
    item.text("status").filter(|status| matches!(*status, "completed" | "incomplete" | "in_progress"))
}

/// Whether an item calls a function that an offer can hold. One that the provider's search for tools found is in a
/// namespace of its own name, though it was published in none.
pub(super) fn is_function(item: Item<'_>) -> bool {
    let namespace = item.text("namespace").filter(|namespace| !namespace.is_empty());
    item.text("type") == Some("function_call") && namespace.is_none_or(|namespace| Some(namespace) == item.text("name"))
}

/// Whether an item waits for an answer that only the host can give.
pub(super) fn is_the_hosts(item: Item<'_>) -> bool {
    match item.text("type") {
        Some(
            "custom_tool_call"
            | "computer_call"
            | "local_shell_call"
            | "shell_call"
            | "apply_patch_call"
            | "mcp_approval_request",
        ) => true,
        Some("function_call") => !is_function(item),
        Some("tool_search_call") => item.text("execution") == Some("client"),
        _ => false,
    }
}

/// The id of the call that an item answers, if it answers one.
pub(super) fn answers(item: Item<'_>) -> Option<&str> {
    item.text("call_id").filter(|_| item.text("type").is_some_and(|kind| kind.ends_with("_output")))
}

/// Whether an item is a message in which the model refuses.
pub(super) fn refuses(item: Item<'_>) -> bool {
    let refuses = |part: Item<'_>| part.text("refusal").is_some_and(|refusal| !refusal.is_empty());
    item.text("type") == Some("message") && item.get("content").is_some_and(|content| content.elements().any(refuses))
}

/// The items as a request takes them, and which of them are calls.
///
/// Messages that say nothing stay behind, and reasoning that nothing follows: a request with it is refused.
pub(super) fn assistant(output: &[Item<'_>], is_call: impl Fn(Item<'_>) -> bool) -> Value {
    let mut items = Vec::with_capacity(output.len());
    let mut calls = Vec::new();
    for item in output.iter().copied().filter(|item| item.json_type() == JsonType::Object && !is_blank(*item)) {
        if is_call(item) {
            calls.push(items.len());
            items.push(function(item));
        } else {
            items.push(kept(item));
        }
    }
    while items.last().is_some_and(|item| item["type"] == "reasoning") {
        items.pop();
    }
    json!({"output": items, "calls": calls})
}

/// A call without what is written when it is known: its id, its name, its arguments.
fn function(item: Item<'_>) -> Value {
    let is_kept = |key: &str, member: Item<'_>| match key {
        "type" => true,
        "id" | "namespace" => member.as_str().is_some_and(|text| !text.is_empty()),
        "status" => status(item).is_some(),
        "caller" => member.json_type() == JsonType::Object,
        _ => false,
    };
    let kept = item.members().filter(|(key, member)| is_kept(key, *member));
    kept.map(|(key, member)| (key.to_owned(), member.to_value())).collect()
}

/// Keys that may be null in a reply, and may not in a request.
const NOT_NULL: [&str; 8] = ["id", "status", "namespace", "content", "action", "actions", "error", "svg_usage"];

/// Any other item as it came, but for what the type of a reply's item has and the type of a request's does not.
fn kept(item: Item<'_>) -> Value {
    let kind = item.text("type");
    let is_kept = |key: &str, member: Item<'_>| match key {
        "created_by" | "parsed_arguments" => false,
        "status" if matches!(kind, Some("custom_tool_call" | "custom_tool_call_output")) => false,
        // None, which is what an absent one says.
        "content" if kind == Some("reasoning") => member.elements().next().is_some(),
        key if NOT_NULL.contains(&key) => member.json_type() != JsonType::Null,
        _ => true,
    };
    let kept = item.members().filter(|(key, member)| is_kept(key, *member));
    let mut kept: Map<String, Value> = kept.map(|(key, member)| (key.to_owned(), member.to_value())).collect();
    if kind == Some("message") {
        // Client libraries put the text there as they have parsed it.
        let parts = kept.get_mut("content").and_then(Value::as_array_mut).into_iter().flatten();
        parts.filter_map(Value::as_object_mut).for_each(|part| drop(part.remove("parsed")));
    }
    Value::Object(kept)
}

/// Whether an item is a message that says nothing.
fn is_blank(item: Item<'_>) -> bool {
    let is_blank = |part: Item<'_>| match part.text("type") {
        Some("output_text") => part.text("text") == Some(""),
        Some("refusal") => part.text("refusal") == Some(""),
        _ => false,
    };
    item.text("type") == Some("message")
        && item.get("content").is_none_or(|content| content.as_str().is_none() && content.elements().all(is_blank))
}
