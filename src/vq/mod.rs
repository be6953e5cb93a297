//! vq
