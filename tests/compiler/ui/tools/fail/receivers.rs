// mistakes: 5
use std::sync::Arc;

use tool_gate::{tool, tools};

#[derive(Clone)]
struct Desk;

#[tools]
impl Desk {
    /// Open.
    #[tool]
    fn open(&mut self) {}

    /// Close.
    #[tool]
    fn close(self) {}

    /// Look.
    #[tool]
    fn look(&'static self) {}

    /// Keep.
    #[tool]
    fn keep(self: Arc<Self>) {}
}

impl Desk {
    /// Lock.
    #[tool]
    fn lock(&self) {}
}

fn main() {
    Desk.open();
    Desk.lock();
    Arc::new(Desk).keep();
    Desk.close();
}
