//! Designs of this language in the worlds of other Rust hardware libraries.

#[cfg(feature = "rust-hdl")]
pub mod rust_hdl;
