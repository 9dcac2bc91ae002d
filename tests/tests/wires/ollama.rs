use pollster::block_on;
use serde_json::{Value, json};
use tool_gate::{
    Named, Run, TurnOutcome,
    wire::{ChoiceError, Ollama, ToolChoice},
};

use crate::{
    family::{assert_paired, assert_prefixes_are_cut},
    support::{ends, offer, pairs, sample, settle, stream, text},
};

fn settled(name: &str) -> tool_gate::Settled {
    settle(Ollama::default(), &sample(&format!("ollama/{name}.json")))
}

fn reply(calls: &Value, reason: &str) -> Value {
    let message = json!({"role": "assistant", "content": "", "tool_calls": calls});
    json!({"model": "qwen3:4b", "message": message, "done": true, "done_reason": reason})
}

#[test]
fn calls_are_found_though_the_reason_is_stop() {
    for (name, expected) in [
        ("response_one", pairs(&[("lookup_order", "completed")])),
        ("response_two", pairs(&[("lookup_order", "completed"), ("convert_units", "Schema")])),
        ("response_two_no_ids", pairs(&[("lookup_order", "completed"), ("convert_units", "Schema")])),
        ("response_truncated", pairs(&[])),
    ] {
        let settled = settled(name);
        assert_eq!(ends(&settled), expected, "{name}");
        assert_paired(&settled);
    }
    // What is left of a call in the text is text.
    let cut = settled("response_truncated");
    assert_eq!(cut.outcome(), TurnOutcome::Cut);
    assert!(cut.messages()[0]["content"].as_str().unwrap().starts_with("<tool_call>"));
}

#[test]
fn a_settled_reply_is_followed_up_as_the_provider_wants_it() {
    let wanted = sample("ollama/followup_results.json");
    let wanted = &wanted["messages"].as_array().unwrap()[1..];
    let messages = settled("response_two").messages();
    assert_eq!(messages.len(), wanted.len());
    assert_eq!(messages[0].as_object().unwrap().keys().collect::<Vec<_>>(), ["role", "content", "tool_calls"]);
    for (place, call) in wanted[0]["tool_calls"].as_array().unwrap().iter().enumerate() {
        let ours = &messages[0]["tool_calls"][place];
        assert_eq!(ours["id"], call["id"]);
        for key in ["name", "arguments"] {
            assert_eq!(ours["function"][key], call["function"][key]);
        }
    }
    for (message, wanted) in messages.iter().zip(wanted).skip(1) {
        for key in ["role", "tool_name", "tool_call_id"] {
            assert_eq!(message[key], wanted[key]);
        }
        assert!(message["content"].is_string());
    }
}

#[test]
fn where_no_ids_are_sent_none_are_written() {
    let messages = settled("response_two_no_ids").messages();
    for call in messages[0]["tool_calls"].as_array().unwrap() {
        assert_eq!(call.as_object().unwrap().keys().collect::<Vec<_>>(), ["function"]);
    }
    for result in &messages[1..] {
        assert_eq!(result.as_object().unwrap().keys().collect::<Vec<_>>(), ["role", "tool_name", "content"]);
    }
    // One that cannot be used was sent: it is replaced on both sides.
    let settled = settle(Ollama::default(), &reply(&json!([{"id": "a b", "function": {"name": "ping"}}]), "stop"));
    assert_eq!(ends(&settled), pairs(&[("ping", "completed")]));
    assert_eq!(settled.messages()[1]["tool_call_id"], settled.blocks()[0].id());
    assert_paired(&settled);
}

#[test]
fn arguments_go_back_as_an_object_whatever_they_were() {
    for (sent, written, end) in [
        (json!({"order_no": "A-1"}), json!({"order_no": "A-1"}), "completed"),
        (json!("{\"order_no\": \"A-1\"}"), json!({"order_no": "A-1"}), "completed"),
        (json!("{\"order_no\": "), json!({}), "Truncated"),
        (json!([1]), json!({}), "NotAnObject"),
        (Value::Null, json!({}), "Schema"),
    ] {
        let call = json!({"function": {"name": "lookup_order", "arguments": sent}});
        let settled = settle(Ollama::default(), &reply(&json!([call]), "stop"));
        assert_eq!(ends(&settled), pairs(&[("lookup_order", end)]));
        assert_eq!(settled.messages()[0]["tool_calls"][0]["function"]["arguments"], written);
    }
}

#[test]
fn thoughts_go_back_and_content_is_always_a_string() {
    for content in [Value::Null, json!([{"type": "text", "text": "A"}]), json!({}), json!("")] {
        let mut reply = reply(&json!([{"function": {"name": "ping", "arguments": {}}}]), "stop");
        reply["message"]["content"] = content;
        reply["message"]["thinking"] = "Look.".into();
        let messages = settle(Ollama::default(), &reply).messages();
        assert_eq!((&messages[0]["content"], &messages[0]["thinking"]), (&json!(""), &json!("Look.")));
    }
}

#[test]
fn a_cut_turns_last_call_is_truncated_and_an_unknown_reason_runs_nothing() {
    let calls =
        json!([{"function": {"name": "ping", "arguments": {}}}, {"function": {"name": "ping", "arguments": {}}}]);
    let settled = settle(Ollama::default(), &reply(&calls, "length"));
    assert_eq!(ends(&settled), pairs(&[("ping", "completed"), ("ping", "Truncated")]));
    let settled = settle(Ollama::default(), &reply(&calls, "a_reason_of_tomorrow"));
    assert_eq!(ends(&settled), pairs(&[("ping", "TurnNotRunnable"), ("ping", "TurnNotRunnable")]));
    assert_paired(&settled);
}

#[test]
fn a_stream_is_the_reply_that_it_makes() {
    let (named, streamed) = stream(Ollama::default(), &text("ollama/stream_two.jsonl"));
    assert!(named.iter().map(Named::name).eq(["lookup_order", "convert_units"]));
    assert_eq!(streamed.messages(), settled("response_two").messages());
    assert_prefixes_are_cut(Ollama::default(), "ollama/stream_two.jsonl", 3);
}

#[test]
fn texts_and_thoughts_are_put_together() {
    let line = |message: Value| json!({"message": message, "done": false}).to_string();
    let lines = [
        line(json!({"role": "assistant", "content": "", "thinking": "Loo"})),
        line(json!({"role": "assistant", "content": "", "thinking": "k."})),
        line(json!({"role": "assistant", "content": "It is "})),
        json!({"message": {"role": "assistant", "content": "shipped."}, "done": true, "done_reason": "stop"})
            .to_string(),
    ];
    let (_, settled) = stream(Ollama::default(), &lines.join("\n"));
    assert_eq!(settled.outcome(), TurnOutcome::Final);
    let message = json!({"role": "assistant", "content": "It is shipped.", "thinking": "Look."});
    assert_eq!(settled.messages(), [message]);
    assert_eq!(stream(Ollama::default(), &lines[..3].join("\n")).1.outcome(), TurnOutcome::Cut);
}

#[test]
fn an_error_is_no_reply() {
    let offer = offer(Ollama::default());
    let error = json!({"error": "\"gemma\" does not support tools"});
    let told = block_on(offer.settle(&error, &(), &mut Run::default())).unwrap_err();
    assert_eq!(told.to_string(), "the reply is an error of the provider's, and no completion");
    assert!(offer.assembler().unwrap().push(&error.to_string()).is_err());
}

#[test]
fn a_request_can_only_leave_the_choice_to_the_model() {
    let offer = offer(Ollama::default());
    let said = offer.request(&ToolChoice::auto()).unwrap();
    assert_eq!(said.keys().collect::<Vec<_>>(), ["tools"]);
    for choice in [ToolChoice::required(), ToolChoice::tool("ping"), ToolChoice::none(), ToolChoice::auto().one_call()]
    {
        assert!(matches!(offer.request(&choice), Err(ChoiceError::Unsupported { .. })), "{choice:?}");
    }
}
