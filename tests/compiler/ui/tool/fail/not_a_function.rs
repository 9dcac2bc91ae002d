// mistakes: 8
use tool_gate::tool;

/// Find orders.
#[tool]
pub struct Search {
    pub text: String,
}

/// Find orders.
#[tool]
impl Search {
    fn text(self) -> String {
        self.text
    }
}

/// Find orders.
#[tool]
pub(crate) enum Order {
    Newest,
}

/// Find orders.
#[tool]
trait Orders {}

/// Find orders.
#[tool]
const LIMIT: u32 = 1;

/// Find orders.
#[tool]
static PAGE: u32 = 1;

/// Find orders.
#[tool]
mod search {}

/// Find orders.
#[tool]
macro_rules! limit {
    () => {
        LIMIT
    };
}

fn main() {
    let _ = (Search { text: String::new() }.text(), Order::Newest, limit!(), PAGE);
}
