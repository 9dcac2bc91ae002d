// mistakes: 3
use tool_gate::{Admitted, Decision, Registry};

struct Session;

fn allow(_: &Session, _: &Admitted) -> bool {
    true
}

fn main() {
    let _ = Registry::<Session>::builder().policy(Decision::Allow);
    let _ = Registry::<Session>::builder().policy(allow);
    let _ = Registry::<Session>::builder().policy(|_: &u8, _: &Admitted| Decision::Allow);
}
