use serde_json::json;
use tool_gate::wire::OpenAiChat;

use super::openai_chat::chunks;
use crate::{
    family::assert_paired,
    support::{ends, pairs, sample, settle, stream},
};

#[test]
fn calls_are_found_and_the_last_of_a_cut_turn_is_truncated() {
    for (name, expected) in [
        ("response_one", pairs(&[("lookup_order", "completed")])),
        ("response_two", pairs(&[("lookup_order", "completed"), ("convert_units", "Schema")])),
        ("response_truncated", pairs(&[("lookup_order", "completed"), ("convert_units", "Truncated")])),
        ("response_truncated_empty_arguments", pairs(&[("lookup_order", "Truncated")])),
    ] {
        let settled = settle(OpenAiChat::default(), &sample(&format!("deepseek/{name}.json")));
        assert_eq!(ends(&settled), expected, "{name}");
        assert_paired(&settled);
    }
}

#[test]
fn a_thinking_turn_goes_back_with_its_reasoning() {
    let messages = settle(OpenAiChat::default(), &sample("deepseek/response_two.json")).messages();
    let wanted = sample("deepseek/followup_results.json");
    for key in ["role", "content", "reasoning_content"] {
        assert_eq!(messages[0][key], wanted["messages"][1][key]);
    }
    // Where there was none, the key comes back all the same: without it the turn is refused.
    let mut reply = sample("deepseek/response_one.json");
    reply["choices"][0]["message"]["reasoning_content"] = "".into();
    assert_eq!(settle(OpenAiChat::default(), &reply).messages()[0]["reasoning_content"], "");
    let deltas = [
        json!({"role": "assistant", "content": null, "reasoning_content": ""}),
        json!({"content": "", "reasoning_content": null}),
        json!({"tool_calls": [{"index": 0, "id": "call_00_A", "type": "function", "function": {"name": "ping", "arguments": "{}"}}]}),
    ];
    let (_, streamed) = stream(OpenAiChat::default(), &chunks(&deltas, Some("tool_calls")));
    assert_eq!(streamed.messages()[0]["reasoning_content"], "");
    assert_eq!(streamed.messages()[0]["content"], "");
}
