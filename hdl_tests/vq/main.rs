//! Quantised layers: checkpoints, activations, packing and commands.

mod activations;
mod aqlm;
mod command;
mod fixture;
mod int8_files;
mod int8_plan;
mod layer;
mod pack;
