//! Health checks of a node.

use alloy_primitives::{Address, B256};
use checkout_core::Pair;
use checkout_domain::chain::source::{self, Check};
use serde_json::{Value, json};

use crate::confirmed_by::ConfirmedBy;
use crate::node::answers::Header;
use crate::node::{At, BLOCKS, Node};
use crate::rpc::error::is_unknown_method;
use crate::settings::{InternalTransfers, Settings};
use crate::{tokens, traces};
use checkout_chain_http::NodeError;
use checkout_chain_http::error::tried;

/// Maximum age of the newest block on a main network, in seconds. Slots take at most 12 seconds.
const STALE: u64 = 300;

/// Checks that can change at any moment. Also returns the newest block, if available. `now` is a UNIX second.
pub(crate) async fn current_checks(
    node: &Node,
    settings: &Settings,
    now: u64,
) -> (Vec<Check>, Option<Header>) {
    let latest = match node.verify().await {
        Ok(()) => node.latest().await,
        Err(error) => Err(error),
    };
    let latest = match latest {
        Ok(latest) => latest,
        Err(error) => return (vec![connection(&error)], None),
    };
    let place = if settings.is_main() { "main network" } else { "test network" };
    let checks = vec![
        Check::good("connection", "the node answers"),
        Check::good("network", format!("chain {}, a {place}", settings.chain_id)),
        sync(node, &latest).await,
        clock(settings, &latest, now),
    ];
    (checks, Some(latest))
}

/// Checks that stay the same: the node's methods and the token contracts. The trace of a block is large.
pub(crate) async fn setup(node: &Node, settings: &Settings, latest: &Header) -> Vec<Check> {
    let mut checks = Vec::new();
    if settings.native().is_some() {
        checks.push(internal_transfers(node, settings, latest).await);
    }
    if settings.confirmed_by != ConfirmedBy::Latest {
        checks.push(confirming(node, settings, latest).await);
    }
    for (pair, contract) in settings.token_pairs() {
        checks.push(token(node, pair, contract).await);
    }
    checks
}

/// Calls what reading and payouts call and the other checks do not.
pub(crate) async fn methods(node: &Node, settings: &Settings) -> Vec<Check> {
    /// An empty transaction: a refusal shows that the method exists.
    fn exists<T>(answer: Result<T, NodeError>) -> Result<(), String> {
        match answer {
            Err(error) if is_unknown_method(&error) => Err(error.to_string()),
            Ok(_) | Err(NodeError::Refused { .. }) => Ok(()),
            Err(error) => Err(error.to_string()),
        }
    }
    let latest = match node.latest().await {
        Ok(latest) => latest,
        Err(error) => return vec![connection(&error)],
    };
    let contracts: Vec<Address> = settings.token_pairs().map(|(_, contract)| contract).collect();
    let nobody = Address::ZERO;
    let price = if latest.base_fee_per_gas.is_some() { "eth_maxPriorityFeePerGas" } else { "eth_gasPrice" };
    let call = json!([{"from": nobody, "to": nobody, "value": "0x0"}, At::Pending.json()]);
    let mut checks = source::methods(vec![
        ("eth_getLogs", tried(node.logs_of(latest.hash, &contracts, tokens::TRANSFER).await)),
        ("eth_getTransactionReceipt", tried(node.receipt(B256::ZERO).await)),
        ("eth_getTransactionByHash", tried(node.transaction(B256::ZERO).await)),
        ("eth_getBalance", tried(node.balance(nobody, At::Pending).await)),
        ("eth_getTransactionCount", tried(node.nonce(nobody, At::Pending).await)),
        (price, tried(node.rpc.call::<Value>(price, json!([])).await)),
        ("eth_estimateGas", exists(node.rpc.call::<Value>("eth_estimateGas", call).await)),
        ("eth_sendRawTransaction", exists(node.send_raw(&[]).await)),
    ]);
    checks.push(batches(node, &latest).await);
    checks
}

/// Asks for as many blocks as the watcher does.
async fn batches(node: &Node, latest: &Header) -> Check {
    const SUBJECT: &str = "batches";
    let heights: Vec<u64> = (latest.height().saturating_sub(BLOCKS - 1)..=latest.height()).collect();
    match node.blocks(&heights).await {
        Err(error) => error.check(SUBJECT),
        Ok(_) => Check::good(SUBJECT, format!("{} calls in one request", node.rpc.batch_size())),
    }
}

fn connection(error: &NodeError) -> Check {
    let subject = if error.is_malformed("eth_chainId") { "network" } else { "connection" };
    error.check(subject)
}

async fn sync(node: &Node, latest: &Header) -> Check {
    match node.rpc.call::<Value>("eth_syncing", json!([])).await {
        Ok(Value::Bool(false)) => Check::good("sync", format!("up to block {}", latest.height())),
        Ok(_) => Check::fault("sync", format!("the node is still syncing, at block {}", latest.height())),
        Err(error) if is_unknown_method(&error) => Check::good(
            "sync",
            format!("at block {}; the provider does not report a sync state", latest.height()),
        ),
        Err(error) => error.check("sync"),
    }
}

/// Test chains produce blocks irregularly.
fn clock(settings: &Settings, latest: &Header, now: u64) -> Check {
    let time: u64 = latest.timestamp.to();
    if time > now + 60 {
        return Check::warning("clock", format!("the newest block is {} s in the future", time - now));
    }
    let age = now.saturating_sub(time);
    if age > STALE && settings.is_main() {
        return Check::fault(
            "clock",
            format!("the newest block is {age} s old: the node is cut off, or the clock is wrong"),
        );
    }
    Check::good("clock", format!("the newest block is {age} s old"))
}

async fn confirming(node: &Node, settings: &Settings, latest: &Header) -> Check {
    const SUBJECT: &str = "confirmation";
    let word = settings.confirmed_by.as_str();
    let tag = if settings.confirmed_by == ConfirmedBy::Safe { At::Safe } else { At::Finalized };
    match node.header(tag).await {
        Ok(Some(header)) => {
            let behind = latest.height().saturating_sub(header.height());
            Check::good(SUBJECT, format!("by the {word} block, {behind} blocks behind the newest"))
        }
        Ok(None) => {
            Check::warning(SUBJECT, format!("the node has no {word} block yet: no deposit is confirmed"))
        }
        Err(error) if error.is_limit() => error.check(SUBJECT),
        Err(error) => Check::fault(
            SUBJECT,
            format!("the node does not tell its {word} block; set confirmed_by to another one: {error}"),
        ),
    }
}

async fn internal_transfers(node: &Node, settings: &Settings, latest: &Header) -> Check {
    const SUBJECT: &str = "internal transfers";
    let way = settings.internal_transfers;
    if way == InternalTransfers::Off {
        return Check::warning(
            SUBJECT,
            "transfers from contracts are not detected: internal_transfers is \"off\"",
        );
    }
    let word = way.as_str();
    let block = match node.block(latest.hash).await {
        Ok(block) => block,
        Err(error) => return error.check(SUBJECT),
    };
    let Some(block) = block else { return Check::fault(SUBJECT, "the newest block left the chain") };
    match traces::probe(node, &block, way).await {
        Ok(()) => Check::good(SUBJECT, format!("detected by {word}")),
        Err(error) if is_unknown_method(&error) => Check::fault(
            SUBJECT,
            format!(
                "the node does not offer {word}; set internal_transfers to another way, or to \"off\": {error}"
            ),
        ),
        Err(error) => error.check(SUBJECT),
    }
}

async fn token(node: &Node, pair: &Pair, contract: Address) -> Check {
    let currency = pair.currency;
    match tokens::decimals(node, contract).await {
        Ok(decimals) if decimals == pair.decimals => {
            Check::good("token", format!("{currency} at {contract}"))
        }
        Ok(decimals) => Check::fault(
            "token",
            format!("{currency} at {contract} has {decimals} decimals instead of {}", pair.decimals),
        ),
        Err(error) if error.is_limit() => error.check("token"),
        Err(error) => Check::fault("token", format!("{currency} at {contract} is no token: {error}")),
    }
}
