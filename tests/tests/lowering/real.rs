//! The tools of public agents and servers, in every dialect: what is published, what is refused and why, in numbers.

use std::{collections::BTreeMap, env, fmt::Write as _, fs, path::Path};

use serde_json::{Value, json};
use tool_gate::lower::{Source, Unfit, lower};
use tool_gate_tests::real;

use crate::{checker::Rules, dialects};

/// Where the numbers are.
fn table() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/lowered_real_tools.txt")
}

/// A word for a reason.
fn reason(unfit: &Unfit) -> String {
    match unfit {
        Unfit::Recursion { .. } => "recursion".to_owned(),
        Unfit::NoArguments => "no arguments".to_owned(),
        Unfit::Nothing { .. } => "nothing can be sent".to_owned(),
        Unfit::Unsound { keyword, .. } => format!("unsound {keyword}"),
        Unfit::TooLarge => "too large".to_owned(),
        other => format!("{other:?}"),
    }
}

#[test]
fn real_tools_are_published_or_refused_for_a_reason() {
    let Some(folder) = real::corpora("lowering") else { return };
    let mut counts: BTreeMap<(&str, &str), BTreeMap<String, usize>> = BTreeMap::new();
    let mut found = Vec::new();
    let files = real::files(&folder, ".tools.jsonl");
    let names: Vec<String> = files
        .iter()
        .map(|file| file.file_name().unwrap_or_default().to_string_lossy().replace(".tools.jsonl", ""))
        .collect();
    let dialects: Vec<_> = dialects().into_iter().map(|(name, dialect)| (name, dialect, Rules::of(name))).collect();
    for (file, corpus) in files.iter().zip(&names) {
        let records = real::records(file);
        let tools = records.iter().flat_map(|record| record["tools"].as_array().into_iter().flatten());
        for tool in tools {
            let name = tool["name"].as_str().unwrap_or_default();
            for (dialect_name, dialect, rules) in &dialects {
                let row = counts.entry((dialect_name, corpus)).or_default();
                match lower(&Source::given(name, &tool["input_schema"]), dialect) {
                    Ok(lowered) => {
                        let published = lowered.schema().cloned().unwrap_or_else(|| json!({"type": "object"}));
                        let violations = rules.violations(&published);
                        found.extend(
                            violations
                                .iter()
                                .take(1)
                                .map(|why| format!("{dialect_name} {name} {why}\n{}", tool["input_schema"])),
                        );
                        *row.entry("published".to_owned()).or_default() += 1;
                        if lowered.changes().iter().all(|change| change.became == tool_gate::lower::Became::LeftOut) {
                            *row.entry("as it was".to_owned()).or_default() += 1;
                        }
                    }
                    Err(unfit) => *row.entry(reason(&unfit)).or_default() += 1,
                }
            }
        }
    }
    assert!(
        found.is_empty(),
        "{} violations:\n{}",
        found.len(),
        found.iter().take(20).cloned().collect::<Vec<_>>().join("\n")
    );
    let mut page = String::new();
    for ((dialect, corpus), row) in &counts {
        let row: Vec<String> = row.iter().map(|(what, count)| format!("{count} {what}")).collect();
        writeln!(page, "{dialect:16} {corpus:14} {}", row.join(", ")).expect("a line");
    }
    if env::var_os("UPDATE_TABLES").is_some() {
        fs::write(table(), &page).expect("the table can be written");
    }
    assert_eq!(
        fs::read_to_string(table()).unwrap_or_default(),
        page,
        "write it anew with UPDATE_TABLES=1, and read the difference"
    );
}

#[test]
fn canonical_arguments_of_real_tools_come_back() {
    let Some(folder) = real::corpora("lowering") else { return };
    let mut tried = 0;
    for file in real::files(&folder, ".tools.jsonl") {
        let records = real::records(&file);
        let tools = records.iter().flat_map(|record| record["tools"].as_array().into_iter().flatten());
        for tool in tools.step_by(23) {
            let schema = &tool["input_schema"];
            let takes = crate::sending::validator(schema);
            let values: Vec<Value> = tool_gate::testing::instances(schema)
                .into_iter()
                .filter(|value| takes.is_valid(value))
                .take(6)
                .collect();
            for (dialect_name, dialect) in dialects() {
                let Ok(lowered) = lower(&Source::given("tool", schema), &dialect) else { continue };
                let Some(published) = lowered.schema() else { continue };
                let sender = crate::sending::Sender::new(published);
                for value in &values {
                    // A schema that is not closed takes keys that a strict one has no place for.
                    let Some(sent) = sender.sent(&lowered, value).filter(|sent| sender.takes(sent)) else { continue };
                    let raised = lowered.raise().raise(&sent).unwrap_or_else(|| sent.clone());
                    assert!(
                        takes.is_valid(&raised),
                        "{dialect_name}: {value} sent as {sent} comes back as {raised}\n{schema}"
                    );
                    tried += 1;
                }
            }
        }
    }
    assert!(tried > 5_000, "{tried}");
}
