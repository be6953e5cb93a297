//! What several test binaries share.
#![allow(dead_code)] // each binary uses a part

pub mod lint;
pub mod random_design;
pub mod tools;
