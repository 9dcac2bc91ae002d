//! What has to hold of any bytes at all: the fuzz targets of `fuzz/`, and what replays their corpus.

use std::sync::LazyLock;

use pollster::block_on;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use tool_gate::{
    BuildError, DynamicTool, Leniency, Offer, Registry, Rejection, RejectionKind, Run, Select, Settled,
    lower::{Source, lower},
    tool,
    wire::{self, Arguments, Call, Wire},
};

use crate::{
    lowered::{dialects, same},
    provider::{Provider, faults},
};

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Filter {
    Status { status: Status },
    Between { from: u32, to: Option<u32> },
    Not { filter: Box<Self> },
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Status {
    Open,
    Shipped,
}

fn depth(filter: &Filter) -> u64 {
    match filter {
        Filter::Status { status } => u64::from(format!("{status:?}").len() > 100),
        Filter::Between { from, to } => u64::from(from.max(&to.unwrap_or_default()) == &0),
        Filter::Not { filter } => 1 + depth(filter),
    }
}

/// Search for everything.
#[tool(read_only)]
#[allow(clippy::needless_pass_by_value, reason = "a tool's arguments are its own")]
fn search(
    text: &str,
    #[arg(default = 20, range = 1..=100)] limit: i64,
    filter: Option<Filter>,
    #[arg(items = ..=3)] ratios: Option<Vec<f64>>,
    #[arg(length = 1..=8, pattern = "^[a-z]+$")] word: Option<String>,
    #[arg(sensitive)] anything: Option<Value>,
) -> u64 {
    let numbers = ratios.map_or(0, |ratios| ratios.len()) + word.map_or(0, |word| word.len());
    let depth = filter.as_ref().map_or(0, depth) + anything.map_or(0, |any| u64::from(any.is_null()));
    limit.unsigned_abs() + text.len() as u64 + numbers as u64 + depth
}

/// Do nothing.
#[tool]
fn rest() {}

fn offer(wire: impl Wire) -> Offer<()> {
    let registry = Registry::builder().tool::<search>().tool::<rest>().build().expect("declared without a mistake");
    registry.offer(wire, Select::All).expect("all are offered")
}

/// One a digit.
const PROVIDERS: [Provider; 10] = [
    Provider::Anthropic,
    Provider::OpenAiChat,
    Provider::Plain,
    Provider::OpenAiResponses,
    Provider::Gemini,
    Provider::Bedrock,
    Provider::Mistral,
    Provider::Cohere,
    Provider::Ollama,
    Provider::Mcp,
];

static OFFERS: LazyLock<[Offer<()>; 10]> = LazyLock::new(|| PROVIDERS.map(|provider| offer(provider.wire())));

/// A reply: the first byte, a digit, chooses the wire. It is an error for the host, or every call in it is answered and
/// paired. Its lines are taken for the events of a stream as well.
///
/// # Panics
///
/// Where that does not hold.
pub fn reply(data: &[u8]) {
    let Some((first, rest)) = data.split_first() else { return };
    let place = usize::from(first.wrapping_sub(b'0')) % PROVIDERS.len();
    let (provider, offer) = (PROVIDERS[place], &OFFERS[place]);
    let text = String::from_utf8_lossy(rest);
    let settled = settled(provider, offer, (&*text).into());
    // A value that the host has parsed is the same reply, as far as it is one.
    if let (Some(settled), Ok(parsed)) = (settled, serde_json::from_str::<Value>(&text))
        && let Ok(again) = block_on(offer.settle(&parsed, &(), &mut Run::default()))
    {
        assert_eq!(again.blocks().len(), settled.blocks().len());
    }
    if let Some(mut assembler) = offer.assembler() {
        for line in text.lines() {
            let _ = assembler.push(line);
        }
        settled_stream(provider, offer, assembler.finish());
    }
}

fn settled(provider: Provider, offer: &Offer<()>, reply: wire::Reply<'_>) -> Option<Settled> {
    let mut run = Run::default();
    let Ok(settled) = block_on(offer.settle(reply, &(), &mut run)) else {
        assert_eq!(run, Run::default(), "a reply that is none leaves the run as it was");
        return None;
    };
    assert_eq!(settled.blocks().len(), settled.calls().len());
    assert!(settled.blocks().iter().all(|block| !block.text().is_empty()));
    let messages = settled.messages();
    // What is no call goes back as it came, and the provider may refuse that.
    if provider.written(&messages).is_ok() {
        assert_eq!(faults(provider, &messages, settled.blocks().len()), [""; 0], "{messages:?}");
    }
    Some(settled)
}

/// What was put together of events is a reply, whatever they were.
fn settled_stream(provider: Provider, offer: &Offer<()>, reply: wire::Reply<'_>) {
    assert!(settled(provider, offer, reply).is_some(), "{provider:?} puts together what it does not read");
}

/// The arguments of a call: what is admitted is JSON, and is admitted as a value as well.
///
/// # Panics
///
/// Where that does not hold.
pub fn arguments(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    same_verdicts(&OFFERS[0], "search", text);
    same_where_it_conforms(&OFFERS[0], "search", text);
}

/// A schema and arguments for it, `{"schema": …, "arguments": …}`: the registry refuses it with a sentence, or the arguments
/// are judged, as text and as a value alike.
///
/// # Panics
///
/// Where that does not hold.
pub fn schema(data: &[u8]) {
    let Some((schema, arguments)) = posed(data) else { return };
    match dynamic(&schema) {
        Err(error) => assert!(!error.problems().is_empty() && !error.to_string().is_empty()),
        Ok(registry) => {
            let offer = registry.offer(wire::Plain::default(), Select::All).expect("all are offered");
            same_verdicts(&offer, "dynamic", &arguments.to_string());
            same_where_it_conforms(&offer, "dynamic", &arguments.to_string());
        }
    }
}

/// A schema and arguments for it, as [`schema`] has them, sent as a model would that keeps to a dialect: arguments that conform
/// come back as they were, and others are no trouble.
///
/// # Panics
///
/// Where that does not hold.
pub fn lowered(data: &[u8]) {
    let Some((schema, arguments)) = posed(data) else { return };
    let Some(offer) =
        dynamic(&schema).ok().and_then(|registry| registry.offer(wire::Plain::default(), Select::All).ok())
    else {
        return;
    };
    let admitted = offer.check(&Call::new(None, "dynamic", arguments.clone().into()));
    for (name, dialect) in dialects() {
        let Ok(lowered) = lower(&Source::given("dynamic", &schema), &dialect) else { continue };
        let _ = lowered.raise().raise(&arguments);
        let Ok(admitted) = &admitted else { continue };
        let canonical = admitted.arguments();
        let Some(sent) = lowered.raise().sent(canonical) else { continue };
        let raised = lowered.raise().raise(&sent).unwrap_or_else(|| sent.clone());
        assert!(same(&raised, canonical), "{name}: {canonical} is sent as {sent} and becomes {raised}");
    }
}

fn posed(data: &[u8]) -> Option<(Value, Value)> {
    let Ok(Value::Object(mut given)) = serde_json::from_slice(data) else { return None };
    given.remove("schema").zip(given.remove("arguments"))
}

fn dynamic(schema: &Value) -> Result<Registry<()>, BuildError> {
    let tool = DynamicTool::new("dynamic", "Take it.", schema.clone(), |(), arguments, _| {
        Box::pin(async move { Ok::<Value, _>(arguments) })
    });
    Registry::builder().dynamic(tool).build()
}

fn same_verdicts(offer: &Offer<()>, tool: &str, text: &str) {
    let check = |arguments: Arguments| offer.check(&Call::new(None, tool, arguments)).map(|_| ());
    let of_text = check(text.into());
    let Ok(value) = serde_json::from_str::<Value>(text) else {
        let blank = text.bytes().all(|byte| byte.is_ascii_whitespace());
        assert!(of_text.is_err() || blank, "{text:?} is not JSON");
        return;
    };
    let of_value = check(value.into());
    match (&of_text, &of_value) {
        (Ok(()), Ok(())) => {}
        (Err(of_text), Err(of_value)) if of_text.kind() == of_value.kind() => {}
        // Only a text has duplicate keys, too many digits, and a length.
        (Err(of_text), _) if is_of_text(of_text) => {}
        // What `serde_json` holds of a number is not all of its digits.
        _ if text.bytes().any(|byte| byte.is_ascii_digit()) && text.len() > 16 => {}
        _ => panic!("{text:?}: {of_text:?} as a text, {of_value:?} as a value"),
    }
}

/// With everything forgiven, what conforms is admitted as it stands, and of what does not something is forgiven.
fn same_where_it_conforms(offer: &Offer<()>, tool: &str, text: &str) {
    let call = Call::new(None, tool, text.into());
    let (strictly, leniently) = (offer.check(&call), offer.clone().lenient(Leniency::all()).check(&call));
    match (strictly, leniently) {
        (Ok(strictly), Ok(leniently)) => {
            assert!(leniently.eased().is_empty() && strictly.arguments() == leniently.arguments(), "{text:?}");
        }
        (Err(_), Ok(leniently)) => assert!(!leniently.eased().is_empty(), "{text:?}"),
        (strictly, leniently) => assert_eq!(strictly.err(), leniently.err(), "{text:?}"),
    }
}

fn is_of_text(rejection: &Rejection) -> bool {
    matches!(rejection.kind(), RejectionKind::Unparsable | RejectionKind::OverLimit)
}
