// mistakes: 4
use std::rc::Rc;

use tool_gate::tool;

struct Db;

/// Find orders.
#[tool(blocking)]
fn search(#[state] db: &Db, #[state] list: &Rc<str>) {
    let _ = (db, list);
}

trait Store {}

/// Find orders.
#[tool(blocking)]
fn find(#[state] store: &(dyn Store + Send), #[state] text: &str) {
    let _ = (store, text);
}

fn main() {
    fn is_store<T: Store>() {}
    let _ = is_store::<std::convert::Infallible>;
}

impl Store for std::convert::Infallible {}
