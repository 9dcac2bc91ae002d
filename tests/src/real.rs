//! The public corpora, where they are: `TOOL_GATE_REAL` names their folder. They are read in place and are no part of this
//! repository.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use serde_json::Value;
use tool_gate::{DynamicTool, Problem, Registry};

/// The folder of the corpora; nothing, and a line that says so, where no one named it.
///
/// # Panics
///
/// Where the folder that is named is not there.
#[expect(clippy::print_stderr, reason = "a test that skips something says so")]
pub fn corpora(test: &str) -> Option<PathBuf> {
    let Some(folder) = env::var_os("TOOL_GATE_REAL").map(PathBuf::from) else {
        eprintln!("{test}: skipped, since `TOOL_GATE_REAL` names no folder with the corpora");
        return None;
    };
    assert!(folder.is_dir(), "`TOOL_GATE_REAL` names {}, which is no folder", folder.display());
    Some(folder)
}

/// The records of a file, one a line.
///
/// # Panics
///
/// Where the file is not there, or a line of it is not JSON.
pub fn records(file: &Path) -> Vec<Value> {
    let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{}: {error}", file.display()))).collect()
}

/// The files of the folder whose names end like this, sorted.
///
/// # Panics
///
/// Where the folder cannot be read.
pub fn files(folder: &Path, end: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the corpora");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("a file").path()).collect();
    files.retain(|file| file.to_string_lossy().ends_with(end));
    files.sort();
    files
}

/// A tool of a corpus, enforced as its schema is given. It answers what it is sent.
///
/// # Panics
///
/// Where the tool has no name.
pub fn echo(tool: &Value) -> DynamicTool<()> {
    let name = tool["name"].as_str().expect("a name");
    let description = tool["description"].as_str().filter(|words| !words.trim().is_empty());
    let schema = tool["input_schema"].clone();
    DynamicTool::new(name, description.unwrap_or("No description."), schema, |(), arguments, _| {
        Box::pin(async move { Ok(arguments) })
    })
}

/// The tools of one set, the first of a name, and how many of them no registry takes for their schema.
///
/// # Panics
///
/// Where a tool is refused for anything else.
pub fn registry(tools: &[Value]) -> (Registry<()>, usize) {
    let (mut builder, mut seen, mut refused) = (Registry::<()>::builder(), std::collections::HashSet::new(), 0);
    for tool in tools {
        if !seen.insert(tool["name"].as_str().expect("a name")) {
            continue;
        }
        match Registry::<()>::builder().dynamic(echo(tool)).build() {
            Ok(_) => builder = builder.dynamic(echo(tool)),
            Err(error) => {
                assert!(matches!(error.problems(), [Problem::Schema { .. }]), "{error}");
                refused += 1;
            }
        }
    }
    (builder.build().expect("each is taken by itself"), refused)
}
