//! Blocks of content: what a model that can look at them is shown, and what is said to one that cannot.

#![allow(clippy::unwrap_used, reason = "a test fails where it is wrong")]

use pollster::block_on;
use serde_json::{Value, json};
use tool_gate::{Answer, Content, DynamicTool, Outcome, Registry, ResultBlock, Run, Select, ToolError, tool, wire};

/// Show everything there is.
#[tool(read_only)]
fn show(texts_only: bool) -> Result<Vec<Content>, ToolError> {
    let mut blocks = vec![Content::text("Here:"), Content::json(&[1.5])?, Content::text("\n")];
    if !texts_only {
        blocks.extend([
            Content::image("image/png", *b"\x89PNG"),
            Content::image("image/tiff", [0; 9]),
            Content::file("invoice.pdf", "application/pdf", *b"%PDF"),
            Content::file("notes.md", "text/markdown", *b"# Notes"),
            Content::file("empty.txt", "text/plain", *b" "),
            Content::file("orders.zip", "application/zip", [1; 2]),
        ]);
    }
    Ok(blocks)
}

fn settle(wire: impl wire::Wire, reply: &Value) -> (Vec<Value>, ResultBlock) {
    let registry = Registry::<()>::builder().tool::<show>().build().unwrap();
    let offer = registry.offer(wire, Select::All).unwrap();
    let settled = block_on(offer.settle(reply, &(), &mut Run::default())).unwrap();
    (settled.messages(), settled.blocks()[0].clone())
}

fn anthropic(texts_only: bool) -> Value {
    let input = json!({"texts_only": texts_only});
    let call = json!({"type": "tool_use", "id": "toolu_1", "name": "show", "input": input});
    let reply = json!({"role": "assistant", "stop_reason": "tool_use", "content": [call]});
    settle(wire::Anthropic::default(), &reply).0[1]["content"][0]["content"].take()
}

#[test]
fn anthropic_is_shown_pictures_pdfs_and_texts_and_told_of_the_rest() {
    assert_eq!(
        anthropic(false),
        json!([
            {"type": "text", "text": "Here:"},
            {"type": "text", "text": "[1.5]"},
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw=="}},
            {"type": "text", "text": "[image/tiff, 9 bytes: not shown]"},
            {
                "type": "document",
                "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBERg=="},
                "title": "invoice.pdf",
            },
            {
                "type": "document",
                "title": "notes.md",
                "source": {"type": "text", "media_type": "text/plain", "data": "# Notes"},
            },
            {"type": "text", "text": "[empty.txt, text/plain, 1 bytes: not shown]"},
            {"type": "text", "text": "[orders.zip, application/zip, 2 bytes: not shown]"},
        ])
    );
}

/// Shows what a provider would refuse as it is.
#[tool(read_only)]
fn odd() -> [Content; 5] {
    [
        Content::image("image/png", []),
        Content::image(" Image/JPG", [1]),
        Content::file(" ", "application/pdf", [1]),
        Content::file("n".repeat(600), "text/plain", *b"t"),
        Content::file("empty.pdf", "application/pdf", []),
    ]
}

#[test]
fn what_would_spoil_every_later_request_is_not_sent() {
    let registry = Registry::<()>::builder().tool::<odd>().build().unwrap();
    let offer = registry.offer(wire::Anthropic::default(), Select::All).unwrap();
    let call = json!({"type": "tool_use", "id": "toolu_1", "name": "odd", "input": {}});
    let reply = json!({"role": "assistant", "stop_reason": "tool_use", "content": [call]});
    let settled = block_on(offer.settle(&reply, &(), &mut Run::default())).unwrap();
    let blocks = settled.messages()[1]["content"][0]["content"].take();
    assert_eq!(blocks[0], json!({"type": "text", "text": "[image/png, 0 bytes: not shown]"}));
    assert_eq!(blocks[1]["source"]["media_type"], "image/jpeg");
    assert_eq!((&blocks[2]["type"], blocks[2].get("title")), (&json!("document"), None));
    assert_eq!(blocks[3]["title"].as_str().map(str::len), Some(500));
    assert_eq!(blocks[4]["text"], "[empty.pdf, application/pdf, 0 bytes: not shown]");
}

/// Shows the largest picture that Anthropic takes, and one that is larger.
#[tool(read_only)]
fn large() -> [Content; 2] {
    [3_932_160, 3_932_161].map(|bytes| Content::image("image/png", vec![1; bytes]))
}

#[test]
fn a_picture_that_is_too_large_is_told_of() {
    let offer = Registry::<()>::builder().tool::<large>().build().unwrap();
    let offer = offer.offer(wire::Anthropic::default(), Select::All).unwrap();
    let call = json!({"type": "tool_use", "id": "toolu_1", "name": "large", "input": {}});
    let reply = json!({"role": "assistant", "stop_reason": "tool_use", "content": [call]});
    let settled = block_on(offer.settle(&reply, &(), &mut Run::default())).unwrap();
    let blocks = settled.messages()[1]["content"][0]["content"].take();
    assert_eq!(blocks[0]["source"]["data"].as_str().map(str::len), Some(5 * 1024 * 1024));
    assert_eq!(blocks[1]["text"], "[image/png, 3932161 bytes: not shown]");
}

/// Shows files whose media types are none.
#[tool(read_only)]
fn untyped() -> [Content; 3] {
    [Content::file("a", "text/a,b", *b"a"), Content::file("b", "text/", *b"b"), Content::image("image/png\n", [1])]
}

#[test]
fn what_is_no_media_type_does_not_break_a_data_url() {
    let offer = |wire: std::sync::Arc<dyn wire::Wire>| {
        Registry::<()>::builder().tool::<untyped>().build().unwrap().offer(wire, Select::All).unwrap()
    };
    let call = json!({"type": "function_call", "call_id": "call_1", "name": "untyped", "arguments": "{}"});
    let reply = json!({"status": "completed", "output": [call]});
    let responses = offer(std::sync::Arc::new(wire::OpenAiResponses::default()));
    let settled = block_on(responses.settle(&reply, &(), &mut Run::default())).unwrap();
    let output = &settled.messages()[1]["output"];
    assert_eq!(output[0], json!({"type": "input_text", "text": "[a, text/a,b, 1 bytes: not shown]"}));
    assert_eq!((&output[1]["type"], &output[2]["type"]), (&json!("input_text"), &json!("input_image")));

    let params = json!({"name": "untyped", "arguments": {}});
    let request = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    let mcp = offer(std::sync::Arc::new(wire::Mcp::default()));
    let settled = block_on(mcp.settle(&request, &(), &mut Run::default())).unwrap();
    let resource = json!({"uri": "file:///a", "blob": "YQ=="});
    assert_eq!(settled.messages()[0]["result"]["content"][0], json!({"type": "resource", "resource": resource}));
}

#[test]
fn where_all_is_text_it_is_one_text() {
    assert_eq!(anthropic(true), json!("Here:\n[1.5]"));
}

#[test]
fn a_provider_that_takes_text_alone_is_told_what_is_not_shown() {
    let function = json!({"name": "show", "arguments": "{\"texts_only\": false}"});
    let message =
        json!({"role": "assistant", "tool_calls": [{"id": "call_1", "type": "function", "function": function}]});
    let reply = json!({"choices": [{"finish_reason": "tool_calls", "message": message}]});
    let (messages, block) = settle(wire::OpenAiChat::default(), &reply);
    let text = messages[1]["content"].as_str().unwrap();
    assert!(text.starts_with("Here:\n[1.5]\n[image/png, 4 bytes: not shown]\n"), "{text}");
    assert_eq!(text, block.text());
    assert_eq!(block.content().len(), 8);
    assert_eq!(block.content()[2].base64().as_deref(), Some("iVBORw=="));
}

#[test]
fn a_result_that_was_put_aside_still_has_its_blocks() {
    let reply = json!({"name": "show", "arguments": {"texts_only": false}});
    let (_, block) = settle(wire::Plain::default(), &reply);
    let saved = serde_json::to_string(&block).unwrap();
    let loaded: ResultBlock = serde_json::from_str(&saved).unwrap();
    assert_eq!(loaded.content(), block.content());
    assert_eq!(loaded.text(), block.text());
}

#[test]
fn debug_output_says_how_much_there_is_and_not_what() {
    assert_eq!(format!("{:?}", Content::text("secret")), "Text(6 bytes)");
    assert_eq!(format!("{:?}", Content::image("image/png", [0; 3])), "Image(3 bytes)");
}

#[test]
fn a_dynamic_tool_may_answer_with_blocks_too() {
    let tool = DynamicTool::new("draw", "Draw.", json!({"type": "object"}), |(), _, _| {
        Box::pin(async { Ok(Content::image("image/png", [1])) })
    });
    let registry = Registry::<()>::builder().dynamic(tool.title("Draw it").open_world()).build().unwrap();
    assert_eq!(registry.definitions().next().unwrap().title(), Some("Draw it"));
    let offer = registry.offer(wire::Plain::default(), Select::All).unwrap();
    let settled = block_on(offer.settle(r#"{"name": "draw", "arguments": {}}"#, &(), &mut Run::default())).unwrap();
    let Outcome::Completed { answer } = settled.blocks()[0].outcome() else { panic!("it draws") };
    assert_eq!(answer, &Answer::from(Content::image("image/png", [1])));
}
