//! See `tool_gate_tests::fuzz::lowered`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tool_gate_tests::fuzz::lowered(data));
