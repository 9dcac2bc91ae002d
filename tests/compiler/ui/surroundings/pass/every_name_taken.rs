//! Nothing generated leans on a name of the standard library or of a crate underneath: traits, macros, modules, primitive
//! types. `tool/pass/names_of_the_prelude_taken.rs` takes the types.
#![allow(dead_code, non_camel_case_types, unused_macros)]

#[path = "../../support.rs"]
mod support;

/// Where all of it is taken, and where the tools are.
mod taken {
    pub mod alloc {}
    pub mod core {}
    pub mod future {}
    pub mod inventory {}
    pub mod jsonschema {}
    pub mod pin {}
    pub mod schemars {}
    pub mod serde {}
    pub mod serde_json {}
    pub mod std {}
    pub mod tool_gate {}
    pub mod tool_gate_macros {}

    trait AsRef {}
    trait Clone {}
    trait Copy {}
    trait Default {}
    trait Drop {}
    trait Fn {}
    trait FnMut {}
    trait FnOnce {}
    trait From {}
    trait Future {}
    trait Into {}
    trait IntoFuture {}
    trait IntoIterator {}
    trait Iterator {}
    trait Send {}
    trait Sized {}
    trait Sync {}
    trait ToOwned {}

    struct Err;
    struct None;
    struct Ok;
    struct Some;

    pub struct Pin;
    pub struct Box;
    pub struct Duration;
    pub struct Result;

    pub struct Answer;
    pub struct Argument;
    pub struct Binding;
    pub struct Bound;
    pub struct Declaration;
    pub struct Entry;
    pub struct Parameters;
    pub struct Probe;
    pub struct Registry;
    pub struct Tool;
    pub struct Toolbox;

    pub struct bool;
    pub struct isize;
    pub struct u16;
    pub struct u32;
    pub struct u64;
    pub struct usize;

    fn arg() {}
    fn drop() {}
    fn lend() {}
    fn together() {}

    macro_rules! concat {
        () => {};
    }
    macro_rules! panic {
        () => {};
    }
    macro_rules! stringify {
        () => {};
    }
    macro_rules! submit {
        () => {};
    }
    macro_rules! unreachable {
        () => {};
    }
    macro_rules! vec {
        () => {};
    }

    #[derive(::tool_gate::Provides)]
    pub struct Session {
        #[provide]
        pub orders: Orders,
    }

    #[derive(::std::clone::Clone)]
    pub struct Orders(pub u8);

    ::tool_gate::toolbox! { pub static SUPPORT: Session; }

    fn even(number: &u8) -> ::std::result::Result<(), &'static str> {
        if *number % 2 == 0 { ::std::result::Result::Ok(()) } else { ::std::result::Result::Err("must be even") }
    }

    fn together_even(number: &u8, _: &str) -> ::std::result::Result<(), &'static str> {
        even(number)
    }

    /// Find orders.
    #[::tool_gate::tool(in = SUPPORT, timeout = "5s", requires = "orders", check = together_even)]
    pub async fn search(
        #[state] orders: &Orders,
        #[arg(default = 2, range = 1.., check = even)] number: u8,
        #[arg(default = "x", length = 1..)] text: &str,
    ) -> ::std::string::String {
        ::std::format!("{} {number} {text}", orders.0)
    }

    /// Find orders, and block.
    #[::tool_gate::tool(in = SUPPORT, blocking, read_only)]
    pub fn find(#[state] orders: &Orders, #[call] call: &::tool_gate::CallInfo) -> ::std::string::String {
        ::std::format!("{} {}", orders.0, call.tool())
    }
}

fn main() {
    let session = taken::Session { orders: taken::Orders(1) };
    let call = |arguments| support::outcome::<taken::search, _>(&session, arguments).1;
    assert_eq!(call(serde_json::json!({})), "1 2 x");
    assert_eq!(call(serde_json::json!({"number": 4, "text": "y"})), "1 4 y");
    assert_eq!(call(serde_json::json!({"number": 3})), "search rejected: number is not acceptable: must be even.");
    let schema = support::argument::<taken::search, taken::Session>("number");
    assert_eq!((&schema["minimum"], &schema["default"]), (&1.into(), &2.into()));
    assert_eq!(taken::SUPPORT.tool_names(), ["find", "search"]);
}
