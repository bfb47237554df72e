//! Asks chains whether credited deposits are final: their money can be spent from then on.

use checkout_core::Network;
use checkout_domain::business::events::EventType;
use checkout_domain::ledger::settlement::Depth;
use checkout_domain::payment::PaymentWithDeposits;
use checkout_domain::payment::pending::PendingDeposit;
use checkout_domain::payment::stages::Subject;
use checkout_domain::ports::Stored;
use tokio::time::timeout;
use uuid::Uuid;

use crate::service::depth::lacks;
use crate::service::pay_out::TIME_LIMIT;
use crate::service::{App, announce_events};

/// A height that no chain reaches.
const EVER: u64 = u32::MAX as u64;

/// How many deposits of a network are asked for at a time.
const AT_A_TIME: u32 = 50;

/// Asks for the deposits of a network that are due: once, and again when the blocks are there that were missing.
pub async fn run(app: &App, network: Network) -> Stored<()> {
    let Some(chain) = app.chains.get(&network) else { return Ok(()) };
    if app.store.pending_on(network, EVER, 1).await?.is_empty() {
        return Ok(());
    }
    let Ok(Ok(tip)) = timeout(TIME_LIMIT, chain.tip()).await else { return Ok(()) };
    for pending in app.store.pending_on(network, tip.height, AT_A_TIME).await? {
        let lacks = match timeout(TIME_LIMIT, chain.confirmations(&pending.output)).await {
            Ok(Ok(confirmations)) => lacks(app, network, pending.seen_at, confirmations),
            unknown => {
                let deposit = pending.deposit;
                tracing::debug!(%deposit, ?unknown, "the confirmations of a deposit are not known yet");
                1
            }
        };
        let asked_at_height = tip.height.saturating_add(lacks);
        let depth = if lacks == 0 { Depth::Final } else { Depth::Shallow { asked_at_height } };
        put(app, &pending, depth).await?;
    }
    Ok(())
}

/// Stores it with its event. The payment is locked first, so that its deposit does not leave meanwhile.
async fn put(app: &App, pending: &PendingDeposit, depth: Depth) -> Stored<()> {
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
