use std::collections::HashSet;

use serde_json::{Value, json};
use tool_gate::{
    Named, TurnOutcome,
    wire::{Mistral, ToolChoice, Wire},
};

use super::openai_chat::{chunks, pieces};
use crate::{
    family::assert_paired,
    support::{ends, offer, pairs, sample, settle, stream},
};

fn settled(name: &str) -> tool_gate::Settled {
    settle(Mistral::default(), &sample(&format!("mistral/{name}.json")))
}

/// A reply with these calls.
fn reply(calls: &Value, reason: &str) -> Value {
    let message = json!({"role": "assistant", "content": "", "tool_calls": calls});
    json!({"id": "1", "choices": [{"index": 0, "finish_reason": reason, "message": message}]})
}

fn ping(id: impl Into<Value>) -> Value {
    json!({"id": id.into(), "function": {"name": "ping", "arguments": "{}"}})
}

#[test]
fn calls_are_found_and_the_last_of_a_cut_turn_is_truncated() {
    for (name, expected) in [
        ("response_one", pairs(&[("lookup_order", "completed")])),
        ("response_two", pairs(&[("lookup_order", "completed"), ("convert_units", "Schema")])),
        ("response_object_arguments", pairs(&[("lookup_order", "completed")])),
        ("response_truncated", pairs(&[("lookup_order", "Truncated")])),
        ("response_no_calls", pairs(&[])),
    ] {
        let settled = settled(name);
        assert_eq!(ends(&settled), expected, "{name}");
        assert_paired(&settled);
    }
    assert_eq!(settled("response_no_calls").outcome(), TurnOutcome::Final);
}

#[test]
fn a_settled_reply_is_followed_up_as_the_provider_wants_it() {
    let wanted = sample("mistral/followup_results.json");
    let wanted = &wanted["messages"].as_array().unwrap()[1..];
    let messages = settled("response_two").messages();
    assert_eq!(messages.len(), wanted.len());
    assert_eq!(messages[0].as_object().unwrap().keys().collect::<Vec<_>>(), ["role", "content", "tool_calls"]);
    assert_eq!(messages[0]["content"], wanted[0]["content"]);
    for (place, call) in wanted[0]["tool_calls"].as_array().unwrap().iter().enumerate() {
        for key in ["id", "type", "function"] {
            assert_eq!(messages[0]["tool_calls"][place][key], call[key]);
        }
    }
    for (message, wanted) in messages.iter().zip(wanted).skip(1) {
        assert!(message.as_object().unwrap().keys().eq(wanted.as_object().unwrap().keys()));
        for key in ["role", "tool_call_id", "name"] {
            assert_eq!(message[key], wanted[key]);
        }
    }
    // An object goes back as the text of one.
    let messages = settled("response_object_arguments").messages();
    assert_eq!(messages[0]["tool_calls"][0]["function"]["arguments"], r#"{"order_no":"A-1042"}"#);
}

#[test]
fn content_and_calls_may_both_be_there_and_nothing_else_goes_back() {
    let thought = json!({"type": "thinking", "thinking": [{"type": "text", "text": "Look."}], "signature": "c2ln"});
    for content in [json!("One moment."), json!([thought, {"type": "text", "text": "One moment."}])] {
        let mut reply = reply(&json!([ping("abcdefgh1")]), "tool_calls");
        let message = reply["choices"][0]["message"].as_object_mut().unwrap();
        message.insert("content".into(), content.clone());
        message.insert("prefix".into(), false.into());
        message.insert("reasoning_content".into(), "Look.".into());
        let messages = settle(Mistral::default(), &reply).messages();
        assert_eq!(messages[0].as_object().unwrap().keys().collect::<Vec<_>>(), ["role", "content", "tool_calls"]);
        assert_eq!(messages[0]["content"], content);
    }
}

#[test]
fn ids_are_nine_letters_and_digits_on_both_sides() {
    let odd = ["", "null", "call_FxA", "abcdefgh", "abcdefgh12", "abcdefg-1", "äbcdefg1", "abc efgh1"];
    let calls: Vec<Value> = odd
        .into_iter()
        .map(ping)
        .chain([ping("abcdefgh1"), json!({"function": {"name": "ping"}}), ping("null"), ping(7)])
        .collect();
    let settled = settle(Mistral::default(), &reply(&calls.into(), "tool_calls"));
    assert!(ends(&settled).iter().all(|(_, end)| end == "completed"), "no call has another's id");
    assert_paired(&settled);
    for block in settled.blocks() {
        assert!(block.id().len() == 9 && block.id().bytes().all(|byte| byte.is_ascii_alphanumeric()), "{}", block.id());
    }
    assert_eq!(settled.blocks()[odd.len()].id(), "abcdefgh1");
}

#[test]
fn minted_ids_are_new_in_each_reply_and_at_each_place() {
    let mistral = Mistral::default();
    let steps = (0..200).chain([1_000, 46_655, 46_656, 36_u64.pow(5) - 1]);
    let mut seen = HashSet::new();
    for step in steps {
        for number in (0..300).chain([36_usize.pow(3), 36_usize.pow(4) - 1]) {
            let id = mistral.mint_id(step, number);
            assert!(mistral.takes_id(&id), "{id}");
            assert!(seen.insert(id), "step {step}, number {number}");
        }
    }
    // Beyond what a reply and a run hold they are ids all the same.
    assert!(mistral.takes_id(&mistral.mint_id(u64::MAX, usize::MAX)));
    assert_ne!(mistral.mint_id(1, 36_usize.pow(4)), mistral.mint_id(1, 0));
}

#[test]
fn reasons_say_whether_the_calls_run() {
    for (reason, end) in [
        ("tool_calls", "completed"),
        ("stop", "completed"),
        ("length", "Truncated"),
        ("model_length", "Truncated"),
        ("error", "TurnNotRunnable"),
        ("a_reason_of_tomorrow", "TurnNotRunnable"),
    ] {
        let settled = settle(Mistral::default(), &reply(&json!([ping("abcdefgh1")]), reason));
        assert_eq!(ends(&settled), pairs(&[("ping", end)]), "{reason}");
    }
}

#[test]
fn whole_calls_of_one_delta_and_calls_in_pieces_are_streamed() {
    let call = |id: &str, index: usize, name: &str, arguments: &str| json!({"id": id, "index": index, "function": {"name": name, "arguments": arguments}});
    let order = r#"{"order_no": "A-1"}"#;
    for deltas in [
        vec![pieces(&json!([call("Ord3rA001", 0, "lookup_order", order), call("Un1tsB002", 1, "ping", "{}")]))],
        vec![
            pieces(&json!([call("Ord3rA001", 0, "lookup_order", "{\"order_no\":")])),
            pieces(&json!([call("null", 0, "", " \"A-1\"}")])),
            pieces(&json!([call("Un1tsB002", 1, "ping", "")])),
        ],
    ] {
        let (named, settled) = stream(Mistral::default(), &chunks(&deltas, Some("tool_calls")));
        assert!(named.iter().map(Named::name).eq(["lookup_order", "ping"]));
        assert_eq!(ends(&settled), pairs(&[("lookup_order", "completed"), ("ping", "completed")]));
        assert!(settled.blocks().iter().map(tool_gate::ResultBlock::id).eq(["Ord3rA001", "Un1tsB002"]));
        let (_, cut) = stream(Mistral::default(), &chunks(&deltas, None));
        assert_eq!(ends(&cut), pairs(&[("lookup_order", "completed"), ("ping", "Truncated")]));
    }
}

#[test]
fn thoughts_and_texts_are_put_together() {
    let thought = |text: &str| json!({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": text}]}]});
    let deltas = [
        json!({"role": "assistant", "content": ""}),
        thought("Lo"),
        thought("ok."),
        json!({"content": [{"type": "thinking", "thinking": [], "signature": "c2ln"}]}),
        json!({"content": "It is "}),
        json!({"content": [{"type": "text", "text": "shipped."}, {"type": "reference", "reference_ids": [1]}]}),
    ];
    let (_, settled) = stream(Mistral::default(), &chunks(&deltas, Some("stop")));
    let content = json!([
        {"type": "thinking", "thinking": [{"type": "text", "text": "Look."}], "signature": "c2ln"},
        {"type": "text", "text": "It is shipped."},
        {"type": "reference", "reference_ids": [1]},
    ]);
    assert_eq!(settled.messages(), [json!({"role": "assistant", "content": content})]);
}

#[test]
fn an_error_is_no_reply() {
    let error = json!({"object": "error", "message": "Not the same number", "type": "invalid_request_message_order"});
    let settled = pollster::block_on(offer(Mistral::default()).settle(&error, &(), &mut tool_gate::Run::default()));
    assert_eq!(settled.unwrap_err().to_string(), "the reply is an error of the provider's, and no completion");
}

#[test]
fn a_request_says_what_may_be_called() {
    let said = |choice: ToolChoice| Value::from(offer(Mistral::default()).request(&choice).unwrap());
    assert_eq!(said(ToolChoice::required())["tool_choice"], "required");
    assert_eq!(said(ToolChoice::none())["tool_choice"], "none");
    let ping = json!({"type": "function", "function": {"name": "ping"}});
    assert_eq!(said(ToolChoice::tool("ping").one_call())["tool_choice"], ping);
    assert_eq!(said(ToolChoice::auto().one_call())["parallel_tool_calls"], false);
    let published = &said(ToolChoice::auto())["tools"][2]["function"];
    assert_eq!(published["name"], "ping");
    assert!(published["parameters"].is_object(), "without parameters, too, a tool has a schema");
}
