use tool_gate::{Registry, tool};

mod search {
    /// Find orders.
    #[tool_gate::tool(as = Search)]
    pub fn search() {}
}

pub use search::*;

/// Tell the time.
#[tool(as = Time, name = "what_time_is_it")]
fn serde_json() -> serde_json::Value {
    "12:00".into()
}

fn main() {
    search();
    let registry = Registry::<()>::builder().tool::<Search>().tool::<Time>().build().expect("built");
    assert_eq!(registry.definitions().map(|d| d.name()).collect::<Vec<_>>(), ["search", "what_time_is_it"]);
    assert_eq!(serde_json(), "12:00");
}
