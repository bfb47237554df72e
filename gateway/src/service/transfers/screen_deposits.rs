//! Screens the senders of deposits: when first seen, and again until there is an answer. Also applies
//! operators' decisions about flagged deposits.

use checkout_core::Network;
use checkout_domain::chain::screening::{AddressOwner, Decision, Screening};
use checkout_domain::fail_point;
use checkout_domain::ports::screening::Waiting;
use checkout_domain::ports::{Store, Stored};
use checkout_wire::payment::DepositHold;
use uuid::Uuid;

use crate::service::App;
use crate::service::transfers::{deposit_sums, follow_deposit};

/// The screening's result for the senders of a deposit, and the owner if one is flagged. One flagged sender flags it.
pub async fn ask(app: &App, network: Network, senders: &[String]) -> (Screening, Option<AddressOwner>) {
    let mut result = (Screening::Passed, None);
    for sender in senders {
        match ask_about(app, network, sender).await {
            flagged @ (Screening::Flagged, _) => return flagged,
            (Screening::Passed, _) => {}
            // Nothing else is asked until the screening answers.
            waiting => {
                result = waiting;
                break;
            }
        }
    }
    result
}

/// An unknown sender is nobody that the screening cleared.
async fn ask_about(app: &App, network: Network, from: &str) -> (Screening, Option<AddressOwner>) {
    if from.is_empty() && app.screening.is_on() {
        let owner = AddressOwner { name: "Unknown sender".to_owned(), category: "UNKNOWN".to_owned() };
        return (Screening::Flagged, Some(owner));
    }
    if from.is_empty() {
        return (Screening::Passed, None);
    }
    match app.screening.screen(network, from).await {
        Ok(screened) if screened.blocked => (Screening::Flagged, Some(screened.owner)),
        Ok(_) => (Screening::Passed, None),
        Err(error) => {
            tracing::warn!(%network, ?error, "the screening of a deposit did not answer; it is retried");
            (Screening::Pending, None)
        }
    }
}

/// Advances all waiting deposits as far as possible. Returns how many changed.
pub async fn run(app: &App) -> Stored<usize> {
    Ok(carry_out(app).await? + ask_again(app).await?)
}

/// Applies operators' decisions, without waiting for the screening.
pub async fn carry_out(app: &App) -> Stored<usize> {
    let mut moved = 0;
    for waiting in all_waiting(app).await? {
        if let Some(done) = waiting.screening.done() {
            moved += usize::from(take(app, &waiting, done, None).await?);
        }
    }
    Ok(moved)
}

/// Screens the deposits without an answer. After a missing answer, stops until the next round.
pub async fn ask_again(app: &App) -> Stored<usize> {
    let mut moved = 0;
    let mut unasked = all_waiting(app).await?;
    unasked.retain(|waiting| waiting.screening == Screening::Pending);
    for waiting in app.state.deposits_turn.order(unasked, |waiting| waiting.deposit) {
        let (next, sender) = ask(app, waiting.network, &waiting.senders).await;
        if next == Screening::Pending {
            app.state.deposits_turn.ends_at(waiting.deposit);
            break;
        }
        moved += usize::from(take(app, &waiting, next, sender).await?);
    }
    Ok(moved)
}

/// By id.
async fn all_waiting(app: &App) -> Stored<Vec<Waiting>> {
    let mut all: Vec<Waiting> = Vec::new();
    loop {
        let page = app.store.waiting_deposits(all.last().map(|waiting| waiting.deposit)).await?;
        if page.is_empty() {
            return Ok(all);
        }
        all.extend(page);
    }
}

/// Returns false if another process changed the row first.
async fn take(app: &App, waiting: &Waiting, next: Screening, sender: Option<AddressOwner>) -> Stored<bool> {
    let mut tx = app.store.begin().await?;
    let Some(mut record) = tx.payment(waiting.payment).await? else { return Ok(false) };
    let seq = follow_deposit::next_seq(&record);
    let mut booked = tx.booked(waiting.payment).await?;
    let found = record.deposits.iter_mut().enumerate().find(|(_, deposit)| deposit.id == waiting.deposit);
    let Some((at, deposit)) = found.filter(|(_, deposit)| deposit.screening == waiting.screening) else {
        return Ok(false);
    };
    let mut changed = follow_deposit::Changed::default();
    changed.note(at, deposit);
    let next = next.with_hold(deposit.hold.is_some());
    deposit.screening = next;
    deposit.sender = sender.or(deposit.sender.take());
    deposit.confirmed_seq = deposit.is_confirmed().then_some(seq);
    tx.update_deposit(deposit).await?;
    let Some(business) = app.store.business(record.payment.business).await? else { return Ok(false) };
    follow_deposit::follow(app, tx.as_mut(), &business, &mut record, None, &mut booked, &changed).await?;
    deposit_sums::keep(tx.as_mut(), &record).await?;
    let is_decision = waiting.screening.done().is_some();
    if is_decision {
        fail_point::reach("decision.before");
    }
    tx.commit().await?;
    if is_decision {
        fail_point::reach("decision.after");
    }
    tracing::info!(payment = %waiting.payment, deposit = %waiting.deposit, screening = next.as_str(), "screened");
    Ok(true)
}

/// The result of an operator's decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decided {
    /// Stored; a running gateway applies it.
    Kept,
    NoDeposit,
    /// It cannot be booked, so it cannot be released.
    TooLarge,
    /// It was not flagged, or it is too late.
    NotNow(Screening),
}

impl Decided {
    /// Why the decision was refused.
    pub fn refusal(self) -> Option<String> {
        match self {
            Self::Kept => None,
            Self::NoDeposit => Some("There is no such deposit.".to_owned()),
            Self::TooLarge => {
                Some("Its amount is more than the ledger holds: it can only be refused.".to_owned())
            }
            Self::NotNow(Screening::Released) => {
                Some("It was released and its callback was sent; this cannot be undone.".to_owned())
            }
            Self::NotNow(screening) => {
                Some(format!("It is {}: there is nothing to decide.", screening.as_str()))
            }
        }
    }
}

/// Stores an operator's decision about a flagged deposit.
pub async fn decide(store: &dyn Store, deposit: Uuid, decision: Decision) -> Stored<Decided> {
    let Some(payment) = store.payment_of_deposit(deposit).await? else { return Ok(Decided::NoDeposit) };
    let mut tx = store.begin().await?;
    let Some(record) = tx.payment(payment).await? else { return Ok(Decided::NoDeposit) };
    let found = record.deposits.into_iter().find(|known| known.id == deposit);
    let Some(mut deposit) = found else { return Ok(Decided::NoDeposit) };
    if decision == Decision::Release && deposit.hold == Some(DepositHold::Amount) {
        return Ok(Decided::TooLarge);
    }
    let Some(next) = deposit.screening.decided(decision) else {
        return Ok(Decided::NotNow(deposit.screening));
    };
    deposit.screening = next;
    tx.update_deposit(&deposit).await?;
    tx.commit().await?;
    Ok(Decided::Kept)
}
