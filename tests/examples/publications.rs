//! Prints what requests say of the tool lists of public agents, on every wire in every mode, one record a line, none twice: the
//! vendors' own types check it (`validators/validate.py`). Nothing where `TOOL_GATE_REAL` names no folder.

#![allow(clippy::print_stderr, reason = "what is broken is told")]

use std::{
    collections::HashSet,
    error::Error,
    hash::{DefaultHasher, Hash, Hasher},
    io::Write,
    sync::Arc,
};

use serde_json::{Value, json};
use tool_gate::{Mode, Select, wire::ToolChoice};
use tool_gate_tests::{provider::Provider, real};

fn main() -> Result<(), Box<dyn Error>> {
    let Some(folder) = real::corpora("publications") else { return Ok(()) };
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut printed = HashSet::new();
    for record in real::files(&folder, ".tools.jsonl").iter().flat_map(|file| real::records(file)) {
        let (registry, _) = real::registry(record["tools"].as_array().ok_or("a set without tools")?);
        for (_, provider, wire) in Provider::wires() {
            for mode in [Mode::Plain, Mode::Auto, Mode::Strict] {
                // What is refused is counted by a test.
                let Ok(offer) = registry.offer_in(mode, Arc::clone(&wire), Select::All) else { continue };
                if offer.definitions().next().is_none() {
                    continue;
                }
                let request = Value::from(offer.request(&ToolChoice::auto())?);
                let mut hasher = DefaultHasher::new();
                (provider, request.to_string()).hash(&mut hasher);
                if printed.insert(hasher.finish()) {
                    let sample = &record["tool_set"];
                    let case = format!("{mode:?}");
                    let record = json!({"provider": provider.name(), "sample": sample, "case": case, "request": request, "messages": []});
                    writeln!(out, "{record}")?;
                }
            }
        }
    }
    Ok(())
}
