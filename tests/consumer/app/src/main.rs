//! Prints the tools of both lists, and what they answer.

use std::error::Error;

use gate::{Admitted, Decision, Registry, Run, Select, wire};
// All that is said of this crate.
use more_tools as _;
use shop_tools::{CUSTOMERS, STAFF, Shop};

fn main() -> Result<(), Box<dyn Error>> {
    let allow = |_: &Shop, _: &Admitted| Decision::Allow;
    let registry = Registry::builder().list(&CUSTOMERS).list(&STAFF).policy(allow).build()?;
    println!("{}: {}", CUSTOMERS.name(), CUSTOMERS.tool_names().join(" "));
    println!("{}: {}", STAFF.name(), STAFF.tool_names().join(" "));

    let offer = registry.offer(wire::Plain::default(), Select::All)?;
    let (shop, mut run) = (Shop::new(3), Run::default());
    for call in [
        r#"{"name": "address", "arguments": {}}"#,
        r#"{"name": "count", "arguments": {}}"#,
        r#"{"name": "greet", "arguments": {"name": "Ann"}}"#,
        r#"{"name": "list_parcels", "arguments": {"first": 2, "order": "newest"}}"#,
        r#"{"name": "list_parcels", "arguments": {"first": 1000}}"#,
        r#"{"name": "list_parcels", "arguments": {"first": 4}}"#,
        r#"{"name": "nothing", "arguments": {}}"#,
        r#"{"name": "wait", "arguments": {"number": 7}}"#,
    ] {
        let settled = pollster::block_on(offer.settle(call, &shop, &mut run))?;
        for block in settled.blocks() {
            println!("{}: {}", block.kind(), block.text());
        }
    }
    Ok(())
}
