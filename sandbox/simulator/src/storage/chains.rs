//! The heights of the simulated chains.

use checkout_core::Network;
use checkout_domain::ports::Stored;
use checkout_storage::query;

use super::{ChainState, Storage};

impl Storage {
    /// Returns the simulated networks that have blocks or pending transfers.
    pub async fn chain_states(&self) -> Stored<Vec<ChainState>> {
        let heights = query("SELECT network, height FROM sim_chains").fetch_all(self.0.readers()).await?;
        let pending = query(
            "SELECT network, COUNT(*) AS pending FROM sim_transfers WHERE height IS NULL AND dropped = 0
             GROUP BY network",
        )
        .fetch_all(self.0.readers())
        .await?;
        let mut states: Vec<ChainState> = Vec::new();
        for row in heights {
            states.push(ChainState {
                network: row.parsed("network")?,
                height: row.number("height")?,
                pending: 0,
            });
        }
        for row in pending {
            let network: Network = row.parsed("network")?;
            let pending = row.number("pending")?;
            match states.iter_mut().find(|state| state.network == network) {
                Some(state) => state.pending = pending,
                None => states.push(ChainState { network, height: 0, pending }),
            }
        }
        Ok(states)
    }
}
