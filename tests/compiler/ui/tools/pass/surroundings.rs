//! Methods as tools without a prelude, with lints of their own, and with state that is only there sometimes.
#![deny(warnings)]
#![allow(dead_code)]

#[path = "../../support.rs"]
mod support;

use serde_json::json;
use tool_gate::{Registry, Select, wire};

#[no_implicit_prelude]
mod bare {
    pub struct Desk {
        pub open: bool,
    }

    #[::tool_gate::tools]
    impl Desk {
        /// Tell whether it is open.
        #[::tool_gate::tool(read_only)]
        fn is_open(&self) -> bool {
            self.open
        }

        /// Count to a number.
        #[::tool_gate::tool(read_only)]
        fn count(&self, number: u8) -> u8 {
            number
        }
    }
}

#[deprecated]
#[derive(Clone)]
struct Old;

#[allow(deprecated)]
#[tool_gate::tools]
impl Old {
    /// Wait on another thread.
    #[tool(blocking, timeout = "2s")]
    fn wait(&self) -> &'static str {
        "waited"
    }

    /// Not here.
    #[cfg(any())]
    #[tool]
    fn never(&self, #[state] gone: &Gone) {}
}

#[allow(deprecated)]
fn main() {
    let registry = Registry::<bare::Desk>::builder().methods::<bare::Desk>().build().expect("its methods");
    let names: Vec<_> = registry.definitions().map(|tool| tool.name().to_owned()).collect();
    assert_eq!(names, ["count", "is_open"]);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let registry = Registry::<Old>::builder().methods::<Old>().build().expect("its methods");
    let offer = registry.offer(wire::Plain::default(), Select::All).expect("all of them");
    let reply = json!({"name": "wait", "arguments": {}});
    let settled = runtime.block_on(offer.settle(&reply, &Old, &mut tool_gate::Run::default())).expect("a proposal");
    assert_eq!(settled.blocks()[0].text(), "waited");
}
