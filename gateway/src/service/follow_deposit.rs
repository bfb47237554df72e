//! What follows from a deposit that came, changed or was cleared: the status of its payment, the money, the news.

use uuid::Uuid;

use crate::domain::business::Business;
use crate::domain::chain::screening::Screening;
use crate::domain::payment::PaymentWithDeposits;
use crate::domain::payment::deposit::Deposit;
use crate::domain::payment::hold::Hold;
use crate::domain::payment::status;
use crate::ports::{Stored, Tx};
use crate::service::{App, announce, settle_deposits};

/// Brings the payment to what its deposits say now. `counted` is whether this deposit did before.
pub async fn follow(
    app: &App,
    tx: &mut dyn Tx,
    record: &mut PaymentWithDeposits,
    deposit: Uuid,
    counted: bool,
) -> Stored<()> {
    if status::refresh_status(record, app.clock.now()) {
        tracing::info!(payment = %record.payment.id, status = %record.payment.status, "payment moved");
    }
    tx.update_payment(&record.payment).await?;
    let Some(business) = app.store.business(record.payment.business).await? else { return Ok(()) };
    settle_deposits::follow(app, tx, &business, record).await?;
    let Some(deposit) = record.deposits.iter().find(|known| known.id == deposit) else { return Ok(()) };
    if deposit.screening == Screening::Flagged && deposit.stands() {
        tell_operator(&business, record, deposit);
    }
    match (counted, deposit.counts()) {
        (false, true) => tell(app, tx, &business, record, deposit).await,
        (true, false) => announce::deposit_is_gone(tx, &record.payment, deposit).await,
        _ => Ok(()),
    }
}

/// The merchant hears of a deposit that counts from now on.
async fn tell(
    app: &App,
    tx: &mut dyn Tx,
    business: &Business,
    record: &PaymentWithDeposits,
    deposit: &Deposit,
) -> Stored<()> {
    let settlement = settle_deposits::settlement(app, tx, business, record, deposit).await?;
    let Some(settlement) = settlement else { return Ok(()) };
    announce::deposit_counts(app, tx, business, record, deposit, &settlement).await
}

/// A held deposit is no news for the merchant's back end: somebody has to talk to the merchant.
fn tell_operator(business: &Business, record: &PaymentWithDeposits, deposit: &Deposit) {
    let owner = deposit.sender.as_ref().map_or(("", ""), |owner| (&owner.name, &owner.category));
    let reason = match deposit.hold {
        _ if deposit.sender.is_some() => "its sender is flagged",
        Some(Hold::Currency) => "the business does not take its currency",
        Some(Hold::Amount) => "its amount is more than the ledger holds",
        None => "its sender is flagged",
    };
    tracing::warn!(business = %business.id, payment = %record.payment.id, deposit = %deposit.id,
        transaction = deposit.output.transaction, sender = deposit.from, owner = owner.0, category = owner.1,
        reason, currency = %deposit.currency, "a deposit is held, and the merchant is not told");
}

/// Sightings and confirmations of a payment are numbered in the order in which they were stored.
pub fn next_seq(record: &PaymentWithDeposits) -> u32 {
    let seqs = record.deposits.iter().map(|deposit| deposit.confirmed_seq.unwrap_or(0).max(deposit.seen_seq));
    seqs.max().unwrap_or(0) + 1
}
