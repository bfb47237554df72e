//! A transaction by its hash, with what it transfers to whomever. What contracts move in it is in no receipt, and not found so.

use alloy_primitives::{Address, B256, U256};
use checkout_core::Pair;
use checkout_domain::chain::found::{FoundTransaction, FoundTransfer};

use crate::node::answers::{Receipt, SeenTransaction};
use crate::tokens;
use crate::transfers::{Reader, amount};
use checkout_chain_http::NodeError;

/// `None` for a transaction that the node does not know.
pub(crate) async fn look_up(reader: &Reader, hash: B256) -> Result<Option<FoundTransaction>, NodeError> {
    let Some(seen) = reader.node.transaction(hash).await? else { return Ok(None) };
    let Some(receipt) = reader.node.receipt(hash).await? else {
        return Ok(Some(FoundTransaction { transfers: asked(reader, &seen), ..FoundTransaction::default() }));
    };
    let latest = reader.node.latest().await?.height();
    let confirmations = (latest + 1).saturating_sub(receipt.block_number.to());
    let failed = !receipt.succeeded();
    let transfers = if failed { Vec::new() } else { made(reader, &seen, &receipt) };
    Ok(Some(FoundTransaction { confirmations, failed, transfers }))
}

/// Of one in no block, what it asks for.
fn asked(reader: &Reader, seen: &SeenTransaction) -> Vec<FoundTransfer> {
    let token = seen.to.and_then(|contract| reader.tokens.get(&contract));
    let call = token.zip(tokens::read_call(&seen.input));
    let call = call.and_then(|(pair, (to, value))| transfer(pair, to, value));
    native(reader, seen).into_iter().chain(call).collect()
}

/// Only logs of listed contracts: any contract can emit the same log.
fn made(reader: &Reader, seen: &SeenTransaction, receipt: &Receipt) -> Vec<FoundTransfer> {
    let logs = receipt.logs.iter().flatten().filter_map(|log| {
        let pair = reader.tokens.get(&log.address)?;
        let (_, to, value) = tokens::read_transfer(log)?;
        transfer(pair, to, value)
    });
    native(reader, seen).into_iter().chain(logs).collect()
}

fn native(reader: &Reader, seen: &SeenTransaction) -> Option<FoundTransfer> {
    transfer(reader.native?, seen.to?, seen.value)
}

fn transfer(pair: &Pair, to: Address, value: U256) -> Option<FoundTransfer> {
    let amount = amount(value).filter(|amount| !amount.is_zero())?;
    Some(FoundTransfer { currency: pair.currency, amount, to: to.to_checksum(None), tag: None, origin: None })
}
