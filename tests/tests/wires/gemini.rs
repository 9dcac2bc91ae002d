#![allow(clippy::needless_pass_by_value, reason = "a value that is written where it is passed")]

mod streamed;

use pollster::block_on;
use serde_json::{Value, json};
use tool_gate::{
    Answer, Content, DynamicTool, OutcomeKind, Registry, Run, Select, Settled, TurnOutcome,
    testing::Script,
    tool,
    wire::{ChoiceError, Ending, Gemini, ToolChoice},
};

use crate::support::{ends, offer, pairs, sample, settle};

const SAMPLES: [&str; 6] = [
    "response_one",
    "response_two",
    "response_two_no_ids",
    "response_no_args",
    "response_malformed",
    "response_truncated",
];

fn wire() -> Gemini {
    Gemini::default()
}

fn response(name: &str) -> Value {
    sample(&format!("gemini/{name}.json"))
}

fn settled(name: &str) -> Settled {
    settle(wire(), &response(name))
}

/// A reply of these parts that ended for this reason.
fn reply(parts: Value, reason: &str) -> Value {
    json!({"candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": reason, "index": 0}]})
}

fn settle_parts(parts: Value) -> Settled {
    settle(wire(), &reply(parts, "STOP"))
}

fn ping() -> Value {
    json!({"functionCall": {"name": "ping", "args": {}}})
}

/// As many responses as calls, in one content, of the same names and ids in the same order.
fn is_paired(settled: &Settled) {
    let messages = settled.messages();
    let of = |role: &str, key: &str| -> Vec<Value> {
        let contents = messages.iter().filter(|content| content["role"] == role);
        let parts = contents.flat_map(|content| content["parts"].as_array().unwrap());
        parts.filter_map(|part| part.get(key).filter(|call| call.is_object())).cloned().collect()
    };
    let (calls, results) = (of("model", "functionCall"), of("user", "functionResponse"));
    assert_eq!(calls.len(), settled.blocks().len(), "{messages:?}");
    assert_eq!(results.len(), calls.len(), "{messages:?}");
    for (call, result) in calls.iter().zip(&results) {
        assert_eq!((call.get("id"), &call["name"]), (result.get("id"), &result["name"]));
        assert!(call.get("args").is_none_or(Value::is_object));
        assert_eq!(result["response"].as_object().unwrap().len(), 1);
    }
    assert!(messages.iter().all(|content| !content["parts"].as_array().unwrap().is_empty()));
}

#[test]
fn calls_are_found_beside_stop_and_answered_in_one_content() {
    assert_eq!(ends(&settled("response_one")), pairs(&[("lookup_order", "completed")]));
    for (reply, followup) in [("response_two", "followup_results"), ("response_two_no_ids", "followup_results_no_ids")]
    {
        let two = settled(reply);
        assert_eq!(ends(&two), pairs(&[("lookup_order", "completed"), ("convert_units", "Schema")]));
        let wanted = response(followup);
        let wanted = &wanted["contents"].as_array().unwrap()[1..];
        let messages = two.messages();
        assert_eq!(messages.len(), 2);
        assert_eq!(messages[0], wanted[0]);
        assert_eq!(messages[1]["role"], "user");
        let results = messages[1]["parts"].as_array().unwrap();
        for (result, wanted) in results.iter().zip(wanted[1]["parts"].as_array().unwrap()) {
            let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
            let (result, wanted) = (&result["functionResponse"], &wanted["functionResponse"]);
            assert_eq!(keys(result), keys(wanted));
            assert_eq!((result.get("id"), &result["name"]), (wanted.get("id"), &wanted["name"]));
            assert_eq!(keys(&result["response"]), keys(&wanted["response"]));
        }
        let output = json!({"output": {"order_no": "A-1042", "status": "shipped"}});
        assert_eq!(results[0]["functionResponse"]["response"], output);
        assert!(results[1]["functionResponse"]["response"]["error"].is_string());
    }
}

#[test]
fn every_sample_is_paired() {
    for name in SAMPLES {
        is_paired(&settled(name));
    }
}

#[test]
fn absent_arguments_are_none_and_stay_absent() {
    let settled = settled("response_no_args");
    assert_eq!(ends(&settled), pairs(&[("ping", "completed")]));
    assert_eq!(settled.messages()[0], response("response_no_args")["candidates"][0]["content"]);
    let response = json!({"name": "ping", "response": {"output": "Done."}});
    assert_eq!(settled.messages()[1]["parts"], json!([{"functionResponse": response}]));
}

#[test]
fn a_malformed_call_is_a_cut_turn_without_calls() {
    for content in [json!(null), json!({}), json!({"role": "model"}), json!({"role": "model", "parts": []})] {
        let mut malformed = response("response_malformed");
        assert_eq!(settle(wire(), &malformed).outcome(), TurnOutcome::Cut);
        malformed["candidates"][0]["content"] = content;
        let settled = settle(wire(), &malformed);
        assert_eq!((settled.outcome(), settled.messages()), (TurnOutcome::Cut, Vec::new()));
    }
}

#[test]
fn a_reply_ends_as_its_reason_says() {
    let end = |reason: &str| ends(&settle(wire(), &reply(json!([ping()]), reason)))[0].1.clone();
    assert_eq!(end("STOP"), "completed");
    for cut in ["MAX_TOKENS", "CONTINUATION", "MALFORMED_FUNCTION_CALL", "FINISH_REASON_UNSPECIFIED"] {
        assert_eq!(end(cut), "Truncated", "{cut}");
    }
    let refused = ["SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "MODEL_ARMOR"];
    for reason in refused {
        let settled = settle(wire(), &reply(json!([ping()]), reason));
        assert_eq!(ends(&settled), pairs(&[("ping", "TurnNotRunnable")]), "{reason}");
        assert_eq!(settled.outcome(), TurnOutcome::Refused);
    }
    for unknown in ["UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS", "MISSING_THOUGHT_SIGNATURE", "OTHER", "NEW"] {
        assert_eq!(end(unknown), "TurnNotRunnable", "{unknown}");
    }
    let cut = settle(wire(), &reply(json!([ping(), ping()]), "MAX_TOKENS"));
    assert_eq!(ends(&cut), pairs(&[("ping", "completed"), ("ping", "Truncated")]));
    assert_eq!(settled("response_truncated").outcome(), TurnOutcome::Cut);
    assert_eq!(settle_parts(json!([{"text": "Hello."}])).outcome(), TurnOutcome::Final);
}

#[test]
fn a_blocked_prompt_is_refused_and_an_error_is_one() {
    let blocked = settle(wire(), &json!({"promptFeedback": {"blockReason": "SAFETY"}, "modelVersion": "gemini"}));
    assert_eq!((blocked.outcome(), blocked.messages()), (TurnOutcome::Refused, Vec::new()));
    let offer = offer(wire());
    let error = |reply: Value| offer.open(&reply, &mut Run::default()).unwrap_err().to_string();
    let envelope = json!({"error": {"code": 429, "message": "secret", "status": "RESOURCE_EXHAUSTED"}});
    assert_eq!(error(envelope), "the reply is an error of the provider's, and no content");
    for none in [json!({}), json!([]), json!({"candidates": []}), json!({"candidates": null, "promptFeedback": {}})] {
        assert_eq!(error(none), "a Gemini reply has an array `candidates`, not empty");
    }
}

#[test]
fn parts_of_all_kinds_go_back_as_they_came() {
    let parts = json!([
        {"text": "First, look.", "thought": true},
        {"text": "Let me see.", "thoughtSignature": "YQ=="},
        {"functionCall": {"id": "a", "name": "ping", "args": {}}, "thoughtSignature": "Yg=="},
        {"executableCode": {"language": "PYTHON", "code": "1"}},
        {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "1"}},
        {"toolCall": {"toolType": "GOOGLE_SEARCH_WEB", "args": {"q": "a"}, "id": "s"}},
        {"toolResponse": {"toolType": "GOOGLE_SEARCH_WEB", "response": {}, "id": "s"}},
        {"inlineData": {"mimeType": "image/png", "data": "AA=="}},
        {"someFuturePart": {"a": [null]}},
        {"text": "", "thoughtSignature": "Yw=="},
    ]);
    let mut sent = parts.clone();
    sent.as_array_mut().unwrap().extend([json!({"text": ""}), json!({})]);
    let settled = settle_parts(sent);
    assert_eq!(ends(&settled), pairs(&[("ping", "completed")]));
    assert_eq!(settled.messages()[0], json!({"role": "model", "parts": parts}));
}

#[test]
fn ids_are_never_sent_where_none_came_and_minted_where_they_cannot_be_used() {
    let long = "x".repeat(257);
    let ids = [json!("a"), json!(null), json!(""), json!(7), json!("same"), json!("same"), json!(long), json!("a b")];
    let calls: Vec<Value> = ids.iter().map(|id| json!({"functionCall": {"id": id, "name": "ping"}})).collect();
    let settled = settle_parts(calls.into());
    is_paired(&settled);
    let messages = settled.messages();
    let ids: Vec<Option<&str>> = messages[1]["parts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|part| part["functionResponse"].get("id").and_then(Value::as_str))
        .collect();
    let minted = |id| Some(id);
    assert_eq!(
        ids,
        [Some("a"), None, None, None, Some("same"), minted("call_1_5"), minted("call_1_6"), minted("call_1_7")]
    );
}

#[test]
fn arguments_that_never_were_an_object_go_back_as_an_empty_one() {
    for args in [json!([1]), json!("{\"a\":"), json!(7), json!(null), json!("")] {
        let settled = settle_parts(json!([{"functionCall": {"name": "ping", "args": args}}]));
        is_paired(&settled);
        assert_eq!(settled.messages()[0]["parts"][0]["functionCall"]["args"], json!({}));
    }
    let text = settle_parts(json!([{"functionCall": {"name": "lookup_order", "args": "{\"order_no\": \"A-1\"}"}}]));
    assert_eq!(ends(&text), pairs(&[("lookup_order", "completed")]));
    assert_eq!(text.messages()[0]["parts"][0]["functionCall"]["args"], json!({"order_no": "A-1"}));
}

#[test]
fn names_that_a_request_does_not_take_go_back_as_a_placeholder() {
    let long = "x".repeat(65);
    for (name, written) in [
        ("", "unknown_tool"),
        ("1a", "unknown_tool"),
        ("a b", "unknown_tool"),
        (&*long, "unknown_tool"),
        ("a.b:c-d", "a.b:c-d"),
    ] {
        let settled = settle_parts(json!([{"functionCall": {"name": name, "args": {}}}]));
        is_paired(&settled);
        assert_eq!(settled.messages()[0]["parts"][0]["functionCall"]["name"], written);
    }
}

#[test]
fn the_candidate_of_index_0_is_read() {
    let mut several = reply(json!([ping()]), "STOP");
    several["candidates"].as_array_mut().unwrap().insert(0, json!({"index": 1, "finishReason": "SAFETY"}));
    assert_eq!(ends(&settle(wire(), &several)), pairs(&[("ping", "completed")]));
}

/// The `functionResponse` that answers a call of a tool with this answer.
fn answered(answer: Answer) -> Value {
    let tool = DynamicTool::new("answer", "Answer.", json!({"type": "object"}), move |(), _, _| {
        let answer = answer.clone();
        Box::pin(async move { Ok(answer.to_value()) })
    });
    let offer = Registry::builder().dynamic(tool).build().unwrap().offer(wire(), Select::All).unwrap();
    let reply = reply(json!([{"functionCall": {"name": "answer"}}]), "STOP");
    let settled = block_on(offer.settle(&reply, &(), &mut Run::default())).unwrap();
    settled.messages()[1]["parts"][0]["functionResponse"]["response"].clone()
}

#[test]
fn an_answer_is_json_under_output_as_long_as_doubles_hold_it() {
    for value in [json!({"a": 1}), json!([1.5]), json!(7), json!("text"), json!(true), json!(9_007_199_254_740_992_u64)]
    {
        assert_eq!(answered(value.clone().into()), json!({"output": value}));
    }
    assert_eq!(answered(json!("").into()), json!({"output": "\"\""}));
    assert_eq!(answered(Value::Null.into()), json!({"output": null}));
    let exact = answered(json!({"id": 2_512_292_042_121_000_001_u64}).into());
    assert_eq!(exact, json!({"output": "{\"id\":2512292042121000001}"}));
}

/// Answer with each kind of content.
#[tool(read_only)]
fn show() -> Vec<Content> {
    vec![
        Content::text("See."),
        Content::image("image/jpg", [1, 2, 3]),
        Content::image("image/tiff", [1]),
        Content::file("a.pdf", "application/pdf", [1]),
    ]
}

/// Answer with a picture.
#[tool(read_only)]
fn picture() -> Content {
    Content::image("image/png", [1])
}

/// Answer with JSON.
#[tool(read_only)]
fn content_of_json() -> Content {
    Content::json(&[1]).unwrap()
}

#[test]
fn images_and_files_stand_beside_what_is_said() {
    let registry =
        Registry::<()>::builder().tool::<show>().tool::<picture>().tool::<content_of_json>().build().unwrap();
    let offer = registry.offer(wire(), Select::All).unwrap();
    let calls = ["show", "picture", "content_of_json"].map(|name| json!({"functionCall": {"name": name}}));
    let settled = block_on(offer.settle(&reply(json!(calls), "STOP"), &(), &mut Run::default())).unwrap();
    let inline = |media_type: &str, data: &str| json!({"inlineData": {"mimeType": media_type, "data": data}});
    let wanted = json!([
        {"functionResponse": {
            "name": "show",
            "response": {"output": "See.\n[image/tiff, 1 bytes: not shown]"},
            "parts": [inline("image/jpeg", "AQID"), inline("application/pdf", "AQ==")],
        }},
        {"functionResponse": {"name": "picture", "response": {"output": "Done."}, "parts": [inline("image/png", "AQ==")]}},
        {"functionResponse": {"name": "content_of_json", "response": {"output": [1]}}},
    ]);
    assert_eq!(settled.messages()[1]["parts"], wanted);
}

#[test]
fn tools_are_published_in_one_entry_and_parameters_only_where_there_are_some() {
    let tools = offer(wire()).tools().to_value();
    assert_eq!(tools.as_array().unwrap().len(), 1);
    let declarations = tools[0]["functionDeclarations"].as_array().unwrap();
    let names: Vec<&str> = declarations.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["convert_units", "lookup_order", "ping"]);
    assert_eq!(declarations[1]["parametersJsonSchema"]["required"], json!(["order_no"]));
    assert_eq!(declarations[2], json!({"name": "ping", "description": "Ask whether the shop is open."}));

    let open = |schema: Value| {
        let tool = crate::support::echo("echo", schema);
        let offer = Registry::builder().dynamic(tool).build().unwrap().offer(wire(), Select::All).unwrap();
        offer.tools().to_value()[0]["functionDeclarations"][0].get("parametersJsonSchema").is_some()
    };
    assert!(!open(json!({"type": "object"})));
    assert!(open(json!({"type": "object", "additionalProperties": {"type": "integer"}})));
    // What its dialect has no word for is said in words.
    assert!(!open(json!({"type": "object", "minProperties": 1})));
}

#[test]
fn a_request_says_what_may_be_called() {
    let offer = offer(wire());
    let chosen = |choice: ToolChoice| {
        let mut request = offer.request(&choice).unwrap();
        assert_eq!(request.remove("tools"), Some(offer.tools().to_value()));
        request["toolConfig"]["functionCallingConfig"].clone()
    };
    assert_eq!(chosen(ToolChoice::auto()), json!({"mode": "AUTO"}));
    assert_eq!(chosen(ToolChoice::required()), json!({"mode": "ANY"}));
    assert_eq!(chosen(ToolChoice::tool("ping")), json!({"mode": "ANY", "allowedFunctionNames": ["ping"]}));
    assert_eq!(chosen(ToolChoice::none().one_call()), json!({"mode": "NONE"}));
    let one = offer.request(&ToolChoice::auto().one_call());
    assert_eq!(one, Err(ChoiceError::Unsupported { asked: "at most one call in a reply" }));
}

#[test]
fn a_script_is_played_on_it() {
    let script = Script::new()
        .calls("lookup_order", json!({"order_no": "A-1"}))
        .ends(OutcomeKind::Completed)
        .and_calls("lookup_order", r#"{"order_no": "A-"#)
        .ends(OutcomeKind::Rejected)
        .calls("ping", json!({}))
        .ending(Ending::Cut)
        .ends(OutcomeKind::Rejected)
        .calls("ping", json!({}))
        .ending(Ending::Unknown)
        .ends(OutcomeKind::Rejected)
        .says("It is on its way.");
    let played = block_on(script.play(&offer(wire()), &()));
    let said = json!({"role": "model", "parts": [{"text": "It is on its way."}]});
    assert_eq!(played.messages().last().unwrap(), &said);
}
