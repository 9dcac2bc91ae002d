//! Tools that block: they run on threads that may.

/// What `#[tool(blocking)]` expands to around its work: a call of [`blocking`] where there are threads for it.
#[cfg(feature = "tokio")]
#[doc(hidden)]
#[macro_export]
macro_rules! __blocking {
    ($($work:tt)*) => {
        $crate::__private::blocking($($work)*)
    };
}

/// What `#[tool(blocking)]` expands to around its work: here, why that cannot be.
#[cfg(not(feature = "tokio"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __blocking {
    ($($work:tt)*) => {
        ::core::compile_error!("`blocking` needs the feature `tokio` of `tool-gate`: turn it on in `Cargo.toml`")
    };
}

/// State that a blocking tool takes along: a name of our own for `Clone`, for the sake of the error.
#[diagnostic::on_unimplemented(
    message = "a blocking tool's state must be cloneable: `{Self}` is not",
    label = "taken to another thread, as a clone",
    note = "provide an `Arc<{Self}>` or another cheap handle, and take `&Arc<{Self}>`"
)]
pub trait Cloneable: Clone {}

#[diagnostic::do_not_recommend]
impl<T: Clone> Cloneable for T {}

/// The clone of a part of the state.
pub fn cloned<T: Cloneable + Send + 'static>(part: &T) -> T {
    part.clone()
}

#[cfg(feature = "tokio")]
pub use self::pool::blocking;

#[cfg(feature = "tokio")]
mod pool {
    use std::panic;

    use tokio::{runtime::Handle, task::AbortHandle};
    use tracing::Span;

    use crate::{answer::Answer, error::ToolError, tool::BoxFuture};

    /// Runs a tool on tokio's pool of threads for blocking work, inside the span of its call.
    ///
    /// Nothing happens before the future is first polled. A panic of the tool goes on in the one who waits. Where the future
    /// is dropped, work that no thread has begun is given up; work that one has begun goes on to its end, unseen: a thread
    /// cannot be stopped.
    ///
    /// # Errors
    ///
    /// Those of the tool; and where it is not polled on a tokio runtime, or that shuts down before the work begins.
    pub fn blocking<'a>(
        work: impl FnOnce() -> Result<Answer, ToolError> + Send + 'static,
    ) -> BoxFuture<'a, Result<Answer, ToolError>> {
        Box::pin(async move {
            let span = Span::current();
            let thread = Handle::try_current()?.spawn_blocking(move || span.in_scope(work));
            let _guard = GiveUp(thread.abort_handle());
            match thread.await {
                Ok(answer) => answer,
                Err(ended) => match ended.try_into_panic() {
                    Ok(panic) => panic::resume_unwind(panic),
                    Err(cancelled) => Err(cancelled.into()),
                },
            }
        })
    }

    /// Takes work that has not begun off the queue when nobody waits for it any more.
    struct GiveUp(AbortHandle);

    impl Drop for GiveUp {
        fn drop(&mut self) {
            self.0.abort();
        }
    }
}
