//! A tool called with JSON, as a model would call it: through all gates, with nothing around them.

use std::{error::Error, fmt, future::Future};

use crate::{
    answer::Answer,
    offer::Select,
    policy::{Admitted, Decision},
    registry::Registry,
    rejection::Rejection,
    result::{Failure, Outcome},
    running,
    tool::{CallInfo, Tool},
    wire::{self, Arguments},
};

/// Calls a tool with these arguments: a [`Value`](serde_json::Value), or JSON text as a model writes it.
///
/// The arguments pass the gates and are bound, and the tool runs with its time-out; there is no reply, no wire and no policy.
/// Tools that are methods, and dynamic ones, are called by name: [`call_named`]. Without a runtime, [`block_on`] waits for it.
///
/// # Errors
///
/// [`CallError`] where the call is rejected, or the tool fails.
///
/// # Panics
///
/// Where the tool's declaration contradicts itself, so that no registry could be built with it.
///
/// ```
/// use serde_json::json;
/// use tool_gate::{testing::{block_on, call}, tool};
///
/// /// Add up.
/// #[tool(read_only)]
/// fn sum(#[arg(items = 1..=3)] of: &[u8]) -> u32 {
///     of.iter().copied().map(u32::from).sum()
/// }
///
/// let answer = block_on(call::<sum, _>(&(), json!({"of": [1, 2, 250]})))?;
/// assert_eq!(answer.json(), "253");
/// let error = block_on(call::<sum, _>(&(), r#"{"of": [1, 256]}"#)).unwrap_err();
/// assert_eq!(error.to_string(), "sum rejected: of.1 must be at most 255. Received 256.");
/// # Ok::<_, tool_gate::testing::CallError>(())
/// ```
pub async fn call<T: Tool<S>, S: ?Sized + Sync + 'static>(
    state: &S,
    arguments: impl Into<Arguments>,
) -> Result<Answer, CallError> {
    let allowed = |_: &S, _: &Admitted| Decision::Allow;
    let registry = Registry::<S>::builder().tool::<T>().policy(allowed).build();
    let registry = registry.unwrap_or_else(|error| panic!("{error}"));
    call_named(&registry, T::DECLARATION.name, state, arguments).await
}

/// [`call`], for a tool of a registry by its name. The registry's policy is not asked.
///
/// # Errors
///
/// [`CallError`] where the call is rejected, for its name too, or the tool fails.
///
/// ```
/// use serde_json::json;
/// use tool_gate::{Registry, testing::{block_on, call_named}, tool};
///
/// /// Tell how many there are.
/// #[tool(read_only)]
/// fn count(#[state] stock: &Vec<String>) -> usize {
///     stock.len()
/// }
///
/// let registry = Registry::<Vec<String>>::builder().tool::<count>().build()?;
/// let stock = vec!["lamp".to_owned()];
/// assert_eq!(block_on(call_named(&registry, "count", &stock, json!({})))?.to_value(), 1);
/// assert!(block_on(call_named(&registry, "cuont", &stock, json!({}))).is_err());
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
pub async fn call_named<S: ?Sized>(
    registry: &Registry<S>,
    name: &str,
    state: &S,
    arguments: impl Into<Arguments>,
) -> Result<Answer, CallError> {
    let not_run = |message| CallError::of_failure(Failure::not_run(message, name));
    let offer = registry.offer(wire::Plain::default(), Select::All).map_err(|error| not_run(error.to_string()))?;
    let call = wire::Call::new(None, name, arguments.into());
    let prepared = running::unwinding(|| offer.prepare(&call)).map_err(not_run)?;
    let rejected =
        |rejection| CallError { text: registry.inner.sentences.rejection(&rejection), why: Why::Rejected(rejection) };
    let (admitted, bound) = prepared.map_err(rejected)?;
    let tool = &admitted.tool;
    let info =
        CallInfo { id: "call_1".into(), tool: tool.own_name().into(), idempotency_key: "testing/1/0/call_1".into() };
    let limit = admitted.timeout.or(registry.inner.limits.timeout);
    let info = &info;
    let ended = running::guard(async move { bound.start(state, info).await }, limit).await;
    match ended.outcome(tool) {
        Outcome::Completed { answer } => Ok(answer),
        Outcome::Failed { failure } => Err(CallError::of_failure(failure)),
        // What was started completes or fails.
        Outcome::Rejected { rejection } => Err(rejected(rejection)),
        Outcome::Denied { reason } => Err(not_run(reason)),
    }
}

/// A call was rejected, or the tool failed. It displays as what a model would read.
#[derive(Clone, Debug)]
pub struct CallError {
    text: String,
    why: Why,
}

#[derive(Clone, Debug)]
enum Why {
    Rejected(Rejection),
    Failed(Failure),
}

impl CallError {
    fn of_failure(failure: Failure) -> Self {
        Self { text: failure.words().to_owned(), why: Why::Failed(failure) }
    }

    /// The rejection, if it is one.
    pub fn rejection(&self) -> Option<&Rejection> {
        match &self.why {
            Why::Rejected(rejection) => Some(rejection),
            Why::Failed(_) => None,
        }
    }

    /// The failure, if it is one.
    pub fn failure(&self) -> Option<&Failure> {
        match &self.why {
            Why::Failed(failure) => Some(failure),
            Why::Rejected(_) => None,
        }
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Error for CallError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.failure()?.source().map(|source| source as &(dyn Error + 'static))
    }
}

/// Waits for a future, in a test that has no runtime. With the feature `tokio` it is given one, so that time-outs and blocking
/// tools work.
///
/// # Panics
///
/// Inside a runtime of tokio's: `.await` there.
#[cfg(feature = "tokio")]
pub fn block_on<F: Future>(future: F) -> F::Output {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.unwrap_or_else(|error| panic!("a runtime cannot be made: {error}")).block_on(future)
}

/// Waits for a future, in a test that has no runtime.
#[cfg(not(feature = "tokio"))]
pub fn block_on<F: Future>(future: F) -> F::Output {
    use std::{
        pin::pin,
        sync::Arc,
        task::{Context, Poll, Wake, Waker},
        thread::{self, Thread},
    };

    struct Unpark(Thread);

    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }

    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(output) => return output,
            // A wake that came before is kept: this returns at once.
            Poll::Pending => thread::park(),
        }
    }
}
