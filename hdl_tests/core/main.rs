//! Whole cores against the golden model.

mod chosen;
mod commands;
mod configurations;
mod directed;
mod harness;
mod tmp_int8;
mod programs;
mod timing;
mod verilator;
