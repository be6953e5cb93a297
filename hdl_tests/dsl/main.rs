//! The description language: what its mistakes read like, what its operators and library do, that it is deterministic.

mod mistakes;
