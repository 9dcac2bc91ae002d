//! What a user of `#[tool]` and `#[derive(Provides)]` sees of the compiler: each `fail` fixture is a mistake with the words
//! for it. The `pass` fixtures are programs, and `tests/tests/consumer.rs` runs them: with one of them here, trybuild would
//! have cargo compile the fixtures one after the other, and not all of them at once.
//!
//! `TRYBUILD=overwrite cargo test -p tool-gate-compiler` writes the words down anew: read the difference.

use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The compiler whose words are on file: its own notes change from version to version.
const WORDED_BY: &str = "1.95.0";

#[test]
fn mistakes_are_told() {
    let compiler = compiler();
    if compiler.contains(WORDED_BY) {
        let tests = trybuild::TestCases::new();
        tests.compile_fail("ui/*/fail/*.rs");
    } else {
        skipped(&compiler);
    }
}

#[expect(clippy::print_stderr, reason = "a test that skips something says so")]
fn skipped(compiler: &str) {
    eprintln!("the mistakes are worded by rustc {WORDED_BY}; not compared under {}", compiler.trim());
}

fn compiler() -> String {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("--version").output().expect("rustc runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn each_mistake_is_one_error() {
    for (source, words) in mistakes() {
        let text = fs::read_to_string(&source).expect("the fixture");
        let header = text.lines().next().and_then(|line| line.strip_prefix("// mistakes: "));
        let expected: usize = header.and_then(|count| count.parse().ok()).expect("`// mistakes: N` on the first line");
        let errors = words.lines().filter(|line| line.starts_with("error") && !line.starts_with("error: aborting"));
        assert_eq!(errors.count(), expected, "{}\n{words}", source.display());
    }
}

/// The paths of the crates underneath, and traits that are not for users.
const NOT_FOR_USERS: &[&str] =
    &["serde::", "serde_core", "schemars::", "DeserializeOwned", "inventory", "AnyAnswer", "AnyOutput", "Declare"];

#[test]
fn no_mistake_is_told_in_words_of_what_is_underneath() {
    for (source, words) in mistakes() {
        for word in NOT_FOR_USERS {
            assert!(!words.contains(word), "{} speaks of `{word}`\n{words}", source.display());
        }
    }
}

/// The list of what the macros and the traits say.
const LIST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tool-gate-macros/MESSAGES.md");

#[test]
fn every_message_on_the_list_is_shown_by_a_fixture() {
    let shown: BTreeSet<_> = mistakes()
        .iter()
        .flat_map(|(_, words)| words.lines())
        .filter_map(|line| line.strip_prefix("error")?.split_once(": "))
        .map(|(_, message)| blanked(message))
        .collect();
    let list = fs::read_to_string(LIST).expect("the list");
    let (_, list) = list.split_once("## Where").expect("the rules of the voice, then the messages");
    let messages: Vec<_> = list.lines().filter_map(|line| line.strip_prefix("* ")).collect();
    assert!(messages.len() > 80, "the messages were not found");
    for message in messages {
        let message = blanked(message.trim_end_matches('…'));
        assert!(shown.iter().any(|shown| shown.starts_with(&message)), "no fixture is told that {message}");
    }
}

#[test]
fn every_text_about_a_type_is_on_the_list() {
    let list = blanked(&fs::read_to_string(LIST).expect("the list"));
    let mut texts = 0;
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tool-gate/src")];
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path()) {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let source = fs::read_to_string(&path).unwrap_or_default();
            let attributes = source.split("#[diagnostic::on_unimplemented(").skip(1);
            for attribute in attributes.filter_map(|source| source.split("\n)]").next()) {
                for line in attribute.lines().filter(|line| !line.trim().is_empty()) {
                    let text = line.split_once(" = \"").and_then(|(_, text)| text.rsplit_once('"'));
                    let text = blanked(text.expect("one text a line").0);
                    assert!(list.contains(&text), "{}: {text} is not in MESSAGES.md", path.display());
                    texts += 1;
                }
            }
        }
    }
    assert!(texts > 50, "the texts were not found");
}

/// With everything in backticks left out: those are names, and examples.
fn blanked(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    words.split('`').enumerate().map(|(index, part)| if index % 2 == 0 { part } else { "`" }).collect()
}

/// The fixtures that must not compile, each with the words for it.
fn mistakes() -> Vec<(PathBuf, String)> {
    let mut mistakes = Vec::new();
    let topics = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui");
    for topic in fs::read_dir(topics).expect("the fixtures").map(|entry| entry.expect("a topic").path()) {
        let Ok(fixtures) = fs::read_dir(topic.join("fail")) else { continue };
        for source in fixtures.map(|entry| entry.expect("a fixture").path()) {
            if source.extension().is_some_and(|extension| extension == "rs") {
                let words = fs::read_to_string(source.with_extension("stderr")).unwrap_or_default();
                mistakes.push((source, words));
            }
        }
    }
    assert!(mistakes.len() > 30, "the fixtures were not found");
    mistakes
}
