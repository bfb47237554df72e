//! Counts the confirmations of deposits whose amount needs more than their network, and confirms those that have them.

use checkout_core::Network;
use checkout_domain::chain::OutputState;
use checkout_domain::ports::Stored;
use checkout_domain::ports::transfers::IncludedDeposit;
use tokio::time::timeout;

use crate::service::App;
use crate::service::payouts::pay_out::TIME_LIMIT;
use crate::service::transfers::{deposit_sums, follow_deposit, required_confirmations};

/// Asks once for each change of the chain that was read. A deposit that fails alone is asked for with the next one, and delays no other.
pub async fn run(app: &App, network: Network) -> Stored<()> {
    let Some(chain) = app.chains.get(&network) else { return Ok(()) };
    let included = app.store.included(network).await?;
    let cursor = app.store.cursor(network).await?;
    let Some(cursor) = cursor.filter(|_| !included.is_empty()) else { return Ok(()) };
    // A cursor without a block does not change with each.
    let has_block = chain.read_up_to(&cursor).is_some();
    if has_block && app.state.polls.is_counted(network, &cursor) {
        return Ok(());
    }
    let mut is_answered = false;
    for deposit in included {
        match timeout(TIME_LIMIT, chain.confirmations(&deposit.output)).await {
            Ok(Ok(confirmations)) => {
                is_answered = true;
                count(app, &cursor, &deposit, confirmations).await?;
            }
            Ok(Err(error)) if error.is_limit() => return Ok(()),
            unknown => {
                let deposit = deposit.deposit;
                tracing::debug!(%deposit, ?unknown, "the confirmations of a deposit are not known yet");
            }
        }
    }
    if is_answered {
        app.state.polls.counted(network, cursor);
    }
    Ok(())
}

/// What was read meanwhile may have taken it off the chain: then it is asked for again.
async fn count(app: &App, cursor: &str, included: &IncludedDeposit, confirmations: u64) -> Stored<()> {
    let network = included.output.network;
    let by_network = required_confirmations::by_network(app, network);
    let mut tx = app.store.begin().await?;
    if tx.cursor(network).await?.as_deref() != Some(cursor) {
        return Ok(());
    }
    let Some(mut record) = tx.payment(included.payment).await? else { return Ok(()) };
    let Some(business) = app.store.business(record.payment.business).await? else { return Ok(()) };
    let seq = follow_deposit::next_seq(&record);
    let is_it = |(_, deposit): &(usize, &mut checkout_domain::payment::deposit::Deposit)| {
        deposit.id == included.deposit && deposit.state == OutputState::Included
    };
    let Some((at, deposit)) = record.deposits.iter_mut().enumerate().find(is_it) else { return Ok(()) };
    if confirmations < deposit.required_by_amount {
        // A node that is behind knows of fewer than those that it was reported with.
        let counts = [(included.output.clone(), confirmations.max(by_network))];
        tx.count_confirmations(network, by_network, &counts).await?;
        return tx.commit().await;
    }
    let mut changed = follow_deposit::Changed::default();
    changed.note(at, deposit);
    deposit.confirm(seq);
    tx.update_deposit(deposit).await?;
    let mut booked = tx.booked(included.payment).await?;
    follow_deposit::follow(app, tx.as_mut(), &business, &mut record, None, &mut booked, &changed).await?;
    deposit_sums::keep(tx.as_mut(), &record).await?;
    tx.commit().await
}
