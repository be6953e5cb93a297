//! Whole cores against the golden model.

mod configurations;
mod harness;
