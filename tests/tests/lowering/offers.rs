//! The tool lists of public agents, offered to every provider in every mode.

use std::{collections::BTreeMap, sync::Arc};

use tool_gate::{
    Mode, OfferError, Select,
    wire::{self, Wire},
};
use tool_gate_tests::{provider::Provider, real};

/// How many offers there are in a mode, how many of their tools are strict, and how many offers are refused.
type Counted = [usize; 3];

/// For each wire in each mode.
const OFFERED: &[(&str, Counted)] = &[];

fn wires() -> Vec<(&'static str, Arc<dyn Wire>)> {
    let own = Provider::ALL.map(|provider| (provider.name(), provider.wire()));
    let others: [(&str, Arc<dyn Wire>); 2] =
        [("deepseek", Arc::new(wire::OpenAiChat::deepseek())), ("gemini_openapi", Arc::new(wire::Gemini::openapi()))];
    own.into_iter().chain(others).collect()
}

#[test]
fn every_real_tool_list_is_offered_on_every_wire_in_every_mode() {
    let Some(folder) = real::corpora("every_real_tool_list_is_offered_on_every_wire_in_every_mode") else { return };
    let mut counted = BTreeMap::<String, Counted>::new();
    let (mut sets, mut refusals) = (0, BTreeMap::<String, usize>::new());
    for record in real::files(&folder, ".tools.jsonl").iter().flat_map(|file| real::records(file)) {
        let (registry, _) = real::registry(record["tools"].as_array().expect("tools"));
        sets += 1;
        for (name, wire) in wires() {
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
    println!("{sets} sets");
    for (wire, counted) in &counted {
        println!("    (\"{wire}\", {counted:?}),");
    }
    println!("{refusals:#?}");
    let counted: Vec<(&str, Counted)> = counted.iter().map(|(wire, counted)| (wire.as_str(), *counted)).collect();
    assert_eq!(counted, OFFERED);
}
