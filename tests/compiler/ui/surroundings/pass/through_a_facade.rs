//! The crate under another name and at another path, from wherever a tool stands.
#![deny(warnings)]

extern crate tool_gate as renamed;

#[path = "../../support.rs"]
mod support;

pub mod facade {
    /// A part of it, under names of the facade's own.
    pub mod tools {
        pub use tool_gate::{__private, Provides as Provide, tool as declare, toolbox as list};
    }

    pub mod prelude {
        pub use super::tools as kit;
        pub use crate::renamed::tool as agent_tool;
    }
}

mod deep {
    pub mod deeper {
        use crate::facade::prelude::{agent_tool, kit};

        #[agent_tool(crate = kit)]
        /// Through an import.
        pub fn imported(number: u8) -> u8 {
            number
        }

        /// Through the parents.
        #[super::super::facade::tools::declare(crate = super::super::facade::tools, in = super::LIST)]
        pub fn parents(number: &u8) -> u8 {
            *number
        }

        /// Through the root.
        #[kit::declare(crate = crate::renamed, in = super::LIST)]
        pub async fn root(#[state] number: &u8) -> u8 {
            *number
        }
    }

    crate::facade::tools::list! { pub static LIST: super::Session; }
}

/// With a path from here.
#[facade::prelude::agent_tool(crate = self::facade::tools, in = deep::LIST, blocking)]
fn here(#[state] number: &u8, #[arg(default)] other: u8) -> u8 {
    *number + other
}

/// With the name that `extern crate` gave it.
#[renamed::tool(crate = ::renamed)]
fn extern_crate() {}

#[derive(facade::tools::Provide)]
#[provides(crate = self::facade_of_provides)]
pub struct Session {
    #[provide]
    number: u8,
}

mod facade_of_provides {
    pub use tool_gate::Provides;
}

fn main() {
    use serde_json::json;
    use support::{call, required};

    let session = Session { number: 3 };
    assert_eq!(call::<deep::deeper::imported, ()>(&(), json!({"number": 1})), "1");
    assert_eq!(call::<deep::deeper::parents, ()>(&(), json!({"number": 2})), "2");
    assert_eq!(call::<deep::deeper::root, Session>(&session, json!({})), "3");
    assert_eq!(call::<extern_crate, ()>(&(), json!({})), "Done.");
    assert_eq!(required::<here, Session>(), json!([]));
    assert_eq!(deep::LIST.tool_names(), ["here", "parents", "root"]);
}
