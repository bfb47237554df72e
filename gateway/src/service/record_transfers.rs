//! Turns transfers on a chain into deposits, exactly once.

use std::collections::BTreeMap;
use std::fmt;

use checkout_core::wire::RateType;
use checkout_core::{Decimal, Network, pair};
use uuid::Uuid;

use crate::domain::chain::address_space::networks_of_account;
use crate::domain::chain::screening::AddressOwner;
use crate::domain::chain::screening::Screening;
use crate::domain::chain::{OutputId, OutputState, Transfer};
use crate::domain::payment::coverage::rescale;
use crate::domain::payment::deposit::Deposit;
use crate::domain::payment::quote;
use crate::domain::payment::{Payment, Quote, Record};
use crate::domain::rates::fiat::Fiat;
use crate::ports::{Chain, ChainError, Changes, StoreError, Stored, Tx};
use crate::service::{App, follow_deposit, screen_deposits};

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

impl From<ChainError> for Failed {
    fn from(error: ChainError) -> Self {
        Self::Chain(error)
    }
}

/// Reads one network up to its tip. A batch and the cursor after it are stored together, so a crash at any point at
/// most repeats a batch, which changes nothing.
pub async fn catch_up(app: &App, network: Network) -> Result<(), Failed> {
    let Some(chain) = app.chains.get(&network) else { return Ok(()) };
    while read_batch(app, chain.as_ref()).await? {}
    Ok(())
}

/// The screening result of a sender, with the owner of a flagged one.
type Verdict = (Screening, Option<AddressOwner>);

/// Reads and stores one batch. Returns true if there is more.
async fn read_batch(app: &App, chain: &dyn Chain) -> Result<bool, Failed> {
    let network = chain.network();
    let cursor = app.store.cursor(network).await?;
    let changes = chain.changes(cursor.as_deref()).await.map_err(Failed::Chain)?;
    if Some(&changes.cursor) == cursor.as_ref() || (cursor.is_none() && changes.transfers.is_empty()) {
        return Ok(false);
    }
    let verdicts = screen(app, &changes.transfers).await?;
    let mut tx = app.store.begin().await?;
    if tx.cursor(network).await? != cursor {
        return Ok(true); // Another process stored this batch; continue after it.
    }
    let Changes { transfers, cursor, more } = changes;
    let mut known = Vec::with_capacity(transfers.len());
    for transfer in &transfers {
        if let Some((payment, _)) = payment_of(tx.as_mut(), transfer).await? {
            known.push((payment, transfer));
        }
    }
    let mut payments: Vec<Uuid> = known.iter().map(|(payment, _)| *payment).collect();
    payments.sort_unstable();
    payments.dedup();
    tx.hold(&payments).await?;
    for (payment, transfer) in known {
        record(app, tx.as_mut(), payment, transfer, verdicts.get(&transfer.output)).await?;
    }
    tx.put_cursor(network, &cursor).await?;
    tx.commit().await?;
    Ok(more)
}

/// Screens the senders of new transfers before anything is locked. Stops at the first failure: the remaining deposits
/// of the batch are stored as pending.
async fn screen(app: &App, transfers: &[Transfer]) -> Stored<BTreeMap<OutputId, Verdict>> {
    let mut new = Vec::new();
    let mut tx = app.store.begin().await?;
    for transfer in transfers.iter().filter(|transfer| transfer.state != OutputState::Vanished) {
        if let Some((_, true)) = payment_of(tx.as_mut(), transfer).await? {
            new.push(transfer);
        }
    }
    drop(tx);
    let mut verdicts = BTreeMap::new();
    for transfer in new {
        let verdict = screen_deposits::ask(app, transfer.output.network, &transfer.from).await;
        if verdict.0 == Screening::Pending {
            break;
        }
        verdicts.insert(transfer.output.clone(), verdict);
    }
    Ok(verdicts)
}

/// Returns the payment of a transfer and whether the transfer is new. A known transfer belongs to the payment that it
/// was counted for, a new one to the payment that has its address.
async fn payment_of(tx: &mut dyn Tx, transfer: &Transfer) -> Stored<Option<(Uuid, bool)>> {
    if let Some(payment) = tx.payment_of_output(&transfer.output).await? {
        return Ok(Some((payment, false)));
    }
    let networks = networks_of_account(transfer.output.network);
    let payment = tx.payment_of_address(networks, &transfer.to, transfer.tag.as_deref()).await?;
    Ok(payment.map(|payment| (payment, true)))
}

/// Records one transfer in its payment and updates the payment.
async fn record(
    app: &App,
    tx: &mut dyn Tx,
    payment: Uuid,
    transfer: &Transfer,
    screened: Option<&Verdict>,
) -> Stored<()> {
    let Some(mut record) = tx.payment(payment).await? else { return Ok(()) };
    let next_seq = follow_deposit::next_seq(&record);
    let known = record.deposits.iter_mut().find(|deposit| deposit.output == transfer.output);
    let counted = known.as_ref().is_some_and(|deposit| deposit.counts());
    let id = match known {
        Some(deposit) => {
            if deposit.state == transfer.state {
                return Ok(());
            }
            deposit.state = transfer.state;
            deposit.confirmed_seq = deposit.is_confirmed().then_some(next_seq);
            tx.update_deposit(deposit).await?;
            deposit.id
        }
        None if transfer.state == OutputState::Vanished => return Ok(()),
        None => {
            let verdict = screened.cloned().unwrap_or((Screening::Pending, None));
            let Some(deposit) = new_deposit(app, &record, transfer, next_seq, verdict) else { return Ok(()) };
            let id = deposit.id;
            tx.insert_deposit(payment, &deposit).await?;
            record.deposits.push(deposit);
            id
        }
    };
    follow_deposit::follow(app, tx, &mut record, id, counted).await
}

/// Returns `None` if the coin is not supported or the payment has no quote.
fn new_deposit(
    app: &App,
    record: &Record,
    transfer: &Transfer,
    seq: u32,
    (screening, sender): Verdict,
) -> Option<Deposit> {
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
    let is_confirmed = transfer.state == OutputState::Confirmed && screening.is_cleared();
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
        confirmed_seq: is_confirmed.then_some(seq),
        screening,
        sender,
        refund: None,
    })
}

/// Returns the quoted rate if it holds for this deposit, otherwise the current rate.
fn rates(app: &App, payment: &Payment, quote: &Quote, transfer: &Transfer) -> (Decimal, Decimal, RateType) {
    let quoted = (quote.terms.rate, quote.terms.uniform_rate);
    let is_quoted = transfer.currency == quote.currency;
    if is_quoted && payment.rate_holds_at(transfer.seen_at) {
        return (quoted.0, quoted.1, RateType::Fixed);
    }
    match app.quote_rates(transfer.currency, payment.display_currency) {
        Ok(rates) => (rates.display, rates.uniform, RateType::Floating),
        // Received money counts even without a current rate: the quoted rate is used.
        Err(_) if is_quoted => (quoted.0, quoted.1, RateType::Floating),
        Err(_) => (Decimal::ZERO, Decimal::ZERO, RateType::Floating),
    }
}
