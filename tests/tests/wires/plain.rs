#![allow(clippy::needless_pass_by_value, reason = "values are written down where they are used")]

use pollster::block_on;
use serde_json::{Value, json};
use tool_gate::{
    Run, Settled,
    wire::{ChoiceError, Plain, ToolChoice},
};

use crate::{
    replaced::{each_value_replaced, settle_any},
    support::{ends, offer, pairs, settle},
};

fn proposal(id: &str, name: &str, arguments: Value) -> Value {
    json!({"id": id, "name": name, "arguments": arguments})
}

/// An id and a name.
type Under = (Value, Value);

/// Those of the calls in the assistant's message, and those of the results.
fn both_sides(settled: &Settled) -> (Vec<Under>, Vec<Under>) {
    let messages = settled.messages();
    let calls = messages[0]["tool_calls"].as_array().unwrap().iter();
    let calls = calls.map(|call| (call["id"].clone(), call["function"]["name"].clone())).collect();
    let results = messages[1..].iter();
    (calls, results.map(|result| (result["tool_call_id"].clone(), result["name"].clone())).collect())
}

#[test]
fn a_proposal_and_an_array_of_them_are_answered_by_a_message_each() {
    let one = settle(Plain::default(), &json!({"name": "ping", "arguments": {}}));
    assert_eq!(ends(&one), pairs(&[("ping", "completed")]));
    let call = json!({"type": "function", "function": {"name": "ping", "arguments": {}}});
    let expected = json!([
        {"role": "assistant", "tool_calls": [call]},
        {"role": "tool", "name": "ping", "content": "Done."},
    ]);
    assert_eq!(Value::from(one.messages()), expected);
    let both = json!([proposal("a", "lookup_order", json!({"order_no": "A-1"})), proposal("b", "pong", json!({}))]);
    let both = settle(Plain::default(), &both);
    assert_eq!(ends(&both), pairs(&[("lookup_order", "completed"), ("-", "UnknownName")]));
    let (calls, results) = both_sides(&both);
    assert_eq!(calls, results);
    assert_eq!(calls[0].0, "a");
}

#[test]
fn no_id_is_sent_where_none_was_and_one_is_minted_where_it_cannot_be_used() {
    let of = |reply: Value| both_sides(&settle(Plain::default(), &reply));
    let (calls, results) = of(json!([{"name": "ping", "arguments": {}}, {"id": "", "name": "ping", "arguments": {}}]));
    assert!(calls.iter().chain(&results).all(|(id, _)| id.is_null()));
    for id in ["a b", &"x".repeat(300)] {
        let (calls, results) = of(proposal(id, "ping", json!({})));
        assert_eq!(calls, results);
        assert!(calls[0].0.is_string() && calls[0].0 != id);
    }
    let (calls, results) = of(json!([proposal("a", "ping", json!({})), proposal("a", "ping", json!({}))]));
    assert_eq!(calls, results);
    assert_ne!(calls[0], calls[1]);
}

#[test]
fn whatever_stands_in_the_place_of_a_value_is_answered() {
    let one = proposal("a", "lookup_order", json!({"order_no": "A-1", "with_history": true}));
    let two = json!([one, proposal("b", "ping", json!({}))]);
    for reply in each_value_replaced(&one).into_iter().chain(each_value_replaced(&two)) {
        let settled = settle_any(&offer(Plain::default()), &reply).unwrap();
        if reply == json!([]) {
            assert_eq!(settled.messages(), [] as [Value; 0]);
            continue;
        }
        let (calls, results) = both_sides(&settled);
        assert_eq!(calls, results, "{reply}");
        assert_eq!(calls.len(), settled.blocks().len());
    }
}

#[test]
fn a_text_that_is_no_json_is_answered_too() {
    for text in ["", "I will call ping.", "{\"name\": \"ping\"", "{\"name\": \"ping\", \"arguments\": {}} done"] {
        let settled = block_on(offer(Plain::default()).settle(text, &(), &mut Run::default())).unwrap();
        assert_eq!(ends(&settled), pairs(&[("-", "Envelope")]), "{text:?}");
        assert_eq!(settled.messages().len(), 2);
    }
}

#[test]
fn a_request_has_its_tools_and_the_choice_is_the_models() {
    let offer = offer(Plain::default());
    assert_eq!(Value::Object(offer.request(&ToolChoice::auto()).unwrap()), json!({"tools": offer.tools()}));
    for choice in [ToolChoice::required(), ToolChoice::tool("ping"), ToolChoice::none(), ToolChoice::auto().one_call()]
    {
        assert!(matches!(offer.request(&choice), Err(ChoiceError::Unsupported { .. })));
    }
    assert!(offer.assembler().is_none());
}
