//! Checks that the deposits behind a refund are final.

use checkout_domain::chain::payout::Payout;
use checkout_domain::payment::deposit::Deposit;
use checkout_domain::ports::Stored;
use tokio::time::timeout;

use super::TIME_LIMIT;
use crate::service::App;
use crate::service::transfers::depth::{lacks, may_be_forgotten};

/// A refund waits while a deposit that it depends on can still leave its chain, because a signed refund
/// cannot be cancelled. The chain is queried instead of the store, which may be behind.
pub(super) async fn is_final(app: &App, payout: &Payout) -> Stored<bool> {
    let Some(payment) = app.store.refunded_payment(payout.id).await? else { return Ok(false) };
    let Some(record) = app.store.payment(payment).await? else { return Ok(false) };
    // Every confirmed deposit contributes to the excess, including those without a refund.
    for deposit in record.deposits.iter().filter(|deposit| deposit.is_confirmed()) {
        if !is_deposit_final(app, payout, deposit).await? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A refund that the merchant asked for waits until final deposits of its pair cover it and those before it. A deposit that left its
/// chain covers nothing: the refund waits until it is back, or the merchant cancels it.
pub(super) async fn is_backed(app: &App, payout: &Payout) -> Stored<bool> {
    let Some(payment) = app.store.refunded_payment(payout.id).await? else { return Ok(false) };
    let Some(record) = app.store.payment(payment).await? else { return Ok(false) };
    let refundable = record.refundable_until(payout.pair, Some(payout.id));
    if !refundable.is_covered() {
        return Ok(false);
    }
    let (needed, mut covered) = (refundable.automatic.saturating_add(refundable.charged), 0_u128);
    let key = (payout.pair.currency, payout.pair.network);
    for deposit in record.deposits.iter().filter(|deposit| deposit.is_confirmed() && deposit.key() == key) {
        if is_deposit_final(app, payout, deposit).await? {
            covered = covered.saturating_add(deposit.amount.atoms());
        }
        if covered >= needed {
            return Ok(true);
        }
    }
    Ok(false)
}

async fn is_deposit_final(app: &App, payout: &Payout, deposit: &Deposit) -> Stored<bool> {
    let network = deposit.output.network;
    let Some(chain) = app.chains.get(&network) else { return Ok(false) };
    let answer = if network == payout.pair.network {
        let answer = timeout(TIME_LIMIT, chain.confirmations(&deposit.output)).await;
        answer.ok()
    } else {
        app.state.foreign_questions.confirmations(chain, &deposit.output).await
    };
    let Some(answer) = answer else {
        tracing::debug!(payout = %payout.id, %network, "the confirmations of a deposit are not known yet");
        return Ok(false);
    };
    match answer {
        Ok(blocks) => {
            let is_old = blocks == 0 && may_be_forgotten(app, deposit.seen_at);
            let booked_at = if is_old { booked_at(app, payout, deposit).await? } else { deposit.seen_at };
            Ok(lacks(app, network, booked_at, blocks) == 0)
        }
        Err(error) => {
            tracing::warn!(payout = %payout.id, %error, "the confirmations of a deposit could not be read");
            Ok(false)
        }
    }
}

async fn booked_at(app: &App, payout: &Payout, deposit: &Deposit) -> Stored<u64> {
    let Some(payment) = app.store.refunded_payment(payout.id).await? else { return Ok(u64::MAX) };
    let booked = app.store.begin().await?.booked(payment).await?;
    Ok(booked.get(&deposit.id).map_or(u64::MAX, |booked| booked.booked_at.max(deposit.seen_at)))
}
