//! Empty on purpose: the tests are under `tests/`.
