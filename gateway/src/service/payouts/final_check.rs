//! Asks chains whether credited deposits are final: their money can be spent from then on.

use checkout_core::Network;
use checkout_core::chain::CHAINS;
use checkout_domain::business::events::EventType;
use checkout_domain::ledger::settlement::Depth;
use checkout_domain::payment::PaymentWithDeposits;
use checkout_domain::payment::pending::CreditedDeposit;
use checkout_domain::payment::stages::Subject;
use checkout_domain::ports::{Chain, Store, Stored};
use tokio::time::timeout;
use uuid::Uuid;

use crate::service::App;
use crate::service::callbacks::announce_events;
use crate::service::payouts::pay_out::TIME_LIMIT;
use crate::service::state::progress;
use crate::service::transfers::depth::lacks;

/// A height that no chain reaches.
const EVER: u64 = u32::MAX as u64;

/// How many deposits of a network are read at a time.
const AT_A_TIME: u32 = 50;

/// Asks for the deposits of a network that were credited since, and those that can be final since its last block, until none is left or
/// the chain does not answer.
pub async fn run(app: &App, network: Network) -> Stored<()> {
    let Some(chain) = app.chains.get(&network) else { return Ok(()) };
    let Some(height) = height(app, chain.as_ref(), network).await? else { return Ok(()) };
    loop {
        let due = app.store.pending_on(network, height, AT_A_TIME).await?;
        let mut is_answered = due.len() == AT_A_TIME as usize;
        for pending in due {
            let lacks = match timeout(TIME_LIMIT, chain.confirmations(&pending.output)).await {
                Ok(Ok(confirmations)) => {
                    if confirmations == 0 {
                        let (deposit, transaction) = (pending.deposit, &pending.output.transaction);
                        tracing::warn!(%network, %deposit, transaction, "the server does not know a credited deposit: its money stays pending");
                    }
                    lacks(app, network, pending.booked.booked_at.max(pending.seen_at), confirmations)
                }
                unknown => {
                    let deposit = pending.deposit;
                    tracing::debug!(%deposit, ?unknown, "the confirmations of a deposit are not known yet");
                    is_answered = false;
                    1
                }
            };
            let asked_at_height = height.saturating_add(lacks);
            let depth = if lacks == 0 { Depth::Final } else { Depth::Shallow { asked_at_height } };
            put(app, &pending, depth).await?;
        }
        if !is_answered {
            return Ok(());
        }
    }
}

/// The networks with credited deposits that are not final and that nothing reads: the money of those stays pending.
pub async fn unread(store: &dyn Store, is_read: impl Fn(Network) -> bool) -> Stored<Vec<Network>> {
    let mut unread = Vec::new();
    for network in CHAINS.iter().map(|row| row.network).filter(|network| !is_read(*network)) {
        if !store.pending_on(network, EVER, 1).await?.is_empty() {
            unread.push(network);
        }
    }
    Ok(unread)
}

/// The last block that was read, which costs no request; where the cursor does not tell it, the chain's.
async fn height(app: &App, chain: &dyn Chain, network: Network) -> Stored<Option<u64>> {
    if let Some(next) = progress::next_block(app, network).await? {
        return Ok(Some(next.saturating_sub(1)));
    }
    let (now, pace) = (app.clock.now(), app.policy.polling.pace(network));
    if app.store.pending_on(network, EVER, 1).await?.is_empty()
        || !app.state.polls.is_tip_due(network, now, pace)
    {
        return Ok(None);
    }
    let tip = timeout(TIME_LIMIT, chain.tip()).await;
    Ok(tip.ok().and_then(Result::ok).map(|tip| tip.height))
}

/// Stores it with its event. The payment is locked first, so that its deposit does not leave meanwhile.
async fn put(app: &App, pending: &CreditedDeposit, depth: Depth) -> Stored<()> {
    let mut tx = app.store.begin().await?;
    let record = tx.payment(pending.payment).await?;
    if tx.put_depth(pending.deposit, depth).await?
        && depth == Depth::Final
        && let Some(record) = record.filter(|record| is_credited(record, pending.deposit))
        && let Some(business) = app.store.business(record.payment.business).await?
    {
        let events = vec![(EventType::DepositFinal, Subject::Deposit(pending.deposit, None))];
        announce_events::payment(app, tx.as_mut(), &business, events, &record).await?;
    }
    tx.commit().await
}

/// A deposit that is held or being valued is told of when it is credited.
fn is_credited(record: &PaymentWithDeposits, id: Uuid) -> bool {
    record.deposits.iter().any(|deposit| deposit.id == id && deposit.is_confirmed() && !deposit.being_valued)
}
