//! Updates a payment after a change of its deposits: status, ledger, callbacks.

use std::collections::{BTreeMap, BTreeSet};

use uuid::Uuid;

use crate::domain::business::Business;
use crate::domain::chain::screening::Screening;
use crate::domain::payment::PaymentWithDeposits;
use crate::domain::payment::deposit::Deposit;
use crate::domain::payment::hold::Hold;
use crate::domain::payment::status;
use crate::ports::{Stored, Tx};
use crate::service::{App, announce, settle_deposits};

/// Changed deposits, in order, and whether each was credited before.
#[derive(Debug, Default)]
pub struct Changed(Vec<(Uuid, bool)>, BTreeSet<Uuid>);

impl Changed {
    /// Records a deposit before it is changed.
    pub fn note(&mut self, deposit: &Deposit) {
        if self.1.insert(deposit.id) {
            self.0.push((deposit.id, deposit.counts()));
        }
    }

    pub fn note_new(&mut self, deposit: &Deposit) {
        self.1.insert(deposit.id);
        self.0.push((deposit.id, false));
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Updates the payment from its deposits.
pub async fn follow(
    app: &App,
    tx: &mut dyn Tx,
    business: &Business,
    record: &mut PaymentWithDeposits,
    changed: &Changed,
) -> Stored<()> {
    if status::refresh_status(record, app.clock.now()) {
        tracing::info!(payment = %record.payment.id, status = %record.payment.status, "payment moved");
    }
    tx.update_payment(&record.payment).await?;
    let booked = settle_deposits::follow(app, tx, business, record).await?;
    let plans = settle_deposits::plans(record, Deposit::counts);
    let deposits: BTreeMap<Uuid, &Deposit> =
        record.deposits.iter().map(|deposit| (deposit.id, deposit)).collect();
    for (id, counted) in &changed.0 {
        let Some(deposit) = deposits.get(id) else { continue };
        if deposit.screening == Screening::Flagged && deposit.stands() {
            tell_operator(business, record, deposit);
        }
        match (counted, deposit.counts()) {
            (false, true) => {
                let Some(booked) = booked.get(id) else { continue };
                let settlement = settle_deposits::settlement(deposit, plans.get(id), booked);
                let Some(settlement) = settlement else { continue };
                announce::deposit_counts(app, tx, business, record, deposit, &settlement).await?;
            }
            (true, false) => announce::deposit_is_gone(tx, &record.payment, deposit).await?,
            _ => {}
        }
    }
    Ok(())
}

/// A held deposit causes no callback: an operator must contact the merchant.
fn tell_operator(business: &Business, record: &PaymentWithDeposits, deposit: &Deposit) {
    let owner = deposit.sender.as_ref().map_or(("", ""), |owner| (&owner.name, &owner.category));
    let reason = match deposit.hold {
        _ if deposit.sender.is_some() => "its sender is flagged",
        Some(Hold::Currency) => "the business does not accept its currency",
        Some(Hold::Amount) => "its amount exceeds the ledger's maximum",
        None => "its sender is flagged",
    };
    tracing::warn!(business = %business.id, payment = %record.payment.id, deposit = %deposit.id,
        transaction = deposit.output.transaction, sender = deposit.from, owner = owner.0, category = owner.1,
        reason, currency = %deposit.currency, "a deposit is held; no callback is sent");
}

/// Sightings and confirmations of a payment are numbered in the order in which they are stored.
pub fn next_seq(record: &PaymentWithDeposits) -> u32 {
    let seqs = record.deposits.iter().map(|deposit| deposit.confirmed_seq.unwrap_or(0).max(deposit.seen_seq));
    seqs.max().unwrap_or(0) + 1
}
