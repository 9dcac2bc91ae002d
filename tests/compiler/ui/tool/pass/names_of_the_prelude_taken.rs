#![allow(dead_code)]

use tool_gate::{Provides, tool, toolbox};

struct Option;
struct Result;
struct Box;
struct String;
struct Vec;
struct Some;
struct Ok;
trait Sized {}
trait Send {}
trait Sync {}
trait Default {}
mod core {}
mod std {}
mod serde {}
mod schemars {}
mod inventory {}

#[derive(Provides)]
pub struct Session {
    #[provide]
    orders: Orders,
}

pub struct Orders;

toolbox! { static SUPPORT: Session; }

/// Find orders.
#[tool(in = SUPPORT)]
async fn search(
    #[state] _orders: &Orders,
    text: &str,
    #[arg(default = 3, range = 1..)] limit: u8,
    #[arg(default)] page: u8,
) -> u8 {
    let _ = text;
    limit + page
}

fn main() {
    assert_eq!(SUPPORT.tool_names(), ["search"]);
}
