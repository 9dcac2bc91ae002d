//! Tools that block: they run on threads that may.

/// The function that `#[tool(blocking)]` hands its work to.
#[cfg(feature = "tokio")]
#[doc(hidden)]
#[macro_export]
macro_rules! __blocking {
    () => {
        $crate::__private::blocking
    };
}

/// Why `#[tool(blocking)]` cannot hand its work to anyone.
///
/// ```compile_fail
/// /// Wait.
/// #[tool_gate::tool(blocking)]
/// fn wait() {}
/// ```
#[cfg(not(feature = "tokio"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __blocking {
    () => {
        ::core::compile_error!("`blocking` needs the feature `tokio` of `tool-gate`: turn it on in `Cargo.toml`")
    };
}

/// State that a blocking tool takes along: a name of our own for `Clone`, for the sake of the error.
#[diagnostic::on_unimplemented(
    message = "a blocking tool's state must be cloneable: `{Self}` is not",
    label = "taken to another thread, as a clone",
    note = "derive `Clone` for it, or provide an `Arc<{Self}>` or another cheap handle, and take `&Arc<{Self}>`"
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

    type Work = Box<dyn FnOnce() -> Result<Answer, ToolError> + Send>;

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
        on_pool(Box::new(work))
    }

    /// The same, compiled once and not for every tool.
    fn on_pool<'a>(work: Work) -> BoxFuture<'a, Result<Answer, ToolError>> {
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

    #[cfg(test)]
    mod tests {
        use std::{
            panic::{self, AssertUnwindSafe},
            sync::mpsc,
            task::{Context, Waker},
            thread,
        };

        use futures_util::FutureExt;
        use tokio::runtime::{Builder, Runtime};

        use super::*;

        /// A runtime with one thread that may block.
        fn runtime() -> Runtime {
            Builder::new_current_thread().max_blocking_threads(1).build().unwrap()
        }

        #[test]
        fn it_runs_on_another_thread_and_answers() {
            let here = thread::current().id();
            let answer = runtime().block_on(blocking(move || {
                assert_ne!(thread::current().id(), here);
                Answer::of("there")
            }));
            assert_eq!(answer.unwrap().text(), "there");
        }

        #[test]
        fn a_panic_goes_on_in_the_one_who_waits() {
            let waits = AssertUnwindSafe(blocking(|| panic::resume_unwind(Box::new("dropped the database"))));
            let panic = runtime().block_on(waits.catch_unwind()).unwrap_err();
            assert_eq!(panic.downcast_ref(), Some(&"dropped the database"));
        }

        #[test]
        fn without_a_runtime_there_is_no_thread_and_a_source_that_says_so() {
            let error = pollster::block_on(blocking(|| Answer::of(&1))).unwrap_err();
            assert_eq!(error.words(), None);
            assert!(error.source().unwrap().to_string().contains("Tokio"));
        }

        #[test]
        fn where_nobody_waits_what_has_begun_goes_on_and_what_has_not_is_given_up() {
            let (log, logged) = mpsc::channel();
            let (go_on, held) = mpsc::channel();
            let work = |name: &'static str, held: Option<mpsc::Receiver<()>>| {
                let log = log.clone();
                move || {
                    log.send(name).unwrap();
                    if let Some(held) = held {
                        held.recv().unwrap();
                    }
                    log.send(name).unwrap();
                    Ok(Answer::done())
                }
            };
            let runtime = runtime();
            let _entered = runtime.enter();
            let start = |mut future: BoxFuture<'static, _>| {
                assert!(future.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
                future
            };
            let begun = start(blocking(work("begun", Some(held))));
            assert_eq!(logged.recv().unwrap(), "begun");
            drop(begun);
            drop(start(blocking(work("queued", None))));
            drop(blocking(work("never polled", None)));
            go_on.send(()).unwrap();
            assert_eq!(logged.recv().unwrap(), "begun");
            runtime.block_on(blocking(work("last", None))).unwrap();
            assert_eq!(logged.try_iter().collect::<Vec<_>>(), ["last", "last"]);
        }
    }
}
