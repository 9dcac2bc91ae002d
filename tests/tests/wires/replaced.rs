//! Replies and streams in which one value is another: of a provider's own shape, and of none.

use std::{fs, path::Path};

use pollster::block_on;
use serde_json::{Value, json};
use tool_gate::{Offer, Run, Settled, wire::Reply};
use tool_gate_tests::provider::{Provider, faults};

use crate::support::{offer, sample, text};

/// The reply, with each of its values replaced in turn by one of each type, and by a list of what may be a call.
pub(crate) fn each_value_replaced(reply: &Value) -> Vec<Value> {
    let mut paths = vec![String::new()];
    collect(reply, "", &mut paths);
    let others = [Value::Null, json!(0), json!(""), json!([]), json!({}), json!([{}])];
    let replaced = |path: &String, other: &Value| {
        let mut reply = reply.clone();
        *reply.pointer_mut(path).unwrap() = other.clone();
        reply
    };
    paths.iter().flat_map(|path| others.iter().map(move |other| replaced(path, other))).collect()
}

fn collect(value: &Value, path: &str, paths: &mut Vec<String>) {
    let members = value.as_object().into_iter().flatten().map(|(key, member)| (key.clone(), member));
    let elements = value.as_array().into_iter().flatten().enumerate().map(|(at, element)| (at.to_string(), element));
    for (key, value) in members.chain(elements) {
        let path = format!("{path}/{}", key.replace('~', "~0").replace('/', "~1"));
        collect(value, &path, paths);
        paths.push(path);
    }
}

/// Settles a reply that may be none of the provider's, as text and as a value, which must make no difference.
pub(crate) fn settle_any(offer: &Offer<()>, reply: &Value) -> Option<Settled> {
    let settle = |reply: Reply<'_>| block_on(offer.settle(reply, &(), &mut Run::default())).ok();
    let (parsed, text) = (settle(Reply::from(reply)), settle(Reply::from(reply.to_string())));
    let messages = |settled: &Option<Settled>| settled.as_ref().map(Settled::messages);
    assert_eq!(messages(&parsed), messages(&text), "{reply}");
    text
}

/// A provider's samples whose names begin and end like this.
fn samples(provider: Provider, begin: &str, end: &str) -> Vec<String> {
    let wire = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/wire");
    let in_folder = |folder: &&str| {
        let names = fs::read_dir(wire.join(folder)).unwrap();
        let names = names.map(|file| file.unwrap().file_name().into_string().unwrap());
        let names = names.filter(|name| name.starts_with(begin) && name.ends_with(end));
        names.map(|name| format!("{folder}/{name}")).collect::<Vec<_>>()
    };
    let mut names: Vec<_> = provider.folders().iter().flat_map(in_folder).collect();
    names.sort();
    names
}

/// Every call has its answer. What is no call goes back as it came, which the provider may refuse.
fn assert_paired(provider: Provider, settled: &Settled, of: &Value) {
    let messages = settled.messages();
    if provider.written(&messages).is_ok() {
        assert_eq!(faults(provider, &messages, settled.blocks().len()), [""; 0], "{provider:?}: {of}");
    }
}

#[test]
fn whatever_a_value_of_a_reply_is_it_is_settled_or_it_is_no_reply() {
    for provider in Provider::ALL {
        let offer = offer(provider.wire());
        for name in samples(provider, "response", ".json") {
            for reply in each_value_replaced(&sample(&name)) {
                if let Some(settled) = settle_any(&offer, &reply) {
                    assert_paired(provider, &settled, &reply);
                }
            }
        }
    }
}

#[test]
fn what_is_no_json_is_told_of_in_words_and_with_its_place() {
    for provider in Provider::ALL {
        let offer = offer(provider.wire());
        // Text around calls is all there is on a plain wire.
        let Err(error) = block_on(offer.settle("{x}", &(), &mut Run::default())) else { continue };
        assert_eq!(error.to_string(), "the reply is not JSON: an unexpected character at byte 1", "{provider:?}");
        let Some(mut assembler) = offer.assembler() else { continue };
        let told = assembler.push_event(&json!({})).and_then(|_| assembler.push("data: {\"a\": 1,}"));
        let told = told.expect_err("it is no JSON").to_string();
        assert_eq!(told, "the event is not JSON: a trailing comma at byte 7", "{provider:?}");
    }
}

/// Settles the replies that a stream makes when one value in one of its events is another: whatever it is, they are replies,
/// and every call in them has its answer.
pub(crate) fn assert_stream_makes_replies(provider: Provider, events: &[Value]) {
    let offer = offer(provider.wire());
    for (at, event) in events.iter().enumerate() {
        for other in each_value_replaced(event) {
            let mut assembler = offer.assembler().unwrap();
            for event in events[..at].iter().chain([&other]).chain(&events[at + 1..]) {
                // An event that is none of the provider's is an error for the host, and the stream goes on.
                let _ = assembler.push_event(event);
            }
            let settled = block_on(offer.settle(assembler.finish(), &(), &mut Run::default()));
            let settled = settled.unwrap_or_else(|error| panic!("{provider:?}: {error}: {other}"));
            assert_paired(provider, &settled, &other);
        }
    }
}

#[test]
fn whatever_a_value_of_an_event_is_the_stream_makes_a_reply() {
    let mut streams = 0;
    for provider in Provider::ALL {
        let recorded = samples(provider, "stream", ".jsonl")
            .into_iter()
            .map(|name| text(&name).lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<Value>>());
        let replies = samples(provider, "response", ".json").into_iter();
        for events in recorded.chain(replies.filter_map(|name| provider.events(&sample(&name)))) {
            assert_stream_makes_replies(provider, &events);
            streams += 1;
        }
    }
    assert!(streams >= 30, "{streams}");
}
