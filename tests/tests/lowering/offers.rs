//! The tool lists of public agents, offered to every provider in every mode.

#![allow(clippy::print_stdout, reason = "what was read is told")]

use std::{collections::BTreeMap, sync::Arc};

use tool_gate::{Mode, OfferError, Select};
use tool_gate_tests::{provider::Provider, real};

/// How many offers there are in a mode, how many of their tools are strict, and how many offers are refused.
type Counted = [usize; 3];

/// For each wire in each mode.
const OFFERED: &[(&str, Counted)] = &[
    ("anthropic Auto", [2745, 6203, 0]),
    ("anthropic Plain", [2745, 0, 0]),
    ("anthropic Strict", [2745, 6292, 0]),
    ("bedrock Auto", [2745, 0, 0]),
    ("bedrock Plain", [2745, 0, 0]),
    ("bedrock Strict", [2745, 0, 0]),
    ("cohere Auto", [2745, 5412, 0]),
    ("cohere Plain", [2745, 0, 0]),
    ("cohere Strict", [2745, 5601, 0]),
    ("deepseek Auto", [2745, 6057, 0]),
    ("deepseek Plain", [2745, 0, 0]),
    ("deepseek Strict", [2745, 6466, 0]),
    ("gemini Auto", [2744, 0, 1]),
    ("gemini Plain", [2744, 0, 1]),
    ("gemini Strict", [2744, 0, 1]),
    ("gemini_openapi Auto", [2744, 0, 1]),
    ("gemini_openapi Plain", [2744, 0, 1]),
    ("gemini_openapi Strict", [2744, 0, 1]),
    ("mcp Auto", [2745, 0, 0]),
    ("mcp Plain", [2745, 0, 0]),
    ("mcp Strict", [2745, 0, 0]),
    ("mistral Auto", [2745, 6357, 0]),
    ("mistral Plain", [2745, 0, 0]),
    ("mistral Strict", [2745, 6466, 0]),
    ("ollama Auto", [2744, 0, 1]),
    ("ollama Plain", [2744, 0, 1]),
    ("ollama Strict", [2744, 0, 1]),
    ("openai_chat Auto", [2745, 6357, 0]),
    ("openai_chat Plain", [2745, 0, 0]),
    ("openai_chat Strict", [2745, 6466, 0]),
    ("openai_responses Auto", [2745, 6357, 0]),
    ("openai_responses Plain", [2745, 0, 0]),
    ("openai_responses Strict", [2745, 6466, 0]),
    ("plain Auto", [2745, 0, 0]),
    ("plain Plain", [2745, 0, 0]),
    ("plain Strict", [2745, 0, 0]),
];

/// Why the others are refused, in each of the three modes: a list of texts that are one of none.
const REFUSED: [(&str, usize); 3] = [
    ("gemini: nothing can be sent for `/properties/intents`", 3),
    ("gemini_openapi: nothing can be sent for `/properties/intents`", 3),
    ("ollama: nothing can be sent for `/properties/intents`", 3),
];

#[test]
fn every_real_tool_list_is_offered_on_every_wire_in_every_mode() {
    let Some(folder) = real::corpora("every_real_tool_list_is_offered_on_every_wire_in_every_mode") else { return };
    let mut counted = BTreeMap::<String, Counted>::new();
    let (mut sets, mut refusals) = (0, BTreeMap::<String, usize>::new());
    for record in real::files(&folder, ".tools.jsonl").iter().flat_map(|file| real::records(file)) {
        let (registry, _) = real::registry(record["tools"].as_array().expect("tools"));
        sets += 1;
        for (name, _, wire) in Provider::wires() {
            for mode in [Mode::Plain, Mode::Auto, Mode::Strict] {
                let counted = counted.entry(format!("{name} {mode:?}")).or_default();
                match registry.offer_in(mode, Arc::clone(&wire), Select::All) {
                    Ok(offer) => {
                        counted[0] += 1;
                        counted[1] += offer.report().tools.iter().filter(|tool| tool.is_strict).count();
                        assert_eq!(offer.report().tools.len(), offer.definitions().count());
                    }
                    Err(OfferError::Unpublishable(tool)) => {
                        counted[2] += 1;
                        *refusals.entry(format!("{name}: {}", tool.why)).or_default() += 1;
                    }
                    Err(error) => panic!("{name}: {error}"),
                }
            }
        }
    }
    println!("{sets} sets: {counted:?}");
    assert_eq!(refusals.into_iter().collect::<Vec<_>>(), REFUSED.map(|(why, count)| (why.to_owned(), count)));
    let counted: Vec<(&str, Counted)> = counted.iter().map(|(wire, counted)| (wire.as_str(), *counted)).collect();
    assert_eq!(counted, OFFERED);
}
