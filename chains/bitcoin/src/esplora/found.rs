//! The state of one transaction, and the transfers in it.

use std::collections::BTreeMap;

use checkout_core::{Amount, Network};
use checkout_domain::chain::{OutputId, Transfer};
use serde_json::value::RawValue;

use super::answers::{IndexedTransaction, Spending, Status};
use super::api::{Api, is_about_object, is_conflict, is_refusal};
use super::sighting::Sighting;
use crate::cursor::Reported;
use crate::sender::Origin;
use crate::settings::DECIMALS;
use crate::watcher::{coin, waited};
use checkout_chain_http::NodeError;

/// Confirmation target of instant deposits, in blocks.
const TARGET: &str = "6";

/// Confirmations until somebody can spend what a block of Litecoin pays out of its extension block (`PEGOUT_MATURITY`).
const MATURITY: u64 = 6;

/// Of a transaction that the server has. `fallback` is in atoms for 1,000 virtual bytes; `tip` is the last height.
pub(super) async fn state(
    api: &Api,
    network: Network,
    transaction: &IndexedTransaction,
    before: Option<Reported>,
    fallback: u128,
    tip: u64,
) -> Result<Reported, NodeError> {
    if transaction.status.confirmed {
        let height = transaction.status.block_height.unwrap_or(tip);
        if height > tip {
            // Of a server that is ahead: nothing says yet that its block is in the chain.
            return Ok(before.filter(|before| *before != Reported::Vanished).unwrap_or(Reported::Uncertain));
        }
        let blocks = (tip - height).saturating_add(1);
        if network == Network::Ltc && transaction.is_made_by_block() && blocks < MATURITY {
            return Ok(Reported::Uncertain);
        }
        return Ok(Reported::Confirmed);
    }
    if transaction.signals_replacement() {
        return Ok(Reported::Uncertain);
    }
    if let Some(known) = waited(before) {
        return Ok(known);
    }
    // Looked at once, because what is needed changes all the time.
    let is_instant =
        transaction.pays(needed(api, fallback).await?) && spends_confirmed(api, transaction).await?;
    Ok(if is_instant { Reported::Unconfirmed } else { Reported::Uncertain })
}

/// Of a transaction that the server does not have any more: gone only if another one spends a coin of it.
pub(super) async fn missing(
    api: &Api,
    id: &str,
    sighting: &Sighting,
    bytes: Option<String>,
) -> Result<Reported, NodeError> {
    for (parent, index) in &sighting.inputs {
        let spending: Option<Spending> = api.find(&format!("/tx/{parent}/outspend/{index}")).await?;
        let spender = spending.filter(|found| found.spent).and_then(|found| found.txid);
        if spender.is_some_and(|spender| !spender.eq_ignore_ascii_case(id)) {
            return Ok(Reported::Vanished);
        }
    }
    let Some(bytes) = bytes else { return Ok(Reported::Uncertain) };
    // Only dropped from the memory pool, perhaps: then it can still be mined.
    match api.send(bytes).await {
        Err(error) if is_conflict(&error) => Ok(Reported::Vanished),
        Err(error) if !is_refusal(&error) => Err(error),
        Ok(()) | Err(_) => Ok(Reported::Uncertain),
    }
}

/// In atoms for 1,000 virtual bytes.
async fn needed(api: &Api, fallback: u128) -> Result<u128, NodeError> {
    let estimates: BTreeMap<String, Box<RawValue>> = match api.json("/fee-estimates").await {
        Err(error) if is_about_object(&error) => BTreeMap::new(),
        answer => answer?,
    };
    Ok(estimates.get(TARGET).and_then(|rate| thousandfold(rate.get())).unwrap_or(fallback))
}

/// A decimal number times 1,000, rounded up.
fn thousandfold(text: &str) -> Option<u128> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let (thousandths, rest) = fraction.split_at_checked(3).unwrap_or((fraction, ""));
    let thousandths = format!("{thousandths:0<3}").parse::<u128>().ok()?;
    let more = u128::from(rest.bytes().any(|digit| digit != b'0'));
    Some(whole.parse::<u128>().ok()?.checked_mul(1_000)? + thousandths + more)
}

async fn spends_confirmed(api: &Api, transaction: &IndexedTransaction) -> Result<bool, NodeError> {
    for input in &transaction.vin {
        match api.json(&format!("/tx/{}/status", input.txid)).await {
            Ok(Status { confirmed: true, .. }) => {}
            Ok(_) => return Ok(false),
            Err(error) if is_about_object(&error) => return Ok(false),
            Err(error) => return Err(error),
        }
    }
    Ok(true)
}

/// Outputs that have an address, in normal form.
pub(super) fn outputs(network: Network, transaction: &IndexedTransaction) -> Vec<(u32, String, Option<u64>)> {
    if transaction.is_coinbase() {
        return Vec::new();
    }
    let numbered = (0..).zip(&transaction.vout);
    numbered.filter_map(|(index, output)| Some((index, output.owner(network)?, output.value))).collect()
}

/// `transaction` is `None` if the server does not have it any more.
pub(super) fn transfers(
    network: Network,
    id: &str,
    sighting: &Sighting,
    transaction: Option<&IndexedTransaction>,
) -> Vec<Transfer> {
    let state = sighting.report.state;
    let owners = transaction.into_iter().flat_map(|transaction| transaction.senders(network));
    let origin = Origin::of(owners, None);
    let amount = |atoms: u64| Amount::from_atoms(atoms.into()).unwrap_or(Amount::ZERO);
    let fee =
        amount(transaction.and_then(|transaction| transaction.fee).unwrap_or_default()).to_text(DECIMALS);
    let transfer = |(index, to, atoms): &(u32, String, u64)| Transfer {
        output: OutputId { network, transaction: id.to_owned(), index: *index },
        currency: coin(network),
        amount: amount(*atoms),
        to: to.clone(),
        tag: None,
        from: origin.from.clone().unwrap_or_default(),
        from_tag: None,
        other_senders: origin.others.clone(),
        fee: fee.clone(),
        seen_at: sighting.time,
        state: state.output_state(),
        uncertain: state == Reported::Uncertain,
    };
    sighting.outputs.iter().map(transfer).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fee_estimates_are_read_without_floats() {
        let check = |text, expected| assert_eq!(thousandfold(text), expected, "{text}");
        check("87.882", Some(87_882));
        check("1", Some(1_000));
        check("1.0", Some(1_000));
        check("1.5", Some(1_500));
        check("2.00012", Some(2_001));
        check("0.1000", Some(100));
        check("1e3", None);
        check("-1.0", None);
        check("1.é0", None);
    }
}
