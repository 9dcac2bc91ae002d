// mistakes: 1
use tool_gate::{Decision, Registry};

struct Session {
    is_supervisor: bool,
}

fn main() {
    let _ = Registry::<Session>::builder().policy(|session, _call| match session.is_supervisor {
        true => Decision::Allow,
        false => Decision::deny("Only a supervisor may."),
    });
}
