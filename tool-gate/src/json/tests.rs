#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod binding;
mod differential;
mod envelope;
mod faults;
mod numbers;
