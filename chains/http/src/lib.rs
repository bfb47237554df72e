//! HTTP requests to nodes, indexers, signers and feeds of rates.

pub mod client;
pub mod gate;
