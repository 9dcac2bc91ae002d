// mistakes: 2
use tool_gate::{Registry, tools};

struct Desk;

struct Session;

#[tools]
impl Desk {
    /// Open.
    #[tool(read_only)]
    fn open(&self) {}
}

fn main() {
    let _ = Registry::<Session>::builder().methods::<Desk>();
    let _ = Registry::<Session>::builder().methods::<Session>();
}
