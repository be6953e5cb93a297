//! The native simulator against a bit-by-bit evaluator, and its interface.

mod build;
mod random;
mod reference;

mod equivalence;
