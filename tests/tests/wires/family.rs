//! What is asked of every wire of the chat family: the same questions of each provider's samples.

use std::{fs, path::Path};

use pollster::block_on;
use serde_json::{Value, json};
use tool_gate::{
    Offer, OutcomeKind, Run, Settled,
    testing::Script,
    wire::{Cohere, Ending, Mistral, Ollama, OpenAiChat, Wire},
};

use crate::support::{ends, offer, sample, stream, text};

/// A provider's samples whose names end like this, as `support` takes them: but for those that are parts of requests.
fn samples(provider: &str, end: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/wire").join(provider);
    let names = fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    let is_of_a_request = |name: &str| name.starts_with("tools") || name.starts_with("followup");
    let mut names: Vec<_> = names.filter(|name| name.ends_with(end) && !is_of_a_request(name)).collect();
    names.sort();
    names.into_iter().map(|name| format!("{provider}/{name}")).collect()
}

/// The calls of an assistant's message, each with its id.
fn calls(message: &Value) -> Vec<&Value> {
    let calls = message["tool_calls"].as_array().map_or(&[][..], Vec::as_slice);
    calls.iter().filter(|call| call["type"] != "custom").collect()
}

/// Each call that goes back is answered by one message, in the calls' order, under the same id and name.
pub(crate) fn assert_paired(settled: &Settled) {
    let messages = settled.messages();
    let Some((assistant, results)) = messages.split_first() else {
        assert_eq!(settled.blocks().len(), 0);
        return;
    };
    assert_eq!(assistant["role"], "assistant");
    let calls = calls(assistant);
    assert_eq!((calls.len(), results.len()), (settled.blocks().len(), settled.blocks().len()), "{messages:?}");
    for ((call, result), block) in calls.iter().zip(results).zip(settled.blocks()) {
        assert_eq!(result["role"], "tool");
        assert_eq!(call.get("id"), result.get("tool_call_id"));
        assert!(result.get("tool_call_id").is_none_or(|id| id == block.id()));
        for key in ["name", "tool_name"] {
            assert!(result.get(key).is_none_or(|name| name == &call["function"]["name"]));
        }
        let has_content = match &result["content"] {
            Value::String(text) => !text.trim().is_empty(),
            Value::Array(parts) => !parts.is_empty(),
            _ => false,
        };
        assert!(has_content, "{result}");
        let arguments = match &call["function"]["arguments"] {
            Value::String(text) => serde_json::from_str(text).unwrap(),
            arguments => arguments.clone(),
        };
        assert!(arguments.is_object());
    }
}

/// Replaces each value of every sample by values of all types, one at a time, in a parsed reply and in a text: it is no reply,
/// or it is settled with every call answered.
pub(crate) fn assert_awkward_shapes_are_settled_or_refused(wire: impl Wire + Copy, provider: &str) {
    let offer = offer(wire);
    for name in samples(provider, ".json") {
        let whole = sample(&name);
        for place in places(&whole, String::new()) {
            for other in others() {
                let mut reply = whole.clone();
                *reply.pointer_mut(&place).unwrap() = other;
                assert_settled_or_refused(&offer, &reply);
            }
        }
    }
}

/// The same of every value of every event of its streams. What is put together is always a reply.
pub(crate) fn assert_awkward_events_are_settled_or_refused(wire: impl Wire + Copy, provider: &str) {
    let offer = offer(wire);
    for name in samples(provider, ".jsonl") {
        let events: Vec<Value> = text(&name).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        for (at, event) in events.iter().enumerate() {
            for place in places(event, String::new()) {
                for other in others() {
                    let mut events = events.clone();
                    *events[at].pointer_mut(&place).unwrap() = other;
                    let mut assembler = offer.assembler().unwrap();
                    // An error is the host's affair; what came before it is kept.
                    let _ = events.iter().try_for_each(|event| assembler.push_event(event).map(|_| ()));
                    let settled = block_on(offer.settle(assembler.finish(), &(), &mut Run::default()));
                    assert_paired(&settled.unwrap());
                }
            }
        }
    }
}

/// A value of each type, and a list of what may be a call.
fn others() -> [Value; 6] {
    [Value::Null, json!(0), json!(""), json!([]), json!({}), json!([{}])]
}

fn assert_settled_or_refused(offer: &Offer<()>, reply: &Value) {
    let parsed = block_on(offer.settle(reply, &(), &mut Run::default()));
    let text = block_on(offer.settle(reply.to_string(), &(), &mut Run::default()));
    match (parsed, text) {
        (Ok(parsed), Ok(text)) => {
            assert_paired(&text);
            assert_eq!(parsed.messages(), text.messages());
        }
        (Err(parsed), Err(text)) => assert_eq!(parsed.to_string(), text.to_string()),
        (parsed, text) => panic!("{reply}: {parsed:?} as a value, {text:?} as a text"),
    }
}

/// The place of every value, as a JSON pointer.
fn places(value: &Value, place: String) -> Vec<String> {
    let members = value.as_object().into_iter().flatten().map(|(key, member)| (key.clone(), member));
    let elements = value.as_array().into_iter().flatten().enumerate().map(|(at, element)| (at.to_string(), element));
    let below: Vec<String> =
        members.chain(elements).flat_map(|(step, value)| places(value, format!("{place}/{step}"))).collect();
    [place].into_iter().chain(below).collect()
}

/// Every part of a stream from its start is a cut turn, in which the last call is truncated and those before are judged, until
/// the line that says how it ended. Every call has been named by then.
pub(crate) fn assert_prefixes_are_cut(wire: impl Wire + Copy, name: &str, ended: usize) {
    let whole = text(name);
    let lines: Vec<&str> = whole.lines().collect();
    let judged = ends(&stream(wire, &whole).1);
    for kept in 0..=lines.len() {
        let (named, settled) = stream(wire, &lines[..kept].join("\n"));
        assert_paired(&settled);
        assert_eq!(named.len(), settled.blocks().len(), "{name}, {kept} lines");
        let mut expected = judged[..settled.blocks().len()].to_vec();
        if kept < ended
            && let Some(last) = expected.last_mut()
        {
            "Truncated".clone_into(&mut last.1);
        }
        assert_eq!(ends(&settled), expected, "{name}, {kept} lines");
    }
}

/// Plays a model that makes every kind of reply.
fn play(wire: impl Wire) {
    let script = Script::new()
        .calls("lookup_order", json!({"order_no": "A-1"}))
        .reads(r#"{"order_no":"A-1","status":"shipped"}"#)
        .and_calls("pong", json!({}))
        .reads("No tool named \"pong\". Available tools: convert_units, lookup_order, ping.")
        .calls("lookup_order", r#"{"order_no": "#)
        .ends(OutcomeKind::Rejected)
        .says("A moment.")
        .and_calls("ping", "")
        .reads("Done.")
        .calls("ping", json!({}))
        .reads("Done.")
        .and_calls("ping", json!({}))
        .ends(OutcomeKind::Rejected)
        .ending(Ending::Cut)
        .calls("ping", json!({}))
        .ends(OutcomeKind::Rejected)
        .ending(Ending::Unknown)
        .says("It is shipped.");
    let played = block_on(script.play(&offer(wire), &()));
    let calls = played.steps().iter().flat_map(Settled::calls);
    assert!(
        played.blocks().zip(calls).all(|(block, call)| call.id() == Some(block.id())),
        "no id is one that is refused"
    );
    played.steps().iter().for_each(assert_paired);
}

#[test]
fn a_script_is_played_on_every_wire_of_the_family() {
    play(OpenAiChat::default());
    play(Mistral::default());
    play(Cohere::default());
    play(Ollama::default());
}
