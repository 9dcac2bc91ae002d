//! Nothing generated names `tool_gate` where `crate = …` gives another path.

mod vendored {
    pub mod gate {
        pub use tool_gate::*;
    }
}

mod tool_gate {
    extern crate tool_gate as real;
    pub use real::*;
}

use vendored::gate::{Registry, tool, toolbox};

toolbox! { static SUPPORT: (); }

/// Tell the time.
#[tool(crate = vendored::gate, in = SUPPORT)]
fn time(zone: &str) -> String {
    format!("12:00 {zone}")
}

fn main() {
    let _ = tool_gate::Run::default();
    let registry = Registry::builder().list(&SUPPORT).build().expect("built");
    assert_eq!(registry.definitions().count(), 1);
}
