// mistakes: 6
use tool_gate::{Registry, tools};

struct Desk;

struct Unknown;

#[tools]
impl Desk {
    #[tool]
    fn open(&self) {}

    /// Keep the desk open.
    #[tool = "keep"]
    fn keep(&self) {}

    /// Close.
    #[tool(readonly)]
    fn close(&self, #[arg(rnage = 1..=2)] _: u8, _why: &mut String) {}
}

#[tools]
impl Unknown {
    /// Open.
    #[tool(in = NOWHERE)]
    fn open(&self) {}
}

fn main() {
    Desk.open();
    Desk.close(1, &mut String::new());
    Unknown.open();
    // What is wrong with its methods is not told here once more.
    let _ = Registry::<Desk>::builder().methods::<Desk>();
}
