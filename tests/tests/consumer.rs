//! tool-gate as its users have it: a workspace of their own with two libraries of tools and an app, built as they would, and
//! the programs that stand beside the mistakes in `tests/compiler/ui`.
//!
//! The workspace is written into cargo's folder for tests and stays there, so that only the first run compiles all of it.

use std::{
    env,
    ffi::OsString,
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
    process::Command,
    time::{SystemTime, UNIX_EPOCH},
};

#[test]
fn lists_are_filled_from_every_linked_crate() {
    let workspace = Workspace::written();
    succeeds(&mut workspace.cargo("build"));
    assert_eq!(workspace.printed_by("debug/app"), PRINTED);
}

#[test]
fn fat_lto_drops_no_tool() {
    let workspace = Workspace::written();
    succeeds(workspace.cargo("build").args(["--release", "--bin", "app"]));
    assert_eq!(workspace.printed_by("release/app"), PRINTED);
}

#[test]
fn a_list_whose_tools_are_not_linked_is_told_of() {
    let workspace = Workspace::written();
    succeeds(&mut workspace.cargo("build"));
    let told = workspace.printed_by("debug/forgetful");
    assert!(told.contains("nothing links `STAFF`"), "{told}");
}

#[test]
fn clippy_has_nothing_to_say_of_what_is_generated() {
    let workspace = Workspace::written();
    if !workspace.cargo("clippy").arg("--version").output().is_ok_and(|output| output.status.success()) {
        return skipped("clippy is not installed");
    }
    succeeds(workspace.cargo("clippy").args(["--", "-D", "warnings"]));
}

#[test]
fn each_program_beside_the_mistakes_runs() {
    let workspace = Workspace::written();
    // All at once: cargo compiles as many at a time as there are cores.
    succeeds(workspace.cargo("build").args(["-p", "programs", "--bins", "--keep-going"]));
    for (name, _) in programs() {
        workspace.printed_by(&format!("debug/{name}"));
    }
}

#[test]
fn the_environment_may_ask_for_the_expansion() {
    let workspace = Workspace::written();
    // A condition that is another one each time has the crate compiled anew.
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock that is set").as_nanos();
    let mut rustc = workspace.cargo("rustc");
    rustc.args(["-p", "shop_tools", "--lib", "--", "--cfg", &format!("anew=\"{now}\"")]);
    let output = rustc.env("TOOL_GATE_PRINT", "greet, parcel_count").output().expect("it starts");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    for tool in ["greet", "parcel_count"] {
        assert!(told.contains(&format!("// `{tool}` expands to:\n")), "{tool}\n{told}");
    }
    assert!(told.contains("impl __gate::Declare for greet {") && !told.contains("`list_parcels`"), "{told}");
}

const PRINTED: &str = r#"CUSTOMERS: address greet list_parcels nothing wait
STAFF: count
completed: 1 Harbour Road (en)
completed: 3
completed: Good day, Ann.
completed: [{"number":3},{"number":2}]
rejected: list_parcels rejected: first is not acceptable: must be below 1000.
failed: No parcel for list_parcels.
completed: Done.
completed: 7
"#;

#[expect(clippy::print_stderr, reason = "a test that skips something says so")]
fn skipped(why: &str) {
    eprintln!("skipped: {why}");
}

/// The users' workspace, as it stands on disk.
struct Workspace {
    root: PathBuf,
    target: PathBuf,
}

impl Workspace {
    /// Writes it. The tests may do so at the same time: what is there already is left as it is.
    fn written() -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("consumer");
        let workspace = Self { root: folder.join("workspace"), target: folder.join("target") };
        fs::create_dir_all(&folder).expect("a folder");
        let lock = fs::File::create(folder.join("lock")).expect("a file to lock");
        lock.lock().expect("the others are done");
        let ours = Path::new(env!("CARGO_MANIFEST_DIR"));
        copy(&ours.join("consumer"), &workspace.root);
        // The versions that this repository is tested with; cargo then takes off what is not needed.
        let versions = fs::read_to_string(ours.join("../Cargo.lock")).expect("the lock file");
        if put(&folder.join("versions"), &versions) || !workspace.root.join("Cargo.lock").exists() {
            put(&workspace.root.join("Cargo.lock"), &versions);
        }
        workspace
    }

    /// A command of cargo's that sees nothing of how these tests are run: neither flags nor the folder that is locked.
    fn cargo(&self, command: &str) -> Command {
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        for (name, _) in env::vars_os().filter(|(name, _)| is_of_cargo(name)) {
            cargo.env_remove(name);
        }
        cargo
            .args([command, "--quiet", "--offline"])
            .current_dir(&self.root)
            .env("CARGO_INCREMENTAL", "0")
            .env("CARGO_TARGET_DIR", &self.target)
            .env("CARGO_TERM_COLOR", "never")
            .env("RUSTFLAGS", "-D warnings");
        cargo
    }

    /// What a program of the workspace prints.
    fn printed_by(&self, program: &str) -> String {
        let path = self.target.join(program).with_extension(env::consts::EXE_EXTENSION);
        succeeds(&mut Command::new(path))
    }
}

/// Runs a command to its good end, and returns what it prints.
fn succeeds(command: &mut Command) -> String {
    let output = command.output().expect("it starts");
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let (program, arguments) = (command.get_program().display(), command.get_args());
    assert!(output.status.success(), "{program} {arguments:?}\n{stdout}\n{stderr}");
    stdout.into_owned()
}

/// Whether a variable says how cargo is to build. Where cargo and rustc are, the inner one has to know, too.
fn is_of_cargo(name: &OsString) -> bool {
    let name = name.to_string_lossy();
    let is_place = ["CARGO_HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN", "RUSTUP_AUTO_INSTALL"].contains(&&*name);
    !is_place && ["CARGO", "RUST", "CLIPPY", "NEXTEST"].iter().any(|prefix| name.starts_with(prefix))
}

/// The programs in `tests/compiler/ui`, each with the name it is built under.
fn programs() -> Vec<(String, PathBuf)> {
    let mut programs = Vec::new();
    let topics = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("compiler/ui")).expect("the fixtures");
    for topic in topics.map(|entry| entry.expect("a topic")) {
        let Ok(fixtures) = fs::read_dir(topic.path().join("pass")) else { continue };
        for source in fixtures.map(|entry| entry.expect("a fixture").path()) {
            if source.extension().is_some_and(|extension| extension == "rs") {
                let name = source.file_stem().expect("a name").display();
                programs.push((format!("{}_{name}", topic.file_name().display()), source));
            }
        }
    }
    assert!(programs.len() > 30, "the programs were not found");
    programs.sort();
    programs
}

/// The lines that have cargo build them.
fn targets() -> String {
    let target =
        |(name, path): &(String, PathBuf)| format!("[[bin]]\nname = '{name}'\npath = '{}'\n\n", path.display());
    programs().iter().map(target).collect::<Vec<_>>().concat()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("the workspace's files") {
        let (from, name) = entry.map(|entry| (entry.path(), entry.file_name())).expect("a file");
        if from.is_dir() {
            copy(&from, &to.join(name));
        } else {
            let text = fs::read_to_string(&from).expect("a file of text");
            let tool_gate = concat!(env!("CARGO_MANIFEST_DIR"), "/../tool-gate");
            let text = text.replace("{tool-gate}", tool_gate).replace("{rust-version}", env!("CARGO_PKG_RUST_VERSION"));
            let text = if text.contains("{programs}") { text.replace("{programs}", &targets()) } else { text };
            put(&to.join(name), &text);
        }
    }
}

/// Writes a file that is not there as it should be, and says whether it did: cargo goes by the time it was written.
fn put(path: &Path, text: &str) -> bool {
    match fs::read_to_string(path) {
        Ok(there) if there == text => return false,
        Err(error) if error.kind() != ErrorKind::NotFound => panic!("{}: {error}", path.display()),
        _ => {}
    }
    fs::write(path, text).expect("a file");
    true
}
