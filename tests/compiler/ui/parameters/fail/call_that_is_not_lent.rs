// mistakes: 6
use tool_gate::{CallInfo, tool};

/// Find orders.
#[tool]
fn search(
    #[call] owned: CallInfo,
    #[call] mutable: &mut CallInfo,
    #[call] forever: &'static CallInfo,
    #[call]
    #[arg(default)]
    given: &CallInfo,
    #[call]
    #[state]
    both: &CallInfo,
    #[call(id)] id: &CallInfo,
) {
    let _ = (owned, mutable, forever, given, both, id);
}

fn main() {}
