// mistakes: 1
use tool_gate::tools;

#[tools]
struct Desk;

fn main() {
    let _ = Desk;
}
