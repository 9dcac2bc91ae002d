//! The providers that play recordings refuse what the real ones refuse.

#![allow(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use examples::support::{
    conversation::{converse, offer},
    provider::{Provider, Recording},
    recording::STOPPED,
    session::Session,
};
use serde_json::{Value, json};

/// A question, and three calls with their answers.
fn messages(provider: Provider) -> Vec<Value> {
    let (offer, session) = (offer(provider).unwrap(), Session::sign_in("ada").unwrap());
    let mut recording = Recording::new(provider, STOPPED.replies);
    pollster::block_on(converse(STOPPED.question, &mut recording, &offer, &session)).unwrap().messages
}

#[test]
fn a_conversation_is_refused_unless_every_call_is_answered_once_and_at_once() {
    for provider in Provider::ALL {
        let whole = messages(provider);
        assert_eq!(provider.check(&whole), Ok(()));
        let refused = |change: &dyn Fn(&mut Vec<Value>)| {
            let mut messages = whole.clone();
            change(&mut messages);
            provider.check(&messages).is_err()
        };
        assert!(refused(&|messages| drop(messages.pop())), "no answer");
        assert!(refused(&|messages| drop(messages.remove(1))), "an answer to nothing");
        assert!(refused(&|messages| messages.insert(2, messages[2].clone())), "two answers");
        assert!(refused(&|messages| messages.insert(2, json!({"role": "user", "content": "well?"}))), "too late");
        assert!(refused(&|messages| messages.extend_from_within(1..3)), "an id twice");
    }
}

#[test]
fn bedrock_refuses_what_a_request_has_no_place_for() {
    let whole = messages(Provider::Bedrock);
    let refused = |place: usize, pointer: &str, value: Value| {
        let mut messages = whole.clone();
        *messages[place].pointer_mut(pointer).unwrap() = value;
        Provider::Bedrock.check(&messages).is_err()
    };
    let call = &whole[1]["content"][0]["toolUse"];
    let mut typed = call.clone();
    typed["type"] = "tool_use".into();
    assert!(refused(1, "/content/0/toolUse", typed), "a key that replies alone have");
    assert!(refused(1, "/content/0/toolUse/input", "{}".into()), "arguments as text");
    assert!(refused(1, "/content/0/toolUse/name", "no tool".into()), "a name that is none");
    assert!(refused(2, "/content/0/toolResult/content", json!([])), "an empty result");
    assert!(refused(2, "/content/0/toolResult/content/0", json!({"text": " "})), "a blank result");
    assert!(refused(2, "/content/0/toolResult/content/0", json!({"json": [1]})), "no object");
    assert!(refused(2, "/content/0/toolResult/status", "failed".into()), "a status that is none");
    assert!(refused(0, "/content", "well?".into()), "a text that is no block");
}

#[test]
fn a_request_without_tools_is_refused() {
    for provider in Provider::ALL {
        let mut recording = Recording::new(provider, STOPPED.replies);
        let request = json!({"messages": [provider.question("well?")]});
        assert!(pollster::block_on(recording.send(&request)).is_err());
    }
}
