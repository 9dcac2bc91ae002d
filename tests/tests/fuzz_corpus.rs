//! The corpus of the fuzz targets, replayed: seeds, and what a longer run found wrong.

use std::{fs, path::Path};

use tool_gate_tests::fuzz;

fn replay(target: &str, fuzz: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus").join(target);
    let inputs = fs::read_dir(&folder).expect("the corpus").map(|entry| entry.expect("an input").path());
    let replayed = inputs.map(|input| fuzz(&fs::read(input).expect("an input"))).count();
    assert!(replayed >= 12, "{replayed} inputs are no corpus of {target}");
}

#[test]
fn replies() {
    replay("reply", fuzz::reply);
}

#[test]
fn arguments() {
    replay("arguments", fuzz::arguments);
}

#[test]
fn schemas_with_arguments() {
    replay("schema", fuzz::schema);
}

#[test]
fn schemas_in_the_dialects_of_providers() {
    replay("schema", fuzz::lowered);
    replay("lowered", fuzz::lowered);
}
