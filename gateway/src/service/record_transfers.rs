//! What happened on a chain becomes deposits, exactly once.

use std::collections::BTreeMap;
use std::fmt;

use checkout_core::wire::RateType;
use checkout_core::{Decimal, Network, pair};
use uuid::Uuid;

use crate::domain::business::Business;
use crate::domain::chain::address_space::networks_of_account;
use crate::domain::chain::screening::AddressOwner;
use crate::domain::chain::screening::Screening;
use crate::domain::chain::{OutputId, OutputState, Transfer};
use crate::domain::payment::coverage::rescale;
use crate::domain::payment::deposit::Deposit;
use crate::domain::payment::hold::Hold;
use crate::domain::payment::quote;
use crate::domain::payment::{Payment, PaymentWithDeposits, Quote};
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

/// Reads one network up to its tip. What a batch says and the cursor behind it are stored together, so
/// a crash at any point repeats a batch or does not, and changes nothing either way.
pub async fn catch_up(app: &App, network: Network) -> Result<(), Failed> {
    let Some(chain) = app.chains.get(&network) else { return Ok(()) };
    while read_batch(app, chain.as_ref()).await? {}
    Ok(())
}

/// What the screening says of a sender, and who a flagged one is.
type Verdict = (Screening, Option<AddressOwner>);

/// True when there is more.
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
        return Ok(true); // Somebody else stored this batch; read on behind it.
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
    tx.lock(&payments).await?;
    for (payment, transfer) in known {
        record(app, tx.as_mut(), payment, transfer, verdicts.get(&transfer.output)).await?;
    }
    tx.put_cursor(network, &cursor).await?;
    tx.commit().await?;
    Ok(more)
}

/// Asks the screening about the senders of what is new, before anything is locked. Who does not answer once is not asked
/// again in this batch: its deposits wait.
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

/// The payment that a transfer was counted for, or else, and then it is new, the one that its address was given to.
async fn payment_of(tx: &mut dyn Tx, transfer: &Transfer) -> Stored<Option<(Uuid, bool)>> {
    if let Some(payment) = tx.payment_of_output(&transfer.output).await? {
        return Ok(Some((payment, false)));
    }
    let networks = networks_of_account(transfer.output.network);
    let payment = tx.payment_of_address(networks, &transfer.to, transfer.tag.as_deref()).await?;
    Ok(payment.map(|payment| (payment, true)))
}

/// Takes one transfer into its payment, and the payment to the status that follows.
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
            let Some(business) = app.store.business(record.payment.business).await? else { return Ok(()) };
            let new = new_deposit(app, &business, &record, transfer, next_seq, verdict);
            let Some(deposit) = new else {
                tracing::error!(%payment, output = ?transfer.output, currency = %transfer.currency,
                    "a transfer of a coin that its network does not have is not recorded");
                return Ok(());
            };
            let id = deposit.id;
            tx.insert_deposit(payment, &deposit).await?;
            record.deposits.push(deposit);
            id
        }
    };
    follow_deposit::follow(app, tx, &mut record, id, counted).await
}

/// `None` for a coin that its network does not have, and before any quote: neither happens.
fn new_deposit(
    app: &App,
    business: &Business,
    record: &PaymentWithDeposits,
    transfer: &Transfer,
    seq: u32,
    (screening, sender): Verdict,
) -> Option<Deposit> {
    let payment = &record.payment;
    let quote = payment.quote.as_ref()?;
    let pair = pair::find(transfer.currency, transfer.output.network)?;
    let judge = record.quote_for(transfer);
    let (rate, uniform_rate, rate_type) = rates(app, payment, judge.map(|(_, quote)| quote), quote, transfer);
    let at_rate = judge.map(|(_, quote)| quote).filter(|quote| quote.terms.rate == rate);
    let (display_amount, uniform_amount) = if let Some(quote) = at_rate {
        let decimals = (pair.decimals, quote.pair().decimals);
        quote.value(rescale(transfer.amount, decimals.0, decimals.1), payment.display_currency)
    } else {
        let value = |rate, fiat| quote::value(transfer.amount, pair, rate, fiat).unwrap_or(Decimal::MAX);
        (value(rate, payment.display_currency), value(uniform_rate, Fiat::EUR))
    };
    let hold = Hold::of(business, record, transfer, pair);
    let screening = screening.with_hold(hold.is_some());
    let is_confirmed = transfer.state == OutputState::Confirmed && screening.is_cleared();
    Some(Deposit {
        id: app.new_id(),
        output: transfer.output.clone(),
        currency: transfer.currency,
        amount: transfer.amount,
        to: transfer.to.clone(),
        tag: transfer.tag.clone(),
        from: transfer.from.clone(),
        from_tag: transfer.from_tag.clone(),
        fee: transfer.fee.clone(),
        seen_at: transfer.seen_at,
        state: transfer.state,
        instant: pair.network.spec().instant && !transfer.replaceable,
        rate,
        uniform_rate,
        rate_type,
        quote: judge.map(|(place, _)| place),
        display_amount,
        uniform_amount,
        seen_seq: seq,
        confirmed_seq: is_confirmed.then_some(seq),
        screening,
        hold,
        sender,
        refund: None,
    })
}

/// The rate of the quote that judges a FIXED payment's deposit, otherwise the rate of this moment.
fn rates(
    app: &App,
    payment: &Payment,
    judge: Option<&Quote>,
    last: &Quote,
    transfer: &Transfer,
) -> (Decimal, Decimal, RateType) {
    if let Some(Quote { terms, .. }) = judge
        && payment.rate_type == RateType::Fixed
    {
        return (terms.rate, terms.uniform_rate, RateType::Fixed);
    }
    match app.quote_rates(transfer.currency, payment.display_currency) {
        Ok(rates) => (rates.display, rates.uniform, RateType::Floating),
        // Without a rate now, money that came in counts by the rate last known for this payment.
        Err(_) => match judge.or(Some(last).filter(|last| last.currency == transfer.currency)) {
            Some(Quote { terms, .. }) => (terms.rate, terms.uniform_rate, RateType::Floating),
            None => (Decimal::ZERO, Decimal::ZERO, RateType::Floating),
        },
    }
}
