//! All of it by path, and each path another: no `use` is needed, and none is in the way.
#![deny(warnings)]

#[path = "../../support.rs"]
mod support;

#[derive(tool_gate::Provides)]
struct Session {
    #[provide]
    orders: shop::Orders,
}

tool_gate::toolbox! { static SUPPORT: Session; }

mod shop {
    pub struct Orders(pub u8);

    #[derive(serde::Deserialize, schemars::JsonSchema)]
    pub enum Status {
        Open,
    }

    pub mod lists {
        tool_gate::toolbox! { pub(crate) static STAFF: crate::Session; }
    }

    pub fn is_short(text: &str) -> Result<(), String> {
        (text.len() < 9).then_some(()).ok_or_else(|| "is too long".into())
    }
}

/// Find orders.
#[tool_gate::tool(in = crate::SUPPORT)]
async fn search(
    #[state] orders: &crate::shop::Orders,
    #[call] call: &::tool_gate::CallInfo,
    status: std::option::Option<shop::Status>,
    #[arg(default = i8::MAX, range = ..=i8::MAX)] limit: i8,
    #[arg(check = self::shop::is_short)] text: &str,
) -> std::result::Result<std::string::String, tool_gate::ToolError> {
    let open = matches!(status, Some(shop::Status::Open));
    Ok(format!("{} {} {open} {limit} {text}", orders.0, call.tool()))
}

/// Count orders.
#[tool_gate::tool(in = self::shop::lists::STAFF)]
fn count(#[state] orders: &self::shop::Orders) -> u8 {
    orders.0
}

fn main() {
    let session = Session { orders: shop::Orders(1) };
    let answer = support::call::<search, _>(&session, serde_json::json!({"status": "Open", "text": "t"}));
    assert_eq!(answer, "1 search true 127 t");
    assert_eq!(support::argument::<search, Session>("limit")["default"], 127);
    assert_eq!(SUPPORT.tool_names(), ["search"]);
    assert_eq!(shop::lists::STAFF.tool_names(), ["count"]);
}
