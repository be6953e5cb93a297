//! Whole cores against the golden model.

mod commands;
mod configurations;
mod harness;
mod verilator;
