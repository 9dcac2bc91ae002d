//! The Chat Completions wire: what it reads, as OpenAI and the servers that speak it nearly send it, and what it writes back.

#![allow(clippy::needless_pass_by_value, reason = "a tool's arguments are its own")]
#![allow(clippy::unwrap_used, reason = "a test fails where it is wrong")]

use std::sync::LazyLock;

use pollster::block_on;
use serde_json::{Value, json};
use tool_gate::{
    Offer, Registry, ResultBlock, Run, Select, Settled, TurnOutcome, tool,
    wire::{self, Arguments, Reply},
};

/// Fetch one order by its number.
#[tool(read_only)]
fn lookup_order(order_no: &str, with_history: Option<bool>) -> String {
    match with_history {
        Some(true) => format!("{order_no} was packed, then shipped."),
        _ => format!("{order_no} is shipped."),
    }
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Unit {
    Km,
    Mile,
}

/// Convert a length between units.
#[tool(read_only)]
fn convert_units(value: f64, from: Unit, to: Unit) -> f64 {
    match (from, to) {
        (Unit::Km, Unit::Mile) => value / 1.609_344,
        (Unit::Mile, Unit::Km) => value * 1.609_344,
        _ => value,
    }
}

/// Answer.
#[tool(read_only)]
fn ping() -> &'static str {
    "pong"
}

static REGISTRY: LazyLock<Registry<()>> = LazyLock::new(|| {
    let builder = Registry::builder().tool::<lookup_order>().tool::<convert_units>().tool::<ping>();
    builder.build().unwrap()
});

fn offer() -> Offer<()> {
    REGISTRY.offer(wire::OpenAiChat::default(), Select::All).unwrap()
}

/// Settles a reply in both forms in which a host may have it. They must not differ.
fn settle(reply: &str) -> Settled {
    let settle = |reply: Reply<'_>| block_on(offer().settle(reply, &(), &mut Run::default())).unwrap();
    let value: Value = serde_json::from_str(reply).unwrap();
    let (text, parsed) = (settle(reply.into()), settle(Reply::from(&value)));
    assert_eq!(kinds(&text), kinds(&parsed));
    assert_eq!(text.outcome(), parsed.outcome());
    // White space between tokens is all that a parsed value has lost.
    assert_eq!(settle(value.to_string().into()).messages(), parsed.messages());
    is_legal(&text);
    text
}

/// What holds for every reply: a request takes each message back, and each call has its answer behind it.
fn is_legal(settled: &Settled) {
    let messages = settled.messages();
    let Some((assistant, results)) = messages.split_first() else {
        assert!(settled.blocks().is_empty());
        return;
    };
    assert_eq!(assistant["role"], "assistant");
    for (key, value) in assistant.as_object().unwrap() {
        assert!(matches!(key.as_str(), "role" | "content" | "refusal" | "tool_calls" | "reasoning_content"), "{key}");
        assert!(key == "content" || !value.is_null(), "{key} is null");
    }
    let calls = assistant.get("tool_calls").map_or(&[][..], |calls| calls.as_array().unwrap());
    assert!(assistant.get("tool_calls").is_none() || !calls.is_empty());
    let (customs, calls): (Vec<&Value>, Vec<&Value>) = calls.iter().partition(|call| call["type"] == "custom");
    assert!(customs.into_iter().eq(settled.passed_over()));
    assert_eq!(calls.len(), settled.blocks().len());
    assert_eq!(results.len(), calls.len());
    for ((call, result), block) in calls.iter().zip(results).zip(settled.blocks()) {
        assert_eq!(keys(call), ["id", "type", "function"]);
        assert_eq!(keys(&call["function"]), ["name", "arguments"]);
        let arguments: Value = serde_json::from_str(call["function"]["arguments"].as_str().unwrap()).unwrap();
        assert!(arguments.is_object());
        let name = call["function"]["name"].as_str().unwrap();
        assert!((1..=64).contains(&name.len()));
        assert!(name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')), "{name:?}");
        assert_eq!(keys(result), ["role", "tool_call_id", "content"]);
        assert_eq!((&result["role"], &result["tool_call_id"]), (&json!("tool"), &call["id"]));
        assert_eq!((&result["tool_call_id"], &result["content"]), (&json!(block.id()), &json!(block.text())));
        assert!(!block.text().trim().is_empty());
    }
    let mut ids: Vec<&str> = settled.blocks().iter().map(ResultBlock::id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), calls.len(), "each id stands once");
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

fn kinds(settled: &Settled) -> Vec<&'static str> {
    let kind =
        |block: &ResultBlock| block.rejection().map_or(block.kind().as_str(), |rejection| rejection.kind().as_str());
    settled.blocks().iter().map(kind).collect()
}

/// A reply with these `tool_calls`.
fn reply(calls: Value, finish_reason: &str) -> Value {
    let message =
        json!({"role": "assistant", "content": null, "refusal": null, "annotations": [], "tool_calls": calls});
    json!({
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "choices": [{"index": 0, "message": message, "logprobs": null, "finish_reason": finish_reason}],
        "usage": {"prompt_tokens": 120, "completion_tokens": 24, "total_tokens": 144},
    })
}

fn call(id: &str, name: &str, arguments: impl Into<Value>) -> Value {
    json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments.into()}})
}

fn settle_calls(calls: &[Value], finish_reason: &str) -> Settled {
    settle(&reply(calls.into(), finish_reason).to_string())
}

/// The arguments of the first call as they are written back.
fn written_arguments(settled: &Settled) -> String {
    settled.messages()[0]["tool_calls"][0]["function"]["arguments"].as_str().unwrap().to_owned()
}

macro_rules! fixture {
    ($name:literal) => {
        include_str!(concat!("../cases/wire/", $name, ".json"))
    };
}

/// The calls of a reply: id, name, arguments.
fn found(settled: &Settled) -> Vec<(Option<&str>, &str, String)> {
    let call = |call: &'_ wire::Call| call.arguments().text().into_owned();
    settled.calls().iter().map(|sent| (sent.id(), sent.name(), call(sent))).collect()
}

// Reading.

#[test]
fn the_calls_of_every_recorded_shape_are_found_and_answered() {
    let order = ("call_FxWireOrder000000000A", "lookup_order", r#"{"order_no":"A-1042","with_history":null}"#);
    let units = ("call_FxWireUnits000000000B", "convert_units", r#"{"value":3,"from":"mile","to":"parsec"}"#);
    let shapes = [
        (fixture!("openai_chat/response_one"), vec![order], vec!["completed"]),
        (fixture!("openai_chat/response_two"), vec![order, units], vec!["completed", "schema"]),
        (
            fixture!("openai_chat/response_truncated"),
            vec![(order.0, order.1, r#"{"order_no":"A-10"#)],
            vec!["truncated"],
        ),
        (fixture!("openai_chat/response_truncated_empty_arguments"), vec![(order.0, order.1, "")], vec!["truncated"]),
        (fixture!("openai_chat/response_custom"), vec![], vec![]),
        (fixture!("openai_chat/response_refusal"), vec![], vec![]),
        (
            fixture!("deepseek/response_two"),
            vec![
                ("call_00_FxWireOrder0000000A", "lookup_order", r#"{"order_no":"A-1042"}"#),
                ("call_01_FxWireUnits0000000B", "convert_units", units.2),
            ],
            vec!["completed", "schema"],
        ),
        (
            fixture!("deepseek/response_truncated"),
            vec![
                ("call_00_FxWireOrder0000000A", "lookup_order", r#"{"order_no":"A-1042"}"#),
                ("call_01_FxWireUnits0000000B", "convert_units", r#"{"value": 3, "fr"#),
            ],
            vec!["completed", "truncated"],
        ),
        (fixture!("openai_compatible/groq_null_arguments"), vec![("fx3k9a2bz", "ping", "null")], vec!["completed"]),
        (
            fixture!("openai_compatible/llamacpp_truncated"),
            vec![("Fx0Ll4mAcPp00000000000000000001", "lookup_order", r#"{"order_no": "A-"#)],
            vec!["truncated"],
        ),
        (fixture!("openai_compatible/vllm_call_left_in_content"), vec![], vec![]),
    ];
    for (text, calls, told) in shapes {
        let settled = settle(text);
        let calls: Vec<_> = calls.into_iter().map(|(id, name, text)| (Some(id), name, text.to_owned())).collect();
        assert_eq!(found(&settled), calls, "{text}");
        assert_eq!(kinds(&settled), told, "{text}");
    }
}

#[test]
fn the_worst_case_of_a_compatible_server_is_read() {
    let settled = settle(fixture!("openai_compatible/lenient_missing_fields"));
    assert_eq!(kinds(&settled), ["completed", "completed"]);
    let arguments = settled.calls()[0].arguments();
    assert!(matches!(arguments, Arguments::Text(_) | Arguments::Value(_)), "{arguments:?}");
    let ids: Vec<&str> = settled.blocks().iter().map(ResultBlock::id).collect();
    assert_eq!(ids, ["call_1_0", "call_1_1"], "neither call has an id of its own");
}

#[test]
fn empty_and_null_arguments_are_no_arguments_where_the_turn_is_complete() {
    for arguments in [json!(""), json!("  \n"), json!("null"), Value::Null, json!("{}"), json!({})] {
        let settled = settle_calls(&[call("1", "ping", arguments.clone())], "tool_calls");
        assert_eq!(kinds(&settled), ["completed"], "{arguments}");
        assert_eq!(written_arguments(&settled), "{}", "{arguments}");
    }
    let absent = json!({"id": "1", "type": "function", "function": {"name": "ping"}});
    let settled = settle_calls(&[absent], "tool_calls");
    assert_eq!(kinds(&settled), ["completed"]);
    assert_eq!(written_arguments(&settled), "{}");
}

#[test]
fn empty_arguments_where_some_are_required_are_the_schemas_affair() {
    for arguments in [json!(""), json!("null"), Value::Null] {
        let settled = settle_calls(&[call("1", "lookup_order", arguments)], "tool_calls");
        assert_eq!(settled.blocks()[0].text(), "lookup_order rejected: order_no is required.");
    }
}

#[test]
fn arguments_may_be_an_object_and_nothing_else() {
    let told = |arguments: Value| kinds(&settle_calls(&[call("1", "lookup_order", arguments)], "tool_calls"))[0];
    assert_eq!(told(json!({"order_no": "A-1"})), "completed");
    assert_eq!(told(json!(["A-1"])), "not_an_object");
    assert_eq!(told(json!(7)), "not_an_object");
    assert_eq!(told(json!("[]")), "not_an_object");
    // Text inside the text is a string, not an object.
    assert_eq!(told(json!(r#""{\"order_no\": \"A-1\"}""#)), "not_an_object");
}

#[test]
fn a_fault_in_the_arguments_spoils_their_call_alone() {
    let text = r#"{"choices": [{"index": 0, "finish_reason": "tool_calls", "message": {"role": "assistant", "tool_calls": [
        {"id": "1", "type": "function", "function": {"name": "lookup_order", "arguments": {"order_no": "A-1", "order_no": "A-2"}}},
        {"id": "2", "type": "function", "function": {"name": "convert_units", "arguments": {"value": NaN}}},
        {"id": "3", "type": "function", "function": {"name": "ping", "arguments": "{'a': 1}"}},
        {"id": "4", "type": "function", "function": {"name": "ping", "arguments": "{}"}}
    ]}}]}"#;
    let settled = block_on(offer().settle(text, &(), &mut Run::default())).unwrap();
    is_legal(&settled);
    assert_eq!(kinds(&settled), ["unparsable", "unparsable", "unparsable", "completed"]);
    let written: Vec<Value> = settled.messages()[0]["tool_calls"]
        .as_array()
        .unwrap()
        .iter()
        .map(|call| call["function"]["arguments"].clone())
        .collect();
    assert_eq!(written, ["{}", "{}", "{}", "{}"]);
}

#[test]
fn in_a_cut_turn_the_last_call_is_truncated_and_those_before_run() {
    let first = call("1", "lookup_order", r#"{"order_no": "A-1"}"#);
    // However whole it looks: the limit may have come between a digit and the next.
    for last in [json!(""), json!("null"), Value::Null, json!(r#"{"value": 3, "fr"#), json!("{}"), json!({})] {
        let settled = settle_calls(&[first.clone(), call("2", "ping", last.clone())], "length");
        assert_eq!(kinds(&settled), ["completed", "truncated"], "{last}");
        assert_eq!(settled.outcome(), TurnOutcome::GoOn);
    }
    let settled = settle_calls(&[call("1", "ping", r#"{"value": 3, "fr"#), call("2", "ping", "{}")], "length");
    assert_eq!(kinds(&settled), ["truncated", "truncated"]);
}

#[test]
fn a_cut_answer_without_calls_is_cut() {
    let settled = settle(&reply(Value::Null, "length").to_string());
    assert_eq!(settled.outcome(), TurnOutcome::Cut);
}

#[test]
fn nothing_runs_in_a_filtered_refused_or_unknown_turn() {
    for (reason, outcome) in [
        ("content_filter", TurnOutcome::Refused),
        ("error", TurnOutcome::GoOn),
        ("a_reason_of_tomorrow", TurnOutcome::GoOn),
    ] {
        let settled = settle_calls(&[call("1", "ping", "{}")], reason);
        assert_eq!(kinds(&settled), ["turn_not_runnable"], "{reason}");
        assert_eq!(settled.outcome(), outcome, "{reason}");
    }
    let mut refused = reply(json!([call("1", "ping", "{}")]), "tool_calls");
    refused["choices"][0]["message"]["refusal"] = "I cannot help with that.".into();
    let settled = settle(&refused.to_string());
    assert_eq!(kinds(&settled), ["turn_not_runnable"]);
    assert_eq!(settled.outcome(), TurnOutcome::Refused);
}

#[test]
fn a_refusal_is_refused_and_goes_back_as_one() {
    let settled = settle(fixture!("openai_chat/response_refusal"));
    assert_eq!(settled.outcome(), TurnOutcome::Refused);
    assert_eq!(
        settled.messages(),
        [json!({"role": "assistant", "content": null, "refusal": "I cannot help with that."})]
    );
    let mut empty = reply(Value::Null, "stop");
    empty["choices"][0]["message"]["content"] = "Here you are.".into();
    empty["choices"][0]["message"]["refusal"] = "".into();
    assert_eq!(settle(&empty.to_string()).outcome(), TurnOutcome::Final);
}

#[test]
fn calls_run_whatever_ordinary_reason_stands_beside_them() {
    for reason in [json!("tool_calls"), json!("stop"), json!("function_call"), json!(""), Value::Null] {
        let mut reply = reply(json!([call("1", "ping", "{}")]), "");
        reply["choices"][0]["finish_reason"] = reason.clone();
        assert_eq!(kinds(&settle(&reply.to_string())), ["completed"], "{reason}");
    }
    let mut absent = reply(json!([call("1", "ping", "{}")]), "");
    absent["choices"][0].as_object_mut().unwrap().remove("finish_reason");
    assert_eq!(kinds(&settle(&absent.to_string())), ["completed"]);
}

#[test]
fn null_and_empty_tool_calls_are_none() {
    for calls in [Value::Null, json!([])] {
        for reason in ["stop", "tool_calls"] {
            let mut answer = reply(calls.clone(), reason);
            answer["choices"][0]["message"]["content"] = "It is shipped.".into();
            let settled = settle(&answer.to_string());
            assert_eq!(settled.outcome(), TurnOutcome::Final);
            assert_eq!(settled.messages(), [json!({"role": "assistant", "content": "It is shipped."})]);
        }
    }
}

#[test]
fn a_call_that_a_server_left_in_the_text_is_text() {
    let settled = settle(fixture!("openai_compatible/vllm_call_left_in_content"));
    assert_eq!(settled.outcome(), TurnOutcome::Final);
    assert!(settled.messages()[0]["content"].as_str().unwrap().starts_with("<tool_call>"));
}

#[test]
fn a_call_without_a_type_is_a_functions() {
    let mut untyped = call("1", "ping", "{}");
    untyped.as_object_mut().unwrap().remove("type");
    assert_eq!(kinds(&settle_calls(&[untyped], "tool_calls")), ["completed"]);
}

#[test]
fn a_call_that_is_hardly_one_is_answered_all_the_same() {
    let odd =
        [json!({}), json!("ping"), Value::Null, json!({"id": "4", "function": {"name": 7}}), json!({"type": "custom"})];
    let settled = settle_calls(&odd, "tool_calls");
    assert_eq!(kinds(&settled), ["unknown_name"; 5]);
    assert_eq!(settled.blocks()[0].text(), "The call names no tool. Send the name of one of the tools you were given.");
}

#[test]
fn what_is_no_completion_is_an_error_for_the_host() {
    for (text, told) in [
        (
            fixture!("openai_compatible/groq_tool_use_failed"),
            "the reply is an error of the provider's, and no completion",
        ),
        (r#"{"choices": []}"#, "a Chat Completions reply has an array `choices`, not empty"),
        ("{}", "a Chat Completions reply has an array `choices`, not empty"),
        (r#"{"choices": [{"text": "a"}]}"#, "a Chat Completions choice has an object `message`"),
        (
            r#"{"choices": [{"message": {"tool_calls": {"id": "1"}}}]}"#,
            "the `tool_calls` of a Chat Completions message are an array",
        ),
    ] {
        let mut run = Run::default();
        let error = block_on(offer().settle(text, &(), &mut run)).unwrap_err();
        assert_eq!(error.to_string(), told);
        assert_eq!(run, Run::default());
    }
    assert!(block_on(offer().settle("<html>", &(), &mut Run::default())).is_err());
}

// Writing back.

#[test]
fn a_settled_reply_is_followed_up_as_the_provider_wants_it() {
    let wanted: Value = serde_json::from_str(fixture!("openai_chat/followup_results")).unwrap();
    let wanted = &wanted["messages"].as_array().unwrap()[1..];
    let messages = settle(fixture!("openai_chat/response_two")).messages();
    assert_eq!(messages[0], wanted[0]);
    assert_eq!(messages.len(), wanted.len());
    for (message, wanted) in messages.iter().zip(wanted) {
        assert_eq!(keys(message), keys(wanted));
        assert_eq!((&message["role"], &message["tool_call_id"]), (&wanted["role"], &wanted["tool_call_id"]));
    }
    assert_eq!(messages[1]["content"], "A-1042 is shipped.");
    assert_eq!(messages[2]["content"], "convert_units rejected: to must be one of mile or km. Received \"parsec\".");
}

#[test]
fn reasoning_goes_back_and_what_only_replies_have_does_not() {
    let messages = settle(fixture!("deepseek/response_two")).messages();
    assert_eq!(keys(&messages[0]), ["role", "content", "reasoning_content", "tool_calls"]);
    assert_eq!(messages[0]["content"], "");
    assert_eq!(messages[0]["reasoning_content"], "Two independent questions.");
}

#[test]
fn arguments_go_back_as_the_very_text_they_came_as() {
    // More digits than a float or a `u64` holds, and the spaces that a server's cache of the prompt depends on.
    for text in [
        r#"{"order_no": "A-1", "with_history": true}"#,
        r#"{ "n": 123456789012345678901234567890 , "f": 1.50, "e": 1e2 }"#,
        r#"{"id":2512292042121000001}"#,
        r#"{"text":"Gr\u00fc\u00dfe \ud83d\ude00"}"#,
    ] {
        let settled = settle_calls(&[call("1", "lookup_order", text)], "tool_calls");
        assert_eq!(written_arguments(&settled), text);
    }
    let settled = settle_calls(&[call("1", "ping", json!({"n": 18_446_744_073_709_551_615_u64}))], "tool_calls");
    assert_eq!(written_arguments(&settled), r#"{"n":18446744073709551615}"#);
}

#[test]
fn arguments_that_are_no_object_go_back_as_an_empty_one() {
    for text in [r#"{"order_no": "A-"#, "", "null", "[1]", "7", "{'a': 1}", r#"{"a": 1, "a": 2}"#, "{}{}", "\"text\""] {
        let settled = settle_calls(&[call("1", "lookup_order", text)], "tool_calls");
        assert_eq!(written_arguments(&settled), "{}", "{text}");
    }
}

#[test]
fn a_name_that_a_request_does_not_take_goes_back_as_a_placeholder() {
    let long = "x".repeat(65);
    let illegal = ["", "functions.ping", "ping</arg_value>", "pïng", &long, "ping ping"];
    for name in illegal {
        let messages = settle_calls(&[call("1", name, "{}")], "tool_calls").messages();
        assert_eq!(messages[0]["tool_calls"][0]["function"]["name"], "unknown_tool", "{name}");
    }
    for (sent, written) in [("pong", "pong"), (" ping\n", "ping"), ("multi-tool", "multi-tool")] {
        let messages = settle_calls(&[call("1", sent, "{}")], "tool_calls").messages();
        assert_eq!(messages[0]["tool_calls"][0]["function"]["name"], written);
    }
}

#[test]
fn ids_are_opaque_and_go_back_unchanged() {
    for id in
        ["call_PTLP8xhu3uwZk4l3nlnrrJha", "run_shell_command:4", "functions.ping:0", "123456789", "null", "a/b+c="]
    {
        let settled = settle_calls(&[call(id, "ping", "{}")], "tool_calls");
        assert_eq!(kinds(&settled), ["completed"]);
        assert_eq!(settled.blocks()[0].id(), id);
    }
}

#[test]
fn missing_and_unusable_ids_are_minted_and_stand_on_both_sides() {
    let long = "x".repeat(257);
    let mut calls: Vec<Value> =
        ["", "two words", "tab\tbed", &long].into_iter().map(|id| call(id, "ping", "{}")).collect();
    calls.push(json!({"type": "function", "function": {"name": "ping", "arguments": "{}"}}));
    calls.push(json!({"id": null, "function": {"name": "ping", "arguments": "{}"}}));
    calls.push(json!({"id": 7, "function": {"name": "ping", "arguments": "{}"}}));
    let settled = settle_calls(&calls, "tool_calls");
    assert_eq!(kinds(&settled), ["completed"; 7]);
    let ids: Vec<String> = settled.blocks().iter().map(|block| block.id().to_owned()).collect();
    assert_eq!(ids, (0..7).map(|place| format!("call_1_{place}")).collect::<Vec<_>>());
}

#[test]
fn calls_of_one_id_do_not_run_and_are_told_apart() {
    let settled = settle_calls(
        &[call("same", "ping", "{}"), call("same", "ping", "{}"), call("other", "ping", "{}")],
        "tool_calls",
    );
    assert_eq!(kinds(&settled), ["duplicate_id", "duplicate_id", "completed"]);
    let ids: Vec<&str> = settled.blocks().iter().map(ResultBlock::id).collect();
    assert_eq!(ids, ["same", "call_1_1", "other"]);
}

#[test]
fn a_custom_tools_call_is_the_hosts_to_answer_and_goes_back_as_it_came() {
    let custom = json!({
        "id": "call_FxWireQuery000000000C",
        "type": "custom",
        "custom": {"name": "run_query", "input": "SELECT 1"},
    });
    let settled = settle(fixture!("openai_chat/response_custom"));
    assert_eq!(settled.passed_over(), std::slice::from_ref(&custom));
    assert_eq!(settled.outcome(), TurnOutcome::GoOn);
    assert_eq!(settled.messages(), [json!({"role": "assistant", "content": null, "tool_calls": [custom]})]);

    let settled = settle_calls(&[call("1", "ping", "{}"), custom.clone(), call("2", "pong", "{}")], "tool_calls");
    assert_eq!(kinds(&settled), ["completed", "unknown_name"]);
    let messages = settled.messages();
    let ids: Vec<_> = messages[0]["tool_calls"].as_array().unwrap().iter().map(|call| call["id"].clone()).collect();
    assert_eq!(ids, ["1", "call_FxWireQuery000000000C", "2"]);
    assert_eq!(messages[0]["tool_calls"][1], custom);
    assert_eq!(messages.len(), 3);
}

#[test]
fn a_custom_tools_call_that_may_not_run_is_left_out() {
    let custom = json!({"id": "call_C", "type": "custom", "custom": {"name": "run_query", "input": "DROP TABLE ord"}});
    let function = call("1", "ping", "{}");
    // Cut in it: what is before is whole.
    let settled = settle_calls(&[function.clone(), custom.clone()], "length");
    assert_eq!(kinds(&settled), ["completed"]);
    assert_eq!(settled.passed_over(), Vec::<Value>::new());
    // Cut behind it: it is whole itself.
    let settled = settle_calls(&[custom.clone(), function.clone()], "length");
    assert_eq!(kinds(&settled), ["truncated"]);
    assert_eq!(settled.passed_over(), std::slice::from_ref(&custom));
    for reason in ["content_filter", "a_reason_of_tomorrow"] {
        let settled = settle_calls(&[custom.clone(), function.clone()], reason);
        assert_eq!(kinds(&settled), ["turn_not_runnable"]);
        assert_eq!(settled.passed_over(), Vec::<Value>::new());
    }
    let settled = settle_calls(&[custom], "length");
    assert_eq!(settled.outcome(), TurnOutcome::Cut);
    assert_eq!(settled.messages(), Vec::<Value>::new());
}

#[test]
fn a_signature_beside_a_call_and_reasoning_with_one_go_back() {
    let mut signed = call("1", "ping", "{}");
    signed["extra_content"] = json!({"google": {"thought_signature": "c2ln"}});
    let mut reply = reply(json!([signed.clone(), call("2", "ping", "{}")]), "tool_calls");
    let details = json!([{"type": "reasoning.text", "text": "Look.", "signature": "c2ln", "index": 0}]);
    reply["choices"][0]["message"]["reasoning_details"] = details.clone();
    let messages = block_on(offer().settle(&reply, &(), &mut Run::default())).unwrap().messages();
    assert_eq!(messages[0]["tool_calls"], json!([signed, call("2", "ping", "{}")]));
    assert_eq!(messages[0]["reasoning_details"], details);
}

#[test]
fn a_message_that_says_nothing_is_not_sent() {
    for content in [Value::Null, json!(""), json!([])] {
        let mut nothing = reply(json!([]), "stop");
        nothing["choices"][0]["message"]["content"] = content;
        nothing["choices"][0]["message"]["refusal"] = "".into();
        let settled = settle(&nothing.to_string());
        assert_eq!(settled.outcome(), TurnOutcome::Final);
        assert_eq!(settled.messages(), Vec::<Value>::new());
    }
}

#[test]
fn content_goes_back_as_it_came() {
    for content in [json!("Let me see."), json!([{"type": "text", "text": "Let me see."}])] {
        let mut with_text = reply(json!([call("1", "ping", "{}")]), "tool_calls");
        with_text["choices"][0]["message"]["content"] = content.clone();
        assert_eq!(settle(&with_text.to_string()).messages()[0]["content"], content);
    }
    let mut absent = reply(json!([call("1", "ping", "{}")]), "tool_calls");
    absent["choices"][0]["message"].as_object_mut().unwrap().remove("content");
    assert_eq!(settle(&absent.to_string()).messages()[0]["content"], Value::Null);
}

// Publishing.

#[test]
fn tools_are_published_as_functions() {
    let offer = REGISTRY.offer(wire::OpenAiChat::default(), Select::only(["lookup_order"])).unwrap();
    let parameters = json!({
        "type": "object",
        "properties": {"order_no": {"type": "string"}, "with_history": {"type": ["boolean", "null"]}},
        "required": ["order_no"],
        "additionalProperties": false,
    });
    let function = json!({
        "name": "lookup_order",
        "description": "Fetch one order by its number.",
        "parameters": parameters,
    });
    assert_eq!(offer.tools().to_value(), json!([{"type": "function", "function": function}]));
    let names: Vec<Value> = self::offer()
        .tools()
        .to_value()
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["function"]["name"].clone())
        .collect();
    assert_eq!(names, ["convert_units", "lookup_order", "ping"]);
}
