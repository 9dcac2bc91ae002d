//! Replies that real APIs sent, read where they lie: the calls found are those that are listed, and settling them answers
//! each one.

#![allow(clippy::unwrap_used, reason = "a test fails where it is wrong")]
#![allow(clippy::print_stdout, reason = "what was read is told")]

use std::collections::BTreeMap;

use pollster::block_on;
use serde_json::{Value, json};
use tool_gate::{
    DynamicTool, Offer, Registry, Run, Select, Settled,
    wire::{Call, Reply},
};
use tool_gate_tests::{
    provider::{Provider, faults},
    real,
};

/// How many replies of each provider are read, how many of them streamed, and how many calls they hold.
const READ: [(&str, [usize; 3]); 7] = [
    ("anthropic", [53, 0, 61]),
    ("bedrock", [39, 0, 41]),
    ("cohere", [6, 0, 6]),
    ("gemini", [128, 6, 128]),
    ("mistral", [6, 0, 8]),
    ("openai_chat", [81, 9, 92]),
    ("openai_responses", [60, 5, 63]),
];

/// How many whole replies of each provider are streamed again and compared: all but those that came as a stream.
const STREAMED: [(&str, usize); 7] = [
    ("anthropic", 53),
    ("bedrock", 39),
    ("cohere", 6),
    ("gemini", 122),
    ("mistral", 6),
    ("openai_chat", 72),
    ("openai_responses", 55),
];

fn provider(record: &Value) -> Provider {
    let (api, uri) = (record["api"].as_str().unwrap(), record["uri"].as_str().unwrap());
    match api.trim_end_matches("-sse") {
        "anthropic" => Provider::Anthropic,
        "bedrock" => Provider::Bedrock,
        "gemini" => Provider::Gemini,
        "ollama/cohere" if uri.contains("cohere") => Provider::Cohere,
        "openai-chat" if uri.contains("api.mistral.ai") => Provider::Mistral,
        "openai-chat" => Provider::OpenAiChat,
        "openai-responses" => Provider::OpenAiResponses,
        api => panic!("{api} is new"),
    }
}

/// The name, description and schema of each tool of a request, whichever provider it was for.
fn declared(tools: &Value, found: &mut BTreeMap<String, Value>) {
    let inner = ["functionDeclarations", "function_declarations", "tools", "toolSpec", "function"];
    match (tools, inner.iter().find_map(|key| tools.get(key))) {
        (Value::Array(tools), _) => tools.iter().for_each(|tool| declared(tool, found)),
        (_, Some(inner)) => declared(inner, found),
        (tool, None) => {
            let schema = ["parameters", "parameters_json_schema", "parametersJsonSchema", "input_schema"];
            let schema = schema.iter().find_map(|key| tool.get(key)).or_else(|| tool.pointer("/inputSchema/json"));
            if let Some(name) = tool["name"].as_str() {
                found.insert(name.to_owned(), schema.cloned().unwrap_or_else(|| json!({"type": "object"})));
            }
        }
    }
}

/// The tools of the request, as they were listed there. Gemini's own dialect of schemas is not ours: those take anything.
fn offer(record: &Value, provider: Provider) -> Offer<()> {
    let mut found = BTreeMap::new();
    declared(&record["request_tools"], &mut found);
    let echo = |name: &str, schema: Value| {
        DynamicTool::<()>::new(name, "As it was listed.", schema, |(), arguments, _| {
            Box::pin(async move { Ok(arguments) })
        })
    };
    let mut builder = Registry::builder();
    for (name, schema) in found {
        let fits = Registry::builder().dynamic(echo(&name, schema.clone())).build().is_ok();
        builder = builder.dynamic(echo(&name, if fits { schema } else { json!({"type": "object"}) }));
    }
    builder.build().unwrap().offer(provider.wire(), Select::All).unwrap()
}

fn streamed(offer: &Offer<()>, lines: &str) -> Reply<'static> {
    let mut assembler = offer.assembler().unwrap();
    for line in lines.lines() {
        assembler.push(line).unwrap();
    }
    assembler.finish()
}

fn settle<'r>(offer: &Offer<()>, reply: impl Into<Reply<'r>>) -> Settled {
    block_on(offer.settle(reply.into(), &(), &mut Run::default())).unwrap()
}

/// A call as the record lists it: its id, its name, and its arguments as JSON.
fn listed(record: &Value) -> Vec<(Option<String>, String, Value)> {
    let calls = record["expect_calls"].as_array().unwrap().iter();
    let parsed = |text: &str| serde_json::from_str(text).unwrap_or_else(|_| Value::from(text));
    calls
        .map(|call| {
            let id = call["id"].as_str().map(str::to_owned);
            (id, call["name"].as_str().unwrap().to_owned(), parsed(call["arguments_raw"].as_str().unwrap()))
        })
        .collect()
}

fn found(call: &Call) -> (Option<String>, String, Value) {
    let text = call.arguments().text();
    let arguments =
        if text.is_empty() { json!({}) } else { serde_json::from_str(&text).unwrap_or_else(|_| text.into()) };
    (call.id().map(str::to_owned), call.name().to_owned(), arguments)
}

#[test]
fn the_calls_that_are_listed_are_found_and_answered() {
    let Some(folder) = real::corpora("the_calls_that_are_listed_are_found_and_answered") else { return };
    let mut read = BTreeMap::<&str, [usize; 3]>::new();
    for record in real::files(&folder, ".wire.jsonl").iter().flat_map(|file| real::records(file)) {
        let provider = provider(&record);
        let offer = offer(&record, provider);
        let body = record["response_body"].as_str().unwrap();
        let is_stream = record["api"].as_str().unwrap().ends_with("-sse");
        let settled = if is_stream { settle(&offer, streamed(&offer, body)) } else { settle(&offer, body) };
        let source = record["source"].as_str().unwrap();
        let calls: Vec<_> = settled.calls().iter().map(found).collect();
        assert_eq!(calls, listed(&record), "{source}");
        let messages = settled.messages();
        assert_eq!(faults(provider, &messages, calls.len()), [""; 0], "{source}: {}", Value::from(messages.clone()));
        let counted = read.entry(provider.name()).or_default();
        counted[0] += 1;
        counted[1] += usize::from(is_stream);
        counted[2] += calls.len();
    }
    println!("{read:?}");
    assert_eq!(read.into_iter().collect::<Vec<_>>(), READ);
}

#[test]
fn a_reply_that_is_streamed_is_the_same_reply() {
    let Some(folder) = real::corpora("a_reply_that_is_streamed_is_the_same_reply") else { return };
    let mut compared = BTreeMap::<&str, usize>::new();
    for record in real::files(&folder, ".wire.jsonl").iter().flat_map(|file| real::records(file)) {
        let provider = provider(&record);
        let Ok(whole) = serde_json::from_str::<Value>(record["response_body"].as_str().unwrap()) else { continue };
        let Some(events) = provider.events(&whole) else { continue };
        let offer = offer(&record, provider);
        let lines = events.iter().fold(String::new(), |lines, event| lines + &format!("data: {event}\n\n"));
        let streamed = settle(&offer, streamed(&offer, &(lines + "data: [DONE]\n")));
        let whole = settle(&offer, &whole);
        let source = record["source"].as_str().unwrap();
        assert_eq!(streamed.messages(), whole.messages(), "{source}");
        assert_eq!(streamed.outcome(), whole.outcome(), "{source}");
        *compared.entry(provider.name()).or_default() += 1;
    }
    println!("{compared:?}");
    assert_eq!(compared.into_iter().collect::<Vec<_>>(), STREAMED);
}
