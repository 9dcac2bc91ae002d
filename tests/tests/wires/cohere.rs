use pollster::block_on;
use serde_json::{Value, json};
use tool_gate::{
    Answer, Content, DynamicTool, Named, Registry, Run, Select, TurnOutcome,
    wire::{ChoiceError, Cohere, ToolChoice},
};

use crate::{
    family::{assert_paired, assert_prefixes_are_cut},
    support::{ends, offer, pairs, sample, settle, stream, text},
};

fn settled(name: &str) -> tool_gate::Settled {
    settle(Cohere::default(), &sample(&format!("cohere/{name}.json")))
}

/// A reply with one call of this tool.
fn reply(name: &str, arguments: impl Into<Value>, reason: &str) -> Value {
    let call = json!({"id": "a", "type": "function", "function": {"name": name, "arguments": arguments.into()}});
    json!({"id": "1", "finish_reason": reason, "message": {"role": "assistant", "tool_calls": [call]}})
}

#[test]
fn calls_are_found_and_the_last_of_a_cut_turn_is_truncated() {
    for (name, expected) in [
        ("response_one", pairs(&[("lookup_order", "completed")])),
        ("response_two", pairs(&[("lookup_order", "completed"), ("convert_units", "Schema")])),
        ("response_truncated", pairs(&[("lookup_order", "Truncated")])),
    ] {
        let settled = settled(name);
        assert_eq!(ends(&settled), expected, "{name}");
        assert_paired(&settled);
    }
}

#[test]
fn a_settled_reply_is_followed_up_as_the_provider_wants_it() {
    let wanted = sample("cohere/followup_results.json");
    let wanted = &wanted["messages"].as_array().unwrap()[1..];
    let messages = settled("response_two").messages();
    assert_eq!(messages.len(), wanted.len());
    assert_eq!(messages[0], wanted[0]);
    assert_eq!(messages[1]["tool_call_id"], wanted[1]["tool_call_id"]);
    let document = json!({"type": "document", "document": {"data": {"order_no": "A-1042", "status": "shipped"}}});
    assert_eq!(messages[1]["content"], json!([document]));
    // What is no answer of a tool's is no document to cite.
    assert_eq!(messages[2]["content"], "convert_units rejected: to must be one of mile or km. Received \"parsec\".");
}

#[test]
fn objects_are_documents_and_all_else_is_text() {
    let tool = |name: &str, answer: fn() -> Answer| {
        DynamicTool::new(name, "Answer.", json!({"type": "object"}), move |(), _, _| {
            Box::pin(async move { Ok::<Answer, _>(answer()) })
        })
    };
    let registry = Registry::<()>::builder()
        .dynamic(tool("text", || json!("It is shipped.").into()))
        .dynamic(tool("list", || json!([1, 2]).into()))
        .dynamic(tool("empty", || json!({}).into()))
        .dynamic(tool("blocks", || {
            [Content::text("Two:"), Content::json(&json!({"a": 1})).unwrap(), Content::image("image/png", [1])].into()
        }))
        .dynamic(tool("texts", || [Content::text("One."), Content::text("Two.")].into()))
        .build()
        .unwrap();
    let offer = registry.offer(Cohere::default(), Select::All).unwrap();
    let content = |name: &str| {
        let settled = block_on(offer.settle(&reply(name, "{}", "TOOL_CALL"), &(), &mut Run::default())).unwrap();
        settled.messages()[1]["content"].clone()
    };
    assert_eq!(content("text"), "It is shipped.");
    assert_eq!(content("list"), "[1,2]");
    assert_eq!(content("empty"), "{}");
    assert_eq!(content("texts"), "One.\nTwo.");
    let blocks = json!([
        {"type": "text", "text": "Two:"},
        {"type": "document", "document": {"data": {"a": 1}}},
        {"type": "text", "text": "[image/png, 1 bytes: not shown]"},
    ]);
    assert_eq!(content("blocks"), blocks);
}

#[test]
fn reasons_are_in_capitals_and_say_whether_the_calls_run() {
    for (reason, end) in [
        ("TOOL_CALL", "completed"),
        ("COMPLETE", "completed"),
        ("MAX_TOKENS", "Truncated"),
        ("TIMEOUT", "Truncated"),
        ("ERROR", "TurnNotRunnable"),
        ("tool_call", "TurnNotRunnable"),
    ] {
        // The text of a call without arguments is empty.
        let settled = settle(Cohere::default(), &reply("ping", "", reason));
        assert_eq!(ends(&settled), pairs(&[("ping", end)]), "{reason}");
    }
}

#[test]
fn an_answer_goes_back_with_its_thoughts_and_without_its_citations() {
    let content = json!([{"type": "thinking", "thinking": "Look."}, {"type": "text", "text": "It is shipped."}]);
    let message = json!({"role": "assistant", "content": content, "citations": [{"start": 0, "end": 2, "text": "It"}]});
    let settled = settle(Cohere::default(), &json!({"id": "1", "finish_reason": "COMPLETE", "message": message}));
    assert_eq!(settled.outcome(), TurnOutcome::Final);
    assert_eq!(settled.messages(), [json!({"role": "assistant", "content": content})]);
    let empty = json!({"role": "assistant", "content": [], "tool_plan": "", "tool_calls": []});
    let settled = settle(Cohere::default(), &json!({"finish_reason": "COMPLETE", "message": empty}));
    assert_eq!(settled.messages(), Vec::<Value>::new());
}

#[test]
fn a_name_with_a_dash_goes_back_as_a_placeholder() {
    for (sent, written) in [("get-order", "unknown_tool"), ("7up", "unknown_tool"), ("pong", "pong")] {
        let settled = settle(Cohere::default(), &reply(sent, "{}", "TOOL_CALL"));
        assert_eq!(settled.messages()[0]["tool_calls"][0]["function"]["name"], written);
    }
}

#[test]
fn a_stream_is_the_reply_that_it_makes() {
    let (named, streamed) = stream(Cohere::default(), &text("cohere/stream_one.jsonl"));
    assert!(named.iter().map(Named::name).eq(["lookup_order"]));
    let mut whole = sample("cohere/response_one.json");
    whole["message"]["tool_plan"] = "I will look".into();
    assert_eq!(streamed.messages(), settle(Cohere::default(), &whole).messages());
    assert_eq!(ends(&streamed), pairs(&[("lookup_order", "completed")]));
    assert_prefixes_are_cut(Cohere::default(), "cohere/stream_one.jsonl", 7);
}

#[test]
fn thoughts_texts_and_several_calls_are_put_together() {
    let part = |index: usize, kind: &str, part: Value| json!({"type": kind, "index": index, "delta": {"message": {"content": part}}});
    let call = |index: usize, kind: &str, call: Value| json!({"type": kind, "index": index, "delta": {"message": {"tool_calls": call}}});
    let events = [
        json!({"type": "message-start", "id": "1", "delta": {"message": {"role": "assistant"}}}),
        part(0, "content-start", json!({"type": "thinking", "thinking": ""})),
        part(0, "content-delta", json!({"thinking": "Look"})),
        part(0, "content-delta", json!({"thinking": "."})),
        part(1, "content-start", json!({"type": "text", "text": ""})),
        part(1, "content-delta", json!({"text": "A moment."})),
        call(
            0,
            "tool-call-start",
            json!({"id": "a", "type": "function", "function": {"name": "ping", "arguments": ""}}),
        ),
        json!({"type": "tool-call-end", "index": 0}),
        call(
            1,
            "tool-call-start",
            json!({"id": "b", "type": "function", "function": {"name": "pong", "arguments": ""}}),
        ),
        call(1, "tool-call-delta", json!({"function": {"arguments": "{}"}})),
    ];
    let lines = events.map(|event| format!("data: {event}\n")).join("\n");
    let ended = json!({"type": "message-end", "delta": {"finish_reason": "TOOL_CALL"}});
    let (named, settled) = stream(Cohere::default(), &format!("{lines}\ndata: {ended}\n\ndata: [DONE]"));
    assert_eq!(named.iter().map(Named::is_offered).collect::<Vec<_>>(), [true, false]);
    assert_eq!(ends(&settled), pairs(&[("ping", "completed"), ("-", "UnknownName")]));
    let content = json!([{"type": "thinking", "thinking": "Look."}, {"type": "text", "text": "A moment."}]);
    assert_eq!(settled.messages()[0]["content"], content);
}

#[test]
fn an_error_is_no_reply() {
    let error = json!({"id": "1", "message": "tool call id not found in previous tool calls"});
    let offer = offer(Cohere::default());
    let told = block_on(offer.settle(&error, &(), &mut Run::default())).unwrap_err();
    assert_eq!(told.to_string(), "the reply is an error of the provider's, and no completion");
    assert!(offer.assembler().unwrap().push(&error.to_string()).is_err());
}

#[test]
fn a_request_demands_a_call_or_forbids_it_and_knows_no_more() {
    let offer = offer(Cohere::default());
    let said = |choice: ToolChoice| offer.request(&choice).map(|said| said.get("tool_choice").cloned());
    assert_eq!(said(ToolChoice::auto()), Ok(None));
    assert_eq!(said(ToolChoice::required()), Ok(Some("REQUIRED".into())));
    assert_eq!(said(ToolChoice::none().one_call()), Ok(Some("NONE".into())));
    let unsupported = |choice| matches!(said(choice), Err(ChoiceError::Unsupported { .. }));
    assert!(unsupported(ToolChoice::tool("ping")));
    assert!(unsupported(ToolChoice::auto().one_call()));
    assert!(unsupported(ToolChoice::required().one_call()));
}
