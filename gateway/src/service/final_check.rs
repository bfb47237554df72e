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

use crate::service::depth::{lacks, seconds};
use crate::service::pay_out::TIME_LIMIT;
use crate::service::{App, announce_events};

/// How many deposits of a network are asked for at a time.
const AT_A_TIME: u32 = 50;

/// Asks for the deposits of a network that are due.
pub async fn run(app: &App, network: Network) -> Stored<()> {
    let (Some(chain), now) = (app.chains.get(&network), app.clock.now()) else { return Ok(()) };
    for pending in app.store.pending_on(network, now, AT_A_TIME).await? {
        let lacks = match timeout(TIME_LIMIT, chain.confirmations(&pending.output)).await {
            Ok(Ok(confirmations)) => lacks(app, network, pending.seen_at, confirmations),
            unknown => {
                let deposit = pending.deposit;
                tracing::debug!(%deposit, ?unknown, "the confirmations of a deposit are not known yet");
                1
            }
        };
        let asked_at = now.saturating_add(seconds(app, network, lacks));
        let depth = if lacks == 0 { Depth::Final } else { Depth::Shallow { asked_at } };
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

/// A deposit that is held is told of when it is released.
fn is_credited(record: &PaymentWithDeposits, id: Uuid) -> bool {
    record.deposits.iter().any(|deposit| deposit.id == id && deposit.is_confirmed())
}
