//! What the sandbox reads of the gateway's tables, and its own tables beside them.

mod chains;
mod deliveries;
mod events;
mod payments;

use checkout_core::Network;
use checkout_gateway::storage::Database;
use uuid::Uuid;

/// The database of the gateway.
#[derive(Clone, Debug)]
pub struct Storage(pub Database);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenAddress {
    pub network: Network,
    pub address: String,
    pub tag: Option<String>,
    pub created_at: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainState {
    pub network: Network,
    pub height: u64,
    /// Transfers that wait for a block.
    pub pending: u64,
}

/// Sorts after every UUID.
const END: &str = "z";

fn before(id: Option<Uuid>) -> String {
    id.map_or_else(|| END.to_owned(), |id| id.to_string())
}
