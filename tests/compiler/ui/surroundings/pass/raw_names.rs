//! Keywords as names of all there is to name: none of them is told to the model with its `r#`.
#![deny(warnings)]

#[path = "../../support.rs"]
mod support;

use serde_json::json;
use support::{call, declared};
use tool_gate::{Provides, tool, toolbox};

mod r#mod {
    pub mod r#impl {
        #[allow(non_camel_case_types)]
        pub struct r#struct(pub u8);

        pub fn r#if(number: &u8) -> Result<(), &'static str> {
            (*number > 1).then_some(()).ok_or("is too small")
        }
    }

    tool_gate::toolbox! { pub static r#STATIC: super::r#Session; }
    toolbox! { #[allow(non_upper_case_globals)] pub static r#static: super::r#Session; }

    use tool_gate::toolbox;
}

toolbox! { static LIST: Session; }

#[derive(Provides)]
struct r#Session {
    #[provide]
    r#dyn: r#mod::r#impl::r#struct,
}

/// Loop.
#[tool(in = r#mod::r#static)]
fn r#loop(
    #[state] r#ref: &r#mod::r#impl::r#struct,
    #[arg(check = r#mod::r#impl::r#if)] r#fn: r#u8,
    r#plain: &r#str,
) -> String {
    format!("{} {fn} {plain}", r#ref.0)
}

/// Wait.
#[tool(in = r#mod::STATIC, as = r#while)]
async fn r#async(r#await: r#Option<r#bool>) -> String {
    format!("{await:?}")
}

/// Both spell one name.
#[tool(in = r#LIST)]
fn r#ordinary(#[arg(rename = "type")] r#kind: u8) -> u8 {
    kind
}

fn main() {
    let session = Session { r#dyn: r#mod::r#impl::r#struct(1) };
    assert_eq!(declared::<r#loop, Session>()["name"], "loop");
    assert_eq!(declared::<r#loop, Session>()["parameters"]["required"], json!(["fn", "plain"]));
    assert_eq!(call::<r#loop, Session>(&session, json!({"fn": 2, "plain": "p"})), "1 2 p");
    assert_eq!(declared::<r#while, ()>()["name"], "async");
    assert_eq!(call::<r#while, ()>(&(), json!({"await": true})), "Some(true)");
    assert_eq!(call::<ordinary, ()>(&(), json!({"type": 3})), "3");
    assert_eq!(r#mod::r#static.tool_names(), ["loop"]);
    assert_eq!(r#mod::STATIC.tool_names(), ["async"]);
    assert_eq!((LIST.tool_names(), LIST.name()), (vec!["ordinary"], "LIST"));
}
