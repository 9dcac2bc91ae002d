#[path = "../../support.rs"]
mod support;

use serde_json::json;
use support::call;
use tool_gate::{Provides, Registry, tool, toolbox};

struct Orders(u32);
struct Customer(&'static str);

trait Store: Send + Sync {
    fn name(&self) -> &'static str;
}

struct Memory;

impl Store for Memory {
    fn name(&self) -> &'static str {
        "memory"
    }
}

#[derive(Provides)]
struct Session {
    #[provide]
    orders: Orders,
    #[provide]
    customer: Customer,
    store: Box<dyn Store>,
}

impl Provides<dyn Store> for Session {
    fn provide(&self) -> &(dyn Store + 'static) {
        &*self.store
    }
}

toolbox! { static SUPPORT: Session; }

/// Borrow two parts and the whole, before and after what the model fills in.
#[tool(in = SUPPORT)]
async fn parts<'s>(
    #[state] orders: &'s Orders,
    limit: u32,
    #[state] Customer(name): &Customer,
    #[state] store: &dyn Store,
    #[state] session: &Session,
) -> String {
    std::future::ready(()).await;
    format!("{} {limit} {name} {} {}", orders.0, store.name(), session.customer.0)
}

/// Works with every state that has orders.
#[tool]
fn count(#[state] orders: &Orders) -> u32 {
    orders.0
}

/// Works with every state.
#[tool]
fn nothing() {}

fn main() {
    let session = Session { orders: Orders(2), customer: Customer("ann"), store: Box::new(Memory) };
    assert_eq!(call::<parts, Session>(&session, json!({"limit": 3})), "2 3 ann memory ann");
    assert_eq!(call::<count, Session>(&session, json!({})), "2");
    assert_eq!(call::<count, Orders>(&Orders(5), json!({})), "5");
    assert_eq!(call::<nothing, str>("any state", json!({})), "Done.");
    let registry = Registry::builder().list(&SUPPORT).tool::<count>().tool::<nothing>().build().expect("built");
    assert_eq!(registry.definitions().map(|d| d.name()).collect::<Vec<_>>(), ["count", "nothing", "parts"]);
}
