//! What has to hold of any bytes at all: the fuzz targets of `fuzz/`, and what replays their corpus.

use std::sync::LazyLock;

use pollster::block_on;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use tool_gate::{
    DynamicTool, Leniency, Offer, Registry, Rejection, RejectionKind, Run, Select, tool,
    wire::{self, Arguments, Call, Wire},
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

static WIRES: LazyLock<[Offer<()>; 3]> = LazyLock::new(|| {
    [offer(wire::Anthropic::default()), offer(wire::OpenAiChat::default()), offer(wire::Plain::default())]
});

/// A reply: the first byte chooses the wire. It is an error for the host, or every call in it is answered and paired.
///
/// # Panics
///
/// Where that does not hold.
pub fn reply(data: &[u8]) {
    let Some((first, rest)) = data.split_first() else { return };
    let offer = &WIRES[usize::from(*first) % WIRES.len()];
    let text = String::from_utf8_lossy(rest);
    let mut run = Run::default();
    let settled = block_on(offer.settle(&*text, &(), &mut run));
    let parsed = serde_json::from_str::<Value>(&text);
    let Ok(settled) = settled else {
        assert_eq!(run, Run::default(), "a reply that is none leaves the run as it was");
        return;
    };
    assert_eq!(settled.blocks().len(), settled.calls().len());
    assert!(settled.blocks().iter().all(|block| !block.text().is_empty()));
    let messages = settled.messages();
    let results: usize = messages.iter().map(results).sum();
    assert_eq!(results, settled.calls().len(), "{messages:?}");
    // A value that the host has parsed is the same reply, as far as it is one.
    if let Ok(parsed) = parsed
        && let Ok(again) = block_on(offer.settle(&parsed, &(), &mut Run::default()))
    {
        assert_eq!(again.blocks().len(), settled.blocks().len());
    }
}

/// How many results a message holds.
fn results(message: &Value) -> usize {
    let blocks = message["content"].as_array().map_or(&[][..], Vec::as_slice);
    let blocks = blocks.iter().filter(|block| block["type"] == "tool_result" && message["role"] == "user").count();
    let is_one = message["role"] == "tool" || message.get("result").is_some() || message.get("error").is_some();
    blocks + usize::from(is_one && blocks == 0)
}

/// The arguments of a call: what is admitted is JSON, and is admitted as a value as well.
///
/// # Panics
///
/// Where that does not hold.
pub fn arguments(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    same_verdicts(&WIRES[0], "search", text);
    same_where_it_conforms(&WIRES[0], "search", text);
}

/// A schema and arguments for it, `{"schema": …, "arguments": …}`: the registry refuses it with a sentence, or the arguments
/// are judged, as text and as a value alike.
///
/// # Panics
///
/// Where that does not hold.
pub fn schema(data: &[u8]) {
    let Ok(Value::Object(mut given)) = serde_json::from_slice(data) else { return };
    let (Some(schema), Some(arguments)) = (given.remove("schema"), given.remove("arguments")) else { return };
    let tool = DynamicTool::new("dynamic", "Take it.", schema, |(), arguments, _| {
        Box::pin(async move { Ok::<Value, _>(arguments) })
    });
    match Registry::builder().dynamic(tool).build() {
        Err(error) => assert!(!error.problems().is_empty() && !error.to_string().is_empty()),
        Ok(registry) => {
            let offer = registry.offer(wire::Plain::default(), Select::All).expect("all are offered");
            same_verdicts(&offer, "dynamic", &arguments.to_string());
            same_where_it_conforms(&offer, "dynamic", &arguments.to_string());
        }
    }
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
