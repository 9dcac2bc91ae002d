//! The shop's database. Every query on orders says whose they are: that is not a thing to ask of a model.

use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::{
    Connection, OptionalExtension, Result, Row, ToSql, named_params,
    types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, ValueRef},
};

use super::shop::{Customer, Order, OrderStatus, Parcel, Refund, Topic};

/// The database. It is in memory and answers at once, so none of this is async.
#[derive(Debug)]
pub struct Store {
    // A connection may move between threads and not be shared by them; the tools share the store.
    connection: Mutex<Connection>,
}

impl Store {
    /// A database in memory with a few customers and orders in it.
    ///
    /// # Errors
    ///
    /// Where there is no memory for it.
    pub fn seeded() -> Result<Self> {
        let connection = Connection::open_in_memory()?;
        connection.execute_batch(include_str!("shop.sql"))?;
        Ok(Self { connection: Mutex::new(connection) })
    }

    /// The customer of this id, with the scopes the shop granted. A real shop asks for more than an id.
    ///
    /// # Errors
    ///
    /// Where there is no such customer, or the database cannot be read.
    pub fn sign_in(&self, id: &str) -> Result<Customer> {
        let connection = self.connection();
        let id = connection.query_row("SELECT id FROM customers WHERE id = ?1", [id], |row| row.get(0))?;
        let mut select = connection.prepare("SELECT scope FROM scopes WHERE customer_id = ?1")?;
        let scopes = select.query_map([&id], |row| row.get(0))?.collect::<Result<_>>()?;
        Ok(Customer { id, scopes })
    }

    /// The customer's orders, newest first.
    ///
    /// # Errors
    ///
    /// Where the database cannot be read.
    pub fn orders(&self, customer: &Customer, status: Option<OrderStatus>, limit: u32) -> Result<Vec<Order>> {
        let connection = self.connection();
        let mut select = connection.prepare(
            "SELECT * FROM ledger WHERE customer_id = :customer AND (:status IS NULL OR status = :status)
             ORDER BY placed DESC LIMIT :limit",
        )?;
        let asked = named_params! {":customer": customer.id, ":status": status, ":limit": limit};
        select.query_map(asked, order)?.collect()
    }

    /// One of the customer's orders.
    ///
    /// # Errors
    ///
    /// Where the database cannot be read.
    pub fn order(&self, customer: &Customer, id: &str) -> Result<Option<Order>> {
        let sql = "SELECT * FROM ledger WHERE customer_id = :customer AND id = :id";
        self.connection().query_row(sql, named_params! {":customer": customer.id, ":id": id}, order).optional()
    }

    /// The parcel in which one of the customer's orders travels; none while it is not shipped.
    ///
    /// # Errors
    ///
    /// Where the database cannot be read.
    pub fn parcel(&self, customer: &Customer, order_id: &str) -> Result<Option<Parcel>> {
        let sql = "SELECT carrier, tracking FROM parcels JOIN orders ON orders.id = order_id
                   WHERE customer_id = :customer AND order_id = :id";
        let asked = named_params! {":customer": customer.id, ":id": order_id};
        let parcel = |row: &Row| Ok(Parcel { carrier: row.get("carrier")?, tracking: row.get("tracking")? });
        self.connection().query_row(sql, asked, parcel).optional()
    }

    /// Refunds a part of one of the customer's orders; none where less than that is left of what was paid.
    ///
    /// # Errors
    ///
    /// Where the database cannot be written.
    pub fn refund(&self, customer: &Customer, order_id: &str, cents: u32, reason: &str) -> Result<Option<Refund>> {
        let connection = self.connection();
        // One statement: between a check and a write of its own, another refund of the same order would fit.
        let written = connection.execute(
            "INSERT INTO refunds (order_id, amount_cents, reason)
             SELECT id, :cents, :reason FROM ledger
             WHERE customer_id = :customer AND id = :id AND refundable_cents >= :cents",
            named_params! {":customer": customer.id, ":id": order_id, ":cents": cents, ":reason": reason},
        )?;
        if written == 0 {
            return Ok(None);
        }
        let refundable_cents = connection.query_row(
            "SELECT refundable_cents FROM ledger WHERE customer_id = :customer AND id = :id",
            named_params! {":customer": customer.id, ":id": order_id},
            |row| row.get(0),
        )?;
        Ok(Some(Refund { order_id: order_id.to_owned(), refunded_cents: cents, refundable_cents }))
    }

    /// What the shop wrote on a topic.
    ///
    /// # Errors
    ///
    /// Where the database cannot be read.
    pub fn policy(&self, topic: Topic) -> Result<String> {
        let sql = "SELECT words FROM policies WHERE topic = ?1";
        self.connection().query_row(sql, [topic.as_str()], |row| row.get(0))
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        // A panic while it was held leaves no statement half done: SQLite would have rolled it back.
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn order(row: &Row<'_>) -> Result<Order> {
    Ok(Order {
        id: row.get("id")?,
        item: row.get("item")?,
        status: row.get("status")?,
        placed: row.get("placed")?,
        refundable_cents: row.get("refundable_cents")?,
    })
}

impl ToSql for OrderStatus {
    fn to_sql(&self) -> Result<ToSqlOutput<'_>> {
        Ok(self.as_str().into())
    }
}

impl FromSql for OrderStatus {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let word = value.as_str()?;
        Self::ALL.into_iter().find(|status| status.as_str() == word).ok_or(FromSqlError::InvalidType)
    }
}
