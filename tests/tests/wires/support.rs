//! The tools that the samples are written for, and ways to settle a sample with them.

use std::{fs, path::Path};

use pollster::block_on;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tool_gate::{
    DynamicTool, Named, Offer, Registry, Run, Select, Settled, tool,
    wire::{Reply, Wire},
};

#[derive(Debug, PartialEq, Serialize)]
struct Order {
    order_no: String,
    status: &'static str,
}

/// Fetch one order by its number.
#[tool(read_only)]
fn lookup_order(
    /// Order number, e.g. A-1042.
    order_no: String,
    /// Also return status changes.
    with_history: Option<bool>,
) -> Order {
    let _ = with_history;
    Order { order_no, status: "shipped" }
}

#[derive(Clone, Copy, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Unit {
    Km,
    Mile,
}

/// Convert a length between units.
#[tool(read_only)]
fn convert_units(value: f64, from: Unit, to: Unit) -> f64 {
    match (from, to) {
        (Unit::Km, Unit::Mile) => value / 1.609_344,
        (Unit::Mile, Unit::Km) => value * 1.609_344,
        _ => value,
    }
}

/// Ask whether the shop is open.
#[tool(read_only)]
fn ping() {}

/// The three tools of the samples. MCP's have other names there, and do not exist here.
pub(crate) fn registry() -> Registry<()> {
    Registry::builder().tool::<lookup_order>().tool::<convert_units>().tool::<ping>().build().unwrap()
}

/// The same, offered for one provider.
pub(crate) fn offer(wire: impl Wire) -> Offer<()> {
    registry().offer(wire, Select::All).unwrap()
}

/// One sample's text: `anthropic/response_one.json`.
pub(crate) fn text(sample: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/wire").join(sample);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// One sample as a value.
pub(crate) fn sample(sample: &str) -> Value {
    serde_json::from_str(&text(sample)).unwrap()
}

/// Settles a reply in each form in which a host may have it, which must make no difference.
pub(crate) fn settle(wire: impl Wire, reply: &Value) -> Settled {
    let offer = offer(wire);
    let settle = |reply: Reply<'_>| block_on(offer.settle(reply, &(), &mut Run::default())).unwrap();
    let (parsed, text, serialised) =
        (settle(Reply::from(reply)), settle(Reply::from(reply.to_string())), settle(Reply::of(reply).unwrap()));
    assert_eq!(parsed.messages(), text.messages());
    assert_eq!(parsed.messages(), serialised.messages());
    assert_eq!(parsed.outcome(), text.outcome());
    text
}

/// Puts a streamed reply together, line by line, and settles it. Gives back the names in the order in which they were told.
pub(crate) fn stream(wire: impl Wire, lines: &str) -> (Vec<Named>, Settled) {
    let offer = offer(wire);
    let mut assembler = offer.assembler().unwrap();
    let named = lines.lines().flat_map(|line| assembler.push(line).unwrap()).collect();
    (named, block_on(offer.settle(assembler.finish(), &(), &mut Run::default())).unwrap())
}

/// What became of each call: the tool, and the outcome or the kind of its rejection.
pub(crate) fn ends(settled: &Settled) -> Vec<(String, String)> {
    let end = |block: &tool_gate::ResultBlock| match block.rejection() {
        Some(rejection) => format!("{:?}", rejection.kind()),
        None => block.kind().to_string(),
    };
    settled.blocks().iter().map(|block| (block.tool().unwrap_or("-").to_owned(), end(block))).collect()
}

/// [`ends`], as they are compared.
pub(crate) fn pairs(ends: &[(&str, &str)]) -> Vec<(String, String)> {
    ends.iter().map(|(tool, end)| ((*tool).to_owned(), (*end).to_owned())).collect()
}

/// A tool of another shape, where the three do not do.
pub(crate) fn echo(name: &str, schema: Value) -> DynamicTool<()> {
    DynamicTool::new(name, "Answer what is sent.", schema, |(), arguments, _| Box::pin(async move { Ok(arguments) }))
}
