//! What the tests of tool-gate share: a small agent, the public corpora, and what has to hold of any bytes.

pub mod agent;
pub mod fuzz;
pub mod real;
