use serde_json::{Value, json};
use tool_gate::{
    Named, TurnOutcome,
    wire::{ChoiceError, OpenAiChat, ToolChoice},
};

use crate::{
    family::{assert_paired, assert_prefixes_are_cut},
    support::{ends, offer, pairs, sample, settle, stream, text},
};

/// The lines of a stream of these deltas, the last with this reason.
pub(crate) fn chunks(deltas: &[Value], reason: Option<&str>) -> String {
    let chunk = |delta: &Value, reason: Option<&str>| {
        let choice = json!({"index": 0, "delta": delta, "finish_reason": reason});
        format!("data: {}", json!({"id": "chatcmpl-1", "object": "chat.completion.chunk", "choices": [choice]}))
    };
    let lines: Vec<String> = deltas.iter().map(|delta| chunk(delta, None)).collect();
    let last = reason.map(|reason| chunk(&json!({}), Some(reason)));
    lines.into_iter().chain(last).collect::<Vec<_>>().join("\n\n")
}

/// A delta with these pieces of calls.
pub(crate) fn pieces(pieces: &Value) -> Value {
    json!({"tool_calls": pieces})
}

#[test]
fn a_stream_is_the_reply_that_it_makes() {
    let (named, streamed) = stream(OpenAiChat::default(), &text("openai_chat/stream_two.jsonl"));
    assert!(named.iter().map(Named::name).eq(["lookup_order", "convert_units"]));
    assert_eq!(ends(&streamed), pairs(&[("lookup_order", "completed"), ("convert_units", "Schema")]));
    let whole = settle(OpenAiChat::default(), &sample("openai_chat/response_two.json"));
    assert_eq!(streamed.messages(), whole.messages());
    assert_prefixes_are_cut(OpenAiChat::default(), "openai_chat/stream_two.jsonl", 7);
}

#[test]
fn indices_may_start_at_one_and_names_be_empty_later() {
    let (named, streamed) = stream(OpenAiChat::default(), &text("openai_compatible/stream_index_starts_at_one.jsonl"));
    assert_eq!(named.len(), 1);
    assert_eq!(ends(&streamed), pairs(&[("lookup_order", "completed")]));
    assert_eq!(streamed.messages()[0]["content"], "Looking.");
    assert_eq!(streamed.blocks()[0].id(), "call_FxWireOrder000000000A");
    assert_prefixes_are_cut(OpenAiChat::default(), "openai_compatible/stream_index_starts_at_one.jsonl", 4);
}

#[test]
fn calls_are_told_apart_however_a_server_numbers_them() {
    let function = |name: &str, arguments: &str| json!({"name": name, "arguments": arguments});
    let order = r#"{"order_no": "A-1"}"#;
    let streams = [
        // Whole calls in one delta, without numbers.
        vec![pieces(
            &json!([{"id": "a", "function": function("lookup_order", order)}, {"id": "b", "function": function("ping", "{}")}]),
        )],
        // Whole calls, all of them of one number.
        vec![
            pieces(&json!([{"index": 0, "id": "a", "function": function("lookup_order", order)}])),
            pieces(&json!([{"index": 0, "id": "b", "function": function("ping", "{}")}])),
        ],
        // No numbers, and pieces with the id again.
        vec![
            pieces(&json!([{"id": "a", "function": function("lookup_order", "")}])),
            pieces(&json!([{"id": "a", "function": {"arguments": "{\"order_no\":"}}])),
            pieces(&json!([{"function": {"arguments": " \"A-1\"}"}}])),
            pieces(&json!([{"id": "b", "function": function("ping", "{}")}])),
        ],
        // Ids and names again in every piece, pieces of both calls by turns, and empty and missing buffers.
        vec![
            pieces(&json!([{"index": 3, "id": "a", "function": function("lookup_order", "")}])),
            pieces(&json!([{"index": 7, "id": "b", "function": function("ping", "")}])),
            pieces(&json!([{"index": 3, "id": "a", "function": function("lookup_order", "{\"order_no\": ")}])),
            pieces(&json!([{"index": 7, "id": "", "function": {"name": null}}])),
            pieces(
                &json!([{"index": 3, "id": null, "function": function("", "\"A-1\"}")}, {"index": 7, "function": {"arguments": "{}"}}]),
            ),
        ],
        // Arguments as an object, behind an empty text.
        vec![
            pieces(&json!([{"index": 0, "id": "a", "function": function("lookup_order", "")}])),
            pieces(
                &json!([{"index": 0, "function": {"arguments": {"order_no": "A-1"}}}, {"index": 1, "id": "b", "function": {"name": "ping", "arguments": null}}]),
            ),
        ],
    ];
    for deltas in streams {
        let (named, settled) = stream(OpenAiChat::default(), &chunks(&deltas, Some("tool_calls")));
        assert!(named.iter().map(Named::name).eq(["lookup_order", "ping"]), "{deltas:?}");
        assert_eq!(ends(&settled), pairs(&[("lookup_order", "completed"), ("ping", "completed")]), "{deltas:?}");
        assert!(settled.blocks().iter().map(tool_gate::ResultBlock::id).eq(["a", "b"]), "{deltas:?}");
        assert_paired(&settled);
    }
    // Two calls of one tool, with neither ids nor numbers.
    let whole = pieces(&json!([{"function": function("ping", "{}")}]));
    let (_, settled) = stream(OpenAiChat::default(), &chunks(&[whole.clone(), whole], Some("stop")));
    assert_eq!(ends(&settled), pairs(&[("ping", "completed"), ("ping", "completed")]));
}

#[test]
fn a_stream_that_is_done_is_whole_whether_it_says_why_or_not() {
    let call = pieces(&json!([{"index": 0, "id": "a", "function": {"name": "ping", "arguments": "{}"}}]));
    let unsaid = chunks(std::slice::from_ref(&call), None);
    assert_eq!(ends(&stream(OpenAiChat::default(), &unsaid).1), pairs(&[("ping", "Truncated")]));
    let done = format!("{unsaid}\n\ndata: [DONE]\n");
    assert_eq!(ends(&stream(OpenAiChat::default(), &done).1), pairs(&[("ping", "completed")]));
    let cut = format!("{}\n\ndata: [DONE]\n", chunks(&[call], Some("length")));
    assert_eq!(ends(&stream(OpenAiChat::default(), &cut).1), pairs(&[("ping", "Truncated")]));
    // Nothing at all, and an answer that breaks off.
    assert_eq!(stream(OpenAiChat::default(), "").1.outcome(), TurnOutcome::Cut);
    let (_, broken) = stream(OpenAiChat::default(), &chunks(&[json!({"content": "It is"})], None));
    assert_eq!(broken.outcome(), TurnOutcome::Cut);
}

#[test]
fn texts_are_put_together_and_other_choices_are_not() {
    let deltas = [
        json!({"role": "assistant", "content": "", "reasoning_content": "Loo"}),
        json!({"reasoning_content": "k."}),
        json!({"content": "It is "}),
        json!({"content": "shipped."}),
    ];
    let other = json!({"choices": [{"index": 1, "delta": {"content": "No."}, "finish_reason": "stop"}]});
    let usage = json!({"choices": [], "usage": {"total_tokens": 3}});
    let lines = format!("data: {other}\n{}\ndata: {usage}\ndata: [DONE]", chunks(&deltas, Some("stop")));
    let (_, settled) = stream(OpenAiChat::default(), &lines);
    assert_eq!(settled.outcome(), TurnOutcome::Final);
    let message = json!({"role": "assistant", "content": "It is shipped.", "reasoning_content": "Look."});
    assert_eq!(settled.messages(), [message]);

    let refused = [json!({"content": null, "refusal": "I can"}), json!({"refusal": "not."})];
    let (_, settled) = stream(OpenAiChat::default(), &chunks(&refused, Some("stop")));
    assert_eq!(settled.outcome(), TurnOutcome::Refused);
    assert_eq!(settled.messages()[0]["refusal"], "I cannot.");
}

#[test]
fn reasoning_with_a_signature_is_put_together() {
    let detail = |text: &str| json!({"reasoning_details": [{"type": "reasoning.text", "text": text, "index": 0}]});
    let signed = json!({"reasoning_details": [{"type": "reasoning.text", "signature": "c2ln", "index": 0}]});
    let hidden = json!({"type": "reasoning.encrypted", "data": "ZGF0YQ==", "index": 1});
    let deltas =
        [detail("Lo"), detail("ok."), signed, json!({"reasoning_details": [hidden]}), json!({"content": "Yes."})];
    let (_, settled) = stream(OpenAiChat::default(), &chunks(&deltas, Some("stop")));
    let whole = json!({"type": "reasoning.text", "text": "Look.", "index": 0, "signature": "c2ln"});
    assert_eq!(settled.messages()[0]["reasoning_details"], json!([whole, hidden]));
}

#[test]
fn a_custom_tools_call_is_streamed_too_and_not_named() {
    let deltas = [
        pieces(&json!([{"index": 0, "id": "c", "type": "custom", "custom": {"name": "run_query", "input": ""}}])),
        pieces(&json!([{"index": 0, "custom": {"input": "SELECT"}}])),
        pieces(&json!([{"index": 0, "custom": {"input": " 1"}}])),
        pieces(&json!([{"index": 1, "id": "p", "type": "function", "function": {"name": "ping", "arguments": "{}"}}])),
    ];
    let (named, settled) = stream(OpenAiChat::default(), &chunks(&deltas, Some("tool_calls")));
    assert!(named.iter().map(Named::name).eq(["ping"]));
    assert_eq!(ends(&settled), pairs(&[("ping", "completed")]));
    let custom = json!({"id": "c", "type": "custom", "custom": {"name": "run_query", "input": "SELECT 1"}});
    assert_eq!(settled.passed_over(), std::slice::from_ref(&custom));
    assert_eq!(settled.messages()[0]["tool_calls"][0], custom);
    assert_paired(&settled);
}

#[test]
fn a_signature_beside_a_streamed_call_goes_back() {
    let signature = json!({"google": {"thought_signature": "c2ln"}});
    let call = json!({"id": "a", "type": "function", "function": {"name": "ping", "arguments": "{}"}, "extra_content": signature});
    let (_, settled) = stream(OpenAiChat::default(), &chunks(&[pieces(&json!([call]))], Some("stop")));
    assert_eq!(settled.messages()[0]["tool_calls"], json!([call]));
}

#[test]
fn an_error_in_a_stream_is_the_hosts_and_what_came_before_is_kept() {
    let offer = offer(OpenAiChat::default());
    for error in [json!({"error": {"message": "overloaded"}}), json!({"object": "error", "message": "overloaded"})] {
        let mut assembler = offer.assembler().unwrap();
        let call = pieces(&json!([{"index": 0, "id": "a", "function": {"name": "ping", "arguments": "{}"}}]));
        assembler.push(&chunks(&[call], None)).unwrap();
        let told = assembler.push(&error.to_string()).unwrap_err();
        assert_eq!(told.to_string(), "the stream reports an error of the provider's");
        let settled = pollster::block_on(offer.settle(assembler.finish(), &(), &mut tool_gate::Run::default()));
        assert_eq!(ends(&settled.unwrap()), pairs(&[("ping", "Truncated")]));
    }
}

#[test]
fn a_request_says_what_may_be_called() {
    let offer = offer(OpenAiChat::default());
    let said = |choice: ToolChoice| {
        let mut said = offer.request(&choice).unwrap();
        assert_eq!(said.remove("tools"), Some(offer.tools().to_value()));
        Value::from(said)
    };
    assert_eq!(said(ToolChoice::auto()), json!({"tool_choice": "auto"}));
    assert_eq!(said(ToolChoice::required()), json!({"tool_choice": "required"}));
    assert_eq!(said(ToolChoice::none().one_call()), json!({"tool_choice": "none"}));
    let ping = json!({"type": "function", "function": {"name": "ping"}});
    assert_eq!(said(ToolChoice::tool("ping")), json!({"tool_choice": ping}));
    let one = json!({"tool_choice": "auto", "parallel_tool_calls": false});
    assert_eq!(said(ToolChoice::auto().one_call()), one);
    let missing = offer.request(&ToolChoice::tool("pong"));
    assert_eq!(missing, Err(ChoiceError::NotOffered { tool: "pong".into() }));
}

#[test]
fn of_more_calls_than_a_message_may_have_the_others_stand_in_further_ones() {
    let call = |at: usize| json!({"id": format!("c{at}"), "type": "function", "function": {"name": "ping", "arguments": "{}"}});
    let custom = json!({"id": "x", "type": "custom", "custom": {"name": "run_query", "input": "SELECT 1"}});
    let reply = |calls: Vec<Value>| {
        let message = json!({"role": "assistant", "content": "All of them.", "tool_calls": calls});
        json!({"choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}]})
    };
    assert_eq!(settle(OpenAiChat::default(), &reply((0..128).map(call).collect())).messages().len(), 129);
    let calls = std::iter::once(custom.clone()).chain((0..300).map(call)).collect();
    let settled = settle(OpenAiChat::default(), &reply(calls));
    let messages = settled.messages();
    assert_eq!((settled.blocks().len(), messages.len()), (300, 303));
    assert_eq!(messages[0]["content"], "All of them.");
    let (mut waiting, mut answered) = (Vec::new(), 0);
    for message in &messages {
        if message["role"] == "tool" {
            assert_eq!(message["tool_call_id"], waiting.remove(0));
            answered += 1;
            continue;
        }
        assert_eq!(waiting, [] as [Value; 0], "all calls of a message are answered behind it");
        let calls = message["tool_calls"].as_array().unwrap();
        assert!((1..=128).contains(&calls.len()));
        waiting = calls.iter().map(|call| call["id"].clone()).collect();
    }
    // The custom tool's is the host's to answer, at the end.
    assert_eq!((waiting, answered), (vec![custom["id"].clone()], 300));
}
