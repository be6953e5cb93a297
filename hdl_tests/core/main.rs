//! Whole cores against the golden model.

mod chosen;
mod commands;
mod configurations;
#[path = "../common/depths.rs"]
mod depths;
mod directed;
mod harness;
mod hosts;
mod int8;
mod int8_work;
mod plan_work;
mod plans;
mod programs;
mod rules;
mod timing;
mod verilator;
