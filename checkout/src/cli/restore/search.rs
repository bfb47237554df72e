//! Searches the blocks since a backup, on networks whose node does that by itself.

use std::io::Write as _;
use std::sync::Arc;

use checkout_chain_addresses::DepositKeys;
use checkout_core::Network;
use checkout_domain::ports::chain::{Chain, ChainError};
use checkout_domain::ports::transfers::TransferStore as _;

use crate::cli::{failed, open_with_keys, secret_keys};
use crate::config::ConfigFile;

/// Blocks of one search.
const PIECE: u64 = 1_000;

/// Of every configured network, from the block that was read last before the backup.
pub(super) async fn blocks_since(file: &ConfigFile, url: Option<&str>) -> Result<(), String> {
    let (sources, keys) = (file.sources()?, file.keys()?);
    if sources.is_empty() {
        return Ok(());
    }
    let keyring = secret_keys().or_else(|| file.secret_keys.clone());
    let addresses = Arc::new(DepositKeys::of(&keys, &sources.environments())?);
    let database = open_with_keys(url, keyring.as_deref()).await?;
    let connected = sources.connect(&keys, &addresses, &database).await?;
    let mut faults = Vec::new();
    for (network, chain) in connected.chains {
        let cursor = database.cursor(network).await.map_err(failed)?;
        let Some(cursor) = cursor else { continue };
        let searched = async {
            let first = chain.unsearched(&cursor).await?;
            if let Some(first) = first { pieces(network, chain.as_ref(), first).await } else { Ok(()) }
        };
        if let Err(error) = searched.await {
            faults
                .push(format!("{network}: {error}. Then: `checkout chains rescan {network} --from BLOCK`."));
        }
    }
    database.close().await;
    if faults.is_empty() { Ok(()) } else { Err(format!("The database is restored. {}", faults.join(" "))) }
}

/// Searches from a block to the tip, and says how far it is.
pub(in crate::cli) async fn pieces(
    network: Network,
    chain: &dyn Chain,
    first: u64,
) -> Result<(), ChainError> {
    let mut next = first;
    loop {
        let tip = chain.tip().await?.height;
        if next > tip {
            return Ok(());
        }
        let last = tip.min(next + PIECE - 1);
        chain.search(next, last).await?;
        let share = (last - first + 1) * 100 / (tip - first + 1);
        let _ =
            writeln!(std::io::stderr(), "{network}: searched blocks {first} to {last} of {tip} ({share} %).");
        next = last + 1;
    }
}
