//! Quantised layers: checkpoints, activations, packing and commands.

mod activations;
mod aqlm;
mod command;
mod fixture;
mod layer;
mod pack;
