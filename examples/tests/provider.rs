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
