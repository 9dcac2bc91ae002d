//! Calls as people reported them from the field, each with the verdict that is right.
//!
//! `cases/malformed.jsonl` holds one report a line: the call, the schema it was made for, and what has to become of it. Each
//! is sent through the wire of its provider, or through all of them, as a text and as a parsed value.

#![allow(clippy::print_stdout, reason = "shown where the test fails: which report it came to")]
#![allow(clippy::unwrap_used, reason = "a test fails where it is wrong")]

use std::collections::BTreeMap;

use pollster::block_on;
use serde::Deserialize;
use serde_json::{Value, json};
use tool_gate::{
    Builder, DynamicTool, Gate, Leniency, Offer, Outcome, Registry, RejectionKind, ResultBlock, Run, Select, Settled,
    StopReason,
    lower::Mode,
    wire::{self, Reply},
};
use tool_gate_tests::provider::{Asked, Ending, Provider, faults, takes_tool};

/// The words in a report's provider that decide its wire, the first one that is there. The others go through every wire.
const PROVIDERS: [(&str, Provider); 16] = [
    ("OpenAI Responses", Provider::OpenAiResponses),
    ("Responses bridge", Provider::OpenAiResponses),
    ("Gemini", Provider::Gemini),
    ("Bedrock", Provider::Bedrock),
    ("Nova", Provider::Bedrock),
    ("Mistral", Provider::Mistral),
    ("LiteLLM", Provider::OpenAiChat),
    ("OpenAI", Provider::OpenAiChat),
    ("OpenRouter", Provider::OpenAiChat),
    ("gateways", Provider::OpenAiChat),
    ("vLLM", Provider::OpenAiChat),
    ("DeepSeek", Provider::OpenAiChat),
    ("Moonshot", Provider::OpenAiChat),
    ("Fireworks", Provider::OpenAiChat),
    ("Anthropic", Provider::Anthropic),
    ("Claude", Provider::Anthropic),
];

#[derive(Debug, Deserialize)]
struct Report {
    id: String,
    kind: String,
    provider: String,
    name: Option<String>,
    arguments: Value,
    schema_hint: Declared,
    expected: Expected,
    #[serde(default)]
    extra: Extra,
}

#[derive(Debug, Deserialize)]
struct Declared {
    tools: Vec<String>,
    schema: Value,
}

#[derive(Debug, Deserialize)]
struct Expected {
    verdict: Verdict,
    tier: Option<Tier>,
    gate: Option<String>,
    #[serde(default)]
    args_after: Value,
    name_after: Option<String>,
    #[serde(default)]
    truncated: bool,
    stop_at_step: Option<u64>,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
enum Verdict {
    Accept,
    Normalise,
    Reject,
    Pair,
    PublishError,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
enum Tier {
    Lossless,
    Wire,
    SchemaGuided,
    OptIn,
}

#[derive(Debug, Default, Deserialize)]
struct Extra {
    #[serde(default)]
    batch: Vec<Sent>,
    call_id: Option<String>,
    finish_reason: Option<String>,
}

/// One call of a reply, as the provider sends it.
#[derive(Clone, Debug, Deserialize)]
struct Sent {
    id: Option<String>,
    name: Option<String>,
    arguments: Value,
}

impl Sent {
    /// The arguments as history keeps them: an object, and in it what the model wrote. `5.0` stays `5.0` there.
    fn as_it_came(&self) -> Value {
        self.object().unwrap_or_else(|| json!({}))
    }

    fn object(&self) -> Option<Value> {
        let object = match &self.arguments {
            Value::String(text) => serde_json::from_str(text).unwrap_or_default(),
            arguments => arguments.clone(),
        };
        object.is_object().then_some(object)
    }
}

fn sent(id: &str, name: &str, arguments: impl Into<Value>) -> Sent {
    Sent { id: Some(id.to_owned()), name: Some(name.to_owned()), arguments: arguments.into() }
}

fn reports() -> Vec<Report> {
    include_str!("../cases/malformed.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A tool whose schema is enforced as the report gives it. It answers what it was given.
fn echo(name: &str, schema: &Value) -> DynamicTool<()> {
    DynamicTool::new(name, "Answer what is sent.", schema.clone(), |(), arguments, _| {
        Box::pin(async move { Ok(arguments) })
    })
}

/// The providers that a report goes through: the one that it names, or all that repeat their calls, as servers of MCP do not.
fn carriers(report: &Report) -> Vec<Provider> {
    let known = PROVIDERS.iter().find(|(word, _)| report.provider.contains(word));
    let all = || Provider::ALL.into_iter().filter(|provider| *provider != Provider::Mcp).collect();
    // Only a reply of a provider's tells why it ended.
    let tells = |provider: &Provider| *provider != Provider::Plain || report.extra.finish_reason.is_none();
    known.map_or_else(all, |(_, provider)| vec![*provider]).into_iter().filter(tells).collect()
}

/// An offer of these tools.
fn offer(provider: Provider, tools: &Declared) -> Offer<()> {
    let tools = tools.tools.iter().map(|name| echo(name, &tools.schema));
    let registry = tools.fold(Registry::builder(), Builder::dynamic).build().unwrap();
    registry.offer(provider.wire(), Select::All).unwrap()
}

/// A reply that makes these calls. `finish` is the reason for its end where that is not the asking for tools.
fn reply(provider: Provider, calls: &[Sent], finish: Option<&str>) -> Value {
    let asked: Vec<Asked> = calls
        .iter()
        .map(|Sent { id, name, arguments }| Asked {
            id: id.as_deref().into(),
            name: name.as_deref().into(),
            arguments: arguments.clone(),
            as_written: false,
        })
        .collect();
    let ending = if finish == Some("length") { Ending::Cut } else { Ending::ToolUse };
    let mut reply = provider.reply(&asked, ending).unwrap();
    if let (Provider::OpenAiChat, Some(finish)) = (provider, finish) {
        reply["choices"][0]["finish_reason"] = finish.into();
    }
    reply
}

/// What is written back: the id, name and arguments of each call, and the id of each answer.
#[derive(Debug, PartialEq)]
struct Written {
    asked: Vec<(Value, String, Value)>,
    answered: Vec<Value>,
}

/// Every call has its result, in order and under the same id, and nothing in them is what the provider refuses.
fn read_back(provider: Provider, settled: &Settled) -> Written {
    let messages = settled.messages();
    assert_eq!(faults(provider, &messages, settled.calls().len()), [""; 0], "{messages:?}");
    let written = provider.written(&messages).unwrap();
    let asked = written.asked.into_iter().map(|call| (call.id.unwrap_or_default(), call.name, call.arguments));
    let answered = written.answered.into_iter().map(|answer| answer.id.unwrap_or_default());
    Written { asked: asked.collect(), answered: answered.collect() }
}

/// Whether the provider takes the ids of these reports: Mistral's have nine letters and digits.
fn takes_ids(provider: Provider) -> bool {
    provider != Provider::Mistral
}

/// Settles one reply, in both forms in which a host may have it. They must not differ.
fn settle(provider: Provider, tools: &Declared, calls: &[Sent], finish: Option<&str>) -> Settled {
    let offer = offer(provider, tools);
    let reply = reply(provider, calls, finish);
    let settle = |reply: Reply<'_>| block_on(offer.settle(reply, &(), &mut Run::default())).unwrap();
    let (parsed, text) = (settle(Reply::from(&reply)), settle(Reply::from(reply.to_string())));
    assert_eq!(parsed.messages(), text.messages());
    assert_eq!(read_back(provider, &text).asked.len(), calls.len());
    text
}

/// The calls that a report is about.
fn calls(report: &Report) -> Vec<Sent> {
    if !report.extra.batch.is_empty() {
        return report.extra.batch.clone();
    }
    let id = report.extra.call_id.clone().unwrap_or_else(|| "c1".to_owned());
    vec![Sent { id: Some(id), name: report.name.clone(), arguments: report.arguments.clone() }]
}

/// The arguments that a tool got.
fn given(block: &ResultBlock) -> Value {
    match block.outcome() {
        Outcome::Completed { answer } => answer.to_value(),
        _ => panic!("{}", block.text()),
    }
}

fn is_taken(provider: Provider, report: &Report) {
    let sent = calls(report);
    let settled = settle(provider, &report.schema_hint, &sent, report.extra.finish_reason.as_deref());
    let name = report.expected.name_after.as_ref().or(report.name.as_ref()).unwrap();
    let written = read_back(provider, &settled);
    for ((block, call), (id, written_name, history)) in settled.blocks().iter().zip(&sent).zip(&written.asked) {
        let arguments = match &report.expected.args_after {
            // A batch: each call's own arguments.
            Value::Null => serde_json::from_str(call.arguments.as_str().unwrap()).unwrap(),
            after => after.clone(),
        };
        assert_eq!(given(block), arguments);
        assert_eq!((block.tool(), written_name), (Some(name.as_str()), name));
        assert_eq!(history, &call.as_it_came());
        match call.id.as_deref() {
            None | Some("") => assert!(id.is_null() || !id.as_str().unwrap().is_empty()),
            Some(sent) => assert!(id == sent || !takes_ids(provider), "{id}"),
        }
    }
}

fn is_refused(provider: Provider, report: &Report) {
    let sent = calls(report);
    let settled = settle(provider, &report.schema_hint, &sent, report.extra.finish_reason.as_deref());
    let (gate, kind) = match report.expected.gate.as_deref() {
        Some("id") => (Some(Gate::Reply), Some(RejectionKind::DuplicateId)),
        Some("name") => (Some(Gate::Name), Some(RejectionKind::UnknownName)),
        Some("parse") if report.expected.truncated => (Some(Gate::Parse), Some(RejectionKind::Truncated)),
        Some("parse") => (Some(Gate::Parse), None),
        Some("schema") => (Some(Gate::Schema), Some(RejectionKind::Schema)),
        Some(other) => panic!("there is no gate {other}"),
        // A leniency that is off: whichever gate it would have helped through.
        None => (None, None),
    };
    for block in settled.blocks() {
        let rejection = block.rejection().unwrap_or_else(|| panic!("it ran: {}", block.text()));
        assert!(gate.is_none_or(|gate| gate == rejection.gate()), "{rejection:?}");
        assert!(kind.is_none_or(|kind| kind == rejection.kind()), "{rejection:?}");
        assert!(matches!(rejection.gate(), Gate::Reply | Gate::Name | Gate::Parse | Gate::Schema), "{rejection:?}");
    }
    if let Some(step) = report.expected.stop_at_step {
        stops_at(step, provider, report);
    }
}

/// A model that repeats the refused call in reply after reply is stopped at this one.
fn stops_at(step: u64, provider: Provider, report: &Report) {
    let offer = offer(provider, &report.schema_hint);
    let mut run = Run::default();
    for now in 1..=step {
        let mut call = calls(report);
        call[0].id = Some(format!("c{now}"));
        let settled = block_on(offer.settle(reply(provider, &call, None), &(), &mut run)).unwrap();
        match settled.finished() {
            Err(why) if now == step => assert!(matches!(why.reason, StopReason::ToolRejected { .. }), "{why}"),
            finished => assert_eq!(finished, Ok(false), "step {now}"),
        }
    }
}

/// A tool and calls to it of every sort: one that runs, one that does not conform, one that is cut, one of no name, and one
/// of a tool that does not exist.
fn mixed() -> (Declared, Vec<Sent>) {
    let schema = json!({"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]});
    let tools = Declared { tools: vec!["add".into()], schema };
    let calls = vec![
        sent("one", "add", r#"{"a":1}"#),
        sent("two", "add", r#"{"b":2}"#),
        sent("three", "add", r#"{"a":3,"secret"#),
        sent("four", "", "{}"),
        sent("five", "functions.add", r#"{"a":5}"#),
    ];
    (tools, calls)
}

/// The rules about what is written back, each by a reply that needs it.
fn is_paired(provider: Provider, report: &Report) {
    let (tools, calls) = mixed();
    let settled = settle(provider, &tools, &calls, None);
    let written = read_back(provider, &settled);
    let asked: Vec<&Value> = written.asked.iter().map(|(id, ..)| id).collect();
    let answered: Vec<&Value> = written.answered.iter().collect();
    match report.id.as_str() {
        // One result for each call, the rejected ones included; and in call order, in a row, before anything else.
        "m089" | "m091" | "m094" | "m095" => assert_eq!(answered, ["one", "two", "three", "four", "five"]),
        // No result whose call is not there.
        "m092" => assert_eq!(asked, answered),
        // An object in the place of what never parsed, and the raw text nowhere.
        "m097" => {
            assert_eq!(written.asked[2].2, json!({}));
            let call = Sent { id: Some("one".into()), name: report.name.clone(), arguments: report.arguments.clone() };
            let settled = settle(provider, &report.schema_hint, &[call], None);
            assert_eq!(read_back(provider, &settled).asked[0].2, json!({}));
            let raw = report.arguments.as_str().unwrap();
            let sent = Value::from(settled.messages()).to_string();
            assert!(!sent.contains(raw) && !sent.contains(&raw.replace('"', "\\\"")), "{sent}");
        }
        // A legal name in the place of one that providers refuse.
        "m098" => {
            let names: Vec<&str> = written.asked.iter().map(|(_, name, _)| name.as_str()).collect();
            assert_eq!(names, ["add", "add", "add", "unknown_tool", "unknown_tool"]);
        }
        other => panic!("{other} is a rule that no reply here needs"),
    }
}

/// A name that a provider refuses is published as one that it takes, and the tool is called by that.
fn is_renamed(report: &Report) {
    let name = report.name.as_deref().unwrap();
    let registry = Registry::<()>::builder().dynamic(echo(name, &report.schema_hint.schema)).build().unwrap();
    for provider in Provider::ALL {
        let offer = registry.offer(provider.wire(), Select::All).unwrap();
        let published = offer.published_name(name).unwrap();
        assert!(
            takes_tool(provider, published) && !takes_tool(Provider::OpenAiChat, name),
            "{provider:?}: {published}"
        );
        let reply = provider.reply(&[Asked::new("call_0", published, json!({}))], Ending::ToolUse).unwrap();
        let settled = block_on(offer.settle(&reply, &(), &mut Run::default())).unwrap();
        assert_eq!(settled.blocks()[0].tool(), Some(name));
        assert_eq!(settled.blocks()[0].text(), "{}");
    }
}

/// The declaration as a provider takes it, and whether it is strict. The gate enforces what was declared.
fn published(report: &Report, provider: Provider, mode: Mode) -> (Value, bool) {
    let registry = Registry::<()>::builder().dynamic(echo("declared", &report.schema_hint.schema)).build().unwrap();
    let offer = registry.offer_in(mode, provider.wire(), Select::All).unwrap();
    let line = &offer.report().tools[0];
    assert!(!line.changes.is_empty() || line.why_plain.is_some(), "what is published otherwise is reported");
    assert_eq!(offer.definitions().next().unwrap().input_schema(), &report.schema_hint.schema);
    (offer.tools().to_value()[0].clone(), line.is_strict)
}

/// What the provider refuses as it stands is published in a form that it takes.
fn is_published(report: &Report) {
    let chat = |mode| {
        let (tool, strict) = published(report, Provider::OpenAiChat, mode);
        (tool["function"]["parameters"].clone(), strict)
    };
    match report.id.as_str() {
        "m100" => {
            let (schema, strict) = chat(Mode::Strict);
            assert_eq!((&schema["required"], strict), (&json!(["task", "complexity"]), true));
            assert_eq!(schema["properties"]["complexity"]["type"], json!(["string", "null"]));
        }
        "m101" => {
            let (schema, strict) = chat(Mode::Auto);
            assert_eq!((&schema, strict), (&report.schema_hint.schema, false));
            let (schema, strict) = chat(Mode::Strict);
            assert_eq!((&schema["properties"]["x"]["type"], strict), (&json!("array"), true));
        }
        "m103" => {
            let (schema, _) = chat(Mode::Plain);
            assert_eq!((&schema["type"], schema.get("oneOf")), (&json!("object"), None));
        }
        "m104" => {
            let (schema, strict) = chat(Mode::Strict);
            assert!(strict && !schema.to_string().contains("oneOf"));
            assert_eq!(schema["properties"]["data"]["anyOf"].as_array().map(Vec::len), Some(2));
        }
        "m106" => {
            let (tool, _) = published(report, Provider::Gemini, Mode::Plain);
            let n = &tool["functionDeclarations"][0]["parametersJsonSchema"]["properties"]["n"];
            assert_eq!((&n["minimum"], n.get("exclusiveMinimum")), (&json!(1), None));
        }
        "m107" => {
            let registry = Registry::<()>::builder().dynamic(echo("declared", &report.schema_hint.schema)).build();
            let offer = registry.unwrap().offer(wire::Gemini::openapi(), Select::All).unwrap();
            assert_eq!(offer.tools().to_value()[0]["functionDeclarations"][0].get("parameters"), None);
        }
        other => panic!("{other} is a declaration that nothing here publishes"),
    }
}

/// What an offer widened is undone on the calls that answer it.
fn is_raised(provider: Provider, report: &Report) {
    let registry = report.schema_hint.tools.iter().map(|name| echo(name, &report.schema_hint.schema));
    let registry = registry.fold(Registry::builder(), Builder::dynamic).build().unwrap();
    let reply = reply(provider, &calls(report), None);
    let settle = |mode| {
        let offer: Offer<()> = registry.offer_in(mode, provider.wire(), Select::All).unwrap();
        block_on(offer.settle(&reply, &(), &mut Run::default())).unwrap()
    };
    assert_eq!(given(&settle(Mode::Strict).blocks()[0]), report.expected.args_after);
    assert_eq!(read_back(provider, &settle(Mode::Strict)).asked[0].2, calls(report)[0].as_it_came());
    assert!(settle(Mode::Plain).blocks()[0].rejection().is_some(), "it widened nothing");
}

#[test]
fn every_report_gets_its_verdict() {
    let mut verdicts = BTreeMap::<&str, u32>::new();
    let mut replies = 0;
    for report in reports() {
        let Expected { verdict, tier, .. } = report.expected;
        let (given, check): (&str, fn(Provider, &Report)) = match (verdict, tier) {
            (Verdict::Accept, _) => ("accepted", is_taken),
            (Verdict::Normalise, Some(Tier::Lossless)) => ("normalised", is_taken),
            (Verdict::Normalise, Some(Tier::SchemaGuided | Tier::OptIn)) => {
                ("refused: that leniency is off", is_refused)
            }
            (Verdict::Reject, _) => ("refused", is_refused),
            (Verdict::Pair, _) => ("paired", is_paired),
            (Verdict::PublishError, _) if report.name.is_some() => {
                is_renamed(&report);
                *verdicts.entry("published under another name").or_default() += 1;
                continue;
            }
            (Verdict::PublishError, _) => {
                is_published(&report);
                *verdicts.entry("published in another form").or_default() += 1;
                continue;
            }
            (Verdict::Normalise, _) => ("undone, since the offer widened it", is_raised),
        };
        for provider in carriers(&report) {
            println!("{} by {provider:?}", report.id);
            check(provider, &report);
            replies += 1;
        }
        *verdicts.entry(given).or_default() += 1;
    }
    println!("{verdicts:?}, by {replies} replies");
    let counted = [
        ("accepted", 9),
        ("normalised", 7),
        ("refused: that leniency is off", 13),
        ("refused", 29),
        ("paired", 7),
        ("published under another name", 2),
        ("published in another form", 6),
        ("undone, since the offer widened it", 1),
    ];
    assert_eq!(verdicts, BTreeMap::from(counted));
    assert_eq!(replies, 274);
}

/// Switches one kind on.
type Forgive = fn(Leniency) -> Leniency;

/// The kinds of report that a leniency is for, each with the one that takes it. `schema_guided` has a tier of its own.
const FORGIVEN: [(&str, Forgive); 6] = [
    ("markdown_fence", Leniency::fence),
    ("name_template_token", Leniency::name_affix),
    ("name_functions_prefix", Leniency::name_affix),
    ("name_default_api_prefix", Leniency::name_affix),
    ("wrapper_key", Leniency::wrapper_key),
    ("camel_for_snake", Leniency::key_case),
];

const KINDS: [Forgive; 5] =
    [Leniency::schema_guided, Leniency::name_affix, Leniency::fence, Leniency::wrapper_key, Leniency::key_case];

/// Settles a report's calls with this much forgiven, in both forms in which a host may have the reply.
fn settle_leniently(provider: Provider, report: &Report, leniency: Leniency) -> Settled {
    let offer = offer(provider, &report.schema_hint).lenient(leniency);
    let reply = reply(provider, &calls(report), report.extra.finish_reason.as_deref());
    let settle = |reply: Reply<'_>| block_on(offer.settle(reply, &(), &mut Run::default())).unwrap();
    let (parsed, text) = (settle(Reply::from(&reply)), settle(Reply::from(reply.to_string())));
    assert_eq!(parsed.messages(), text.messages());
    assert_eq!(read_back(provider, &text).asked.len(), calls(report).len());
    text
}

#[test]
fn each_leniency_takes_its_reports_and_no_other_does() {
    let mut taken = 0;
    for report in reports().iter().filter(|report| report.expected.verdict == Verdict::Normalise) {
        let forgive = match report.expected.tier {
            Some(Tier::SchemaGuided) => Leniency::schema_guided,
            Some(Tier::OptIn) => FORGIVEN.iter().find(|(kind, _)| *kind == report.kind).unwrap().1,
            _ => continue,
        };
        let one = forgive(Leniency::none());
        let every_other = KINDS.into_iter().filter(|kind| kind(Leniency::none()) != one);
        let every_other = every_other.fold(Leniency::none(), |all, kind| kind(all));
        let name = report.expected.name_after.as_ref().or(report.name.as_ref()).unwrap();
        for provider in carriers(report) {
            println!("{} by {provider:?}", report.id);
            for leniency in [one, Leniency::all()] {
                let settled = settle_leniently(provider, report, leniency);
                let block = &settled.blocks()[0];
                assert_eq!((given(block), block.tool()), (report.expected.args_after.clone(), Some(name.as_str())));
                let (_, written_name, history) = &read_back(provider, &settled).asked[0];
                let expected = calls(report)[0].object().unwrap_or_else(|| report.expected.args_after.clone());
                assert_eq!((written_name, history), (name, &expected));
            }
            for leniency in [Leniency::none(), every_other] {
                assert!(settle_leniently(provider, report, leniency).blocks()[0].rejection().is_some());
            }
        }
        taken += 1;
    }
    assert_eq!(taken, 13);
}

#[test]
fn what_no_leniency_is_for_has_its_verdict_with_all_of_them() {
    for report in reports() {
        let is_lossless = report.expected.tier == Some(Tier::Lossless);
        let is_taken = report.expected.verdict == Verdict::Accept || is_lossless;
        if !is_taken && report.expected.verdict != Verdict::Reject {
            continue;
        }
        for provider in carriers(&report) {
            println!("{} by {provider:?}", report.id);
            let settle = |leniency| settle_leniently(provider, &report, leniency);
            let (strict, lenient) = (settle(Leniency::none()), settle(Leniency::all()));
            assert_eq!(lenient.messages(), strict.messages());
            let rejections = |settled: &Settled| settled.blocks().iter().filter_map(ResultBlock::rejection).count();
            assert_eq!(rejections(&lenient), if is_taken { 0 } else { lenient.blocks().len() });
        }
    }
}
