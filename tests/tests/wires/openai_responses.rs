mod streamed;

use pollster::block_on;
use serde_json::{Value, json};
use tool_gate::{
    Content, OutcomeKind, Registry, Run, Select, Settled, TurnOutcome,
    testing::Script,
    tool,
    wire::{ChoiceError, Ending, OpenAiResponses, ToolChoice},
};

use crate::support::{ends, offer, pairs, sample, settle};

const SAMPLES: [&str; 6] = [
    "response_one",
    "response_two",
    "response_custom",
    "response_parallel_wrapper",
    "response_refusal",
    "response_truncated",
];

fn wire() -> OpenAiResponses {
    OpenAiResponses::default()
}

fn response(name: &str) -> Value {
    sample(&format!("openai_responses/{name}.json"))
}

fn settled(name: &str) -> Settled {
    settle(wire(), &response(name))
}

/// A completed response with this output.
fn with_output(output: Value) -> Value {
    let mut response = response("response_one");
    response["output"] = output;
    response
}

fn settle_output(output: Value) -> Settled {
    settle(wire(), &with_output(output))
}

fn ping(call_id: &str) -> Value {
    json!({"type": "function_call", "id": "fc_1", "call_id": call_id, "name": "ping", "arguments": "{}", "status": "completed"})
}

fn of_type<'m>(messages: &'m [Value], kind: &str) -> Vec<&'m Value> {
    messages.iter().filter(|item| item["type"] == kind).collect()
}

/// Every call that is not the host's has its output, under one id, in the calls' order.
fn is_paired(settled: &Settled) {
    let messages = settled.messages();
    let hosts: Vec<&Value> = settled.passed_over().iter().map(|call| &call["call_id"]).collect();
    let calls = of_type(&messages, "function_call");
    let calls: Vec<&Value> = calls.into_iter().filter(|call| !hosts.contains(&&call["call_id"])).collect();
    let results = of_type(&messages, "function_call_output");
    assert_eq!(results.len(), settled.blocks().len(), "{messages:?}");
    assert_eq!(calls.len(), results.len(), "{messages:?}");
    for (call, result) in calls.iter().zip(&results) {
        let id = call["call_id"].as_str().unwrap();
        assert!((1..=64).contains(&id.chars().count()));
        assert_eq!(result["call_id"], id);
        assert!(serde_json::from_str::<Value>(call["arguments"].as_str().unwrap()).unwrap().is_object());
        assert!(!result["output"].as_str().unwrap().is_empty());
    }
}

#[test]
fn one_call_and_two_are_found_and_answered_by_one_item_each() {
    assert_eq!(ends(&settled("response_one")), pairs(&[("lookup_order", "completed")]));
    let two = settled("response_two");
    assert_eq!(ends(&two), pairs(&[("lookup_order", "completed"), ("convert_units", "Schema")]));
    let wanted = response("followup_results");
    let wanted = &wanted["input"].as_array().unwrap()[1..];
    let messages = two.messages();
    assert_eq!(messages.len(), wanted.len());
    assert_eq!(messages[..3], wanted[..3]);
    for (message, wanted) in messages[3..].iter().zip(&wanted[3..]) {
        let keys = |item: &Value| item.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        assert_eq!(keys(message), keys(wanted));
        assert_eq!(message["call_id"], wanted["call_id"]);
        assert!(message["output"].is_string());
    }
}

#[test]
fn every_sample_is_paired() {
    for name in SAMPLES {
        is_paired(&settled(name));
    }
}

#[test]
fn a_wrapper_of_several_calls_is_one_call_of_a_tool_that_is_not_offered() {
    let settled = settled("response_parallel_wrapper");
    assert_eq!(ends(&settled), pairs(&[("-", "UnknownName")]));
    assert_eq!(settled.messages()[0], response("response_parallel_wrapper")["output"][0]);
}

#[test]
fn a_refusal_is_one_and_goes_back() {
    let settled = settled("response_refusal");
    assert_eq!(settled.outcome(), TurnOutcome::Refused);
    assert_eq!(settled.messages(), *response("response_refusal")["output"].as_array().unwrap());
    let beside = settle_output(json!([response("response_refusal")["output"][0], ping("call_1")]));
    assert_eq!(ends(&beside), pairs(&[("ping", "TurnNotRunnable")]));
}

#[test]
fn a_call_that_is_marked_incomplete_is_cut_and_no_other() {
    assert_eq!(ends(&settled("response_truncated")), pairs(&[("lookup_order", "Truncated")]));
    for (status, end) in [("completed", "completed"), ("incomplete", "Truncated"), ("in_progress", "Truncated")] {
        for reply in ["response_truncated", "response_one"] {
            let mut reply = response(reply);
            let mut call = ping("call_1");
            call["status"] = status.into();
            reply["output"] = json!([call, ping("call_2")]);
            let expected = pairs(&[("ping", end), ("ping", "completed")]);
            assert_eq!(ends(&settle(wire(), &reply)), expected, "{status}");
        }
    }
}

#[test]
fn without_marks_the_last_call_of_a_cut_response_is_cut() {
    let mut reply = response("response_truncated");
    let unmarked = |id: &str| json!({"type": "function_call", "call_id": id, "name": "ping", "arguments": "{}"});
    reply["output"] = json!([unmarked("call_1"), unmarked("call_2")]);
    assert_eq!(ends(&settle(wire(), &reply)), pairs(&[("ping", "completed"), ("ping", "Truncated")]));
}

#[test]
fn a_response_ends_as_its_status_says() {
    let calls = |status: Value, reason: Value| {
        let mut reply = with_output(json!([ping("call_1")]));
        reply["status"] = status;
        reply["incomplete_details"] = json!({"reason": reason});
        ends(&settle(wire(), &reply))[0].1.clone()
    };
    assert_eq!(calls(json!("completed"), Value::Null), "completed");
    assert_eq!(calls(Value::Null, Value::Null), "completed");
    assert_eq!(calls(json!("incomplete"), json!("max_output_tokens")), "completed");
    for reason in ["content_filter", "max_messages", "steered"] {
        assert_eq!(calls(json!("incomplete"), json!(reason)), "TurnNotRunnable");
    }
    assert_eq!(calls(json!("paused"), Value::Null), "TurnNotRunnable");
    assert_eq!(settle_output(json!([])).outcome(), TurnOutcome::Final);
}

#[test]
fn a_response_that_is_none_is_an_error() {
    let offer = offer(wire());
    let error = |reply: &Value| offer.open(reply, &mut Run::default()).unwrap_err().to_string();
    let mut reply = response("response_one");
    reply["error"] = json!({"code": "server_error", "message": "secret"});
    for (status, said) in [
        ("failed", "the reply is a response that failed"),
        ("cancelled", "the reply is a response that was cancelled"),
        ("queued", "the reply is a response that is not finished yet"),
        ("in_progress", "the reply is a response that is not finished yet"),
    ] {
        reply["status"] = status.into();
        assert_eq!(error(&reply), said);
    }
    let envelope = json!({"error": {"message": "secret", "type": "invalid_request_error"}});
    assert_eq!(error(&envelope), "the reply is an error of the provider's, and no response");
    assert_eq!(error(&json!({})), "a Responses reply has an array `output`");
}

#[test]
fn a_response_that_failed_for_what_it_says_is_refused() {
    let mut reply = with_output(json!([ping("call_1")]));
    reply["status"] = "failed".into();
    reply["error"] = json!({"code": "misalignment_policy_violation", "message": ""});
    let settled = settle(wire(), &reply);
    assert_eq!(ends(&settled), pairs(&[("ping", "TurnNotRunnable")]));
    assert_eq!(settled.outcome(), TurnOutcome::Refused);
}

#[test]
fn a_function_that_the_providers_search_found_is_called_as_any_other() {
    let mut call = ping("call_1");
    call["namespace"] = "ping".into();
    call["caller"] = json!({"type": "program", "caller_id": "call_p"});
    let settled = settle_output(json!([call]));
    assert_eq!(ends(&settled), pairs(&[("ping", "completed")]));
    let messages = settled.messages();
    assert_eq!(messages[0], call);
    assert_eq!(messages[1]["caller"], call["caller"]);
}

#[test]
fn calls_that_no_offer_can_hold_are_the_hosts_to_answer() {
    let mut namespaced = ping("call_n");
    namespaced["namespace"] = "shop".into();
    let hosts = [
        json!({"type": "custom_tool_call", "id": "ctc_1", "call_id": "call_0", "name": "run_query", "input": "SELECT 1"}),
        namespaced,
        json!({"type": "computer_call", "id": "cu_1", "call_id": "call_1", "status": "completed", "pending_safety_checks": []}),
        json!({"type": "local_shell_call", "id": "lsh_1", "call_id": "call_2", "status": "completed",
            "action": {"type": "exec", "command": ["ls"], "env": {}}}),
        json!({"type": "shell_call", "id": "sh_1", "call_id": "call_3", "action": {"commands": ["ls"]}}),
        json!({"type": "apply_patch_call", "id": "apc_1", "call_id": "call_4", "status": "completed",
            "operation": {"type": "delete_file", "path": "a"}}),
        json!({"type": "tool_search_call", "id": "tsc_1", "call_id": "call_5", "execution": "client", "arguments": {"q": 1}}),
        json!({"type": "mcp_approval_request", "id": "mcpr_1", "arguments": "{}", "name": "a", "server_label": "b"}),
    ];
    for call in hosts {
        let settled = settle_output(json!([call, ping("call_9")]));
        assert_eq!(settled.passed_over(), std::slice::from_ref(&call));
        assert_eq!(ends(&settled), pairs(&[("ping", "completed")]));
        assert_eq!(settled.messages()[0], call);
        let alone = settle_output(json!([call]));
        assert_eq!((alone.blocks().len(), alone.outcome()), (0, TurnOutcome::GoOn));
        assert_eq!(alone.messages(), [call]);
    }
}

#[test]
fn a_custom_tools_call_is_passed_over_as_it_came() {
    let mut call = response("response_custom")["output"][0].clone();
    let settled = settled("response_custom");
    assert_eq!((settled.passed_over(), settled.blocks().len()), (std::slice::from_ref(&call), 0));
    // A request's item of this type has no status.
    call.as_object_mut().unwrap().remove("status");
    assert_eq!(settled.messages(), [call]);
}

#[test]
fn what_the_provider_ran_is_kept_and_not_run_again() {
    let output = json!([
        {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search", "query": "a"}},
        {"type": "mcp_call", "id": "mcp_1", "name": "ping", "arguments": "{}", "server_label": "a", "output": "b"},
        {"type": "tool_search_call", "id": "tsc_1", "call_id": null, "execution": "server", "arguments": {"paths": ["a"]}},
        {"type": "shell_call", "id": "sh_1", "call_id": "call_3", "action": {"commands": ["ls"]}},
        {"type": "shell_call_output", "id": "sho_1", "call_id": "call_3", "output": []},
        {"type": "function_call", "id": "fc_1", "call_id": "call_4", "name": "ping", "arguments": "{}"},
        {"type": "function_call_output", "id": "fco_1", "call_id": "call_4", "output": "pong"},
        {"type": "some_future_item", "id": "x_1", "arguments": {"a": [null]}, "b": null},
    ]);
    let settled = settle_output(output.clone());
    assert_eq!((settled.blocks().len(), settled.passed_over().len()), (0, 0));
    assert_eq!(settled.outcome(), TurnOutcome::Final);
    assert_eq!(settled.messages(), *output.as_array().unwrap());
}

#[test]
fn what_only_replies_have_does_not_go_back() {
    let settled = settle_output(json!([
        {"type": "reasoning", "id": "rs_1", "summary": [], "content": [], "encrypted_content": null, "status": null},
        {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
            "content": [{"type": "output_text", "text": "Hm.", "annotations": [], "parsed": {"a": 1}}]},
        {"type": "shell_call", "id": "sh_1", "call_id": "c", "action": {"commands": []}, "created_by": "me", "caller": null},
        {"type": "function_call", "id": null, "call_id": "call_1", "name": "ping", "arguments": "{}", "status": null,
            "namespace": null, "parsed_arguments": {"a": 1}, "caller": null},
    ]));
    assert_eq!(
        settled.messages()[..4],
        [
            json!({"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": null}),
            json!({"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
            "content": [{"type": "output_text", "text": "Hm.", "annotations": []}]}),
            json!({"type": "shell_call", "id": "sh_1", "call_id": "c", "action": {"commands": []}, "caller": null}),
            json!({"type": "function_call", "call_id": "call_1", "name": "ping", "arguments": "{}"}),
        ]
    );
}

#[test]
fn reasoning_that_nothing_follows_stays_behind() {
    let reasoning = json!({"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "YQ=="});
    let empty = json!({"type": "message", "id": "msg_1", "role": "assistant", "status": "incomplete", "content": []});
    let mut cut = response("response_truncated");
    cut["output"] = json!([reasoning, ping("call_1"), reasoning, empty]);
    let settled = settle(wire(), &cut);
    assert_eq!(settled.messages()[..2], [reasoning.clone(), ping("call_1")]);
    assert_eq!(settled.messages().len(), 3);
    cut["output"] = json!([reasoning]);
    assert_eq!(settle(wire(), &cut).messages(), Vec::<Value>::new());
}

#[test]
fn ids_that_are_missing_repeated_or_refused_are_minted_on_both_sides() {
    let long = "x".repeat(65);
    let ids =
        [json!(""), json!(null), json!(7), json!("a b"), json!(long), json!("same"), json!("same"), json!("call_ok")];
    let mut calls: Vec<Value> =
        ids.iter().map(|id| json!({"type": "function_call", "call_id": id, "name": "ping"})).collect();
    calls.push(json!({"type": "function_call", "id": "fc_9", "name": "ping", "arguments": "{}"}));
    let settled = settle_output(calls.into());
    is_paired(&settled);
    let ids: Vec<&str> = settled.blocks().iter().map(tool_gate::ResultBlock::id).collect();
    assert_eq!(
        ids,
        ["call_1_0", "call_1_1", "call_1_2", "call_1_3", "call_1_4", "same", "call_1_6", "call_ok", "call_1_8"]
    );
    assert_eq!(of_type(&settled.messages(), "function_call")[8]["id"], "fc_9");
}

#[test]
fn arguments_go_back_as_an_objects_text() {
    let call = |arguments: Value| {
        let settled =
            settle_output(json!([{"type": "function_call", "call_id": "c", "name": "ping", "arguments": arguments}]));
        is_paired(&settled);
        settled.messages()[0]["arguments"].clone()
    };
    assert_eq!(call(json!("{ \"a\": 1.50 }")), "{ \"a\": 1.50 }");
    assert_eq!(call(json!({"a": 1})), "{\"a\":1}");
    for none in [json!("{\"a\": "), json!("[1]"), json!(""), json!(null), json!(7), json!([1])] {
        assert_eq!(call(none), "{}");
    }
}

#[test]
fn names_that_a_request_does_not_take_go_back_as_a_placeholder() {
    for name in ["", "functions.ping", "a b"] {
        let settled =
            settle_output(json!([{"type": "function_call", "call_id": "c", "name": name, "arguments": "{}"}]));
        assert_eq!(settled.messages()[0]["name"], "unknown_tool");
    }
}

/// Answer with each kind of content.
#[tool(read_only)]
fn show() -> Vec<Content> {
    vec![
        Content::text("See."),
        Content::image("image/PNG", [1, 2, 3]),
        Content::image("image/tiff", [1]),
        Content::file("a.pdf", "application/pdf", [1]),
        Content::file("", "text/csv", *b"a,b"),
        Content::file("b.bin", "text/plain", [255]),
    ]
}

#[test]
fn images_and_files_are_shown_where_the_provider_takes_them() {
    let registry = Registry::<()>::builder().tool::<show>().build().unwrap();
    let offer = registry.offer(wire(), Select::All).unwrap();
    let reply = with_output(json!([{"type": "function_call", "call_id": "c", "name": "show", "arguments": "{}"}]));
    let settled = block_on(offer.settle(&reply, &(), &mut Run::default())).unwrap();
    let text = |text: &str| json!({"type": "input_text", "text": text});
    let wanted = json!([
        text("See."),
        {"type": "input_image", "image_url": "data:image/png;base64,AQID"},
        text("[image/tiff, 1 bytes: not shown]"),
        {"type": "input_file", "filename": "a.pdf", "file_data": "data:application/pdf;base64,AQ=="},
        {"type": "input_file", "filename": "file", "file_data": "data:text/csv;base64,YSxi"},
        text("[b.bin, text/plain, 1 bytes: not shown]"),
    ]);
    assert_eq!(settled.messages()[1]["output"], wanted);
}

#[test]
fn tools_are_published_flat_and_say_that_they_are_not_strict() {
    let tools = offer(wire()).tools().to_value();
    assert_eq!(tools.as_array().unwrap().len(), 3);
    for tool in tools.as_array().unwrap() {
        assert_eq!((&tool["type"], &tool["strict"]), (&json!("function"), &json!(false)));
        assert_eq!(tool["parameters"]["type"], "object");
        assert!(tool["name"].is_string() && tool["description"].is_string() && tool.get("function").is_none());
    }
}

#[test]
fn a_request_says_what_may_be_called() {
    let offer = offer(wire());
    let request = |choice: ToolChoice| {
        let mut request = offer.request(&choice).unwrap();
        assert_eq!(request.remove("tools"), Some(offer.tools().to_value()));
        Value::Object(request)
    };
    assert_eq!(request(ToolChoice::auto()), json!({"tool_choice": "auto"}));
    assert_eq!(request(ToolChoice::required()), json!({"tool_choice": "required"}));
    assert_eq!(request(ToolChoice::none().one_call()), json!({"tool_choice": "none"}));
    let chosen = json!({"tool_choice": {"type": "function", "name": "ping"}, "parallel_tool_calls": false});
    assert_eq!(request(ToolChoice::tool("ping").one_call()), chosen);
    let missing = offer.request(&ToolChoice::tool("pong"));
    assert_eq!(missing, Err(ChoiceError::NotOffered { tool: "pong".into() }));
}

#[test]
fn a_script_is_played_on_it() {
    let script = Script::new()
        .calls("lookup_order", json!({"order_no": "A-1"}))
        .ends(OutcomeKind::Completed)
        .and_calls("lookup_order", r#"{"order_no": "A-"#)
        .ends(OutcomeKind::Rejected)
        .calls("ping", json!({}))
        .ends(OutcomeKind::Completed)
        .and_calls("ping", json!({}))
        .ending(Ending::Cut)
        .ends(OutcomeKind::Rejected)
        .calls("ping", json!({}))
        .ending(Ending::Refused)
        .ends(OutcomeKind::Rejected)
        .says("It is on its way.");
    let played = block_on(script.play(&offer(wire()), &()));
    assert_eq!(played.messages().last().unwrap()["content"][0]["text"], "It is on its way.");
    assert_eq!(played.steps().last().unwrap().outcome(), TurnOutcome::Final);
}
