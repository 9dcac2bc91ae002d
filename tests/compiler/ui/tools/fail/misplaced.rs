// mistakes: 4
use tool_gate::tools;

trait Opens {
    fn open(&self);
}

struct Desk;

struct Shelf<T>(T);

#[tools(list = DESK)]
impl Opens for Desk {
    /// Open.
    #[tool]
    fn open(&self) {}
}

#[tools]
impl<T> Shelf<T> {
    /// Open.
    #[tool]
    fn open(&self) {}
}

#[tools]
impl Desk {
    fn close(&self) {}
}

fn main() {
    Desk.open();
    Desk.close();
    Shelf(1).open();
}
