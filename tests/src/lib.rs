//! What the tests of tool-gate share: a small agent, the public corpora, what has to hold of any bytes, the
//! dialects of providers, and the providers as they
//! look from outside.

pub mod agent;
pub mod fuzz;
pub mod lowered;
pub mod provider;
pub mod real;
