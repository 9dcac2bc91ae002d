// mistakes: 2
use tool_gate::tool;

/// Look a thing up.
#[tool]
fn look_up<T, const N: usize>(thing: [T; N]) {
    let _ = thing;
}

fn main() {}
