//! The cycle model and its estimates against packer, hardware description and published figures. That it has the cycles of
//! the core is shown by `core`, in every run.

#[path = "../common/depths.rs"]
mod depths;
mod hardware;
mod models;
mod pages;
mod programs;
