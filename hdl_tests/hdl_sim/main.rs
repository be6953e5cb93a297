//! The native simulator against a bit-by-bit evaluator, and its interface.

mod build;
mod random;
#[path = "../common/random_design.rs"]
mod random_design;
mod reference;

mod equivalence;
mod hierarchy;
mod interface;
mod state;
