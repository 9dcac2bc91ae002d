//! Who may do what: decided from the application's state, never from what a model says of itself.

use std::{
    fmt,
    future::Future,
    sync::{Arc, OnceLock},
    time::Duration,
};

use serde_json::Value;

use crate::{
    leniency::Eased,
    offered::OfferedTool,
    tool::{BoxFuture, Definition},
    wire::Arguments,
};

/// A call that passed every gate and may run, if the policy lets it.
#[derive(Clone)]
pub struct Admitted {
    pub(crate) tool: Arc<OfferedTool>,
    pub(crate) timeout: Option<Duration>,
    /// The arguments as the gates took them: as they were sent, or what was read into that.
    pub(crate) sent: Arguments,
    /// How deep the arguments may nest.
    pub(crate) depth: usize,
    pub(crate) parsed: OnceLock<Value>,
    pub(crate) eased: Vec<Eased>,
}

impl Admitted {
    /// The tool's own name, under whichever it is offered.
    pub fn name(&self) -> &str {
        self.tool.own_name()
    }

    /// The tool's definition: its effects and the scope it asks for are there.
    pub fn definition(&self) -> &Definition {
        &self.tool.definition
    }

    /// The arguments as an object, with the values that the tool gets: where the schema says integer, `5.0` is `5`. An
    /// argument that was not sent is absent, whatever its default.
    ///
    /// A policy may use them to forbid more. They are never a reason to allow: rights come from the state.
    pub fn arguments(&self) -> &Value {
        self.parsed.get_or_init(|| self.sent.to_object(self.definition().input_schema(), self.depth))
    }

    /// What the offer forgave for the call to be admitted, in the order in which it was read: nothing without
    /// [`Offer::lenient`](crate::Offer::lenient). Where one call needed it in more than 64 places, the others are left out.
    pub fn eased(&self) -> &[Eased] {
        &self.eased
    }
}

/// Names the tool and does not repeat the arguments: what is debugged ends in a log.
impl fmt::Debug for Admitted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Admitted").field("name", &self.name()).field("arguments", &self.sent).finish_non_exhaustive()
    }
}

/// What a policy says of one call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Decision {
    /// It may run.
    Allow,
    /// It may not. The reason is what the model reads.
    Deny(String),
}

impl Decision {
    /// [`Decision::Deny`] with this reason.
    pub fn deny(reason: impl Into<String>) -> Self {
        Self::Deny(reason.into())
    }
}

/// Decides whether an admitted call may run. A function `fn(&S, &Admitted) -> Decision` is one, and so is a closure whose
/// parameters both have their types written:
///
/// ```
/// # use tool_gate::{Admitted, Decision, Registry};
/// # struct Session { is_open: bool }
/// let builder = Registry::builder().policy(|session: &Session, call: &Admitted| {
///     if session.is_open || call.definition().effects().read_only { Decision::Allow } else { Decision::deny("It is closed.") }
/// });
/// ```
///
/// Without the types, the compiler asks for them (`type annotations needed`) or says that an implementation of `FnOnce` is
/// not general enough: it takes `|session, call| …` for a function of one particular borrow.
///
/// Identity and rights come from the state. The call says what is wanted, and may only ever narrow it.
///
/// ```
/// use tool_gate::{Admitted, Decision, Policy, Registry, tool};
///
/// pub struct Session { is_supervisor: bool }
///
/// /// Refund an order in full.
/// #[tool(destructive, requires = "refunds")]
/// fn refund(order_id: String) -> String {
///     format!("{order_id} is refunded.")
/// }
///
/// fn refunds_need_a_supervisor(session: &Session, call: &Admitted) -> Decision {
///     match call.definition().requires() {
///         Some("refunds") if !session.is_supervisor => Decision::deny("Only a supervisor may refund. Offer to ask one."),
///         _ => Decision::Allow,
///     }
/// }
///
/// let registry = Registry::builder().tool::<refund>().policy(refunds_need_a_supervisor).build()?;
/// # Ok::<_, tool_gate::BuildError>(())
/// ```
///
/// One that has to wait, for a database say, implements the trait:
///
/// ```
/// # use tool_gate::{Admitted, Decision, Policy};
/// # struct Session;
/// struct AskTheDatabase;
///
/// impl Policy<Session> for AskTheDatabase {
///     async fn decide(&self, session: &Session, call: &Admitted) -> Decision {
///         std::future::ready(()).await;
///         Decision::Allow
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a policy for the state `{S}`",
    label = "not a policy",
    note = "a policy is `Fn(&{S}, &Admitted) -> Decision`, or a type that implements `Policy<{S}>` with an async `decide`"
)]
pub trait Policy<S: ?Sized>: Send + Sync + 'static {
    /// Decides on one call, just before it would run.
    fn decide<'a>(&'a self, state: &'a S, call: &'a Admitted) -> impl Future<Output = Decision> + Send + 'a;
}

impl<S, F> Policy<S> for F
where
    S: ?Sized + Sync,
    F: Fn(&S, &Admitted) -> Decision + Send + Sync + 'static,
{
    fn decide<'a>(&'a self, state: &'a S, call: &'a Admitted) -> impl Future<Output = Decision> + Send + 'a {
        std::future::ready(self(state, call))
    }
}

/// A policy behind a pointer.
pub(crate) trait AnyPolicy<S: ?Sized>: Send + Sync {
    fn decide<'a>(&'a self, state: &'a S, call: &'a Admitted) -> BoxFuture<'a, Decision>;
}

impl<S: ?Sized, P: Policy<S>> AnyPolicy<S> for P {
    fn decide<'a>(&'a self, state: &'a S, call: &'a Admitted) -> BoxFuture<'a, Decision> {
        Box::pin(Policy::decide(self, state, call))
    }
}
