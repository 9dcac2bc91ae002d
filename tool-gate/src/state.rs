//! How a tool gets what it needs from the host: by type, checked when compiling.

use crate::tool::CallInfo;

/// Lends a part of itself to tools: what `#[state] orders: &Orders` borrows is `Provides<Orders>`.
///
/// Derive it, marking the fields that tools may see:
///
/// ```
/// use tool_gate::Provides;
///
/// struct Orders;
/// struct CustomerId(u64);
///
/// #[derive(Provides)]
/// struct Session {
///     #[provide]
///     orders: Orders,
///     #[provide]
///     customer: CustomerId,
/// }
///
/// let session = Session { orders: Orders, customer: CustomerId(7) };
/// let customer: &CustomerId = session.provide();
/// assert_eq!(customer.0, 7);
/// ```
///
/// Implement it where a part is not a field of that very type, a trait object for one:
///
/// ```
/// use tool_gate::Provides;
///
/// trait Store: Send + Sync {
///     fn open_orders(&self) -> u32;
/// }
///
/// struct Session {
///     store: Box<dyn Store>,
/// }
///
/// impl Provides<dyn Store> for Session {
///     fn provide(&self) -> &(dyn Store + 'static) {
///         &*self.store
///     }
/// }
/// ```
///
/// Every type provides itself, so a tool may take the whole state.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not provide `{T}` to tools",
    label = "the tool takes `&{T}` as `#[state]`",
    note = "mark a field of type `{T}` in `{Self}` with `#[provide]`, or implement `Provides<{T}>` for `{Self}`"
)]
pub trait Provides<T: ?Sized> {
    /// The part that tools borrow.
    fn provide(&self) -> &T;
}

#[diagnostic::do_not_recommend]
impl<T: ?Sized> Provides<T> for T {
    fn provide(&self) -> &T {
        self
    }
}

/// The type that `#[call]` lends: [`CallInfo`] alone. It is a trait for the sake of the error.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not what a tool is told of its call",
    label = "marked `#[call]`",
    note = "take `&CallInfo`, or mark state with `#[state]`"
)]
pub trait Told {
    /// The same, under its own type.
    fn told(call: &CallInfo) -> &Self;
}

#[diagnostic::do_not_recommend]
impl Told for CallInfo {
    fn told(call: &CallInfo) -> &Self {
        call
    }
}

/// Lends to a tool what is known of the call that it answers.
pub fn told<T: Told + ?Sized>(call: &CallInfo) -> &T {
    T::told(call)
}
