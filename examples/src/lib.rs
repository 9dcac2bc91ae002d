//! Stories told with tool-gate: each binary runs with no network and no key.
//!
//! * [`support`]: a shop's support agent on a real database. Tools that borrow the session, a policy, and whole
//!   conversations: the mistakes that models make, tools that break off, hang and are denied, and a model that is stopped.
//! * [`length`]: one read-only tool behind the smallest envelope there is, and eleven proposals to it.
//!
//! The stories are library code that prints nothing. The binaries print them and the workspace's tests check them.

pub mod length;
pub mod support;
