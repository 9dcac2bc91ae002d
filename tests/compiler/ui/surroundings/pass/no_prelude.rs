//! Where nothing is in scope by itself: no type or trait of the standard library, and no crate.
#![no_implicit_prelude]
#![deny(warnings)]

#[derive(::tool_gate::Provides)]
struct Session {
    #[provide]
    orders: Orders,
}

#[derive(::std::clone::Clone)]
struct Orders(u8);

::tool_gate::toolbox! { static SUPPORT: Session; }

fn even(number: &u8) -> ::std::result::Result<(), &'static str> {
    if *number % 2 == 0 { ::std::result::Result::Ok(()) } else { ::std::result::Result::Err("must be even") }
}

fn fits(number: &u8, text: &str, _: &::std::option::Option<u8>) -> ::std::result::Result<(), &'static str> {
    if text.len() < 9 { even(number) } else { ::std::result::Result::Err("too long") }
}

/// Find orders.
#[::tool_gate::tool(in = SUPPORT, read_only, timeout = "5s", check = fits)]
async fn search(
    #[state] orders: &Orders,
    #[arg(default = 2, range = 1.., check = even)] number: u8,
    #[arg(default = "x", length = 1..)] text: &str,
    limit: ::std::option::Option<u8>,
) -> ::std::result::Result<::std::string::String, ::std::fmt::Error> {
    ::std::result::Result::Ok(::std::format!("{} {number} {text} {limit:?}", orders.0))
}

/// Find orders, and block.
#[::tool_gate::tool(in = SUPPORT, blocking, read_only)]
fn find(#[state] orders: &Orders, #[call] call: &::tool_gate::CallInfo) -> ::std::string::String {
    ::std::format!("{} {}", orders.0, call.tool())
}

fn main() {
    let registry = ::tool_gate::Registry::builder().list(&SUPPORT).build().expect("built");
    let wire = <::tool_gate::wire::Plain as ::std::default::Default>::default();
    let offer = registry.offer(wire, ::tool_gate::Select::All).expect("two tools");
    let search = &offer.tools().to_value()[1]["parameters"];
    ::std::assert_eq!(search["properties"]["number"]["minimum"], 1);
    ::std::assert_eq!(search["required"], ::serde_json::Value::Array(::std::vec::Vec::new()));
    let reply = r#"{"name": "search", "arguments": {"number": 4}}"#;
    let mut run: ::tool_gate::Run = ::std::default::Default::default();
    let session = Session { orders: Orders(1) };
    let settled = ::pollster::block_on(offer.settle(reply, &session, &mut run)).expect("a proposal");
    ::std::assert_eq!(settled.blocks()[0].text(), "1 4 x None");
}
