#![allow(clippy::needless_pass_by_value, reason = "values are written down where they are used")]

use serde_json::{Value, json};
use tool_gate::{
    Content, DynamicTool, Registry, Run, Select, Settled, TurnOutcome,
    wire::{Bedrock, ChoiceError, ToolChoice},
};

use crate::support::{echo, ends, offer, pairs, sample, settle, stream, text};

fn settled(name: &str) -> Settled {
    settle(Bedrock::default(), &sample(&format!("bedrock/{name}.json")))
}

fn replied(content: Value, stop_reason: &str) -> Value {
    json!({"output": {"message": {"role": "assistant", "content": content}}, "stopReason": stop_reason})
}

fn asked(id: &str, name: &str, input: Value) -> Value {
    json!({"toolUse": {"toolUseId": id, "name": name, "input": input}})
}

/// The ids of the calls in an assistant's turn, and those of the results behind it.
fn ids(settled: &Settled) -> (Vec<Value>, Vec<Value>) {
    let of = |role: &str, kind: &str, key: &str| -> Vec<Value> {
        let messages = settled.messages();
        let blocks = messages.iter().filter(|message| message["role"] == role);
        let blocks = blocks.flat_map(|message| message["content"].as_array().unwrap().clone());
        let blocks = blocks.filter(|block| block[kind]["type"] != "server_tool_use");
        blocks.filter_map(|block| block.get(kind).map(|block| block[key].clone())).collect()
    };
    (of("assistant", "toolUse", "toolUseId"), of("user", "toolResult", "toolUseId"))
}

#[test]
fn one_call_and_two_are_found_and_answered_in_one_user_message() {
    assert_eq!(ends(&settled("response_one")), pairs(&[("lookup_order", "completed")]));
    let two = settled("response_two");
    assert_eq!(ends(&two), pairs(&[("lookup_order", "completed"), ("convert_units", "Schema")]));
    let messages = two.messages();
    let expected = sample("bedrock/followup_results.json");
    let expected = expected["messages"].as_array().unwrap();
    assert_eq!(messages.len(), 2);
    assert_eq!(messages[0], expected[1]);
    assert_eq!(messages[1]["role"], "user");
    let results = messages[1]["content"].as_array().unwrap();
    for (ours, theirs) in results.iter().zip(expected[2]["content"].as_array().unwrap()) {
        for key in ["toolUseId", "status"] {
            assert_eq!(ours["toolResult"][key], theirs["toolResult"][key], "{key}");
        }
    }
    assert_eq!(results[0]["toolResult"]["content"], json!([{"json": {"order_no": "A-1042", "status": "shipped"}}]));
    assert_eq!(results[1]["toolResult"]["content"], json!([{"text": two.blocks()[1].text()}]));
}

#[test]
fn what_bedrocks_own_tools_were_asked_is_kept_and_not_run() {
    let settled = settled("response_server_tool_end_turn");
    assert_eq!(ends(&settled), []);
    assert_eq!(settled.outcome(), TurnOutcome::Final);
    let reply = sample("bedrock/response_server_tool_end_turn.json");
    assert_eq!(settled.messages(), [reply["output"]["message"].clone()]);
}

#[test]
fn the_last_call_of_a_turn_that_was_cut_or_malformed_is_truncated() {
    assert_eq!(ends(&settled("response_truncated")), pairs(&[("lookup_order", "Truncated")]));
    for reason in ["max_tokens", "malformed_tool_use", "malformed_model_output", "model_context_window_exceeded"] {
        let calls = json!([asked("a", "ping", json!({})), asked("b", "ping", json!({}))]);
        let settled = settle(Bedrock::default(), &replied(calls, reason));
        assert_eq!(ends(&settled), pairs(&[("ping", "completed"), ("ping", "Truncated")]), "{reason}");
        assert_eq!(settle(Bedrock::default(), &replied(json!([]), reason)).outcome(), TurnOutcome::Cut);
    }
}

#[test]
fn calls_of_a_turn_that_does_not_ask_for_tools_are_answered_and_not_run() {
    for reason in ["end_turn", "stop_sequence", "guardrail_intervened", "content_filtered", "some_future_reason"] {
        let settled = settle(Bedrock::default(), &replied(json!([asked("a", "ping", json!({}))]), reason));
        assert_eq!(ends(&settled), pairs(&[("ping", "TurnNotRunnable")]), "{reason}");
        assert_eq!(ids(&settled), (vec!["a".into()], vec!["a".into()]));
    }
}

#[test]
fn a_call_goes_back_with_the_keys_that_a_request_takes() {
    let mut call = asked("tooluse_1", "ping", json!({}));
    call["toolUse"]["type"] = "tool_use".into();
    call["toolUse"]["some_future_key"] = 1.into();
    let settled = settle(Bedrock::default(), &replied(json!([call]), "tool_use"));
    assert_eq!(settled.messages()[0]["content"], json!([asked("tooluse_1", "ping", json!({}))]));
}

#[test]
fn reasoning_and_unknown_blocks_go_back_as_they_came_and_blank_texts_do_not() {
    let kept = json!([
        {"reasoningContent": {"reasoningText": {"text": "First, look.", "signature": "c2ln"}}},
        {"reasoningContent": {"redactedContent": "AAEC"}},
        {"some_future_block": {"a": [1.50, null]}},
        {"text": " so "},
    ]);
    let mut content = kept.as_array().unwrap().clone();
    content.insert(1, json!({"text": ""}));
    content.insert(3, json!({"text": " \n"}));
    let settled = settle(Bedrock::default(), &replied(content.into(), "end_turn"));
    assert_eq!(settled.messages(), [json!({"role": "assistant", "content": kept})]);
    // Reasoning that nothing follows is taken for the start of an answer.
    let cut = settle(Bedrock::default(), &replied(json!([kept[0], kept[3], kept[1], {"text": ""}]), "max_tokens"));
    assert_eq!(cut.messages(), [json!({"role": "assistant", "content": [kept[0], kept[3]]})]);
    assert_eq!(settle(Bedrock::default(), &replied(json!([kept[0]]), "max_tokens")).messages(), [] as [Value; 0]);
    assert_eq!(settle(Bedrock::default(), &replied(json!([{"text": ""}]), "end_turn")).messages(), [] as [Value; 0]);
}

#[test]
fn ids_and_names_that_bedrock_does_not_take_are_replaced_on_both_sides() {
    let long = "x".repeat(65);
    for id in ["", "a b", "ü", &long] {
        let settled = settle(Bedrock::default(), &replied(json!([asked(id, "no tool!", json!([1]))]), "tool_use"));
        let (calls, results) = ids(&settled);
        assert_eq!(calls, results);
        assert_ne!(calls, [id]);
        let call = &settled.messages()[0]["content"][0]["toolUse"];
        assert_eq!(call["name"], "unknown_tool");
        assert_eq!(call["input"], json!({}));
    }
    // As a model behind Bedrock was recorded to send it.
    let own = replied(json!([asked("functions.ping:0", "ping", json!({}))]), "tool_use");
    assert_eq!(ids(&settle(Bedrock::default(), &own)).0, ["functions.ping:0"]);
    let twice = replied(json!([asked("a", "ping", json!({})), asked("a", "ping", json!({}))]), "tool_use");
    let settled = settle(Bedrock::default(), &twice);
    assert_eq!(ends(&settled), pairs(&[("ping", "DuplicateId"), ("ping", "DuplicateId")]));
    let (calls, results) = ids(&settled);
    assert_eq!(calls, results);
    assert_ne!(calls[0], calls[1]);
}

#[test]
fn a_broken_input_spoils_its_own_call_alone() {
    let calls = json!([asked("a", "lookup_order", json!({"order_no": "A-1"})), asked("b", "ping", json!({}))]);
    let text = replied(calls, "tool_use").to_string().replace(r#""A-1""#, r#""A-1", "order_no": 'x'"#);
    let settled = pollster::block_on(offer(Bedrock::default()).settle(&text, &(), &mut Run::default())).unwrap();
    assert_eq!(ends(&settled), pairs(&[("lookup_order", "Unparsable"), ("ping", "completed")]));
    assert_eq!(settled.messages()[0]["content"][0], asked("a", "lookup_order", json!({})));
}

#[test]
fn an_error_of_the_providers_is_no_reply() {
    let error = json!({"message": "The security token included in the request is expired"});
    let refused = pollster::block_on(offer(Bedrock::default()).settle(&error, &(), &mut Run::default()));
    assert_eq!(refused.unwrap_err().to_string(), "the reply is an error of the provider's, and no completion");
}

#[test]
fn a_stream_is_the_reply_that_it_makes() {
    let (named, streamed) = stream(Bedrock::default(), &text("bedrock/stream_one.jsonl"));
    assert!(named.iter().map(tool_gate::Named::name).eq(["lookup_order"]));
    assert_eq!(ends(&streamed), pairs(&[("lookup_order", "completed")]));
    let mut whole = sample("bedrock/response_one.json");
    whole["output"]["message"]["content"].as_array_mut().unwrap().remove(0);
    assert_eq!(streamed.messages(), settle(Bedrock::default(), &whole).messages());
}

/// A stream with a block of each kind, and the content that it makes.
fn of_each_kind() -> (Vec<Value>, Value) {
    let start = |index: u8, start: Value| json!({"contentBlockStart": {"contentBlockIndex": index, "start": start}});
    let add = |index: u8, delta: Value| json!({"contentBlockDelta": {"contentBlockIndex": index, "delta": delta}});
    let stop = |index: u8| json!({"contentBlockStop": {"contentBlockIndex": index}});
    let events = vec![
        json!({"messageStart": {"role": "assistant"}}),
        add(0, json!({"reasoningContent": {"text": "First, "}})),
        add(0, json!({"reasoningContent": {"text": "look."}})),
        add(0, json!({"reasoningContent": {"signature": "c2ln"}})),
        stop(0),
        add(1, json!({"reasoningContent": {"redactedContent": "AA=="}})),
        add(1, json!({"reasoningContent": {"redactedContent": "AQI="}})),
        stop(1),
        add(2, json!({"text": "Let me "})),
        add(2, json!({"text": "look."})),
        stop(2),
        start(3, json!({"toolUse": {"toolUseId": "s", "name": "nova_grounding", "type": "server_tool_use"}})),
        add(3, json!({"toolUse": {"input": "{\"q\": 1}"}})),
        stop(3),
        start(4, json!({"toolResult": {"toolUseId": "s", "status": "success"}})),
        add(4, json!({"toolResult": [{"text": "Found."}]})),
        stop(4),
        add(5, json!({"text": "It is so."})),
        add(5, json!({"citation": {"title": "A page", "location": {"web": {"url": "https://example.com"}}}})),
        stop(5),
        start(6, json!({"toolUse": {"toolUseId": "a", "name": "lookup_order"}})),
        add(6, json!({"toolUse": {"input": ""}})),
        add(6, json!({"toolUse": {"input": "{\"order_no\": "}})),
        add(6, json!({"toolUse": {"input": "\"A-1042\"}"}})),
        stop(6),
        start(7, json!({"toolUse": {"toolUseId": "b", "name": "ping"}})),
        stop(7),
        json!({"messageStop": {"stopReason": "tool_use"}}),
        json!({"metadata": {"usage": {"inputTokens": 1, "outputTokens": 1, "totalTokens": 2}}}),
    ];
    let content = json!([
        {"reasoningContent": {"reasoningText": {"text": "First, look.", "signature": "c2ln"}}},
        {"reasoningContent": {"redactedContent": "AAEC"}},
        {"text": "Let me look."},
        {"toolUse": {"toolUseId": "s", "name": "nova_grounding", "type": "server_tool_use", "input": {"q": 1}}},
        {"toolResult": {"toolUseId": "s", "status": "success", "content": [{"text": "Found."}]}},
        {"citationsContent": {
            "content": [{"text": "It is so."}],
            "citations": [{"title": "A page", "location": {"web": {"url": "https://example.com"}}}],
        }},
        asked("a", "lookup_order", json!({"order_no": "A-1042"})),
        asked("b", "ping", json!({})),
    ]);
    (events, content)
}

fn lines(events: &[Value]) -> String {
    events.iter().map(Value::to_string).collect::<Vec<_>>().join("\n")
}

#[test]
fn blocks_of_each_kind_are_put_together_byte_for_byte() {
    let (events, content) = of_each_kind();
    let (named, streamed) = stream(Bedrock::default(), &lines(&events));
    assert!(named.iter().map(tool_gate::Named::name).eq(["lookup_order", "ping"]));
    assert_eq!(streamed.messages()[0]["content"], content);
    assert_eq!(streamed.messages(), settle(Bedrock::default(), &replied(content, "tool_use")).messages());
}

#[test]
fn a_stream_that_breaks_off_is_a_cut_turn() {
    let (events, _) = of_each_kind();
    let sample = text("bedrock/stream_one.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for events in [events, sample] {
        // The last two events say how it ended, and what it cost.
        for kept in 0..events.len() - 2 {
            let (named, settled) = stream(Bedrock::default(), &lines(&events[..kept]));
            assert_eq!(named.len(), settled.blocks().len());
            assert_eq!(ids(&settled).0, ids(&settled).1);
            match ends(&settled).split_last() {
                Some((last, before)) => {
                    assert_eq!(last.1, "Truncated");
                    assert!(before.iter().all(|(_, end)| end == "completed"));
                }
                None => assert_eq!(settled.outcome(), TurnOutcome::Cut),
            }
        }
    }
}

#[test]
fn a_stream_reports_errors() {
    for name in ["internalServerException", "modelStreamErrorException", "throttlingException", "validationException"] {
        let mut assembler = offer(Bedrock::default()).assembler().unwrap();
        assert!(assembler.push_event(&json!({name: {"message": "no"}})).is_err(), "{name}");
    }
}

/// Answers with every kind of block.
fn shows() -> Registry<()> {
    let schema = json!({"type": "object"});
    let show = DynamicTool::new("show", "Show everything.", schema.clone(), |(), _, _| {
        Box::pin(async move {
            Ok(vec![
                Content::text("All of it."),
                Content::json(&json!({"a": 1}))?,
                Content::json(&[1])?,
                Content::image("image/JPG", [1, 2]),
                Content::image("image/tiff", [1]),
                Content::image("image/png", []),
                Content::file("a  b.pdf", "application/pdf", [1]),
                Content::file("", "text/csv; charset=utf-8", *b"a,b"),
                Content::file("blank.txt", "text/plain", *b" "),
                Content::file("a.bin", "application/octet-stream", [1]),
                Content::image("image/png", vec![0; 3_750_001]),
            ])
        })
    });
    Registry::builder().dynamic(show).dynamic(echo("echo", schema)).build().unwrap()
}

#[test]
fn a_result_shows_what_bedrock_takes_and_says_what_it_does_not() {
    let offer = shows().offer(Bedrock::default(), Select::All).unwrap();
    let reply = replied(json!([asked("tooluse_1", "show", json!({}))]), "tool_use");
    let settled = pollster::block_on(offer.settle(&reply, &(), &mut Run::default())).unwrap();
    let result = &settled.messages()[1]["content"][0]["toolResult"];
    let document = |format: &str, name: &str, bytes: &str| json!({"document": {"format": format, "name": name, "source": {"bytes": bytes}}});
    let expected = json!([
        {"text": "All of it."},
        {"json": {"a": 1}},
        {"text": "[1]"},
        {"image": {"format": "jpeg", "source": {"bytes": "AQI="}}},
        {"text": "[image/tiff, 1 bytes: not shown]"},
        {"text": "[image/png, 0 bytes: not shown]"},
        {"text": "a  b.pdf:"},
        document("pdf", "a--b-pdf (tooluse-1 7)", "AQ=="),
        {"text": "A document:"},
        document("csv", "document (tooluse-1 8)", "YSxi"),
        {"text": "[blank.txt, text/plain, 1 bytes: not shown]"},
        {"text": "[a.bin, application/octet-stream, 1 bytes: not shown]"},
        {"text": "[image/png, 3750001 bytes: not shown]"},
    ]);
    assert_eq!(result["content"], expected);
    assert_eq!(result["status"], "success");
}

#[test]
fn an_object_is_json_and_everything_else_text() {
    let offer = shows().offer(Bedrock::default(), Select::All).unwrap();
    let input = json!({"b": 0.1, "a": [null, "x"]});
    let reply = replied(json!([asked("1", "echo", input.clone())]), "tool_use");
    let settled = pollster::block_on(offer.settle(&reply, &(), &mut Run::default())).unwrap();
    assert_eq!(settled.messages()[1]["content"][0]["toolResult"]["content"], json!([{"json": input}]));
    let reply = replied(json!([asked("1", "ping", json!({}))]), "tool_use");
    let settled = settle(Bedrock::default(), &reply);
    assert_eq!(settled.messages()[1]["content"][0]["toolResult"]["content"], json!([{"text": "Done."}]));
}

#[test]
fn a_request_says_what_may_be_called() {
    let offer = offer(Bedrock::default());
    let config = |choice: ToolChoice| offer.request(&choice).unwrap()["toolConfig"].clone();
    let chosen = |choice: ToolChoice| config(choice)["toolChoice"].clone();
    assert_eq!(chosen(ToolChoice::auto()), json!({"auto": {}}));
    assert_eq!(chosen(ToolChoice::required()), json!({"any": {}}));
    assert_eq!(chosen(ToolChoice::tool("ping")), json!({"tool": {"name": "ping"}}));
    assert_eq!(config(ToolChoice::auto())["tools"], offer.tools().to_value());
    for unsupported in [ToolChoice::none(), ToolChoice::auto().one_call(), ToolChoice::required().one_call()] {
        assert!(matches!(offer.request(&unsupported), Err(ChoiceError::Unsupported { .. })));
    }
    let declared = &sample("bedrock/tools.json")["toolConfig"]["tools"][0]["toolSpec"];
    let tools = offer.tools().to_value();
    let ours = tools.as_array().unwrap().iter().find(|tool| tool["toolSpec"]["name"] == declared["name"]).unwrap();
    assert_eq!(ours["toolSpec"]["description"], declared["description"]);
    let (ours, theirs) = (&ours["toolSpec"]["inputSchema"]["json"], &declared["inputSchema"]["json"]);
    assert_eq!(ours["required"], theirs["required"]);
}
