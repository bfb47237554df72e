//! A transaction by its hash, with what it transfers to whomever. What contracts move in it is in no receipt: it is traced.

use std::collections::BTreeMap;

use alloy_primitives::{Address, B256, U256};
use checkout_core::Pair;
use checkout_domain::chain::found::{FoundTransaction, FoundTransfer, NotCredited};

use crate::node::answers::{Log, Receipt, SeenTransaction};
use crate::settings::InternalTransfers;
use crate::tokens;
use crate::traces::{self, Move};
use crate::transfers::{Reader, amount, amount_text};
use checkout_chain_http::NodeError;

/// Tokens of other contracts that are asked for their decimals.
const TOKENS: usize = 3;

/// `None` for a transaction that the node does not know.
pub(crate) async fn look_up(reader: &Reader, hash: B256) -> Result<Option<FoundTransaction>, NodeError> {
    let Some(seen) = reader.node.transaction(hash).await? else { return Ok(None) };
    let Some(receipt) = reader.node.receipt(hash).await? else {
        return Ok(Some(FoundTransaction { transfers: asked(reader, &seen), ..FoundTransaction::default() }));
    };
    let confirmations = reader.node.depth(&receipt, 0).await?;
    if !receipt.succeeded() {
        return Ok(Some(FoundTransaction { confirmations, failed: true, ..FoundTransaction::default() }));
    }
    let mut transfers = made(reader, &seen, &receipt);
    let mut not_credited = other_tokens(reader, &receipt).await;
    not_credited.extend(other_coin(reader, &seen));
    let moves = internal(reader, hash, &seen).await?;
    let unclear = moves.is_none();
    for Move { to, value, .. } in moves.unwrap_or_default() {
        let found = reader.native.and_then(|pair| transfer(pair, to, value));
        match reader.internal_transfers {
            InternalTransfers::Off => not_credited.extend(found.map(|found| NotCredited {
                asset: found.currency.code().to_owned(),
                amount: amount_text(value),
                to: found.to,
            })),
            _ => transfers.extend(found),
        }
    }
    Ok(Some(FoundTransaction { confirmations, failed: false, transfers, not_credited, unclear }))
}

/// What contracts move, also where it is not credited. `None` if the node does not tell.
async fn internal(
    reader: &Reader,
    hash: B256,
    seen: &SeenTransaction,
) -> Result<Option<Vec<Move>>, NodeError> {
    let runs_code = seen.to.is_none() || !seen.input.is_empty() || !seen.is_plain();
    if reader.native.is_none() || !runs_code {
        return Ok(Some(Vec::new()));
    }
    let way = match reader.internal_transfers {
        InternalTransfers::Off => InternalTransfers::DebugTrace,
        way => way,
    };
    match traces::of_transaction(&reader.node, hash, way).await {
        Err(error) if error.is_limit() => Err(error),
        traced => Ok(traced.ok()),
    }
}

/// Transfers of contracts that are not listed, by contract: any name is whatever its author wrote.
async fn other_tokens(reader: &Reader, receipt: &Receipt) -> Vec<NotCredited> {
    let (mut decimals, mut all) = (BTreeMap::<Address, Option<u8>>::new(), Vec::new());
    let is_other = |log: &&Log| !reader.tokens.contains_key(&log.address);
    for log in receipt.logs.iter().flatten().filter(is_other) {
        let Some((_, to, value)) = tokens::read_transfer(log) else { continue };
        if !decimals.contains_key(&log.address) {
            if decimals.len() == TOKENS {
                continue;
            }
            decimals.insert(log.address, tokens::decimals(&reader.node, log.address).await.ok());
        }
        let units = decimals.get(&log.address).copied().flatten().filter(|decimals| *decimals <= 36);
        let amount = amount(value).map(|amount| amount.to_text(units.unwrap_or(0)));
        all.push(NotCredited {
            asset: log.address.to_checksum(None),
            amount: amount.unwrap_or_else(|| value.to_string()),
            to: to.to_checksum(None),
        });
    }
    all
}

/// The network's own coin where it is no supported currency.
fn other_coin(reader: &Reader, seen: &SeenTransaction) -> Option<NotCredited> {
    let coin = reader.network.spec().gas_coin.filter(|_| reader.native.is_none() && !seen.value.is_zero())?;
    let to = seen.to?.to_checksum(None);
    Some(NotCredited { asset: coin.code.to_owned(), amount: amount_text(seen.value), to })
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
