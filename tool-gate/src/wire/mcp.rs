//! The Model Context Protocol, seen from the server.
//!
//! Source: the protocol's own `schema.ts` and `server/tools.mdx` of the revisions 2025-11-25 and 2026-07-28
//! (`CallToolRequest`, `CallToolResult`, `Tool`, `ToolAnnotations`, `RequestId`). What is written conforms to both.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Number, Value, json};

#[cfg(feature = "testing")]
use super::Said;
use super::{Answered, Arguments, Call, Ending, Item, PublishedTool, Reading, ReplyError, Step, Wire};
use crate::{
    content::{Content, written},
    lower::Dialects,
    rejection::Rejection,
    result::ResultBlock,
    schema::JsonType,
    tool::Definition,
};

/// The Model Context Protocol, for whoever serves it: a reply is a `tools/call` request of JSON-RPC 2.0, or an array of
/// them, and each is answered by one response. There is no assistant's turn.
///
/// An `id` goes back as the string or number that it was, whatever [`ResultBlock::id`](crate::ResultBlock::id) calls it; of
/// requests of one array that share an id, none runs. What is no request for a tool is a [`ReplyError`], and the server's own
/// to answer: another method, a notification, which has no id, text that is no JSON.
///
/// A tool that does not exist is the protocol's error -32602. Whatever else comes between a call and its answer is a result
/// with `isError`, which the model reads. An answer that is an object is `structuredContent`, beside its text.
///
/// [`Offer::tools`](crate::Offer::tools) are the `tools` of the answer to `tools/list`, and
/// [`Offer::request`](crate::Offer::request) gives them under that key; caching hints are the server's to add.
///
/// A server does not have the conversation in which its tools are called, and has nothing to count in it: give each request a
/// [`Run`](crate::Run) of its own, or a client that is wrong three times is never served again. Then
/// [`Settled::finished`](crate::Settled::finished) is always `Ok(false)`.
///
/// ```
/// # use pollster::block_on;
/// use serde_json::json;
/// use tool_gate::{Registry, Run, Select, tool, wire};
///
/// /// Find an order.
/// #[tool(read_only)]
/// fn lookup_order(order_no: String) -> String {
///     format!("{order_no} is shipped.")
/// }
///
/// let offer = Registry::<()>::builder().tool::<lookup_order>().build()?.offer(wire::Mcp::default(), Select::All)?;
/// let params = json!({"name": "lookup_order", "arguments": {"order_no": "A-1042"}});
/// let request = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params});
/// let settled = block_on(offer.settle(&request, &(), &mut Run::default()))?;
/// assert_eq!(settled.messages()[0]["id"], 7);
/// assert_eq!(settled.messages()[0]["result"]["content"][0]["text"], "A-1042 is shipped.");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mcp {}

#[diagnostic::do_not_recommend]
impl Wire for Mcp {
    fn publish(&self, tools: &[PublishedTool<'_>]) -> Value {
        tools.iter().map(tool).collect()
    }

    fn dialects(&self) -> Dialects {
        Dialects::mcp()
    }

    /// An answer to `tools/list` has its list, however empty.
    fn request_without_tools(&self) -> Map<String, Value> {
        Map::from_iter([("tools".to_owned(), json!([]))])
    }

    fn argument_places(&self) -> &'static [&'static [Step]] {
        &[&[Step::Key("params"), Step::Key("arguments")], &[Step::Each, Step::Key("params"), Step::Key("arguments")]]
    }

    fn read(&self, reply: Item<'_>) -> Result<Reading, ReplyError> {
        let is_array = reply.json_type() == JsonType::Array;
        let requests: Vec<Item<'_>> = if is_array { reply.elements().collect() } else { vec![reply] };
        if requests.is_empty() {
            return Err(ReplyError::new("an array of requests is not empty"));
        }
        let ids = requests.iter().map(|request| id(*request)).collect::<Result<Vec<Value>, ReplyError>>()?;
        let calls = requests.iter().zip(&ids).map(|(request, id)| call(*request, id)).collect();
        Ok(Reading::new(calls, Ending::ToolUse, ids.into()))
    }

    /// Each response with the id that its request has, which nobody may mint.
    fn write(&self, assistant: &Value, answers: &[Answered<'_>]) -> Vec<Value> {
        let ids = assistant.as_array().into_iter().flatten();
        ids.zip(answers).map(|(id, answer)| response(id, answer.block())).collect()
    }

    fn takes_id(&self, id: &str) -> bool {
        id.len() <= 256 && id.bytes().all(|byte| byte.is_ascii_graphic())
    }

    /// No name goes back but in the sentence about it.
    fn takes_name(&self, _name: &str) -> bool {
        true
    }

    #[cfg(feature = "testing")]
    fn compose(&self, said: &Said) -> Option<Value> {
        // A client says nothing, and neither pauses nor cuts what it asks.
        if said.ending() != Ending::ToolUse || said.text().is_some() {
            return None;
        }
        let requests = said.calls().iter().map(request).collect::<Option<Vec<Value>>>()?;
        match requests.as_slice() {
            [] => None,
            [request] => Some(request.clone()),
            _ => Some(requests.into()),
        }
    }
}

fn tool(published: &PublishedTool<'_>) -> Value {
    let definition = published.definition();
    let mut tool = json!({"name": definition.name()});
    if let Some(title) = definition.title() {
        tool["title"] = title.into();
    }
    tool["description"] = published.description().into();
    tool["inputSchema"] = plain_properties(published.input_schema());
    // Before 2026-07-28 it is an object that a tool answers, or nothing that has a schema.
    if let Some(schema) = definition.output_schema().filter(|schema| schema["type"] == "object") {
        tool["outputSchema"] = plain_properties(schema);
    }
    let annotations = annotations(definition);
    if !annotations.is_empty() {
        tool["annotations"] = annotations.into();
    }
    tool
}

/// The schema with `true` written as `{}` and `false` as `{"not": {}}` where they stand for a property: before 2026-07-28 each
/// property is an object.
fn plain_properties(schema: &Value) -> Value {
    let mut schema = schema.clone();
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    for property in properties.into_iter().flat_map(Map::values_mut) {
        match property {
            Value::Bool(true) => *property = json!({}),
            Value::Bool(false) => *property = json!({"not": {}}),
            _ => {}
        }
    }
    schema
}

/// The hints that differ from their defaults: a tool is taken for one that changes and destroys what is there, not
/// repeatable, in an open world. Of one that only reads, nothing more is asked.
fn annotations(definition: &Definition) -> Map<String, Value> {
    let effects = definition.effects();
    let title = definition.title().map(|title| ("title", title.into()));
    let hints = [
        (effects.read_only).then_some(("readOnlyHint", true)),
        (!effects.read_only && !effects.destructive).then_some(("destructiveHint", false)),
        (!effects.read_only && effects.idempotent).then_some(("idempotentHint", true)),
        (!effects.open_world).then_some(("openWorldHint", false)),
    ];
    let hints = hints.into_iter().flatten().map(|(name, hint)| (name, hint.into()));
    title.into_iter().chain(hints).map(|(name, hint)| (name.to_owned(), hint)).collect()
}

/// The id of a request for a tool.
///
/// # Errors
///
/// Where it is no such request.
fn id(request: Item<'_>) -> Result<Value, ReplyError> {
    let refuse = |why: &str| Err(ReplyError::new(why));
    if request.text("jsonrpc") != Some("2.0") {
        return refuse("a request of MCP is an object with `jsonrpc` \"2.0\"");
    }
    match request.text("method") {
        Some("tools/call") => {}
        Some(_) => return refuse("the request is one of another method than `tools/call`"),
        None => return refuse("a request of MCP has a string `method`"),
    }
    match request.get("id").map(Item::to_value) {
        Some(Value::Number(number)) if is_exact(&number) => Ok(number.into()),
        Some(Value::String(id)) => Ok(id.into()),
        Some(_) => refuse("the `id` of a request is a string or an integer of 64 bits"),
        None => refuse("a notification, which has no `id`, calls no tool"),
    }
}

/// Whether the number that was read is the one that was sent: a float is not, from where it skips integers.
fn is_exact(number: &Number) -> bool {
    const SKIPPING: f64 = 9_007_199_254_740_992.0;
    number.is_u64() || number.is_i64() || number.as_f64().is_some_and(|number| number.abs() < SKIPPING)
}

/// The call. A string that could be taken for a number, for none, or for another in quotes, is told from that by its quotes: 7
/// and "7" are two ids.
fn call(request: Item<'_>, id: &Value) -> Call {
    let id = match id {
        Value::String(text) if !text.is_empty() && !text.starts_with('"') && text.parse::<f64>().is_err() => {
            text.clone()
        }
        id => id.to_string(),
    };
    let params = request.get("params");
    let name = params.and_then(|params| params.text("name")).unwrap_or_default();
    Call::new(Some(id), name, params.and_then(|params| params.get("arguments")).map_or(Arguments::Absent, arguments))
}

/// The arguments. Nobody streams them, so that a string is a string, and not an object's text.
fn arguments(arguments: Item<'_>) -> Arguments {
    let string = (arguments.json_type() == JsonType::String).then(|| arguments.to_value());
    string.filter(Value::is_string).map_or_else(|| arguments.arguments(), Arguments::from)
}

/// The protocol's code for parameters that are wrong.
const INVALID_PARAMS: i32 = -32602;

fn response(id: &Value, block: &ResultBlock) -> Value {
    if let Some(Rejection::UnknownName { name, .. }) = block.rejection() {
        let message = if name.is_empty() { block.text().to_owned() } else { format!("Unknown tool: {name}") };
        return json!({"jsonrpc": "2.0", "id": id, "error": {"code": INVALID_PARAMS, "message": message}});
    }
    let content: Value = match block.content() {
        [] => json!([text(block.text())]),
        blocks => blocks.iter().map(shown).collect(),
    };
    let mut result = json!({"resultType": "complete", "content": content});
    if let Some(object) = block.object() {
        result["structuredContent"] = object;
    }
    result["isError"] = block.is_error().into();
    json!({"jsonrpc": "2.0", "id": id, "result": result})
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

/// The block as the protocol has it. A file is a resource, but for one that is listened to.
fn shown(content: &Content) -> Value {
    let listened_to = |media_type: &str| media_type.starts_with("audio/");
    match (content, content.media()) {
        (Content::Image { .. }, Some((media_type, _))) if media_type.starts_with("image/") => {
            json!({"type": "image", "data": content.base64(), "mimeType": media_type})
        }
        (Content::File { .. }, Some((media_type, _))) if listened_to(&media_type) => {
            json!({"type": "audio", "data": content.base64(), "mimeType": media_type})
        }
        (Content::File { name, .. }, Some((media_type, data))) => {
            let mut resource = json!({"uri": uri(name)});
            if !media_type.is_empty() {
                resource["mimeType"] = media_type.as_str().into();
            }
            match written(data).filter(|_| media_type.starts_with("text/")) {
                Some(text) => resource["text"] = text.into(),
                None => resource["blob"] = content.base64().into(),
            }
            json!({"type": "resource", "resource": resource})
        }
        _ => text(&content.to_text()),
    }
}

/// What stands in a URI as it is, beside letters and digits.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A resource has a URI, and a file in an answer nothing but a name.
fn uri(name: &str) -> String {
    let name = if name.trim().is_empty() { "file" } else { name };
    format!("file:///{}", utf8_percent_encode(name, ENCODED))
}

/// The request for one call; none for arguments that no JSON holds.
#[cfg(feature = "testing")]
fn request(call: &Call) -> Option<Value> {
    /// How deep arguments may nest in a test that plays a client.
    const DEPTH: usize = 120;
    let mut params = json!({
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        },
        "name": call.name(),
    });
    match call.arguments() {
        Arguments::Absent => {}
        Arguments::Text(text) => params["arguments"] = crate::json::read(text, DEPTH).ok()?.root().to_value_exact(),
        Arguments::Value(value) => params["arguments"] = (**value).clone(),
    }
    Some(json!({"jsonrpc": "2.0", "id": call.id(), "method": "tools/call", "params": params}))
}
