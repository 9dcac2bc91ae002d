use serde_json::{Value, json};
use tool_gate::{Run, TurnOutcome};

use super::{SAMPLES, is_paired, response, wire};
use crate::support::{ends, offer, pairs, settle, stream, text};

/// The events in which a response would be streamed.
fn events(response: &Value) -> Vec<Value> {
    let mut begun = response.clone();
    (begun["status"], begun["output"]) = (json!("in_progress"), json!([]));
    let mut events = vec![json!({"type": "response.created", "response": begun})];
    for (index, item) in response["output"].as_array().unwrap().iter().enumerate() {
        let mut begun = item.clone();
        begun["status"] = "in_progress".into();
        if item["type"] == "function_call" {
            begun["arguments"] = "".into();
        }
        events.push(json!({"type": "response.output_item.added", "output_index": index, "item": begun}));
        for piece in item["arguments"].as_str().into_iter().flat_map(|text| text.split_inclusive(':')) {
            let kind = "response.function_call_arguments.delta";
            events.push(json!({"type": kind, "output_index": index, "item_id": item["id"], "delta": piece}));
        }
        events.push(json!({"type": "response.output_item.done", "output_index": index, "item": item}));
    }
    let ended = format!("response.{}", response["status"].as_str().unwrap());
    events.push(json!({"type": ended, "response": response}));
    events
}

fn lines(events: &[Value]) -> String {
    let line = |event: &Value| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap());
    events.iter().map(line).collect::<Vec<_>>().concat()
}

#[test]
fn a_stream_is_the_reply_that_it_makes() {
    for name in SAMPLES {
        let reply = response(name);
        let whole = settle(wire(), &reply);
        let mut events = events(&reply);
        let (named, streamed) = stream(wire(), &lines(&events));
        assert_eq!(named.len(), whole.blocks().len());
        assert_eq!(streamed.messages(), whole.messages(), "{name}");
        assert_eq!((ends(&streamed), streamed.outcome()), (ends(&whole), whole.outcome()));
        // Not every server tells all again at the end.
        events.last_mut().unwrap()["response"]["output"] = json!([]);
        let (_, streamed) = stream(wire(), &lines(&events));
        assert_eq!(streamed.messages(), whole.messages(), "{name}");
        assert_eq!((ends(&streamed), streamed.outcome()), (ends(&whole), whole.outcome()));
    }
    let (named, streamed) = stream(wire(), &text("openai_responses/stream_one_truncated.jsonl"));
    assert!(named.iter().map(tool_gate::Named::name).eq(["lookup_order"]));
    assert_eq!(ends(&streamed), pairs(&[("lookup_order", "Truncated")]));
}

#[test]
fn a_stream_that_breaks_off_is_a_cut_turn() {
    let of_sample = text("openai_responses/stream_one_truncated.jsonl");
    let streams = SAMPLES.iter().map(|name| lines(&events(&response(name)))).chain([of_sample]);
    for whole in streams {
        let lines: Vec<&str> = whole.lines().filter(|line| !line.is_empty()).collect();
        for kept in 0..lines.len() - 1 {
            let (named, settled) = stream(wire(), &lines[..kept].join("\n"));
            is_paired(&settled);
            assert_eq!(named.len(), settled.blocks().len());
            let has_calls = !settled.blocks().is_empty() || !settled.passed_over().is_empty();
            let refuses = settled.outcome() == TurnOutcome::Refused;
            assert!(refuses || settled.outcome() == if has_calls { TurnOutcome::GoOn } else { TurnOutcome::Cut });
            let whole_calls = lines[..kept].iter().filter(|line| line.contains("item.done") && line.contains("data:"));
            let ran = ends(&settled).iter().filter(|(_, end)| end == "completed").count();
            assert!(ran <= whole_calls.count());
        }
    }
}

#[test]
fn texts_are_put_together_piece_by_piece() {
    let message = json!({"type": "message", "id": "m", "role": "assistant", "status": "in_progress", "content": []});
    let part = json!({"type": "output_text", "text": "", "annotations": []});
    let reasoning = json!({"type": "reasoning", "id": "r", "summary": []});
    let events = [
        json!({"type": "response.output_item.added", "output_index": 0, "item": reasoning}),
        json!({"type": "response.reasoning_summary_part.added", "output_index": 0, "summary_index": 0, "part": {"type": "summary_text", "text": ""}}),
        json!({"type": "response.reasoning_summary_text.delta", "output_index": 0, "summary_index": 0, "delta": "Fir"}),
        json!({"type": "response.reasoning_summary_text.delta", "output_index": 0, "summary_index": 0, "delta": "st."}),
        json!({"type": "response.reasoning_text.delta", "output_index": 0, "content_index": 0, "delta": "Look."}),
        json!({"type": "response.output_item.added", "output_index": 1, "item": message}),
        json!({"type": "response.content_part.added", "output_index": 1, "content_index": 0, "part": part}),
        json!({"type": "response.output_text.delta", "item_id": "m", "content_index": 0, "delta": "Hel"}),
        json!({"type": "response.output_text.delta", "output_index": 1, "content_index": 0, "delta": "l"}),
        json!({"type": "response.output_text.done", "output_index": 1, "content_index": 0, "text": "Hello"}),
    ];
    let told = |status: &str| {
        json!([
            {"type": "reasoning", "id": "r", "summary": [{"type": "summary_text", "text": "First."}],
                "content": [{"type": "reasoning_text", "text": "Look."}]},
            {"type": "message", "id": "m", "role": "assistant", "status": status,
                "content": [{"type": "output_text", "text": "Hello", "annotations": []}]},
        ])
    };
    let (_, settled) = stream(wire(), &lines(&events));
    assert_eq!((Value::from(settled.messages()), settled.outcome()), (told("incomplete"), TurnOutcome::Cut));
    let (_, settled) = stream(wire(), &format!("{}data: [DONE]\n", lines(&events)));
    assert_eq!((Value::from(settled.messages()), settled.outcome()), (told("in_progress"), TurnOutcome::Final));

    let refusal = [
        events[5].clone(),
        json!({"type": "response.refusal.delta", "output_index": 1, "content_index": 0, "delta": "No."}),
        json!({"type": "response.completed"}),
    ];
    let (_, settled) = stream(wire(), &lines(&refusal));
    assert_eq!(settled.outcome(), TurnOutcome::Refused);
}

#[test]
fn an_error_in_a_stream_is_one() {
    let mut assembler = offer(wire()).assembler().unwrap();
    assert!(assembler.push(r#"data: {"type": "error", "code": "server_error", "message": "secret"}"#).is_err());
    let mut failed = response("response_one");
    failed["status"] = "failed".into();
    assembler.push(&json!({"type": "response.failed", "response": failed}).to_string()).unwrap();
    assert!(offer(wire()).open(assembler.finish(), &mut Run::default()).is_err());
}
