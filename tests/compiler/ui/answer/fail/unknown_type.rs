// mistakes: 2
use tool_gate::{tool, tools};

/// Find orders.
#[tool]
fn search() -> Orders {
    todo!()
}

struct Desk;

#[tools]
impl Desk {
    /// Find invoices.
    #[tool]
    fn invoices(&self) -> Invoices {
        todo!()
    }
}

fn main() {
    Desk.invoices();
    search();
}
