//! Calls that real models made, and what an independent validator says of each: Python's jsonschema, in draft 2020-12, with
//! formats not asserted.

#![allow(clippy::unwrap_used, reason = "a test fails where it is wrong")]
#![allow(clippy::print_stdout, reason = "what was read is told")]

use std::{
    collections::{BTreeSet, HashMap},
    path::Path,
};

use serde_json::Value;
use tool_gate::{
    Offer, Problem, Registry, Rejection, RejectionKind, Segment, Select,
    wire::{self, Arguments, Call},
};
use tool_gate_tests::real;

/// The fewest calls that are a corpus.
const ENOUGH: usize = 15_000;

/// One tool set of a corpus: its tools on offer, and those that no registry takes.
struct Set {
    offer: Offer<()>,
    refused: BTreeSet<String>,
    schemas: HashMap<String, Value>,
}

impl Set {
    fn of(tools: &[Value]) -> Self {
        let mut schemas = HashMap::new();
        let mut refused = BTreeSet::new();
        let mut builder = Registry::<()>::builder();
        for tool in tools {
            let name = tool["name"].as_str().unwrap();
            if schemas.insert(name.to_owned(), tool["input_schema"].clone()).is_some() {
                continue;
            }
            match Registry::<()>::builder().dynamic(real::echo(tool)).build() {
                Ok(_) => builder = builder.dynamic(real::echo(tool)),
                Err(error) => {
                    assert!(matches!(error.problems(), [Problem::Schema { .. }]), "{name}: {error}");
                    refused.insert(name.to_owned());
                }
            }
        }
        let registry = builder.build().unwrap();
        Self { offer: registry.offer(wire::Plain::default(), Select::All).unwrap(), refused, schemas }
    }

    /// What our gates say of the call.
    fn verdict(&self, record: &Value) -> Result<(), Rejection> {
        let name = record["name"].as_str().unwrap();
        let arguments = Arguments::from(record["arguments_raw"].as_str().unwrap());
        self.offer.check(&Call::new(None, name, arguments)).map(|_| ())
    }
}

/// What is recorded of the call.
fn recorded(record: &Value) -> &str {
    record["expect"]["kind"].as_str().unwrap()
}

/// Whether two verdicts are one.
fn agrees(record: &Value, ours: &Result<(), Rejection>) -> bool {
    let Err(rejection) = ours else { return recorded(record) == "ok" };
    match rejection.kind() {
        RejectionKind::UnknownName => recorded(record) == "unknown_name",
        // Which of the two a broken text is, the other validator does not ask.
        RejectionKind::Unparsable | RejectionKind::Truncated => recorded(record) == "unparsable",
        RejectionKind::NotAnObject => recorded(record) == "not_object",
        RejectionKind::Schema => recorded(record) == "schema" && is_at_a_recorded_path(record, rejection),
        _ => false,
    }
}

/// Whether the one violation that is told is one of those that are recorded, or lies within one.
fn is_at_a_recorded_path(record: &Value, rejection: &Rejection) -> bool {
    let Rejection::Schema { violation, .. } = rejection else { return false };
    let told: Vec<String> = violation.path.segments().iter().map(step).collect();
    let errors = record["expect"]["errors"].as_array().into_iter().flatten();
    errors.map(|error| path(&error[1])).any(|path| told.starts_with(&path))
}

fn step(segment: &Segment) -> String {
    match segment {
        Segment::Key(key) => key.clone(),
        Segment::Index(index) => index.to_string(),
    }
}

fn path(recorded: &Value) -> Vec<String> {
    match recorded {
        Value::String(text) => text.split('/').filter(|step| !step.is_empty()).map(str::to_owned).collect(),
        Value::Array(steps) => {
            steps.iter().map(|step| step.as_str().map_or_else(|| step.to_string(), str::to_owned)).collect()
        }
        other => panic!("a path: {other}"),
    }
}

/// A class of calls whose verdict is not compared, since no registry takes the tool's schema: what is in it, told from the
/// record and the schema alone, and how many of them there are.
struct Exception {
    holds: fn(record: &Value, schema: &str) -> bool,
    calls: usize,
}

/// All there are.
const EXCEPTIONS: [Exception; 2] = [
    // The other validator refuses these schemas as well: `"type": "OBJECT"`, `"exclusiveMinimum": true`.
    Exception { holds: |record, _| recorded(record) == "schema_not_2020_12", calls: 29 },
    // Patterns are matched in linear time, which look-ahead is not.
    Exception {
        holds: |record, schema| {
            recorded(record) != "schema_not_2020_12" && ["(?=", "(?!", "(?<"].iter().any(|look| schema.contains(look))
        },
        calls: 1,
    },
];

#[test]
fn every_call_of_a_real_model_gets_the_recorded_verdict() {
    let Some(folder) = real::corpora("real calls") else { return };
    let mut read = 0;
    let mut excepted = [0; EXCEPTIONS.len()];
    let mut wrong = Vec::new();
    for file in real::files(&folder, ".calls.jsonl") {
        let tools = file.to_string_lossy().replace(".calls.", ".tools.");
        let sets: Vec<Value> = real::records(Path::new(&tools));
        let tools: HashMap<&str, &Vec<Value>> =
            sets.iter().map(|set| (set["tool_set"].as_str().unwrap(), set["tools"].as_array().unwrap())).collect();
        let mut sets: HashMap<String, Set> = HashMap::new();
        for record in real::records(&file) {
            read += 1;
            let name = record["tool_set"].as_str().unwrap();
            let set = sets.entry(name.to_owned()).or_insert_with(|| Set::of(tools[name]));
            let tool = record["name"].as_str().unwrap();
            let schema = set.schemas.get(tool).map(Value::to_string).unwrap_or_default();
            let class = EXCEPTIONS.iter().position(|class| (class.holds)(&record, &schema));
            let agrees = match class {
                Some(class) => {
                    excepted[class] += 1;
                    set.refused.contains(tool)
                }
                None => agrees(&record, &set.verdict(&record)),
            };
            if !agrees {
                let ours = set.verdict(&record).map_err(|rejection| (rejection.kind(), rejection.path().cloned()));
                wrong.push(format!("{name} {tool} {}: {ours:?} is not {}", record["arguments_raw"], record["expect"]));
            }
        }
    }
    assert!(read >= ENOUGH, "{read} calls are not the corpora");
    assert!(wrong.is_empty(), "{} of {read} calls:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(excepted, EXCEPTIONS.map(|class| class.calls));
    println!("{read} calls have the recorded verdict, but for {excepted:?} whose tools no registry takes");
}
