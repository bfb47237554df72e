//! Health checks of a node and its wallets.

use checkout_core::Network;
use checkout_domain::chain::source::{Check, RATE_LIMIT};
use serde::Deserialize;
use serde_json::{Value, json};

use super::BitcoinChain;
use crate::depth::header;
use crate::settings::Environment;
use checkout_chain_http::NodeError;

/// `getblockchaininfo`.
#[derive(Deserialize)]
struct Blockchain {
    chain: String,
    blocks: u64,
    headers: u64,
    bestblockhash: String,
    initialblockdownload: bool,
    #[serde(default)]
    pruned: bool,
}

/// `getnetworkinfo`.
#[derive(Deserialize)]
struct Peers {
    connections: u32,
    subversion: String,
    #[serde(default, rename = "timeoffset")]
    offset: i64,
}

#[derive(Deserialize)]
struct Valid {
    isvalid: bool,
}

/// Twelve block intervals, and half an hour at least. By chance, one interval in 160,000 is longer than twelve usual ones.
pub(crate) fn longest_wait(network: Network) -> u64 {
    (12 * u64::from(network.spec().block_seconds)).max(30 * 60)
}

/// Tolerated difference between the clocks of node and system, in seconds.
const CLOCK: u64 = 70 * 60;

pub(crate) async fn look(chain: &BitcoinChain) -> Vec<Check> {
    let mut checks = Vec::new();
    match questions(chain, &mut checks).await {
        Ok(()) => {}
        Err(error @ NodeError::Limited(_)) => checks.push(Check::warning(RATE_LIMIT, error.to_string())),
        Err(error) => checks.push(Check::fault("connection", error.to_string())),
    }
    checks
}

async fn questions(chain: &BitcoinChain, checks: &mut Vec<Check>) -> Result<(), NodeError> {
    let node = &chain.node;
    let blockchain: Blockchain = node.call("getblockchaininfo", json!([])).await?;
    let peers: Peers = node.call("getnetworkinfo", json!([])).await?;
    checks.push(Check::good("connection", format!("{} answers", peers.subversion)));
    if !is_right_network(chain, &blockchain, checks).await? {
        return Ok(());
    }
    checks.push(synced(chain, &blockchain, &peers).await?);
    if peers.offset.unsigned_abs() > CLOCK {
        let detail = format!(
            "this machine's clock differs from the network's by {} minutes: set it",
            peers.offset / 60
        );
        checks.push(Check::warning("clock", detail));
    }
    if blockchain.pruned {
        let detail = "the node is pruned: a rescan covers only the blocks that it kept";
        checks.push(Check::warning("pruning", detail));
    }
    checks.push(index(chain).await?);
    checks.push(wallet(chain).await?);
    Ok(())
}

/// Checks the chain's name, and that the node accepts an address of this network. The address shows which
/// coin the node is for.
async fn is_right_network(
    chain: &BitcoinChain,
    blockchain: &Blockchain,
    checks: &mut Vec<Check>,
) -> Result<bool, NodeError> {
    let (network, expected) = (chain.network, chain.environment.name());
    if !chain.environment.is_called(&blockchain.chain) {
        let detail = format!("the node is on {}, and [chains.{network}] says {expected}", blockchain.chain);
        checks.push(Check::fault("network", detail));
        return Ok(false);
    }
    let address = chain.deposits.address(0)?;
    let valid: Valid = chain.node.call("validateaddress", json!([address])).await?;
    if !valid.isvalid {
        let detail =
            format!("the node is for another coin: it rejects {address}, an address of {network} {expected}");
        checks.push(Check::fault("network", detail));
        return Ok(false);
    }
    checks.push(Check::good("network", format!("{network} {expected}")));
    Ok(true)
}

async fn synced(chain: &BitcoinChain, blockchain: &Blockchain, peers: &Peers) -> Result<Check, NodeError> {
    let Blockchain { blocks, headers, .. } = blockchain;
    let found = format!("{blocks} blocks, {} peers", peers.connections);
    let header = header(&chain.node, &blockchain.bestblockhash).await?;
    if header.height != *blocks {
        let detail =
            format!("the node says that it has {blocks} blocks, and its last one is {}", header.height);
        return Ok(Check::fault("blocks", detail));
    }
    if chain.environment == Environment::Regtest {
        return Ok(Check::good("blocks", found));
    }
    if blockchain.initialblockdownload || headers.saturating_sub(*blocks) > 1 {
        return Ok(Check::fault(
            "blocks",
            format!("the node is not synced: it has {blocks} of {headers} blocks"),
        ));
    }
    if peers.connections == 0 {
        return Ok(Check::fault("blocks", "the node has no peers: it receives no transactions or blocks"));
    }
    let age = chain.clock.now().saturating_sub(header.time);
    let longest = longest_wait(chain.network);
    Ok(if chain.environment == Environment::Mainnet && age > longest {
        Check::fault(
            "blocks",
            format!("the last block is {} minutes old: the node lags, or a clock is wrong", age / 60),
        )
    } else {
        Check::good("blocks", found)
    })
}

async fn index(chain: &BitcoinChain) -> Result<Check, NodeError> {
    let without = "without txindex=1 the senders of some transfers are unknown, and these cannot be refunded";
    Ok(match chain.node.call::<Value>("getindexinfo", json!([])).await {
        Ok(indexes) if indexes["txindex"].is_object() => {
            Check::good("txindex", "the node can look up senders")
        }
        Ok(_) => Check::warning("txindex", without),
        Err(NodeError::Refused { .. }) => {
            Check::warning("txindex", "the node does not report whether txindex=1 is set")
        }
        Err(error) => return Err(error),
    })
}

async fn wallet(chain: &BitcoinChain) -> Result<Check, NodeError> {
    let deposits = &chain.deposits;
    let info = match deposits.open().await {
        Ok(info) => info,
        Err(error @ (NodeError::Unreachable(_) | NodeError::Limited(_))) => return Err(error),
        Err(error) => {
            deposits.doubt().await;
            return Ok(Check::fault("wallet", format!("wallet {}: {error}", deposits.name)));
        }
    };
    if info.private_keys_enabled == Some(true) {
        let detail = format!(
            "wallet {} holds private keys: configure another one; the gateway creates it without keys",
            deposits.name
        );
        return Ok(Check::fault("wallet", detail));
    }
    // The wallet may have been replaced.
    if !deposits.knows(deposits.given().max(1) - 1).await? {
        deposits.doubt().await;
    }
    match deposits.watch_given().await {
        Ok(()) => {}
        Err(error @ (NodeError::Unreachable(_) | NodeError::Limited(_))) => return Err(error),
        Err(error) => return Ok(Check::fault("wallet", format!("wallet {}: {error}", deposits.name))),
    }
    let progress = info.scanning["progress"].as_f64().map(|part| format!(" ({:.0} %)", part * 100.0));
    if deposits.lacks_blocks().await? {
        let told = chain.search.describe(&deposits.name);
        return Ok(Check::fault("wallet", format!("{told}{}", progress.unwrap_or_default())));
    }
    if info.scanning.is_object() {
        let progress = progress.unwrap_or_default();
        let detail = format!("wallet {} is rescanning for old transfers{progress}", deposits.name);
        return Ok(Check::warning("wallet", detail));
    }
    if info.descriptors && !chain.lists_change() {
        let detail =
            "this node does not list payments from the deposit account itself: use Bitcoin Core 24 or later";
        return Ok(Check::warning("wallet", detail));
    }
    let detail = format!("wallet {} watches {} deposit addresses", deposits.name, deposits.given());
    Ok(Check::good("wallet", detail))
}
