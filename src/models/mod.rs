//! Language models as the shapes of their linear layers.
//!
//! [`LanguageModel`] is a model that comes with the program, one of the TOML files in this folder, or one from a file of the same form;
//! `docs/performance.md` describes them. [`LanguageModel::execution`] are the products of a decoder block in order.

mod language_model;

pub use language_model::{Activations, BlockLayer, LANGUAGE_MODELS, LanguageModel, LinearLayer, ModelError, Stage};
