//! Where traits give every type a method of a name that the generated code calls, by value and by reference.
#![allow(dead_code)]

#[path = "../../support.rs"]
mod support;

use serde_json::json;
use support::{argument, call, outcome};
use surrounded::{Orders, SUPPORT, Session, nothing, perhaps, search, value};
use tool_gate::OutcomeKind;

mod surrounded {
    use tool_gate::{CallInfo, Provides, tool, toolbox};

    macro_rules! methods {
        ($($by_value:ident $by_reference:ident: $($method:ident)*;)*) => {$(
            trait $by_value: Sized {
                $(fn $method(self) -> u8 {
                    0
                })*
            }

            impl<T> $by_value for T {}

            trait $by_reference {
                $(fn $method(&self) -> u8 {
                    0
                })*
            }

            impl<T: ?Sized> $by_reference for T {}
        )*};
    }

    methods! {
        FunctionsByValue FunctionsByReference: of add take bind parameters start provide told cloned blocking into clone;
        OptionsByValue OptionsByReference: doc default range length items pattern format check sensitive requires timeout;
        OutputByValue OutputByReference: output answer kind;
        ListByValue ListByReference: entry into_iter map collect;
    }

    #[derive(Provides)]
    pub struct Session {
        #[provide]
        pub orders: Orders,
    }

    #[derive(Clone)]
    pub struct Orders(pub u8);

    toolbox! { pub static SUPPORT: Session; }

    fn even(number: &u8) -> Result<(), &'static str> {
        if *number % 2 == 0 { Ok(()) } else { Err("must be even") }
    }

    fn fits(number: &u8, maybe: &Option<u8>, text: &str, list: &[u8]) -> Result<(), String> {
        if text.len() + list.len() < 9 { Ok(()) } else { Err(std::format!("{number} {maybe:?} do not fit")) }
    }

    /// Find orders.
    #[tool(in = SUPPORT, requires = "orders", timeout = "5s", check = fits)]
    pub async fn search(
        #[state] orders: &Orders,
        /// An even one.
        #[arg(default = 2, range = 1.., check = even)]
        number: u8,
        #[arg(check = even)] maybe: Option<u8>,
        #[arg(default = "x", length = 1.., pattern = ".", sensitive)] text: &str,
        #[arg(default, items = ..4)] list: &[u8],
    ) -> Result<String, std::fmt::Error> {
        Ok(std::format!("{} {number} {maybe:?} {text} {list:?}", orders.0))
    }

    /// Return a value.
    #[tool]
    pub fn value() -> u8 {
        1
    }

    /// Return nothing.
    #[tool]
    pub fn nothing() {}

    /// Return nothing, or fail.
    #[tool]
    pub async fn perhaps(fail: bool) -> Result<(), std::fmt::Error> {
        if fail { Err(std::fmt::Error) } else { Ok(()) }
    }

    /// Block.
    #[tool(in = SUPPORT, blocking, read_only)]
    pub fn find(#[state] orders: &Orders, #[call] call: &CallInfo) -> String {
        std::format!("{} {}", orders.0, call.tool())
    }
}

fn main() {
    let session = Session { orders: Orders(1) };
    assert_eq!(call::<search, _>(&session, json!({"number": 4})), "1 4 None x []");
    for (arguments, words) in [
        (json!({"number": 3}), "number is not acceptable: must be even"),
        (json!({"maybe": 3}), "maybe is not acceptable: must be even"),
        (json!({"text": "far too long"}), "search rejected"),
    ] {
        let (kind, text) = outcome::<search, _>(&session, arguments);
        assert!(kind == OutcomeKind::Rejected && text.contains(words), "{text}");
    }
    assert_eq!(argument::<search, Session>("number")["description"], "An even one.");
    assert_eq!(call::<value, ()>(&(), json!({})), "1");
    assert_eq!(call::<nothing, ()>(&(), json!({})), "Done.");
    assert_eq!(call::<perhaps, ()>(&(), json!({"fail": false})), "Done.");
    assert_eq!(outcome::<perhaps, ()>(&(), json!({"fail": true})).0, OutcomeKind::Failed);
    assert_eq!(SUPPORT.tool_names(), ["find", "search"]);
}
