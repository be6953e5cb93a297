//! Ready-made hardware: what every design needs and nobody should copy.

pub mod arbiter;
pub mod counter;
pub mod csa;
pub mod fifo;
pub mod fsm;
pub mod priority;
