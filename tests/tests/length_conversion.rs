//! The length converter of the examples: which gate stops which proposal, and what the one that passes is answered.

#![allow(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use examples::length::{self, Length, PROPOSALS, Unit, convert_length};
use tool_gate::{Gate, OutcomeKind, Rejection, ResultBlock, TurnOutcome};

/// A proposal's caption, the gate that stops it, the rejection's kind, the path and the keyword of the broken clause.
type Verdict = (&'static str, Option<Gate>, &'static str, Option<&'static str>, Option<&'static str>);

const VERDICTS: [Verdict; 11] = [
    ("a proposal within the contract", None, "", None, None),
    ("a tool that does not exist", Some(Gate::Name), "unknown_name", None, None),
    ("a key that nobody declared", Some(Gate::Schema), "schema", Some("(root)"), Some("additionalProperties")),
    ("true in place of a number", Some(Gate::Schema), "schema", Some("value"), Some("type")),
    ("a number that is none", Some(Gate::Parse), "unparsable", None, None),
    ("a list in place of the arguments", Some(Gate::Parse), "not_an_object", None, None),
    ("a unit that is not supported", Some(Gate::Schema), "schema", Some("to_unit"), Some("enum")),
    ("a value beyond the range", Some(Gate::Schema), "schema", Some("value"), Some("maximum")),
    ("an envelope with a key too many", Some(Gate::Reply), "envelope", None, None),
    ("an envelope with a key too few", Some(Gate::Reply), "envelope", None, None),
    ("no envelope at all", Some(Gate::Reply), "envelope", None, None),
];

fn answered(proposal: &str) -> ResultBlock {
    let offer = length::offer().unwrap();
    let settled = pollster::block_on(length::settle(&offer, proposal)).unwrap();
    assert_eq!(settled.outcome(), TurnOutcome::GoOn, "{proposal}");
    match settled.blocks() {
        [block] => block.clone(),
        blocks => panic!("one proposal, one answer: {blocks:?}"),
    }
}

#[test]
fn each_proposal_is_stopped_by_the_gate_that_it_breaks() {
    for (proposal, (caption, gate, kind, path, keyword)) in PROPOSALS.iter().zip(VERDICTS) {
        assert_eq!(proposal.caption, caption);
        let block = answered(proposal.text);
        let rejection = block.rejection();
        assert_eq!(rejection.map(Rejection::gate), gate, "{caption}");
        assert_eq!(rejection.map_or("", |rejection| rejection.kind().as_str()), kind, "{caption}");
        let told = rejection.and_then(Rejection::path).map(ToString::to_string);
        assert_eq!(told.as_deref(), path, "{caption}");
        assert_eq!(rejection.and_then(Rejection::keyword), keyword, "{caption}");
    }
}

#[test]
fn the_proposal_within_the_contract_is_answered_exactly() {
    let block = answered(PROPOSALS[0].text);
    assert_eq!(block.kind(), OutcomeKind::Completed);
    assert_eq!(block.tool(), Some("convert_length"));
    assert_eq!(block.text(), r#"{"value":1.25,"unit":"m"}"#);
}

#[test]
fn a_rejected_proposal_is_told_what_to_send_instead() {
    let told: Vec<_> = PROPOSALS[1..].iter().map(|proposal| answered(proposal.text).text().to_owned()).collect();
    assert_eq!(
        told,
        [
            "No tool named \"send_message\". Available tools: convert_length.",
            "convert_length rejected: execute is not declared. Declared: value, from_unit, to_unit.",
            "convert_length rejected: value must be a number. Received true.",
            "Arguments for convert_length are not valid JSON: NaN and Infinity are not JSON numbers, at byte 10. \
             Send one JSON object.",
            "Arguments for convert_length are an array, not a JSON object. \
             Send an object with: value, from_unit, to_unit.",
            "convert_length rejected: to_unit must be one of cm, mm or m. Received \"inch\".",
            "convert_length rejected: value must be at most 1000000. Received 1000001.",
            "The call is not usable: it has the extra key approved. Send one object with the keys name and arguments.",
            "The call is not usable: the key arguments is missing. Send one object with the keys name and arguments.",
            "The call is not usable: it is a string, not an object. Send one object with the keys name and arguments.",
        ]
    );
}

#[test]
fn the_tool_is_still_an_ordinary_function() {
    assert_eq!(convert_length(1.1, Unit::M, Unit::Cm), Length { value: 110.0, unit: Unit::Cm });
    assert_eq!(convert_length(3.0, Unit::Cm, Unit::M), Length { value: 0.03, unit: Unit::M });
}
