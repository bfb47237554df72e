//! Updates a payment after a change of its deposits: status, ledger, callbacks.

use checkout_domain::ids::PaymentId;
use std::collections::{BTreeMap, BTreeSet};

use checkout_domain::business::Business;
use checkout_domain::business::events::EventType;
use checkout_domain::callback::State;
use checkout_domain::chain::screening::Screening;
use checkout_domain::ledger::settlement::{Booked, Depth};
use checkout_domain::payment::deposit::Deposit;
use checkout_domain::payment::deposit_sums::DepositSums;
use checkout_domain::payment::stages::{DepositStage, Stages, Subject};
use checkout_domain::payment::{Payment, PaymentWithDeposits, status};
use checkout_domain::ports::{Stored, Tx};
use checkout_wire::payment::DepositHold;
use uuid::Uuid;

use crate::events::Event as _;
use crate::events::deposit_received::DepositReceived;
use crate::service::App;
use crate::service::callbacks::announce_events::Events;
use crate::service::callbacks::{announce, announce_events};
use crate::service::transfers::settle_deposits;

/// The indices of changed deposits, in order, with what each was before.
#[derive(Debug, Default)]
pub struct Changed(Vec<(usize, Was)>, BTreeSet<usize>);

#[derive(Clone, Copy, Debug)]
struct Was {
    credited: bool,
    stage: DepositStage,
}

impl Changed {
    /// Records a deposit before it is changed.
    pub fn note(&mut self, at: usize, deposit: &Deposit) {
        if self.1.insert(at) {
            self.0.push((at, Was { credited: deposit.counts(), stage: deposit.stage() }));
        }
    }

    pub fn note_new(&mut self, at: usize) {
        self.1.insert(at);
        self.0.push((at, Was { credited: false, stage: DepositStage::Gone }));
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Updates the payment from its deposits, and what is booked of them. With `sums` that [suffice](DepositSums::suffice), the
/// record needs no other deposits than the changed ones.
pub async fn follow(
    app: &App,
    tx: &mut dyn Tx,
    business: &Business,
    record: &mut PaymentWithDeposits,
    sums: Option<&DepositSums>,
    booked: &mut BTreeMap<Uuid, Booked>,
    changed: &Changed,
) -> Stored<()> {
    let before = business.hears_events().then(|| before(record, changed));
    let has_moved = derive(app, tx, business, record, sums, booked, changed).await?;
    let Some(before) = before else { return Ok(()) };
    // Without all deposits, the record does not show the payment.
    let whole = match sums {
        Some(_) if has_moved => tx.payment(record.payment.id).await?,
        Some(_) | None => None,
    };
    let events = with_finals(before.events(record), booked);
    announce_events::payment(app, tx, business, events, whole.as_ref().unwrap_or(record)).await
}

/// A deposit whose first block counts as final is so when it is confirmed.
fn with_finals(events: Events, booked: &BTreeMap<Uuid, Booked>) -> Events {
    let is_final = |id: &Uuid| booked.get(id).is_some_and(|booked| booked.depth == Depth::Final);
    let mut all = Events::new();
    for (event, subject) in events {
        let last = match (event, &subject) {
            (EventType::DepositConfirmed, Subject::Deposit(id, _)) if is_final(id) => {
                Some((EventType::DepositFinal, Subject::Deposit(*id, None)))
            }
            _ => None,
        };
        all.push((event, subject));
        all.extend(last);
    }
    all
}

/// The same without events. True if the status changed.
async fn derive(
    app: &App,
    tx: &mut dyn Tx,
    business: &Business,
    record: &mut PaymentWithDeposits,
    sums: Option<&DepositSums>,
    booked: &mut BTreeMap<Uuid, Booked>,
    changed: &Changed,
) -> Stored<bool> {
    let now = app.clock.now();
    let has_moved = match sums {
        Some(sums) => {
            let received = sums.received(record);
            status::refresh_status_by(&mut record.payment, received, now)
        }
        None => status::refresh_status(record, now),
    };
    if has_moved {
        tracing::info!(payment = %record.payment.id, status = %record.payment.status, "payment moved");
    }
    tx.update_payment(&record.payment).await?;
    settle_deposits::follow(app, tx, business, record, booked).await?;
    let plans = settle_deposits::plans(record, Deposit::counts);
    let mut callbacks = Vec::new();
    for (at, was) in &changed.0 {
        let Some(deposit) = record.deposits.get(*at) else { continue };
        if deposit.screening == Screening::Flagged && deposit.stands() {
            tell_operator(business, record, deposit);
        }
        match (was.credited, deposit.counts()) {
            (false, true) => {
                let Some(booked) = booked.get(&deposit.id) else { continue };
                let settlement = settle_deposits::settlement(deposit, plans.get(&deposit.id), booked);
                let Some(settlement) = settlement else { continue };
                let Some(quote) = &record.payment.quote else { continue };
                let event = || DepositReceived::new(record, quote, deposit, &settlement);
                callbacks.extend(announce::callback(app, business, deposit.id, event));
            }
            (true, false) => hold_callback(tx, &record.payment, deposit).await?,
            (true, true) | (false, false) => {}
        }
    }
    tx.put_callbacks(&callbacks).await?;
    Ok(has_moved)
}

fn before(record: &PaymentWithDeposits, changed: &Changed) -> Stages {
    let mut before = Stages::of(record);
    for (at, was) in &changed.0 {
        if let Some(deposit) = record.deposits.get(*at) {
            before.set_deposit(deposit.id, was.stage);
        }
    }
    before
}

/// Updates a payment after a refund of the merchant ended without the payer getting the money: its deposits pay the price again, and
/// their excess goes back, as if the refund had never been. The caller stores the events.
pub async fn follow_unrefunded(app: &App, tx: &mut dyn Tx, payment: PaymentId) -> Stored<()> {
    let Some(mut record) = tx.payment(payment).await? else { return Ok(()) };
    let Some(business) = app.store.business(record.payment.business).await? else { return Ok(()) };
    let mut booked = tx.booked(payment).await?;
    derive(app, tx, &business, &mut record, None, &mut booked, &Changed::default()).await.map(|_| ())
}

/// Holds the callback of a deposit that is no longer credited, unless it was delivered, until the deposit
/// counts again.
async fn hold_callback(tx: &mut dyn Tx, payment: &Payment, deposit: &Deposit) -> Stored<()> {
    let held = tx.hold_callback(&DepositReceived::ABOUT.kind, deposit.id).await?;
    if held == Some(State::Delivered) {
        // The interface has no message that revokes a callback.
        tracing::warn!(payment = %payment.id, deposit = %deposit.id, transaction = deposit.output.transaction,
            "a deposit left the chain after its callback was sent");
    }
    Ok(())
}

/// A held deposit causes no callback: an operator must contact the merchant.
fn tell_operator(business: &Business, record: &PaymentWithDeposits, deposit: &Deposit) {
    let owner = deposit.sender.as_ref().map_or(("", ""), |owner| (&owner.name, &owner.category));
    let reason = match (deposit.hold, &deposit.sender) {
        (Some(DepositHold::Currency), None) => "the business does not accept its currency",
        (Some(DepositHold::Network), None) => {
            "it is a wrapped token of a network that the business does not take"
        }
        (Some(DepositHold::Amount), None) => "its amount exceeds the ledger's maximum",
        (_, Some(_)) | (None, None) => "its sender is flagged",
    };
    tracing::warn!(business = %business.id, payment = %record.payment.id, deposit = %deposit.id,
        transaction = deposit.output.transaction, sender = deposit.from, owner = owner.0, category = owner.1,
        reason, currency = %deposit.currency, "a deposit is held; no callback is sent");
}

/// Sightings and confirmations of a payment are numbered in the order in which they are stored.
pub fn next_seq(record: &PaymentWithDeposits) -> u32 {
    record.last_seq() + 1
}
