//! For the tests of an application: its tools tried without a model.

mod change;
mod draw;
mod drift;
mod edges;
mod flat;
mod instances;
mod shrink;
mod texts;
mod written;

pub use drift::{Drift, DriftKind, Finding, assert_no_drift, assert_no_drift_but, drift};
pub use instances::instances;
