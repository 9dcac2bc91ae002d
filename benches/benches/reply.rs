//! One reply of Anthropic's with one call, from the body to the messages to append: tool-gate beside what its users would write
//! without.

use divan::{Bencher, black_box};
use serde_json::{Value, json};
use tool_gate::{Run, wire::IntoReply};
use tool_gate_benches::{ByHand, OFFER, SIZES, arguments, ready};

fn main() {
    divan::main();
}

fn reply(size: &str) -> Value {
    let (tool, arguments) = arguments(size);
    let input: Value = serde_json::from_str(&arguments).expect("it is JSON");
    json!({
        "id": "msg_01", "type": "message", "role": "assistant", "model": "bench",
        "content": [
            {"type": "text", "text": "I'll look that up."},
            {"type": "tool_use", "id": "toolu_01", "name": tool, "input": input},
        ],
        "stop_reason": "tool_use", "stop_sequence": null, "usage": {"input_tokens": 512, "output_tokens": 64},
    })
}

/// The same reply as the lines of its events, with a dozen characters of the arguments in each.
fn stream(size: &str) -> Vec<String> {
    let (tool, arguments) = arguments(size);
    let mut message = reply(size);
    message["content"] = json!([]);
    message["stop_reason"] = Value::Null;
    let mut events = vec![
        json!({"type": "message_start", "message": message}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "I'll look "}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "that up."}}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "content_block_start", "index": 1, "content_block": {"type": "tool_use", "id": "toolu_01", "name": tool, "input": {}}}),
    ];
    events.extend(arguments.as_bytes().chunks(12).map(|piece| {
        let piece = str::from_utf8(piece).expect("it is ASCII");
        json!({"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": piece}})
    }));
    events.extend([
        json!({"type": "content_block_stop", "index": 1}),
        json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 64}}),
        json!({"type": "message_stop"}),
    ]);
    let lines = |event: &Value| {
        [format!("event: {}", event["type"].as_str().unwrap_or_default()), format!("data: {event}"), String::new()]
    };
    events.iter().flat_map(lines).collect()
}

#[divan::bench(args = SIZES)]
fn text_by_hand(bencher: Bencher, size: &str) {
    let (reply, by_hand) = (reply(size).to_string(), ByHand::default());
    bencher.bench(|| by_hand.settle(&serde_json::from_str(black_box(&reply)).expect("it is JSON")));
}

#[divan::bench(args = SIZES)]
fn text_tool_gate(bencher: Bencher, size: &str) {
    let reply = reply(size).to_string();
    bencher.bench(|| settle(black_box(&reply)));
}

#[divan::bench(args = SIZES)]
fn value_by_hand(bencher: Bencher, size: &str) {
    let (reply, by_hand) = (reply(size), ByHand::default());
    bencher.bench(|| by_hand.settle(black_box(&reply)));
}

#[divan::bench(args = SIZES)]
fn value_tool_gate(bencher: Bencher, size: &str) {
    let reply = reply(size);
    bencher.bench(|| settle(black_box(&reply)));
}

#[divan::bench(args = SIZES)]
fn streamed_by_hand(bencher: Bencher, size: &str) {
    let (lines, by_hand) = (stream(size), ByHand::default());
    bencher.bench(|| by_hand.settle(&put_together(black_box(&lines))));
}

#[divan::bench(args = SIZES)]
fn streamed_tool_gate(bencher: Bencher, size: &str) {
    let lines = stream(size);
    bencher.bench(|| {
        let mut assembler = OFFER.assembler().expect("it streams");
        for line in black_box(&lines) {
            black_box(assembler.push(line).expect("it is an event"));
        }
        settle(assembler.finish())
    });
}

fn settle<'r>(reply: impl IntoReply<'r>) -> Vec<Value> {
    let settled = ready(OFFER.settle(reply, &(), &mut Run::default())).expect("it is a reply");
    assert!(settled.finished() == Ok(false) && !settled.blocks()[0].is_error());
    settled.messages()
}

/// A streamed message by hand: each event a value, the pieces of each block one behind the other.
fn put_together(lines: &[String]) -> Value {
    let (mut message, mut inputs) = (Value::Null, Vec::new());
    for data in lines.iter().filter_map(|line| line.strip_prefix("data: ")) {
        let mut event: Value = serde_json::from_str(data).expect("it is JSON");
        let index = event["index"].as_u64().unwrap_or_default() as usize;
        match event["type"].as_str() {
            Some("message_start") => message = event["message"].take(),
            Some("content_block_start") => {
                message["content"].as_array_mut().expect("it has content").push(event["content_block"].take());
                inputs.push(String::new());
            }
            Some("content_block_delta") => match event["delta"]["type"].as_str() {
                Some("text_delta") => {
                    let Value::String(text) = &mut message["content"][index]["text"] else { continue };
                    text.push_str(event["delta"]["text"].as_str().unwrap_or_default());
                }
                Some("input_json_delta") => {
                    inputs[index].push_str(event["delta"]["partial_json"].as_str().unwrap_or_default());
                }
                _ => {}
            },
            Some("content_block_stop") if message["content"][index]["type"] == "tool_use" => {
                message["content"][index]["input"] = serde_json::from_str(&inputs[index]).expect("it is JSON");
            }
            Some("message_delta") => message["stop_reason"] = event["delta"]["stop_reason"].take(),
            _ => {}
        }
    }
    message
}
