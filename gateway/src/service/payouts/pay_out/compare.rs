//! After a restore payouts are compared with the chain: what was sent after the backup is not sent again.

use checkout_core::Network;
use checkout_domain::chain::payout::hold::{COMPARED_FOR, Hold, RESTORED_AT};
use checkout_domain::chain::payout::{Payout, Purpose};
use checkout_domain::ports::Stored;
use checkout_domain::ports::broadcaster::{Broadcaster, SentBefore};

use super::books::book_sent;
use super::changed::Changed;
use crate::service::App;
use crate::service::payouts::decide_hold::locked;
use crate::service::payouts::hourly_limit;

pub(super) enum Compared {
    /// It was not sent before.
    Unsent(Box<Payout>),
    /// An operator decides, or the chain is asked again.
    Held,
    /// It was sent before, which is in the books now.
    Adopted,
}

/// Whether an operator has to decide about it, or decided that it was sent before.
pub(super) async fn held(app: &App, payout: Payout) -> Stored<Compared> {
    match payout.hold {
        Hold::SentBy { .. } => adopt(app, payout).await,
        Hold::Held { .. } => Ok(Compared::Held),
        Hold::Free | Hold::Unasked | Hold::Cleared | Hold::Released { .. } => {
            Ok(Compared::Unsent(Box::new(payout)))
        }
    }
}

pub(super) async fn compare(app: &App, broadcaster: &dyn Broadcaster, payout: Payout) -> Stored<Compared> {
    let payout = match payout.hold {
        Hold::Cleared | Hold::Released { .. } => return Ok(Compared::Unsent(Box::new(payout))),
        Hold::SentBy { .. } | Hold::Held { .. } => return held(app, payout).await,
        Hold::Unasked | Hold::Free => payout,
    };
    let (answer, what) = match (sought(app, &payout).await?, &payout.hold) {
        (Sought::Nothing, Hold::Free) => return Ok(Compared::Unsent(Box::new(payout))),
        (Sought::Anything, _) => (broadcaster.sent_elsewhere(&payout).await, ELSEWHERE),
        (Sought::Same | Sought::Nothing, _) => {
            (broadcaster.sent_before(&payout).await, "the same amount was sent to the same address before:")
        }
    };
    let reason = match answer {
        Ok(SentBefore::No) => None,
        Ok(SentBefore::Perhaps(transactions)) => {
            let unknown = app.store.unknown_transactions(transactions).await?;
            (!unknown.is_empty()).then(|| format!("{what} {}", named(&unknown)))
        }
        Ok(SentBefore::Unknown(why)) => Some(why),
        Err(error) => {
            tracing::warn!(payout = %payout.id, ?error, "the chain could not be asked for what was sent before");
            return Ok(Compared::Held);
        }
    };
    let Some(reason) = reason else {
        if payout.hold == Hold::Free {
            return Ok(Compared::Unsent(Box::new(payout)));
        }
        let Some(cleared) = Changed::of(app, payout.cleared()).await? else { return Ok(Compared::Held) };
        return Ok(Compared::Unsent(Box::new(cleared.commit().await?)));
    };
    // That it may have been sent counts more than another answer, which may have come meanwhile.
    let mut tx = app.store.begin().await?;
    let payout = locked(tx.as_mut(), payout.id).await?;
    if let Some(held) = payout.and_then(|payout| payout.suspected(&reason))
        && let Some(payout) = tx.save_payout(held).await?
    {
        tx.commit().await?;
        tracing::error!(payout = %payout.id, reason,
            "held, because it may have been sent before the restore: see `checkout payouts held`");
    }
    Ok(Compared::Held)
}

/// What the lost gateway may have sent of a payout.
enum Sought {
    Nothing,
    /// The same to the same address.
    Same,
    /// Anything to any address: the address of a refund is named by the payer or the merchant, who may have named another one after
    /// the backup.
    Anything,
}

async fn sought(app: &App, payout: &Payout) -> Stored<Sought> {
    let Some(at) = restored_at(app).await? else { return Ok(Sought::Nothing) };
    // One that is asked about again is compared like at first.
    let is_late = payout.hold != Hold::Unasked && app.clock.now() >= at.saturating_add(COMPARED_FOR);
    Ok(match (refund_of_backup(app, payout, at).await?, is_late) {
        (Some(RefundBy::Payer), _) | (Some(RefundBy::Merchant), false) => Sought::Anything,
        (Some(RefundBy::Nobody), _) | (None, false) => Sought::Same,
        (Some(RefundBy::Merchant) | None, true) => Sought::Nothing,
    })
}

/// Who said where a refund goes.
enum RefundBy {
    /// It goes back where it came from, by itself. It can be planned again, or for the first time, long after the restore.
    Nobody,
    /// The payer, if only by saying that it is their own wallet, or an operator: the approval may come long after the claim.
    Payer,
    Merchant,
}

/// `None` for a withdrawal, and for a refund of a payment that the lost gateway did not know.
async fn refund_of_backup(app: &App, payout: &Payout, restored_at: u64) -> Stored<Option<RefundBy>> {
    if payout.purpose == Purpose::Withdrawal {
        return Ok(None);
    }
    let Some(payment) = app.store.refunded_payment(payout.id).await? else { return Ok(None) };
    let record = app.store.payment(payment).await?;
    let Some(record) = record.filter(|record| record.payment.initiated_at <= restored_at) else {
        return Ok(None);
    };
    // Also to the sender, if somebody said so: they may have said something else after the backup.
    let automatic = record.refund_by_payout(payout.id);
    let refund = automatic.map(|(_, refund)| refund).or_else(|| record.refund(payout.id));
    let is_decided = payout.claimed
        || refund.is_some_and(|refund| refund.phase.decision().is_some() || refund.phase.claim().is_some());
    Ok(Some(match payout.purpose {
        _ if is_decided => RefundBy::Payer,
        Purpose::Refund => RefundBy::Nobody,
        Purpose::MerchantRefund | Purpose::Withdrawal => RefundBy::Merchant,
    }))
}

/// What precedes the transactions that may have sent it to another address.
const ELSEWHERE: &str = "it may have been sent to another address before, by";

/// Transactions that a reason names.
const NAMED: usize = 20;

/// The newest of these transactions, which come last.
fn named(transactions: &[String]) -> String {
    let newest = &transactions[transactions.len().saturating_sub(NAMED)..];
    let listed = newest.join(", ");
    match transactions.len() - newest.len() {
        0 => listed,
        older => format!("one of {older} older transactions or {listed}"),
    }
}

async fn restored_at(app: &App) -> Stored<Option<u64>> {
    Ok(app.store.setting(RESTORED_AT).await?.and_then(|text| text.parse().ok()))
}

/// When it was restored, if payouts are still compared.
pub(super) async fn restored_lately(app: &App) -> Stored<Option<u64>> {
    let restored = restored_at(app).await?;
    Ok(restored.filter(|at| app.clock.now() < at.saturating_add(COMPARED_FOR)))
}

async fn adopt(app: &App, payout: Payout) -> Stored<Compared> {
    let Some(mut changed) = Changed::of(app, payout.adopted(app.clock.now())).await? else {
        return Ok(Compared::Held);
    };
    book_sent(app, &mut changed).await?;
    hourly_limit::note_sent(app, changed.tx.as_mut(), &changed.payout).await?;
    let payout = changed.commit().await?;
    tracing::info!(payout = %payout.id, state = ?payout.state, "sent before the restore");
    ask_again(app, payout.pair.network).await?;
    Ok(Compared::Adopted)
}

/// A transaction sends one payout: what is known of one is known of the others that were held because it could be any. One that the same
/// was sent to the same address waits for an operator.
async fn ask_again(app: &App, network: Network) -> Stored<()> {
    let is_explained = |payout: &Payout| {
        let is_elsewhere = matches!(&payout.hold, Hold::Held { why } if why.starts_with(ELSEWHERE));
        is_elsewhere && payout.pair.network == network
    };
    for held in app.store.held_payouts().await?.into_iter().filter(is_explained) {
        let mut tx = app.store.begin().await?;
        let payout = locked(tx.as_mut(), held.id).await?.filter(is_explained);
        if let Some(asked) = payout.and_then(Payout::asked_again)
            && tx.save_payout(asked).await?.is_some()
        {
            tx.commit().await?;
        }
    }
    Ok(())
}
