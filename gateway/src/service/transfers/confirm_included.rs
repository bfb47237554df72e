//! Counts the confirmations of deposits whose amount needs more than their network, and confirms those that have them.

use std::collections::{BTreeMap, BTreeSet};

use checkout_core::Network;
use checkout_domain::chain::{OutputId, OutputState};
use checkout_domain::ids::PaymentId;
use checkout_domain::payment::deposit::Deposit;
use checkout_domain::ports::transfers::IncludedDeposit;
use checkout_domain::ports::{Chain, Stored};
use tokio::time::timeout;
use uuid::Uuid;

use crate::service::App;
use crate::service::payouts::pay_out::TIME_LIMIT;
use crate::service::transfers::{deposit_sums, follow_deposit, report_unknown, required_confirmations};

/// Most deposits of one change. Others who write wait for it.
const MOST: usize = 500;

/// Asks once for each change of the chain that was read. A transaction that fails alone is asked for with the next one, and delays no
/// other.
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
    let (known, is_limited) = ask(chain.as_ref(), &included).await;
    let has = |deposit: &IncludedDeposit| known.get(&deposit.output.transaction).copied();
    for deposit in &included {
        let is_known = has(deposit).is_some_and(|confirmations| confirmations > 0);
        if is_known || !is_limited {
            report_unknown::note(app, deposit, is_known).await?;
        }
    }
    let mut counts = Vec::new();
    let mut enough: BTreeMap<PaymentId, BTreeSet<Uuid>> = BTreeMap::new();
    for (deposit, confirmations) in included.iter().filter_map(|deposit| Some((deposit, has(deposit)?))) {
        if confirmations < deposit.required {
            counts.push((deposit.output.clone(), confirmations));
        } else {
            enough.entry(deposit.payment).or_default().insert(deposit.deposit);
        }
    }
    for (payment, deposits) in &enough {
        confirm(app, (network, &cursor), *payment, deposits).await?;
    }
    for some in counts.chunks(MOST) {
        count(app, (network, &cursor), some).await?;
    }
    if !known.is_empty() && !is_limited {
        app.state.polls.counted(network, cursor);
    }
    Ok(())
}

/// The confirmations of each transaction, which can have many outputs, and whether its source takes no more questions.
async fn ask(chain: &dyn Chain, included: &[IncludedDeposit]) -> (BTreeMap<String, u64>, bool) {
    let outputs = included.iter().map(|deposit| (&deposit.output.transaction, &deposit.output));
    let mut known = BTreeMap::new();
    for (transaction, output) in outputs.collect::<BTreeMap<_, _>>() {
        match timeout(TIME_LIMIT, chain.confirmations(output)).await {
            Ok(Ok(confirmations)) => drop(known.insert(transaction.clone(), confirmations)),
            Ok(Err(error)) if error.is_limit() => return (known, true),
            unknown => {
                tracing::debug!(transaction, ?unknown, "the confirmations of a deposit are not known yet");
            }
        }
    }
    (known, false)
}

/// What was read meanwhile may have taken one off the chain: then they are asked for again.
async fn count(app: &App, (network, cursor): (Network, &str), counts: &[(OutputId, u64)]) -> Stored<()> {
    let by_network = required_confirmations::by_network(app, network);
    let mut tx = app.store.begin().await?;
    if tx.cursor(network).await?.as_deref() != Some(cursor) {
        return Ok(());
    }
    // A node that is behind knows of fewer than those that it was reported with.
    let counts: Vec<_> =
        counts.iter().map(|(output, count)| (output.clone(), (*count).max(by_network))).collect();
    tx.count_confirmations(network, by_network, &counts).await?;
    tx.commit().await
}

/// The deposits of a payment that have enough, together: reading it takes as long as it has deposits.
async fn confirm(
    app: &App,
    (network, cursor): (Network, &str),
    payment: PaymentId,
    deposits: &BTreeSet<Uuid>,
) -> Stored<()> {
    let mut tx = app.store.begin().await?;
    if tx.cursor(network).await?.as_deref() != Some(cursor) {
        return Ok(());
    }
    let Some(mut record) = tx.payment(payment).await? else { return Ok(()) };
    let Some(business) = app.store.business(record.payment.business).await? else { return Ok(()) };
    let mut booked = tx.booked(payment).await?;
    let mut changed = follow_deposit::Changed::default();
    tx.collect();
    let first = follow_deposit::next_seq(&record);
    let is_it = |(_, deposit): &(usize, &mut Deposit)| {
        deposit.state == OutputState::Included && deposits.contains(&deposit.id)
    };
    for (seq, (at, deposit)) in (first..).zip(record.deposits.iter_mut().enumerate().filter(is_it)) {
        changed.note(at, deposit);
        deposit.confirm(seq);
        tx.update_deposit(deposit).await?;
    }
    if changed.is_empty() {
        return Ok(());
    }
    follow_deposit::follow(app, tx.as_mut(), &business, &mut record, None, &mut booked, &changed).await?;
    deposit_sums::keep(tx.as_mut(), &record).await?;
    tx.commit().await
}
