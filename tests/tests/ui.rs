//! What a user of `#[tool]` and `#[derive(Provides)]` sees of the compiler: each `pass` fixture is a program that runs, each
//! `fail` fixture a mistake with the words for it.
//!
//! `TRYBUILD=overwrite cargo test -p tool-gate-tests --test ui` writes the words down anew: read the difference.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The compiler whose words are on file: its own notes change from version to version.
const WORDED_BY: &str = "1.95.0";

#[test]
fn programs_run_and_mistakes_are_told() {
    let tests = trybuild::TestCases::new();
    tests.pass("ui/*/pass/*.rs");
    let compiler = compiler();
    if compiler.contains(WORDED_BY) {
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

/// The paths of the crates underneath, traits that are not for users, and the compiler's lists of everything else.
const NOT_FOR_USERS: &[&str] = &[
    "serde::",
    "serde_core",
    "schemars::",
    "DeserializeOwned",
    "inventory",
    "AnyAnswer",
    "AnyOutput",
    "Declare",
    "the following other types implement trait",
];

#[test]
fn no_mistake_is_told_in_words_of_what_is_underneath() {
    for (source, words) in mistakes() {
        for word in NOT_FOR_USERS {
            assert!(!words.contains(word), "{} speaks of `{word}`\n{words}", source.display());
        }
    }
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
