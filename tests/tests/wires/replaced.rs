//! Replies in which one value is another: of a provider's own shape, and of none.

use pollster::block_on;
use serde_json::{Value, json};
use tool_gate::{Offer, Run, Settled, wire::Reply};

/// The reply, with each of its values replaced in turn.
pub(crate) fn each_value_replaced(reply: &Value) -> Vec<Value> {
    let mut paths = vec![String::new()];
    collect(reply, "", &mut paths);
    let others = [Value::Null, json!(0), json!(""), json!([]), json!({})];
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

/// Settles the replies that a stream makes when one value in one of its events is another.
pub(crate) fn stream_any(offer: &Offer<()>, events: &[Value]) -> Vec<Settled> {
    let mut settled = Vec::new();
    for (at, event) in events.iter().enumerate() {
        for other in each_value_replaced(event) {
            let mut assembler = offer.assembler().unwrap();
            for event in events[..at].iter().chain([&other]).chain(&events[at + 1..]) {
                // An event that is none of the provider's is an error, and the stream goes on.
                let _ = assembler.push_event(event);
            }
            settled.extend(block_on(offer.settle(assembler.finish(), &(), &mut Run::default())).ok());
        }
    }
    settled
}
