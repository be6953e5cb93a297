//! What the documentation and the help texts tell users to type.

mod commands;
mod help;
mod not_run;
mod pages;
mod scratch;
