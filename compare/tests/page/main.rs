//! The same tool four times, the same calls to each, and what became of them: `COMPARE.md` holds exactly that.
//!
//! `cargo test --manifest-path compare/Cargo.toml` checks the page, and with `UPDATE=1` writes it anew.

mod by_hand;
mod calls;
mod closed;
mod page;
mod rig;
mod rmcp;
mod shop;
mod tool_gate;

use std::{env, fs, path::Path};

/// What became of a call, as far as one can see from outside.
#[derive(Debug)]
enum Became {
    /// The tool ran, and the model reads this.
    Ran(String),
    /// The tool did not run, and the model reads this.
    Refused(String),
    /// The tool did not run, and the host gets this error.
    Host(String),
    /// The tool ran and panicked, and the model reads this.
    Failed(String),
    /// The call does not get that far.
    Unsent(String),
    /// Nothing comes back for the model: this happens instead.
    Lost(String),
}

#[test]
fn the_page_holds_what_was_run() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../COMPARE.md");
    let page = page::page();
    if env::var_os("UPDATE").is_some() {
        fs::write(&path, &page).expect("the page can be written");
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == page, "COMPARE.md is not what was run: write it anew with UPDATE=1, and read the difference");
}
