//! What was written for a provider, read as its server reads a request: whatever it would refuse is a fault.

use serde_json::Value;

use super::Provider;

/// A call in the assistant's turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// None where none was written.
    pub id: Option<Value>,
    /// The name.
    pub name: String,
    /// An object.
    pub arguments: Value,
}

/// The answer to a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The id of its call; none where none was written.
    pub id: Option<Value>,
    /// The name of its call, where the provider has it in answers.
    pub name: Option<String>,
    /// What the model reads: the text, or the JSON of what is no text.
    pub text: String,
    /// The provider's error flag, where it has one.
    pub is_error: Option<bool>,
}

/// The calls and the answers of one turn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Written {
    /// The calls that the assistant's turn asks for, in order, but for those that are the host's own.
    pub asked: Vec<Call>,
    /// The answers, in order.
    pub answered: Vec<Answer>,
}

type Checked<T> = Result<T, String>;

fn need(holds: bool, rule: &str) -> Checked<()> {
    if holds { Ok(()) } else { Err(rule.to_owned()) }
}

fn list<'v>(value: &'v Value, what: &str) -> Checked<&'v [Value]> {
    value.as_array().map(Vec::as_slice).ok_or_else(|| format!("{what} is no list"))
}

fn string(value: &Value, what: &str) -> Checked<String> {
    value.as_str().map(str::to_owned).ok_or_else(|| format!("{what} is no string"))
}

fn object(value: &Value, what: &str) -> Checked<Value> {
    if value.is_object() { Ok(value.clone()) } else { Err(format!("{what} is no object")) }
}

fn id(value: &Value) -> Option<Value> {
    (!value.is_null()).then(|| value.clone())
}

fn only_keys(object: &Value, known: &[&str]) -> Checked<()> {
    let unknown = object.as_object().and_then(|members| members.keys().find(|key| !known.contains(&key.as_str())));
    unknown.map_or(Ok(()), |key| Err(format!("the key `{key}` is refused")))
}

/// An object's JSON text.
fn object_text(value: &Value) -> Checked<Value> {
    let text = string(value, "arguments")?;
    object(&serde_json::from_str(&text).map_err(|_| "arguments are no JSON".to_owned())?, "arguments")
}

fn text(value: &Value) -> Checked<String> {
    let text = string(value, "a text")?;
    need(!text.trim().is_empty(), "a text is empty")?;
    Ok(text)
}

/// A text, or a list that is not empty and in which no text is.
fn content(value: &Value) -> Checked<String> {
    let Value::Array(parts) = value else { return text(value) };
    need(!parts.is_empty(), "a content is empty")?;
    for part in parts {
        need(
            part.get("text").is_none_or(|text| text.as_str().is_some_and(|text| !text.is_empty())),
            "a text is empty",
        )?;
    }
    Ok(value.to_string())
}

/// The assistant's turn, if there is one, and what comes after it.
fn turn<'m>(messages: &'m [Value], role: &str) -> Checked<(Option<&'m Value>, &'m [Value])> {
    match messages.split_first() {
        Some((first, rest)) if first["role"] == role => Ok((Some(first), rest)),
        Some(_) => Err(format!("the first message is not the {role}'s")),
        None => Ok((None, messages)),
    }
}

/// The blocks of the one user message that has all results.
fn one_user_message(rest: &[Value], key: &str) -> Checked<Vec<Value>> {
    let [message] = rest else {
        need(rest.is_empty(), "the results stand in more than one message")?;
        return Ok(Vec::new());
    };
    need(message["role"] == "user", "results are the user's")?;
    let blocks = list(&message[key], "the results")?;
    need(!blocks.is_empty(), "a message is empty")?;
    Ok(blocks.to_vec())
}

impl Provider {
    /// Reads what was written.
    ///
    /// # Errors
    ///
    /// The rule that is broken, where the provider would refuse it.
    pub fn written(self, messages: &[Value]) -> Result<Written, String> {
        match self {
            Self::Anthropic => anthropic(messages),
            Self::OpenAiChat => chat(messages, &CHAT),
            Self::Mistral => chat(messages, &MISTRAL),
            Self::Cohere => chat(messages, &COHERE),
            Self::Ollama => chat(messages, &OLLAMA),
            Self::Plain => chat(messages, &PLAIN),
            Self::OpenAiResponses => responses(messages),
            Self::Gemini => gemini(messages),
            Self::Bedrock => bedrock(messages),
            Self::Mcp => mcp(messages),
        }
    }
}

fn anthropic(messages: &[Value]) -> Checked<Written> {
    let (assistant, rest) = turn(messages, "assistant")?;
    let blocks = assistant.map_or(Ok(&[][..]), |message| list(&message["content"], "content"))?;
    need(assistant.is_none() || !blocks.is_empty(), "a message is empty")?;
    let mut written = Written::default();
    for block in blocks {
        need(
            block["type"] != "text" || block["text"].as_str().is_some_and(|text| !text.is_empty()),
            "a text is empty",
        )?;
        let made_by_code = block["caller"]["type"].as_str().is_some_and(|caller| caller != "direct");
        let is_answered = made_by_code && rest.is_empty();
        if block["type"] == "tool_use" && block.get("toolset_name").is_none() && !is_answered {
            let arguments = object(&block["input"], "input")?;
            written.asked.push(Call { id: id(&block["id"]), name: string(&block["name"], "name")?, arguments });
        }
    }
    for block in one_user_message(rest, "content")? {
        need(block["type"] == "tool_result", "results come first, and nothing else")?;
        only_keys(&block, &["type", "tool_use_id", "content", "is_error"])?;
        let (id, text) = (id(&block["tool_use_id"]), content(&block["content"])?);
        written.answered.push(Answer { id, name: None, text, is_error: Some(block["is_error"] == true) });
    }
    Ok(written)
}

/// What the members of the chat family differ in.
struct Family {
    assistant: &'static [&'static str],
    call: &'static [&'static str],
    result: &'static [&'static str],
    /// Whether arguments are JSON text, and no object.
    text: bool,
}

const CHAT: Family = Family {
    assistant: &["role", "content", "refusal", "tool_calls", "reasoning_content", "reasoning_details"],
    call: &["id", "type", "function", "custom", "extra_content"],
    result: &["role", "tool_call_id", "content"],
    text: true,
};
const MISTRAL: Family = Family {
    assistant: &["role", "content", "tool_calls"],
    call: &["id", "type", "function", "index"],
    result: &["role", "tool_call_id", "name", "content"],
    text: true,
};
const COHERE: Family = Family {
    assistant: &["role", "content", "tool_plan", "tool_calls", "citations"],
    call: &["id", "type", "function"],
    result: &["role", "tool_call_id", "content"],
    text: true,
};
const OLLAMA: Family = Family {
    assistant: &["role", "content", "thinking", "tool_calls", "images"],
    call: &["id", "type", "function"],
    result: &["role", "tool_name", "tool_call_id", "content"],
    text: false,
};
const PLAIN: Family = Family {
    assistant: &["role", "content", "tool_calls"],
    call: &["id", "type", "function"],
    result: &["role", "tool_call_id", "name", "content"],
    text: false,
};

fn chat(messages: &[Value], family: &Family) -> Checked<Written> {
    let (assistant, rest) = turn(messages, "assistant")?;
    let mut written = Written::default();
    if let Some(assistant) = assistant {
        only_keys(assistant, family.assistant)?;
        let calls = assistant.get("tool_calls").map_or(Ok(&[][..]), |calls| list(calls, "tool_calls"))?;
        need(assistant.get("tool_calls").is_none() || !calls.is_empty(), "tool_calls is empty")?;
        for call in calls.iter().filter(|call| call["type"] != "custom") {
            only_keys(call, family.call)?;
            let function = &call["function"];
            only_keys(function, &["name", "arguments"])?;
            let arguments = &function["arguments"];
            let arguments = if family.text { object_text(arguments) } else { object(arguments, "arguments") }?;
            written.asked.push(Call { id: id(&call["id"]), name: string(&function["name"], "name")?, arguments });
        }
    }
    for message in rest {
        need(message["role"] == "tool", "each result is a message of its own, and nothing is between")?;
        only_keys(message, family.result)?;
        let name = message.get("name").or_else(|| message.get("tool_name"));
        let name = name.map(|name| string(name, "name")).transpose()?;
        let (id, text) = (id(&message["tool_call_id"]), content(&message["content"])?);
        written.answered.push(Answer { id, name, text, is_error: None });
    }
    Ok(written)
}

fn responses(items: &[Value]) -> Checked<Written> {
    let mut written = Written::default();
    for item in items {
        match item["type"].as_str() {
            // A tool that a search found has its own name for a namespace, and is called as any other.
            Some("function_call")
                if item.get("namespace").is_none_or(|space| space.is_null() || space == &item["name"]) =>
            {
                need(written.answered.is_empty(), "a call after a result")?;
                let arguments = object_text(&item["arguments"])?;
                written.asked.push(Call { id: id(&item["call_id"]), name: string(&item["name"], "name")?, arguments });
            }
            Some("function_call_output") => {
                only_keys(item, &["type", "call_id", "output", "status", "id"])?;
                let (id, text) = (id(&item["call_id"]), content(&item["output"])?);
                written.answered.push(Answer { id, name: None, text, is_error: None });
            }
            _ => need(written.answered.is_empty(), "the assistant's turn goes on after a result")?,
        }
    }
    Ok(written)
}

fn gemini(contents: &[Value]) -> Checked<Written> {
    let (model, rest) = turn(contents, "model")?;
    let parts = model.map_or(Ok(&[][..]), |model| list(&model["parts"], "parts"))?;
    need(model.is_none() || !parts.is_empty(), "a content has no parts")?;
    let mut written = Written::default();
    for call in parts.iter().filter_map(|part| part.get("functionCall")) {
        let arguments =
            call.get("args").map_or_else(|| Ok(Value::Object(serde_json::Map::new())), |args| object(args, "args"))?;
        written.asked.push(Call { id: id(&call["id"]), name: string(&call["name"], "name")?, arguments });
    }
    for part in one_user_message(rest, "parts")? {
        let answer = object(&part["functionResponse"], "a functionResponse")?;
        only_keys(&answer, &["id", "name", "response", "parts"])?;
        let response = object(&answer["response"], "response")?;
        let text = response.get("error").or_else(|| response.get("output")).unwrap_or(&response).to_string();
        let is_error = Some(response.get("error").is_some());
        written.answered.push(Answer {
            id: id(&answer["id"]),
            name: Some(string(&answer["name"], "name")?),
            text,
            is_error,
        });
    }
    Ok(written)
}

fn bedrock(messages: &[Value]) -> Checked<Written> {
    let (assistant, rest) = turn(messages, "assistant")?;
    let blocks = assistant.map_or(Ok(&[][..]), |message| list(&message["content"], "content"))?;
    need(assistant.is_none() || !blocks.is_empty(), "a message is empty")?;
    let mut written = Written::default();
    for call in blocks.iter().filter_map(|block| block.get("toolUse")) {
        if call["type"] != "server_tool_use" {
            let arguments = object(&call["input"], "input")?;
            written.asked.push(Call { id: id(&call["toolUseId"]), name: string(&call["name"], "name")?, arguments });
        }
    }
    for block in one_user_message(rest, "content")? {
        let result = object(&block["toolResult"], "a toolResult")?;
        only_keys(&result, &["toolUseId", "content", "status"])?;
        need(result["content"].is_array(), "a toolResult's content is a list")?;
        let is_error = result.get("status").map(|status| status == "error");
        let (id, text) = (id(&result["toolUseId"]), content(&result["content"])?);
        written.answered.push(Answer { id, name: None, text, is_error });
    }
    Ok(written)
}

fn mcp(responses: &[Value]) -> Checked<Written> {
    let mut written = Written::default();
    for response in responses {
        need(response["jsonrpc"] == "2.0", "a response is JSON-RPC 2.0")?;
        only_keys(response, &["jsonrpc", "id", "result", "error"])?;
        need(response.get("id").is_some_and(|id| id.is_string() || id.is_number()), "a response has an id")?;
        let (text, is_error) = match (response.get("result"), response.get("error")) {
            (Some(result), None) => (content(&result["content"])?, result["isError"] == true),
            (None, Some(error)) => {
                need(error["code"].is_i64(), "an error has a code")?;
                (text(&error["message"])?, true)
            }
            _ => return Err("a response has a result or an error".to_owned()),
        };
        written.answered.push(Answer { id: id(&response["id"]), name: None, text, is_error: Some(is_error) });
    }
    Ok(written)
}
