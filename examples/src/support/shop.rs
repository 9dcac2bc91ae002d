//! What the shop knows: customers, their orders, what became of them.

use std::{collections::BTreeSet, fmt};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A customer who has signed in. [`Store::sign_in`](super::store::Store::sign_in) alone makes one, so whoever holds one
/// knows who asks: no text of a model can become it.
#[derive(Clone, Debug)]
pub struct Customer {
    pub(super) id: String,
    pub(super) scopes: BTreeSet<String>,
}

impl Customer {
    /// The customer's id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Whether the shop granted the customer this scope.
    pub fn has_scope(&self, scope: &str) -> bool {
        self.scopes.contains(scope)
    }
}

/// One order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Order {
    /// Its number, such as `A-1001`.
    pub id: String,
    /// What was bought.
    pub item: String,
    /// How far it is.
    pub status: OrderStatus,
    /// The day it was placed.
    pub placed: String,
    /// What was paid for it, less what was paid back.
    pub refundable_cents: u32,
}

/// How far an order is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OrderStatus {
    /// Not yet packed.
    Open,
    /// With a carrier.
    Shipped,
    /// At the customer's door.
    Delivered,
    /// Called off.
    Cancelled,
}

impl OrderStatus {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Open, Self::Shipped, Self::Delivered, Self::Cancelled];

    /// The word for it, in the database and to the model alike.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Shipped => "shipped",
            Self::Delivered => "delivered",
            Self::Cancelled => "cancelled",
        }
    }
}

impl fmt::Display for OrderStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A parcel, as the shop handed it to a carrier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parcel {
    /// Who carries it.
    pub carrier: String,
    /// The carrier's number for it.
    pub tracking: String,
}

/// Money on its way back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Refund {
    /// The order it was paid for.
    pub order_id: String,
    /// How much goes back.
    pub refunded_cents: u32,
    /// What could still go back.
    pub refundable_cents: u32,
}

/// What the shop has a written policy on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Topic {
    /// Items that arrive broken.
    DamagedGoods,
    /// Items that are not wanted any more.
    Returns,
    /// Parcels that take too long.
    LateDelivery,
}

impl Topic {
    /// The word for it, in the database and to the model alike.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::DamagedGoods => "damaged_goods",
            Self::Returns => "returns",
            Self::LateDelivery => "late_delivery",
        }
    }
}
