//! Records transfers from a chain as deposits, exactly once.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use checkout_core::wire::RateType;
use checkout_core::{Currency, Decimal, Network, pair};
use uuid::Uuid;

use crate::domain::business::Business;
use crate::domain::chain::screening::AddressOwner;
use crate::domain::chain::screening::Screening;
use crate::domain::chain::{OutputId, OutputState, Transfer};
use crate::domain::input::text::escape;
use crate::domain::payment::coverage::rescale;
use crate::domain::payment::deposit::Deposit;
use crate::domain::payment::dust::{DustSum, Missing};
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

/// Reads one network up to its tip. A batch and its cursor are stored together, so a crash at any point at
/// most repeats a batch, which changes nothing.
pub async fn catch_up(app: &App, network: Network) -> Result<(), Failed> {
    let Some(chain) = app.chains.get(&network) else { return Ok(()) };
    while read_batch(app, chain.as_ref()).await? {}
    Ok(())
}

/// Batches are joined up to this number of transfers, while each recipient has so many on average.
const JOINED: usize = 200;
const EACH: usize = 50;

/// The screening's result for a sender, and the owner if flagged.
type Verdict = (Screening, Option<AddressOwner>);

/// Returns true if there is more.
async fn read_batch(app: &App, chain: &dyn Chain) -> Result<bool, Failed> {
    let network = chain.network();
    let cursor = app.store.cursor(network).await?;
    let changes = changes(chain, cursor.as_deref()).await?;
    if Some(&changes.cursor) == cursor.as_ref() {
        return Ok(false);
    }
    let changes = Changes { transfers: changes.transfers.into_iter().map(storable).collect(), ..changes };
    let verdicts = screen(app, &changes.transfers).await?;
    let mut tx = app.store.begin().await?;
    if tx.cursor(network).await? != cursor {
        return Ok(true); // Another process stored this batch; continue after it.
    }
    let Changes { transfers, cursor, more } = changes;
    let owners = tx.owners(&transfers).await?;
    // Each payment is read and settled once, however many of the batch's transfers are to it.
    let mut payments: BTreeMap<Uuid, Vec<&Transfer>> = BTreeMap::new();
    for (transfer, owner) in transfers.iter().zip(owners) {
        if let Some(owner) = owner {
            payments.entry(owner.payment).or_default().push(transfer);
        }
    }
    let ids: Vec<Uuid> = payments.keys().copied().collect();
    tx.lock(&ids).await?;
    for (payment, transfers) in payments {
        add_deposits(app, tx.as_mut(), payment, &transfers, &verdicts).await?;
    }
    tx.put_cursor(network, &cursor).await?;
    tx.commit().await?;
    Ok(more)
}

/// Joins batches whose transfers have few recipients: each change reads a payment with all its deposits, so fewer
/// changes cost less. Batches of many payments stay small, so that others get to the store between them.
async fn changes(chain: &dyn Chain, cursor: Option<&str>) -> Result<Changes, Failed> {
    let mut changes = chain.changes(cursor).await.map_err(Failed::Chain)?;
    while changes.more && changes.transfers.len() < JOINED && have_few_recipients(&changes.transfers) {
        // What was read is stored; the next read gets the error again.
        let Ok(next) = chain.changes(Some(&changes.cursor)).await else { break };
        changes.transfers.extend(next.transfers);
        (changes.cursor, changes.more) = (next.cursor, next.more);
    }
    Ok(changes)
}

fn have_few_recipients(transfers: &[Transfer]) -> bool {
    let recipients: BTreeSet<_> = transfers.iter().map(|transfer| (&transfer.to, &transfer.tag)).collect();
    recipients.len() * EACH <= transfers.len()
}

/// A memo can be any bytes. Control characters are escaped, so that every store accepts them; tags given to
/// payers have none.
fn storable(transfer: Transfer) -> Transfer {
    let output = OutputId { transaction: escape(transfer.output.transaction), ..transfer.output };
    Transfer {
        output,
        to: escape(transfer.to),
        tag: transfer.tag.map(escape),
        from: escape(transfer.from),
        from_tag: transfer.from_tag.map(escape),
        ..transfer
    }
}

/// Screens the senders of new transfers, each once, before anything is locked. After a missing answer, the
/// other deposits of this batch wait.
async fn screen(app: &App, transfers: &[Transfer]) -> Stored<BTreeMap<String, Verdict>> {
    let mut verdicts = BTreeMap::new();
    let owners = app.store.owners(transfers).await?;
    for (transfer, owner) in transfers.iter().zip(owners) {
        let is_new = owner.is_some_and(|owner| owner.is_new) && transfer.state != OutputState::Vanished;
        if !is_new || verdicts.contains_key(&transfer.from) {
            continue;
        }
        let verdict = screen_deposits::ask(app, transfer.output.network, &transfer.from).await;
        if verdict.0 == Screening::Pending {
            break;
        }
        verdicts.insert(transfer.from.clone(), verdict);
    }
    Ok(verdicts)
}

/// Adds transfers to their payment, and updates its status.
async fn add_deposits(
    app: &App,
    tx: &mut dyn Tx,
    payment: Uuid,
    transfers: &[&Transfer],
    verdicts: &BTreeMap<String, Verdict>,
) -> Stored<()> {
    let Some(mut record) = tx.payment(payment).await? else { return Ok(()) };
    let Some(business) = app.store.business(record.payment.business).await? else { return Ok(()) };
    let mut changed = follow_deposit::Changed::default();
    let mut missing = Missing::default();
    let mut dust: BTreeMap<(Network, Currency), DustSum> = BTreeMap::new();
    let outputs = |(at, deposit): (usize, &Deposit)| (deposit.output.clone(), at);
    let mut known: BTreeMap<OutputId, usize> = record.deposits.iter().enumerate().map(outputs).collect();
    let mut seq = follow_deposit::next_seq(&record);
    for transfer in transfers {
        if let Some(at) = known.get(&transfer.output) {
            let deposit = &mut record.deposits[*at];
            if deposit.state == transfer.state {
                continue;
            }
            changed.note(deposit);
            deposit.state = transfer.state;
            deposit.confirmed_seq = deposit.is_confirmed().then_some(seq);
            tx.update_deposit(deposit).await?;
        } else if transfer.state != OutputState::Vanished {
            let verdict = verdicts.get(&transfer.from).cloned().unwrap_or((Screening::Pending, None));
            let Some(deposit) = new_deposit(app, &business, &record, transfer, seq, verdict) else {
                tracing::error!(%payment, output = ?transfer.output, currency = %transfer.currency,
                    "a transfer of a coin that its network does not have is not recorded");
                continue;
            };
            if missing.is_dust(&record, &deposit) {
                if transfer.state == OutputState::Confirmed {
                    let sum = dust.entry((transfer.output.network, transfer.currency)).or_default();
                    sum.add(transfer);
                }
                continue;
            }
            changed.note_new(&deposit);
            tx.insert_deposit(payment, &deposit).await?;
            known.insert(deposit.output.clone(), record.deposits.len());
            record.deposits.push(deposit);
        } else {
            continue;
        }
        missing = Missing::default();
        seq += 1;
    }
    for ((network, currency), sum) in dust {
        tx.add_dust(payment, network, currency, &sum).await?;
    }
    if changed.is_empty() {
        return Ok(());
    }
    follow_deposit::follow(app, tx, &business, &mut record, &changed).await
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
    let is_small = is_within_limit(app, business, record, uniform_amount);
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
        instant: pair.network.spec().instant && !transfer.uncertain && is_small,
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

/// A payment's unconfirmed instant deposits stay within the limit of the business. Without a limit there are
/// none, except in the sandbox, where all are.
fn is_within_limit(app: &App, business: &Business, record: &PaymentWithDeposits, amount: Decimal) -> bool {
    let Some(limit) = business.instant_deposit_limit else { return app.policy.sandbox };
    let is_waiting = |deposit: &&Deposit| deposit.instant && deposit.state == OutputState::Unconfirmed;
    let waiting = record.deposits.iter().filter(is_waiting).map(|deposit| deposit.uniform_amount);
    waiting.fold(amount, Decimal::saturating_add) <= limit
}

/// The rate of the quote that values a FIXED payment's deposit, otherwise the current rate.
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
        // Without a current rate, the deposit is valued at the last rate known for this payment.
        Err(_) => match judge.or(Some(last).filter(|last| last.currency == transfer.currency)) {
            Some(Quote { terms, .. }) => (terms.rate, terms.uniform_rate, RateType::Floating),
            None => (Decimal::ZERO, Decimal::ZERO, RateType::Floating),
        },
    }
}
