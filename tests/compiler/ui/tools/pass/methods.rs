//! Methods as tools: what they borrow, what they take, and how they are registered.
#![deny(warnings)]
#![allow(dead_code)]

#[path = "../../support.rs"]
mod support;

use pollster::block_on;
use serde_json::json;
use support::call;
use tool_gate::{CallInfo, Provides, Registry, Run, Select, Tell, ToolError, tool, toolbox, tools, wire};

toolbox! { static DESK: Session; }

struct Desk<T> {
    orders: Vec<T>,
}

struct Customer(&'static str);

#[derive(Provides)]
struct Session {
    #[provide]
    desk: Desk<String>,
    #[provide]
    customer: Customer,
}

/// Outside of the `impl`.
#[tool(in = DESK, read_only)]
fn find() {}

#[tools(in = DESK)]
impl Desk<String> {
    const MOST: u8 = { 20 };

    /// Find orders.
    #[tool(read_only, name = "find_orders")]
    async fn find(
        &self,
        #[state] customer: &Customer,
        #[call] call: &CallInfo,
        /// How many.
        #[arg(default = Self::MOST, check = Self::is_even)]
        most: u8,
    ) -> Result<Vec<String>, ToolError> {
        let orders: Vec<_> = self.orders.iter().take(most.into()).cloned().collect();
        self.helper().then_some(()).tell("none")?;
        Ok([orders, vec![customer.0.to_owned(), call.tool().to_owned()]].concat())
    }

    fn helper(&self) -> bool {
        !self.orders.is_empty()
    }

    /// Count to a number.
    #[tool_gate::tool(as = Count, read_only)]
    pub(crate) fn count(number: u8) -> u8 {
        let Self { .. } = &Self { orders: vec![] };
        number
    }

    fn is_even(number: &u8) -> Result<(), &'static str> {
        if number.is_multiple_of(2) { Ok(()) } else { Err("must be even") }
    }

    /// Not on this platform.
    #[tool]
    #[cfg(any())]
    fn never(&self) {
        no::such::thing()
    }

    /// On this platform.
    #[cfg(all())]
    #[tool]
    fn always(&self) {}
}

fn main() {
    let session = Session { desk: Desk { orders: vec!["a".into(), "b".into(), "c".into()] }, customer: Customer("me") };
    let of_type = Registry::<Session>::builder().methods::<Desk<String>>().tool::<find>().build().expect("its methods");
    let of_list = Registry::builder().list(&DESK).build().expect("its list");
    for registry in [of_type, of_list] {
        let names: Vec<_> = registry.definitions().map(|tool| tool.name().to_owned()).collect();
        assert_eq!(names, ["always", "count", "find", "find_orders"]);
        assert!(registry.describe().contains("::Desk<String>::find\n"), "{}", registry.describe());
        let offer = registry.offer(wire::Plain::default(), Select::All).expect("all of them");
        let text = |arguments| {
            let reply = json!({"name": "find_orders", "arguments": arguments});
            let settled = block_on(offer.settle(&reply, &session, &mut Run::default())).expect("a proposal");
            settled.blocks()[0].text().to_owned()
        };
        assert_eq!(text(json!({"most": 2})), r#"["a","b","me","find_orders"]"#);
        assert_eq!(text(json!({})), r#"["a","b","c","me","find_orders"]"#);
        assert_eq!(text(json!({"most": 1})), "find_orders rejected: most is not acceptable: must be even.");
    }
    // One that has a name of its own is a tool of any state, since it borrows nothing.
    assert_eq!(call::<Count, ()>(&(), json!({"number": 3})), "3");
    // What it is made of is what it was.
    assert_eq!(Desk::<String>::count(4), 4);
}
