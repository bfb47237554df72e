//! Applies the effects of a deposit that arrived, changed or was cleared: status of the payment, ledger and callbacks.

use uuid::Uuid;

use crate::domain::business::Business;
use crate::domain::chain::screening::Screening;
use crate::domain::payment::Record;
use crate::domain::payment::deposit::Deposit;
use crate::domain::payment::status;
use crate::ports::{Stored, Tx};
use crate::service::{App, announce, settle_deposits};

/// Updates the payment from its deposits. `counted` is whether this deposit counted before.
pub async fn follow(
    app: &App,
    tx: &mut dyn Tx,
    record: &mut Record,
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

/// Stores the callback for a deposit that now counts.
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

/// Logs a flagged deposit. It causes no callback: an operator has to contact the merchant.
fn tell_operator(business: &Business, record: &Record, deposit: &Deposit) {
    let owner = deposit.sender.as_ref().map_or(("", ""), |owner| (&owner.name, &owner.category));
    tracing::warn!(business = %business.id, payment = %record.payment.id, deposit = %deposit.id,
        transaction = deposit.output.transaction, sender = deposit.from, owner = owner.0, category = owner.1,
        "a deposit is held: its sender is flagged, and the merchant is not told");
}

/// Returns the next sequence number of a payment. Sightings and confirmations are numbered in the order in which they
/// are stored.
pub fn next_seq(record: &Record) -> u32 {
    let seqs = record.deposits.iter().map(|deposit| deposit.confirmed_seq.unwrap_or(0).max(deposit.seen_seq));
    seqs.max().unwrap_or(0) + 1
}
