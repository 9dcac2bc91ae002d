//! A length converter behind a bare `{"name": …, "arguments": …}`, and proposals that a model might make to it.
//!
//! The tool is small enough to see all that it can do. That is the point: nothing outside its contract is looked at.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tool_gate::{Offer, Registry, Run, Select, Settled, tool, wire};

/// A unit that lengths are converted between.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Millimetres.
    Mm,
    /// Centimetres.
    Cm,
    /// Metres.
    M,
}

impl Unit {
    fn millimetres(self) -> f64 {
        // Whole numbers, since 0.001 is not exact in binary: with them 1250 mm is 1.25 m to the last bit.
        match self {
            Self::Mm => 1.0,
            Self::Cm => 10.0,
            Self::M => 1000.0,
        }
    }
}

/// A length that says its unit, so that nobody has to remember which one was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Length {
    /// How many of the unit.
    pub value: f64,
    /// The unit.
    pub unit: Unit,
}

/// Convert a length from one unit to another.
#[tool(read_only)]
pub fn convert_length(
    /// How many of `from_unit`.
    #[arg(range = 0.0..=1_000_000.0)]
    value: f64,
    /// The unit that the value is in.
    from_unit: Unit,
    /// The unit to convert it to.
    to_unit: Unit,
) -> Length {
    Length { value: value * from_unit.millimetres() / to_unit.millimetres(), unit: to_unit }
}

/// What a model might write.
#[derive(Clone, Copy, Debug)]
pub struct Proposal {
    /// What is to be seen in it.
    pub caption: &'static str,
    /// The text, as the model wrote it.
    pub text: &'static str,
}

const fn proposal(caption: &'static str, text: &'static str) -> Proposal {
    Proposal { caption, text }
}

/// One proposal that is right, and ten that are not.
pub const PROPOSALS: [Proposal; 11] = [
    proposal(
        "a proposal within the contract",
        r#"{"name": "convert_length", "arguments": {"value": 1250, "from_unit": "mm", "to_unit": "m"}}"#,
    ),
    proposal("a tool that does not exist", r#"{"name": "send_message", "arguments": {}}"#),
    proposal(
        "a key that nobody declared",
        r#"{"name": "convert_length", "arguments": {"value": 1, "from_unit": "mm", "to_unit": "m", "execute": true}}"#,
    ),
    proposal(
        "true in place of a number",
        r#"{"name": "convert_length", "arguments": {"value": true, "from_unit": "mm", "to_unit": "m"}}"#,
    ),
    proposal(
        "a number that is none",
        r#"{"name": "convert_length", "arguments": {"value": NaN, "from_unit": "mm", "to_unit": "m"}}"#,
    ),
    proposal("a list in place of the arguments", r#"{"name": "convert_length", "arguments": [1250, "mm", "m"]}"#),
    proposal(
        "a unit that is not supported",
        r#"{"name": "convert_length", "arguments": {"value": 1250, "from_unit": "mm", "to_unit": "inch"}}"#,
    ),
    proposal(
        "a value beyond the range",
        r#"{"name": "convert_length", "arguments": {"value": 1000001, "from_unit": "mm", "to_unit": "m"}}"#,
    ),
    proposal(
        "an envelope with a key too many",
        r#"{"name": "convert_length", "arguments": {"value": 1, "from_unit": "mm", "to_unit": "m"}, "approved": true}"#,
    ),
    proposal("an envelope with a key too few", r#"{"name": "convert_length"}"#),
    proposal("no envelope at all", r#""convert_length""#),
];

/// The one tool, for models that have no tool calling of their own.
///
/// # Errors
///
/// Where the tool's declaration contradicts itself.
pub fn offer() -> Result<Offer<()>, Box<dyn std::error::Error>> {
    let registry = Registry::builder().tool::<convert_length>().build()?;
    Ok(registry.offer(wire::Plain::default(), Select::All)?)
}

/// Takes one proposal in a conversation of its own.
///
/// # Errors
///
/// None: a model wrote all of it, so whatever is wrong with it is answered.
pub async fn settle(offer: &Offer<()>, proposal: &str) -> Result<Settled, wire::ReplyError> {
    offer.settle(proposal, &(), &mut Run::default()).await
}
