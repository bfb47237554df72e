//! Deposits through an Esplora server, for merchants without a node: Blockstream's API, which mempool.space,
//! litecoinspace.org and others serve, too (<https://github.com/Blockstream/esplora/blob/master/API.md>).
//!
//! The server has no wallet, so each address is asked for. It is believed, as a node is: what it reports as paid is paid.

mod answers;
mod api;
mod found;
mod schedule;
mod sighting;
mod watcher;

pub use api::Api;
pub use watcher::{EsploraChain, Ports};
