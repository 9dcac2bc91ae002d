//! Who asks, what the tools may borrow, and what is allowed.

use tool_gate::{Admitted, Decision, Provides};

use super::{carriers::Carriers, shop::Customer, store::Store};

/// The state of one conversation: it belongs to the customer who signed in, whatever the model says.
#[derive(Debug, Provides)]
pub struct Session {
    #[provide]
    store: Store,
    #[provide]
    carriers: Carriers,
    #[provide]
    customer: Customer,
}

impl Session {
    /// A session of this customer in the seeded shop.
    ///
    /// # Errors
    ///
    /// Where there is no such customer.
    pub fn sign_in(customer_id: &str) -> rusqlite::Result<Self> {
        let store = Store::seeded()?;
        let customer = store.sign_in(customer_id)?;
        Ok(Self { store, carriers: Carriers::seeded(), customer })
    }
}

/// Lets a tool that `requires` a scope run for customers who have it, and every other tool for everyone.
///
/// The right comes from the session. The call says what is asked and never who may ask it.
pub fn scopes_are_granted(session: &Session, call: &Admitted) -> Decision {
    match call.definition().requires() {
        Some(scope) if !session.customer.has_scope(scope) => {
            Decision::deny("This account cannot do that by itself. Offer to hand the customer over to a colleague.")
        }
        _ => Decision::Allow,
    }
}
