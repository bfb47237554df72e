//! What happened on a chain becomes deposits, exactly once.

use std::fmt;

use checkout_core::wire::RateType;
use checkout_core::{Decimal, Network, pair};
use uuid::Uuid;

use crate::domain::address_space::networks_of_account;
use crate::domain::business::Business;
use crate::domain::deposit::{Deposit, OutputId, OutputState, Transfer, rescale};
use crate::domain::fiat::Fiat;
use crate::domain::payment::{Payment, Quote, Record};
use crate::domain::{quote, standing};
use crate::ports::{Chain, ChainError, Changes, StoreError, Stored, Tx};
use crate::service::{App, announce, settle_deposits};

#[derive(Debug)]
pub enum Failed {
    Chain(ChainError),
    Store(StoreError),
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Chain(error) => error.fmt(f),
            Self::Store(error) => error.fmt(f),
        }
    }
}

impl From<StoreError> for Failed {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// Reads one network up to its tip. What a batch says and the cursor behind it are stored together, so
/// a crash at any point repeats a batch or does not, and changes nothing either way.
pub async fn catch_up(app: &App, network: Network) -> Result<(), Failed> {
    let Some(chain) = app.chains.get(&network) else { return Ok(()) };
    while read_batch(app, chain.as_ref()).await? {}
    Ok(())
}

/// True when there is more.
async fn read_batch(app: &App, chain: &dyn Chain) -> Result<bool, Failed> {
    let network = chain.network();
    let cursor = app.store.cursor(network).await?;
    let changes = chain.changes(cursor.as_deref()).await.map_err(Failed::Chain)?;
    if Some(&changes.cursor) == cursor.as_ref() || (cursor.is_none() && changes.transfers.is_empty()) {
        return Ok(false);
    }
    let mut tx = app.store.begin().await?;
    if tx.cursor(network).await? != cursor {
        return Ok(true); // Somebody else stored this batch; read on behind it.
    }
    let Changes { transfers, cursor, more } = changes;
    let mut known = Vec::with_capacity(transfers.len());
    for transfer in &transfers {
        if let Some(payment) = payment_of(tx.as_mut(), transfer).await? {
            known.push((payment, transfer));
        }
    }
    let mut payments: Vec<Uuid> = known.iter().map(|(payment, _)| *payment).collect();
    payments.sort_unstable();
    payments.dedup();
    tx.hold(&payments).await?;
    for (payment, transfer) in known {
        record(app, tx.as_mut(), payment, transfer).await?;
    }
    tx.put_cursor(network, &cursor).await?;
    tx.commit().await?;
    Ok(more)
}

/// The payment that a transfer was counted for, or else the one that its address was given to.
async fn payment_of(tx: &mut dyn Tx, transfer: &Transfer) -> Stored<Option<Uuid>> {
    if let Some(payment) = tx.payment_of_output(&transfer.output).await? {
        return Ok(Some(payment));
    }
    let networks = networks_of_account(transfer.output.network);
    tx.payment_of_address(networks, &transfer.to, transfer.tag.as_deref()).await
}

/// Takes one transfer into its payment, and the payment to the status that follows.
async fn record(app: &App, tx: &mut dyn Tx, payment: Uuid, transfer: &Transfer) -> Stored<()> {
    let Some(mut record) = tx.payment(payment).await? else { return Ok(()) };
    let next_seq = next_seq(&record);
    let counted = counts(&record, &transfer.output);
    match record.deposits.iter_mut().find(|deposit| deposit.output == transfer.output) {
        Some(deposit) => {
            if deposit.state == transfer.state {
                return Ok(());
            }
            deposit.state = transfer.state;
            deposit.confirmed_seq = (transfer.state == OutputState::Confirmed).then_some(next_seq);
            tx.update_deposit(deposit).await?;
        }
        None if transfer.state == OutputState::Vanished => return Ok(()),
        None => {
            let Some(deposit) = new_deposit(app, &record, transfer, next_seq) else { return Ok(()) };
            tx.insert_deposit(payment, &deposit).await?;
            record.deposits.push(deposit);
        }
    }
    if standing::settle(&mut record, app.clock.now()) {
        tracing::info!(payment = %payment, status = %record.payment.status, "payment moved");
    }
    tx.update_payment(&record.payment).await?;
    let Some(business) = app.store.business(record.payment.business).await? else { return Ok(()) };
    settle_deposits::follow(app, tx, &business, &mut record).await?;
    match record.deposits.iter().find(|deposit| deposit.output == transfer.output) {
        Some(deposit) if deposit.counts() && !counted => tell(app, tx, &business, &record, deposit).await,
        Some(deposit) if counted && !deposit.counts() => {
            announce::deposit_is_gone(tx, &record.payment, deposit).await
        }
        _ => Ok(()),
    }
}

fn counts(record: &Record, output: &OutputId) -> bool {
    record.deposits.iter().any(|deposit| deposit.output == *output && deposit.counts())
}

/// The merchant hears of a deposit that counts from now on.
async fn tell(
    app: &App,
    tx: &mut dyn Tx,
    business: &Business,
    record: &Record,
    deposit: &Deposit,
) -> Stored<()> {
    let settlement = settle_deposits::settlement(app, tx, business, record, deposit).await?;
    let Some(settlement) = settlement else { return Ok(()) };
    announce::deposit_counts(app, tx, business, &record.payment, deposit, &settlement).await
}

/// Sightings and confirmations of a payment are numbered in the order in which they were stored.
fn next_seq(record: &Record) -> u32 {
    let seqs = record.deposits.iter().map(|deposit| deposit.confirmed_seq.unwrap_or(0).max(deposit.seen_seq));
    seqs.max().unwrap_or(0) + 1
}

/// `None` for a coin that is not one of ours, and before any quote.
fn new_deposit(app: &App, record: &Record, transfer: &Transfer, seq: u32) -> Option<Deposit> {
    let payment = &record.payment;
    let quote = payment.quote.as_ref()?;
    let pair = pair::find(transfer.currency, transfer.output.network)?;
    let (rate, uniform_rate, rate_type) = rates(app, payment, quote, transfer);
    let (display_amount, uniform_amount) = if pair.currency == quote.currency && rate == quote.terms.rate {
        let decimals = (pair.decimals, quote.pair().decimals);
        quote.worth(rescale(transfer.amount, decimals.0, decimals.1), payment.display_currency)
    } else {
        let worth = |rate, fiat| quote::worth(transfer.amount, pair, rate, fiat).unwrap_or(Decimal::MAX);
        (worth(rate, payment.display_currency), worth(uniform_rate, Fiat::EUR))
    };
    Some(Deposit {
        id: app.new_id(),
        output: transfer.output.clone(),
        currency: transfer.currency,
        amount: transfer.amount,
        to: transfer.to.clone(),
        tag: transfer.tag.clone(),
        from: transfer.from.clone(),
        fee: transfer.fee.clone(),
        seen_at: transfer.seen_at,
        state: transfer.state,
        instant: pair.network.spec().instant && !transfer.replaceable,
        rate,
        uniform_rate,
        rate_type,
        display_amount,
        uniform_amount,
        seen_seq: seq,
        confirmed_seq: (transfer.state == OutputState::Confirmed).then_some(seq),
        refund: None,
    })
}

/// The quoted rate where it holds for this deposit, else the rate of this moment.
fn rates(app: &App, payment: &Payment, quote: &Quote, transfer: &Transfer) -> (Decimal, Decimal, RateType) {
    let quoted = (quote.terms.rate, quote.terms.uniform_rate);
    let is_quoted = transfer.currency == quote.currency;
    if is_quoted && payment.rate_holds_at(transfer.seen_at) {
        return (quoted.0, quoted.1, RateType::Fixed);
    }
    match app.quote_rates(transfer.currency, payment.display_currency) {
        Ok(rates) => (rates.display, rates.uniform, RateType::Floating),
        // Money that came in is counted all the same, by the rate last known for this payment.
        Err(_) if is_quoted => (quoted.0, quoted.1, RateType::Floating),
        Err(_) => (Decimal::ZERO, Decimal::ZERO, RateType::Floating),
    }
}
