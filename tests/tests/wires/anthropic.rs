use serde_json::{Value, json};
use tool_gate::{
    TurnOutcome,
    wire::{Anthropic, ChoiceError, ToolChoice},
};

use crate::support::{ends, offer, pairs, sample, settle, stream, text};

fn settled(name: &str) -> tool_gate::Settled {
    settle(Anthropic::default(), &sample(&format!("anthropic/{name}.json")))
}

#[test]
fn one_call_and_two_are_found_and_answered_in_one_user_message() {
    assert_eq!(ends(&settled("response_one")), pairs(&[("lookup_order", "completed")]));
    let two = settled("response_two");
    assert_eq!(ends(&two), pairs(&[("lookup_order", "completed"), ("convert_units", "Schema")]));
    let messages = two.messages();
    assert_eq!(messages.len(), 2);
    assert_eq!(messages[0]["content"], sample("anthropic/response_two.json")["content"]);
    let expected = sample("anthropic/followup_results.json");
    let expected = expected["messages"].as_array().unwrap().last().unwrap();
    for (ours, theirs) in messages[1]["content"].as_array().unwrap().iter().zip(expected["content"].as_array().unwrap())
    {
        for key in ["type", "tool_use_id", "is_error"] {
            assert_eq!(ours.get(key), theirs.get(key), "{key}");
        }
    }
}

#[test]
fn a_tool_without_parameters_takes_an_empty_object() {
    assert_eq!(ends(&settled("response_no_args")), pairs(&[("ping", "completed")]));
}

#[test]
fn calls_that_the_providers_code_had_answered_are_not_made_again() {
    let settled = settled("response_programmatic_end_turn");
    assert_eq!(ends(&settled), []);
    assert_eq!(settled.outcome(), TurnOutcome::Final);
    assert_eq!(settled.messages()[0]["content"], sample("anthropic/response_programmatic_end_turn.json")["content"]);
    for reason in ["max_tokens", "pause_turn", "refusal", "tomorrow"] {
        let mut reply = sample("anthropic/response_programmatic_end_turn.json");
        reply["stop_reason"] = reason.into();
        let settled = settle(Anthropic::default(), &reply);
        assert_eq!(ends(&settled), [], "{reason}");
        assert_eq!(settled.messages(), [json!({"role": "assistant", "content": reply["content"]})]);
    }
}

#[test]
fn blocks_of_the_server_and_of_unknown_types_go_back_as_they_came() {
    let settled = settled("response_server_blocks");
    assert_eq!(settled.messages()[0]["content"], sample("anthropic/response_server_blocks.json")["content"]);
}

#[test]
fn the_last_call_of_a_cut_turn_is_truncated() {
    let settled = settled("response_truncated");
    assert_eq!(ends(&settled).last().unwrap().1, "Truncated");
}

#[test]
fn a_stream_is_the_reply_that_it_makes() {
    let (named, streamed) = stream(Anthropic::default(), &text("anthropic/stream_two.jsonl"));
    assert!(named.iter().map(tool_gate::Named::name).eq(["lookup_order", "ping"]));
    assert_eq!(ends(&streamed), pairs(&[("lookup_order", "completed"), ("ping", "completed")]));
    let whole = json!({"stop_reason": "tool_use", "content": [
        {"type": "text", "text": "Let me look"},
        {"type": "tool_use", "id": "toolu_01FxWireOrder000000000A", "name": "lookup_order",
            "input": {"order_no": "A-1042"}, "caller": {"type": "direct"}},
        {"type": "tool_use", "id": "toolu_01FxWirePing0000000000C", "name": "ping", "input": {},
            "caller": {"type": "direct"}},
    ]});
    assert_eq!(streamed.messages(), settle(Anthropic::default(), &whole).messages());
}

#[test]
fn a_stream_that_breaks_off_is_a_cut_turn() {
    let whole = text("anthropic/stream_two.jsonl");
    let lines: Vec<&str> = whole.lines().collect();
    for kept in 0..lines.len() - 2 {
        let (named, settled) = stream(Anthropic::default(), &lines[..kept].join("\n"));
        assert_eq!(named.len(), settled.blocks().len());
        if let Some((last, before)) = ends(&settled).split_last() {
            assert_eq!(last.1, "Truncated");
            assert!(before.iter().all(|(_, end)| end == "completed"));
        }
    }
}

#[test]
fn thinking_and_its_signature_are_put_together_byte_for_byte() {
    let events = [
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": "", "signature": ""}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "First, "}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "look."}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "c2ln"}}),
        json!({"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": "Shipped."}}),
        json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}}),
    ];
    let lines: Vec<String> = events.iter().map(|event| format!("data: {event}")).collect();
    let (_, settled) = stream(Anthropic::default(), &lines.join("\n\n"));
    let content = json!([
        {"type": "thinking", "thinking": "First, look.", "signature": "c2ln"},
        {"type": "text", "text": "Shipped."},
    ]);
    assert_eq!(settled.messages()[0]["content"], content);
}

#[test]
fn thoughts_that_nothing_follows_and_blank_texts_stay_behind() {
    let thought = json!({"type": "thinking", "thinking": "First,", "signature": "c2ln"});
    let hidden = json!({"type": "redacted_thinking", "data": "c2ln"});
    let reply = |content: &[Value]| json!({"content": content, "stop_reason": "max_tokens"});
    let text = json!({"type": "text", "text": " so "});
    let blank = json!({"type": "text", "text": "\n\n"});
    let cut = settle(Anthropic::default(), &reply(&[thought.clone(), text.clone(), blank.clone(), hidden.clone()]));
    assert_eq!(cut.messages(), [json!({"role": "assistant", "content": [thought, text]})]);
    assert_eq!(cut.outcome(), TurnOutcome::Cut);
    for content in [vec![thought.clone()], vec![thought.clone(), hidden, blank]] {
        assert_eq!(settle(Anthropic::default(), &reply(&content)).messages(), [] as [Value; 0]);
    }
    // Of a stream that broke off in it, a thought has no signature yet.
    let begun = json!({"type": "thinking", "thinking": "Fir", "signature": ""});
    let event = json!({"type": "content_block_start", "index": 0, "content_block": begun});
    assert_eq!(stream(Anthropic::default(), &event.to_string()).1.messages(), [] as [Value; 0]);
}

#[test]
fn a_call_of_a_toolset_is_the_hosts_to_answer() {
    let toolset =
        json!({"type": "tool_use", "id": "toolu_1", "name": "click", "toolset_name": "browser", "input": {"x": 1}});
    let reply = json!({"content": [toolset], "stop_reason": "tool_use"});
    let settled = settle(Anthropic::default(), &reply);
    assert_eq!(ends(&settled), []);
    assert_eq!(settled.passed_over(), std::slice::from_ref(&toolset));
    assert_eq!(settled.outcome(), TurnOutcome::GoOn);
    assert_eq!(settled.messages(), [json!({"role": "assistant", "content": [toolset]})]);
}

#[test]
fn a_toolsets_call_that_is_streamed_has_an_object_for_its_input() {
    let begun = json!({"type": "tool_use", "id": "toolu_1", "name": "click", "toolset_name": "browser", "input": {}});
    let delta = json!({"type": "input_json_delta", "partial_json": "{\"x\": 1}"});
    let events = [
        json!({"type": "content_block_start", "index": 0, "content_block": begun}),
        json!({"type": "content_block_delta", "index": 0, "delta": delta}),
        json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}}),
    ];
    let (named, settled) = stream(Anthropic::default(), &events.map(|event| event.to_string()).join("\n"));
    assert_eq!(named, []);
    assert_eq!(settled.passed_over()[0]["input"], json!({"x": 1}));
    assert_eq!(settled.messages()[0]["content"], Value::from(settled.passed_over()));
}

#[test]
fn a_toolsets_call_that_nobody_is_to_answer_stays_behind() {
    let toolset =
        |id: &str| json!({"type": "tool_use", "id": id, "name": "click", "toolset_name": "browser", "input": {}});
    let own = json!({"type": "tool_use", "id": "toolu_0", "name": "ping", "input": {}});
    for reason in ["end_turn", "refusal", "pause_turn", "tomorrow"] {
        let reply = json!({"content": [own, toolset("toolu_1")], "stop_reason": reason});
        let settled = settle(Anthropic::default(), &reply);
        assert_eq!(settled.passed_over(), [] as [Value; 0]);
        assert_eq!(settled.messages()[0]["content"], json!([own]), "{reason}");
        assert!(settled.blocks()[0].is_error());
    }
    // The last one is what a limit cut, and those before are whole.
    let reply = json!({"content": [toolset("toolu_1"), own, toolset("toolu_2")], "stop_reason": "max_tokens"});
    let settled = settle(Anthropic::default(), &reply);
    assert_eq!(settled.passed_over(), [toolset("toolu_1")]);
    assert_eq!(settled.messages()[0]["content"], json!([toolset("toolu_1"), own]));
    assert_eq!(ends(&settled), pairs(&[("ping", "completed")]));
    let reply = json!({"content": [toolset("toolu_1"), own], "stop_reason": "max_tokens"});
    assert_eq!(ends(&settle(Anthropic::default(), &reply)), pairs(&[("ping", "Truncated")]));
}

#[test]
fn a_request_says_what_may_be_called() {
    let offer = offer(Anthropic::default());
    let chosen = |choice: ToolChoice| offer.request(&choice).unwrap()["tool_choice"].clone();
    assert_eq!(chosen(ToolChoice::auto()), json!({"type": "auto"}));
    assert_eq!(chosen(ToolChoice::required()), json!({"type": "any"}));
    assert_eq!(chosen(ToolChoice::tool("ping")), json!({"type": "tool", "name": "ping"}));
    assert_eq!(chosen(ToolChoice::none().one_call()), json!({"type": "none"}));
    assert_eq!(chosen(ToolChoice::auto().one_call()), json!({"type": "auto", "disable_parallel_tool_use": true}));
    assert_eq!(offer.request(&ToolChoice::auto()).unwrap()["tools"], offer.tools().to_value());
    let missing = offer.request(&ToolChoice::tool("pong"));
    assert_eq!(missing, Err(ChoiceError::NotOffered { tool: "pong".into() }));
}
