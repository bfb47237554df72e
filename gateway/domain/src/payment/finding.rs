//! What a transaction that a payer looked up means for the payment.

use checkout_core::network::TagRule;
use checkout_core::{Amount, Currency, Network, pair};
use checkout_wire::rules::{Coins, Finding};

use super::deposit::Deposit;
use super::{PaymentWithDeposits, Quote};
use crate::chain::found::{FoundTransaction, FoundTransfer, NotCredited};
use crate::chain::screening::Screening;
use crate::chain::{OutputState, Transfer};
use crate::ledger::limits;

/// The number of addresses of others that are shown.
const SHOWN: usize = 3;

/// A transaction of a network, and the confirmations that deposits need there.
pub struct Looked<'a> {
    pub network: Network,
    pub id: &'a str,
    pub found: &'a FoundTransaction,
    pub required: u64,
}

/// Only what was quoted for this payment is compared: what belongs to another one is like any other address.
pub fn finding(record: &PaymentWithDeposits, looked: &Looked<'_>) -> Finding {
    let Looked { network, found, .. } = *looked;
    if let Some(finding) = of_deposits(record, looked) {
        return finding;
    }
    if found.failed {
        return Finding::Failed;
    }
    let quotes: Vec<&Quote> = quotes_of(record, network).collect();
    let ours = || found.transfers.iter().filter(|transfer| is_ours(&quotes, transfer));
    if let Some(coins) = sum(network, ours().filter(|transfer| has_its_tag(&quotes, transfer)).map(parts)) {
        if found.confirmations >= looked.required && coins.amount < limits::dust(coins.pair) {
            return Finding::TooSmall(coins);
        }
        return waiting(coins, looked);
    }
    if let Some(coins) = sum(network, ours().map(parts)) {
        let tag = ours().next().and_then(|transfer| transfer.tag.clone());
        return Finding::OtherTag { coins, tag, reported: false };
    }
    if let Some(NotCredited { asset, amount, .. }) = not_credited(record, looked).next() {
        return Finding::NotTaken { asset: asset.clone(), amount: amount.clone() };
    }
    if found.unclear {
        return Finding::Unclear;
    }
    let mut others: Vec<String> = Vec::new();
    for transfer in &found.transfers {
        if !others.contains(&transfer.to) {
            others.push(transfer.to.clone());
        }
    }
    others.truncate(SHOWN);
    if others.is_empty() { Finding::NoTransfer } else { Finding::OtherAddress(others) }
}

/// The final transfers to an account of the payment's quotes that have no tag of the payment, and are no dust. They may have that of
/// another one.
pub fn without_its_tag(record: &PaymentWithDeposits, looked: &Looked<'_>) -> Vec<Transfer> {
    let Looked { network, found, .. } = *looked;
    if network.spec().tag == TagRule::None || found.failed || found.confirmations < looked.required {
        return Vec::new();
    }
    let quotes: Vec<&Quote> = quotes_of(record, network).collect();
    let is_astray = |transfer: &&FoundTransfer| {
        let pair = pair::find(transfer.currency, network);
        is_ours(&quotes, transfer)
            && !has_its_tag(&quotes, transfer)
            && pair.is_some_and(|pair| !transfer.amount.is_zero() && transfer.amount >= limits::dust(pair))
    };
    found.transfers.iter().filter(is_astray).filter_map(FoundTransfer::confirmed).collect()
}

/// What addresses of this payment received in coins that are not credited.
pub fn not_credited<'a>(
    record: &'a PaymentWithDeposits,
    looked: &Looked<'a>,
) -> impl Iterator<Item = &'a NotCredited> {
    let quotes: Vec<&Quote> = quotes_of(record, looked.network).collect();
    let moved = looked.found.not_credited.iter().filter(|_| !looked.found.failed);
    moved.filter(move |coins| quotes.iter().any(|quote| quote.address == coins.to))
}

fn is_ours(quotes: &[&Quote], transfer: &FoundTransfer) -> bool {
    quotes.iter().any(|quote| quote.address == transfer.to)
}

/// The tag of a quote with this address.
fn has_its_tag(quotes: &[&Quote], transfer: &FoundTransfer) -> bool {
    quotes.iter().any(|quote| quote.address == transfer.to && quote.tag == transfer.tag)
}

/// The quotes whose address is an account of this network.
fn quotes_of(record: &PaymentWithDeposits, network: Network) -> impl Iterator<Item = &Quote> {
    record.quotes.iter().filter(move |quote| quote.network.spec().shared_accounts.contains(&network))
}

/// `None` if no deposit of the payment is of this transaction.
fn of_deposits(record: &PaymentWithDeposits, looked: &Looked<'_>) -> Option<Finding> {
    let is_of = |deposit: &&Deposit| {
        let output = &deposit.output;
        let is_found = || looked.found.transfers.iter().any(|transfer| transfer.is(output));
        output.network == looked.network && (output.transaction == looked.id || is_found())
    };
    let deposits: Vec<&Deposit> = record
        .deposits
        .iter()
        .filter(is_of)
        .filter(|deposit| deposit.state != OutputState::Vanished)
        .collect();
    let required = deposits.iter().map(|deposit| deposit.required_confirmations).max().unwrap_or(1);
    let looked = &Looked { required: required.max(looked.required), ..*looked };
    let coins = sum(looked.network, deposits.iter().map(|deposit| (deposit.currency, deposit.amount)))?;
    let is_kept = |deposit: &Deposit| deposit.is_foreign() || deposit.screening == Screening::Refused;
    Some(if deposits.iter().all(|deposit| is_kept(deposit)) {
        Finding::Held(coins)
    } else if deposits.iter().any(|deposit| deposit.is_confirmed()) {
        Finding::Counted(coins)
    } else {
        waiting(coins, looked)
    })
}

fn waiting(coins: Coins, looked: &Looked<'_>) -> Finding {
    let required = looked.required;
    Finding::Waiting { coins, confirmations: looked.found.confirmations.min(required), required }
}

fn parts(transfer: &FoundTransfer) -> (Currency, Amount) {
    (transfer.currency, transfer.amount)
}

/// All amounts in the currency of the first one. `None` if there is nothing.
fn sum(network: Network, parts: impl Iterator<Item = (Currency, Amount)>) -> Option<Coins> {
    let mut parts = parts.filter(|(_, amount)| !amount.is_zero());
    let (currency, first) = parts.next()?;
    let same = parts.filter(|(other, _)| *other == currency);
    let amount = same.fold(first, |sum, (_, amount)| sum.checked_add(amount).unwrap_or(Amount::MAX));
    Some(Coins { pair: pair::find(currency, network)?, amount })
}
