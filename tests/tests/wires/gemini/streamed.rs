use pollster::block_on;
use serde_json::{Value, json};
use tool_gate::{Registry, Run, Select, TurnOutcome};
use tool_gate_tests::provider::Provider;

use super::{SAMPLES, is_paired, ping, response, settled, wire};
use crate::{
    replaced::assert_stream_makes_replies,
    support::{ends, offer, pairs, stream, text},
};

/// The chunks in which a reply would be streamed, a part each.
fn chunks(reply: &Value) -> Vec<Value> {
    let candidate = &reply["candidates"][0];
    let parts = candidate["content"]["parts"].as_array().cloned().unwrap_or_default();
    let mut chunks: Vec<Value> = parts
        .iter()
        .map(|part| {
            let mut chunk = reply.clone();
            chunk["candidates"] =
                json!([{"content": {"role": "model", "parts": [part]}, "finishReason": null, "index": 0}]);
            chunk
        })
        .collect();
    let mut last = reply.clone();
    last["candidates"][0]["content"] = json!({"role": "model", "parts": [{"text": ""}]});
    chunks.push(last);
    chunks
}

fn lines(chunks: &[Value]) -> String {
    chunks.iter().map(|chunk| format!("data: {chunk}\r\n\r\n")).collect::<Vec<_>>().concat()
}

#[test]
fn a_stream_is_the_reply_that_it_makes() {
    for name in SAMPLES {
        let whole = settled(name);
        let (named, streamed) = stream(wire(), &lines(&chunks(&response(name))));
        assert_eq!(named.len(), whole.blocks().len());
        assert_eq!(streamed.messages(), whole.messages(), "{name}");
        assert_eq!((ends(&streamed), streamed.outcome()), (ends(&whole), whole.outcome()), "{name}");
    }
    let (named, streamed) = stream(wire(), &text("gemini/stream_two.jsonl"));
    assert!(named.iter().map(tool_gate::Named::name).eq(["lookup_order", "convert_units"]));
    assert_eq!(streamed.messages(), settled("response_two").messages());
}

#[test]
fn a_stream_that_breaks_off_is_a_cut_turn() {
    let of_sample = text("gemini/stream_two.jsonl");
    for whole in SAMPLES.iter().map(|name| lines(&chunks(&response(name)))).chain([of_sample]) {
        let lines: Vec<&str> = whole.lines().filter(|line| !line.is_empty()).collect();
        for kept in 0..lines.len() - 1 {
            let (named, settled) = stream(wire(), &lines[..kept].join("\n"));
            is_paired(&settled);
            assert_eq!(named.len(), settled.blocks().len());
            match ends(&settled).split_last() {
                None => assert_eq!(settled.outcome(), TurnOutcome::Cut),
                Some((last, before)) => {
                    assert_eq!(last.1, "Truncated");
                    assert!(before.iter().all(|(_, end)| end != "Truncated"));
                }
            }
        }
    }
}

#[test]
fn a_blocked_prompt_and_an_error_in_a_stream_are_what_they_are() {
    let blocked = json!({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}});
    let (_, settled) = stream(wire(), &blocked.to_string());
    assert_eq!(settled.outcome(), TurnOutcome::Refused);
    let mut assembler = offer(wire()).assembler().unwrap();
    assert!(assembler.push(r#"data: {"error": {"code": 503, "message": "secret"}}"#).is_err());
    let (_, settled) = stream(wire(), "data: [DONE]");
    assert_eq!(settled.outcome(), TurnOutcome::Final);
}

#[test]
fn a_fault_in_streamed_arguments_spoils_that_call_only() {
    let broken = r#"{"candidates": [{"content": {"parts": [{"functionCall": {"name": "ping", "args": {"a": 1, "a": 2}}}, {"functionCall": {"name": "ping", "args": {}}}]}, "finishReason": "STOP"}]}"#;
    let (named, settled) = stream(wire(), broken);
    assert_eq!(named.len(), 2);
    assert_eq!(ends(&settled), pairs(&[("ping", "Unparsable"), ("ping", "completed")]));
    is_paired(&settled);
}

/// A stream in which the parts of each chunk are pieces of calls.
fn pieces(calls: &[Value], ended: bool) -> String {
    let mut chunks: Vec<Value> =
        calls.iter().map(|call| json!({"candidates": [{"content": {"parts": [call]}}]})).collect();
    if ended {
        chunks.push(json!({"candidates": [{"finishReason": "STOP"}]}));
    }
    lines(&chunks)
}

fn piece(path: &str, key: &str, value: Value, goes_on: bool) -> Value {
    let partial = json!({"jsonPath": path, key: value, "willContinue": goes_on});
    json!({"functionCall": {"partialArgs": [partial], "willContinue": true}})
}

#[test]
fn arguments_that_arrive_value_by_value_are_put_together() {
    let tool = crate::support::echo("echo", json!({"type": "object"}));
    let offer = Registry::builder().dynamic(tool).build().unwrap().offer(wire(), Select::All).unwrap();
    let calls = [
        json!({"functionCall": {"id": "a", "name": "echo", "willContinue": true}, "thoughtSignature": "YQ=="}),
        piece("$.text", "stringValue", json!("A-"), true),
        piece("$.text", "stringValue", json!("10"), true),
        piece("$.text", "stringValue", json!("42"), false),
        piece("$.deep.list[0]", "numberValue", json!(3), false),
        piece("$.deep.list[1]['a b']", "boolValue", json!(true), false),
        piece("$.nothing", "nullValue", json!("NULL_VALUE"), false),
        json!({"functionCall": {}}),
        json!({"functionCall": {"name": "echo", "args": {"whole": 1}}}),
    ];
    let mut assembler = offer.assembler().unwrap();
    let stream = pieces(&calls, true);
    let named: Vec<_> = stream.lines().flat_map(|line| assembler.push(line).unwrap()).collect();
    assert_eq!(named.len(), 2);
    let settled = block_on(offer.settle(assembler.finish(), &(), &mut Run::default())).unwrap();
    is_paired(&settled);
    let arguments = json!({"text": "A-1042", "deep": {"list": [3, {"a b": true}]}, "nothing": null});
    let parts = json!([
        {"functionCall": {"id": "a", "name": "echo", "args": arguments}, "thoughtSignature": "YQ=="},
        {"functionCall": {"name": "echo", "args": {"whole": 1}}},
    ]);
    assert_eq!(settled.messages()[0]["parts"], parts);
    let output = &settled.messages()[1]["parts"][0]["functionResponse"]["response"]["output"];
    assert_eq!(output, &arguments);
}

#[test]
fn arguments_of_which_the_end_did_not_arrive_are_truncated() {
    let begun = [
        json!({"functionCall": {"name": "lookup_order", "willContinue": true}}),
        piece("$.order_no", "stringValue", json!("A-10"), true),
    ];
    for ended in [false, true] {
        let (_, settled) = stream(wire(), &pieces(&begun, ended));
        assert_eq!(ends(&settled), pairs(&[("lookup_order", "Truncated")]));
        is_paired(&settled);
        let next = [&begun[..], &[ping(), json!({"text": "."})]].concat();
        let (named, settled) = stream(wire(), &pieces(&next, true));
        assert_eq!(named.len(), 2);
        assert_eq!(ends(&settled), pairs(&[("lookup_order", "Truncated"), ("ping", "completed")]));
    }
}

#[test]
fn a_piece_that_has_no_place_spoils_its_call() {
    let deep = format!("${}", ".a".repeat(100_000));
    for path in ["order_no", "$", "$.order_no.b", "$.list[4000000000]", "$[*]", &deep] {
        let calls = [
            json!({"functionCall": {"name": "lookup_order", "willContinue": true}}),
            piece("$.order_no", "stringValue", json!("A-1"), false),
            piece(path, "stringValue", json!("x"), false),
            json!({"functionCall": {}}),
        ];
        let (_, settled) = stream(wire(), &pieces(&calls, true));
        assert_eq!(ends(&settled), pairs(&[("lookup_order", "Truncated")]), "{}", &path[..path.len().min(30)]);
        is_paired(&settled);
    }
}

#[test]
fn whatever_a_piece_of_an_argument_is_the_stream_makes_a_reply() {
    let partial = [
        json!({"candidates": [{"content": {"parts": [{"functionCall": {"name": "lookup_order", "willContinue": true}}]}}]}),
        json!({"candidates": [{"content": {"parts": [piece("$.order_no", "stringValue", json!("A-1"), true)]}}]}),
        json!({"candidates": [{"content": {"parts": [{"functionCall": {}}]}, "finishReason": "STOP"}]}),
    ];
    assert_stream_makes_replies(Provider::Gemini, &partial);
}
