//! Settles one step of a conversation and ends: what a process does that is killed after each.
//!
//! Standard input holds `{"run": …, "step": n, "calls": [[name, input], …]}`; standard output gets the run.

use std::{error::Error, io};

use serde_json::{Value, json};
use tool_gate::{Limits, Run};
use tool_gate_tests::agent;

fn main() -> Result<(), Box<dyn Error>> {
    let asked: Value = serde_json::from_reader(io::stdin())?;
    let mut run: Run = serde_json::from_value(asked["run"].clone())?;
    let calls: Vec<(&str, Value)> = asked["calls"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|call| (call[0].as_str().unwrap_or_default(), call[1].clone()))
        .collect();
    let step = usize::try_from(asked["step"].as_u64().unwrap_or_default())?;
    let settled = agent::settle(&agent::offer(Limits::default()), &mut run, step, &calls);
    serde_json::to_writer(io::stdout(), &json!({"run": run, "blocks": settled.blocks().len()}))?;
    Ok(())
}
