//! What is asked of every wire's streams.

use pollster::block_on;
use serde_json::Value;
use tool_gate::{Run, Settled};
use tool_gate_tests::provider::{Asked, Ending, Provider, faults};

use crate::support::{ends, offer, pairs};

fn settled(provider: Provider, events: &[String]) -> Settled {
    let offer = offer(provider.wire());
    let mut assembler = offer.assembler().unwrap();
    for event in events {
        assembler.push(event).unwrap();
    }
    block_on(offer.settle(assembler.finish(), &(), &mut Run::default())).unwrap()
}

/// A provider's streams in which arguments may stand as an object, with this text in its place.
fn with_an_object(provider: Provider, arguments: &str) -> Option<Vec<String>> {
    let (mark, place) = match provider {
        Provider::Anthropic => ("\"input\":{}", format!("\"input\":{arguments}")),
        Provider::Gemini => ("\"args\":{}", format!("\"args\":{arguments}")),
        Provider::Ollama => ("\"arguments\":{}", format!("\"arguments\":{arguments}")),
        Provider::OpenAiChat | Provider::Mistral | Provider::Cohere => {
            ("\"arguments\":\"{}\"", format!("\"arguments\":{arguments}"))
        }
        _ => return None,
    };
    let call = |id: &str| Asked::new(id, "ping", Value::Object(serde_json::Map::new()));
    let reply = provider.reply(&[call("tool00001"), call("tool00002")], Ending::ToolUse)?;
    let events = provider.events(&reply)?;
    let (mut events, mut found): (Vec<String>, bool) = (events.iter().map(Value::to_string).collect(), false);
    for event in &mut events {
        if !found && event.contains(mark) {
            *event = event.replacen(mark, &place, 1);
            found = true;
        }
    }
    found.then_some(events)
}

#[test]
fn a_fault_in_an_object_of_arguments_spoils_its_own_call_alone() {
    let mut asked = 0;
    for provider in Provider::ALL {
        for fault in [r#"{"a":1,"a":2}"#, r#"{"a":"\ud800"}"#, r#"{"a":NaN}"#] {
            let Some(events) = with_an_object(provider, fault) else { continue };
            let settled = settled(provider, &events);
            assert_eq!(ends(&settled), pairs(&[("ping", "Unparsable"), ("ping", "completed")]), "{provider:?} {fault}");
            assert_eq!(faults(provider, &settled.messages(), 2), [] as [&str; 0]);
            asked += 1;
        }
    }
    assert!(asked >= 9, "{asked}");
}

#[test]
fn a_piece_for_each_of_many_indices_is_not_sought_among_them_all() {
    // Where each piece is sought among all, this does not end.
    const MANY: usize = 100_000;
    let text = |event: &str, at: usize| event.replace('#', &at.to_string());
    let begin_and_add = [
        (
            Provider::Anthropic,
            r#"{"type":"content_block_start","index":#,"content_block":{"type":"text","text":""}}"#,
            r#"{"type":"content_block_delta","index":#,"delta":{"type":"text_delta","text":"x"}}"#,
        ),
        (
            Provider::Bedrock,
            r#"{"contentBlockDelta":{"contentBlockIndex":#,"delta":{"text":"x"}}}"#,
            r#"{"contentBlockDelta":{"contentBlockIndex":#,"delta":{"text":"x"}}}"#,
        ),
        (
            Provider::OpenAiResponses,
            r#"{"type":"response.output_item.added","output_index":#,"item":{"type":"message","content":[]}}"#,
            r#"{"type":"response.output_text.delta","output_index":#,"content_index":0,"delta":"x"}"#,
        ),
        (
            Provider::Cohere,
            r#"{"type":"content-start","index":#,"delta":{"message":{"content":{"type":"text","text":""}}}}"#,
            r#"{"type":"content-delta","index":#,"delta":{"message":{"content":{"text":"x"}}}}"#,
        ),
        (
            Provider::OpenAiChat,
            r#"{"choices":[{"delta":{"content":[{"type":"other","at":#}]}}]}"#,
            r#"{"choices":[{"delta":{"content":[{"type":"other","at":#}]}}]}"#,
        ),
    ];
    for (provider, begin, add) in begin_and_add {
        let begun = (0..MANY).map(|at| text(begin, at));
        let added = (0..MANY).map(|at| text(add, at));
        let settled = settled(provider, &begun.chain(added).collect::<Vec<_>>());
        assert_eq!(settled.blocks().len(), 0);
    }
}
