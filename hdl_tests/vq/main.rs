//! Quantised layers: checkpoints, activations, packing and commands.

mod activations;
mod aqlm;
mod command;
mod fixture;
mod gptvq;
mod int8_files;
mod int8_plan;
mod layer;
mod machine;
mod pack;
mod plans;
mod program;
