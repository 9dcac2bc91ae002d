//! What is asked of every wire of the chat family: the same questions of each provider's samples.

use pollster::block_on;
use serde_json::{Value, json};
use tool_gate::{
    OutcomeKind, Settled,
    testing::Script,
    wire::{Cohere, Ending, Mistral, Ollama, OpenAiChat, Wire},
};

use crate::support::{ends, offer, stream, text};

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
