#![allow(clippy::needless_pass_by_value, reason = "values are written down where they are used")]

use pollster::block_on;
use serde_json::{Value, json};
use tool_gate::{
    Content, DynamicTool, Offer, OutcomeKind, Registry, Run, Select, Settled, TurnOutcome,
    testing::Script,
    tool,
    wire::{ChoiceError, Mcp, ToolChoice},
};

use crate::{
    replaced::{each_value_replaced, settle_any},
    support::{echo, ends, offer, pairs, sample, settle},
};

/// A request for a tool.
fn request(id: impl Into<Value>, name: &str, arguments: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id.into(), "method": "tools/call", "params": {"name": name, "arguments": arguments}})
}

/// A sample with the tools under the names that they have here.
fn requests(name: &str) -> Value {
    let text = sample(&format!("mcp/{name}.json")).to_string();
    let text = text.replace("orders.lookup", "lookup_order").replace("units.convert", "convert_units");
    let sample: Value = serde_json::from_str(&text).unwrap();
    sample.get("messages").unwrap_or(&sample).clone()
}

fn settle_with(offer: &Offer<()>, request: &Value) -> Settled {
    block_on(offer.settle(request, &(), &mut Run::default())).unwrap()
}

#[test]
fn one_request_and_several_are_answered_by_one_response_each() {
    let one = settle(Mcp::default(), &requests("response_one"));
    assert_eq!(ends(&one), pairs(&[("lookup_order", "completed")]));
    let two = settle(Mcp::default(), &requests("response_two"));
    assert_eq!(ends(&two), pairs(&[("lookup_order", "completed"), ("convert_units", "Schema")]));
    let expected = sample("mcp/followup_results.json");
    for (ours, theirs) in two.messages().iter().zip(expected["messages"].as_array().unwrap()) {
        assert!(ours.as_object().unwrap().keys().eq(theirs.as_object().unwrap().keys()));
        assert_eq!((&ours["jsonrpc"], &ours["id"]), (&theirs["jsonrpc"], &theirs["id"]));
        let (ours, theirs) = (&ours["result"], &theirs["result"]);
        assert!(ours.as_object().unwrap().keys().eq(theirs.as_object().unwrap().keys()));
        assert_eq!((&ours["resultType"], &ours["isError"]), (&theirs["resultType"], &theirs["isError"]));
        assert_eq!(ours["content"][0]["type"], "text");
    }
    let answer = &two.messages()[0]["result"];
    assert_eq!(answer["structuredContent"], json!({"order_no": "A-1042", "status": "shipped"}));
    assert_eq!(answer["content"], json!([{"type": "text", "text": r#"{"order_no":"A-1042","status":"shipped"}"#}]));
}

#[test]
fn a_conversation_goes_on_whatever_becomes_of_a_request() {
    for request in [request(1, "ping", json!({})), request(1, "pong", json!({})), request(1, "ping", json!([]))] {
        let settled = settle(Mcp::default(), &request);
        assert_eq!(settled.outcome(), TurnOutcome::GoOn);
        assert_eq!(settled.finished(), Ok(false));
    }
}

#[test]
fn an_id_goes_back_as_the_json_that_it_was() {
    for id in
        [json!(7), json!("7"), json!(-1), json!(u64::MAX), json!(i64::MIN), json!(1.5), json!(""), json!("a\n\"ü")]
    {
        let settled = settle(Mcp::default(), &request(id.clone(), "ping", json!({})));
        assert_eq!(settled.messages()[0]["id"], id);
        assert_eq!(ends(&settled), pairs(&[("ping", "completed")]));
    }
    let array = json!([request(7, "ping", json!({})), request("7", "ping", json!({}))]);
    let settled = settle(Mcp::default(), &array);
    assert_eq!(ends(&settled), pairs(&[("ping", "completed"), ("ping", "completed")]));
    assert_eq!(settled.messages()[1]["id"], "7");
    assert_eq!(settled.blocks()[0].id(), "7");
    let array = json!([request("7", "ping", json!({})), request("\"7\"", "ping", json!({}))]);
    assert_eq!(ends(&settle(Mcp::default(), &array)), pairs(&[("ping", "completed"), ("ping", "completed")]));
}

#[test]
fn of_requests_that_share_an_id_none_runs_and_each_is_answered_under_it() {
    for id in [json!(7), json!("x"), json!("")] {
        let array = json!([request(id.clone(), "ping", json!({})), request(id.clone(), "ping", json!({}))]);
        let settled = settle(Mcp::default(), &array);
        assert_eq!(ends(&settled), pairs(&[("ping", "DuplicateId"), ("ping", "DuplicateId")]));
        assert!(
            settled.messages().iter().all(|response| response["id"] == id && response["result"]["isError"] == true)
        );
    }
}

#[test]
fn what_is_no_request_for_a_tool_is_no_reply() {
    let not_one = [
        json!({"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "ping"}}),
        json!({"jsonrpc": "2.0", "id": null, "method": "tools/call", "params": {"name": "ping"}}),
        json!({"jsonrpc": "2.0", "id": [1], "method": "tools/call", "params": {"name": "ping"}}),
        json!({"jsonrpc": "2.0", "id": 1e30, "method": "tools/call", "params": {"name": "ping"}}),
        json!({"jsonrpc": "1.0", "id": 1, "method": "tools/call", "params": {"name": "ping"}}),
        json!({"id": 1, "method": "tools/call", "params": {"name": "ping"}}),
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}),
        json!({"jsonrpc": "2.0", "id": 1, "result": {}}),
        json!([]),
        json!([request(1, "ping", json!({})), {"jsonrpc": "2.0", "method": "notifications/cancelled"}]),
        json!([[request(1, "ping", json!({}))]]),
        sample("mcp/result_input_required.json"),
        sample("mcp/result_unknown_tool.json"),
        sample("mcp/response_truncated.json"),
    ];
    for reply in not_one {
        assert!(settle_any(&offer(Mcp::default()), &reply).is_none(), "{reply}");
    }
    assert!(block_on(offer(Mcp::default()).settle("{", &(), &mut Run::default())).is_err());
}

#[test]
fn whatever_stands_in_the_place_of_a_value_is_answered_or_no_reply() {
    for name in ["response_one", "response_two"] {
        for reply in each_value_replaced(&requests(name)) {
            let Some(settled) = settle_any(&offer(Mcp::default()), &reply) else { continue };
            let sent = reply.as_array().cloned().unwrap_or_else(|| vec![reply.clone()]);
            let sent: Vec<_> = sent.iter().map(|request| request["id"].clone()).collect();
            let answered: Vec<_> = settled.messages().iter().map(|response| response["id"].clone()).collect();
            assert_eq!(sent, answered, "{reply}");
        }
    }
}

#[test]
fn a_tool_that_does_not_exist_is_an_error_of_the_protocols() {
    let mut unknown = requests("response_one");
    unknown["id"] = 9.into();
    unknown["params"]["name"] = "orders.lokup".into();
    let response = settle(Mcp::default(), &unknown).messages().remove(0);
    assert_eq!(response, sample("mcp/result_unknown_tool.json"));
    let response = settle(Mcp::default(), &request(1, &format!("a\u{202e}{}", "b".repeat(500)), json!({})));
    let message = response.messages()[0]["error"]["message"].as_str().unwrap().to_owned();
    assert!(
        message.starts_with("Unknown tool: a\u{fffd}b") && message.ends_with("b…") && message.len() < 100,
        "{message}"
    );
    let nameless = settle(Mcp::default(), &json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call"}));
    assert_eq!(nameless.messages()[0]["error"]["message"], nameless.blocks()[0].text());
}

#[test]
fn arguments_may_be_absent_and_are_never_the_text_of_an_object() {
    let absent = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "ping"}});
    assert_eq!(ends(&settle(Mcp::default(), &absent)), pairs(&[("ping", "completed")]));
    let text = request(1, "lookup_order", json!("{\"order_no\": \"A-1\"}"));
    assert_eq!(ends(&settle(Mcp::default(), &text)), pairs(&[("lookup_order", "NotAnObject")]));
    let broken = absent.to_string().replace(r#""ping""#, r#""ping", "arguments": {"a": NaN}"#);
    let settled = block_on(offer(Mcp::default()).settle(&broken, &(), &mut Run::default())).unwrap();
    assert_eq!(ends(&settled), pairs(&[("ping", "Unparsable")]));
    assert_eq!(settled.messages()[0]["result"]["isError"], true);
}

/// Answers with every kind of block.
fn shows() -> Offer<()> {
    let schema = json!({"type": "object"});
    let show = DynamicTool::new("show", "Show everything.", schema.clone(), |(), _, _| {
        Box::pin(async move {
            Ok(vec![
                Content::text("All of it."),
                Content::json(&json!({"a": 1}))?,
                Content::image("image/png", [1, 2]),
                Content::image("image/png", []),
                Content::image("", [1]),
                Content::file("a.wav", "audio/wav", [1]),
                Content::file("a b/ü.txt", "text/plain", *b"x"),
                Content::file("", "application/pdf", [1]),
            ])
        })
    });
    let registry = Registry::builder().dynamic(show).dynamic(echo("echo", schema)).build().unwrap();
    registry.offer(Mcp::default(), Select::All).unwrap()
}

#[test]
fn pictures_sound_and_files_are_blocks_of_their_kind() {
    let result = settle_with(&shows(), &request(1, "show", json!({}))).messages()[0]["result"].clone();
    let expected = json!([
        {"type": "text", "text": "All of it."},
        {"type": "text", "text": "{\"a\":1}"},
        {"type": "image", "data": "AQI=", "mimeType": "image/png"},
        {"type": "text", "text": "[image/png, 0 bytes: not shown]"},
        {"type": "text", "text": "[, 1 bytes: not shown]"},
        {"type": "audio", "data": "AQ==", "mimeType": "audio/wav"},
        {"type": "resource", "resource": {"uri": "file:///a%20b%2F%C3%BC.txt", "mimeType": "text/plain", "text": "x"}},
        {"type": "resource", "resource": {"uri": "file:///file", "mimeType": "application/pdf", "blob": "AQ=="}},
    ]);
    assert_eq!(result["content"], expected);
    assert_eq!(result["isError"], false);
    assert_eq!(result.get("structuredContent"), None);
}

#[test]
fn an_object_is_structured_beside_its_text_and_nothing_else_is() {
    let arguments = json!({"b": 0.1, "a": [null, {"c": "x"}]});
    let result = settle_with(&shows(), &request(1, "echo", arguments.clone())).messages()[0]["result"].clone();
    assert_eq!(result["structuredContent"], arguments);
    assert_eq!(result["content"], json!([{"type": "text", "text": arguments.to_string()}]));
    let done = settle(Mcp::default(), &request(1, "ping", json!({}))).messages()[0]["result"].clone();
    assert_eq!(
        done,
        json!({"resultType": "complete", "content": [{"type": "text", "text": "Done."}], "isError": false})
    );
}

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Hit {
    page: Value,
}

/// Search the web.
#[tool(title = "Web search", read_only, open_world)]
fn search(filter: Option<Value>) -> Hit {
    Hit { page: filter.unwrap_or_default() }
}

/// Set a limit.
#[tool(idempotent)]
fn set_limit(limit: u8) -> Vec<u8> {
    vec![limit]
}

/// Delete everything.
#[tool(destructive, open_world)]
fn delete() {}

#[test]
fn tools_are_told_with_the_hints_that_differ_from_their_defaults() {
    let registry = Registry::<()>::builder()
        .tool::<search>()
        .tool::<set_limit>()
        .tool::<delete>()
        .policy(|(): &(), _: &tool_gate::Admitted| tool_gate::Decision::Allow)
        .build()
        .unwrap();
    let tools = registry.offer(Mcp::default(), Select::All).unwrap().tools().to_value();
    let [delete, search, set_limit] = tools.as_array().unwrap().as_slice() else { panic!("{tools}") };
    assert_eq!(delete.get("annotations"), None);
    assert_eq!(search["annotations"], json!({"title": "Web search", "readOnlyHint": true}));
    assert_eq!(
        set_limit["annotations"],
        json!({"destructiveHint": false, "idempotentHint": true, "openWorldHint": false})
    );
    assert_eq!(search["title"], "Web search");
    assert_eq!(search["description"], "Search the web.");
    assert_eq!(search["outputSchema"]["type"], "object");
    assert!(search["outputSchema"]["properties"]["page"].is_object());
    assert!(search["inputSchema"]["properties"]["filter"].is_object());
    assert_eq!((set_limit.get("title"), set_limit.get("outputSchema")), (None, None));
    assert!([delete, search, set_limit].iter().all(|tool| tool["inputSchema"]["type"] == "object"));
}

#[test]
fn the_answer_to_a_list_of_tools_leaves_all_choice_to_the_client() {
    let offer = offer(Mcp::default());
    let members = offer.request(&ToolChoice::auto()).unwrap();
    assert_eq!(Value::Object(members), json!({"tools": offer.tools()}));
    for choice in [ToolChoice::required(), ToolChoice::tool("ping"), ToolChoice::none(), ToolChoice::auto().one_call()]
    {
        assert!(matches!(offer.request(&choice), Err(ChoiceError::Unsupported { .. })));
    }
    assert!(offer.assembler().is_none());
}

#[test]
fn a_client_can_be_played() {
    let script = Script::new()
        .calls("ping", json!({}))
        .reads("Done.")
        .calls("pong", "{}")
        .ends(OutcomeKind::Rejected)
        .calls("lookup_order", r#"{"order_no": "A-1"}"#)
        .and_calls("ping", json!([]))
        .ends(OutcomeKind::Rejected);
    let played = block_on(script.play(&offer(Mcp::default()), &()));
    let ids: Vec<_> = played.messages().iter().map(|response| response["id"].clone()).collect();
    assert_eq!(ids, ["call_1_0", "call_2_0", "call_3_0", "call_3_1"]);
}
