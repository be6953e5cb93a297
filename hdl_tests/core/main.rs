//! Whole cores against the golden model.

mod chosen;
mod commands;
mod configurations;
mod directed;
mod harness;
<<<<<<< HEAD
=======
mod int8;
mod int8_work;
>>>>>>> hb
mod programs;
mod timing;
mod verilator;
