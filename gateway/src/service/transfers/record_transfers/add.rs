//! Adds transfers to the deposits of their payment.

use checkout_domain::ids::PaymentId;
use std::collections::BTreeMap;

use checkout_core::{Amount, Decimal};
use checkout_domain::business::Business;
use checkout_domain::chain::screening::Screening;
use checkout_domain::chain::{OutputId, OutputState, Transfer};
use checkout_domain::payment::PaymentWithDeposits;
use checkout_domain::payment::coverage::plus;
use checkout_domain::payment::deposit::Deposit;
use checkout_domain::payment::deposit_sums::DepositSums;
use checkout_domain::payment::dust;
use checkout_domain::ports::{Stored, Tx};

use super::at_once::AtOnce;
use super::records::{LoadedPayment, LoadedPayments};
use super::{Dust, SenderScreening, new_deposit};
use crate::service::App;
use crate::service::transfers::required_confirmations::by_network as required;
use crate::service::transfers::{deposit_sums, follow_deposit};

/// The changes of a [`LoadedPayment`] by transfers.
#[derive(Default)]
struct Added<'a> {
    changed: follow_deposit::Changed,
    /// The indices of deposits that were stored before.
    updated: Vec<usize>,
    dust: Vec<&'a Transfer>,
    at_once: AtOnce,
}

/// Adds transfers to their payment, and updates its status.
pub(super) async fn add(
    app: &App,
    tx: &mut dyn Tx,
    (payment, transfers): (PaymentId, &[&Transfer]),
    verdicts: &BTreeMap<Vec<String>, SenderScreening>,
    records: &mut LoadedPayments,
    dust: &mut Dust,
) -> Stored<()> {
    let Some(mut found) = records.take(tx, payment).await? else { return Ok(()) };
    let business = found.record.payment.business;
    let Some(business) = records.business(app, business).await? else { return Ok(()) };
    let waiting = records.waiting(app, tx, &business).await?;
    let mut elsewhere = waiting.saturating_sub(new_deposit::waiting(&found.record));
    let mut stored = found.record.deposits.len();
    let mut added =
        apply(app, &business, (&mut found, elsewhere), records.at_once(payment), transfers, verdicts);
    if added.is_none() {
        let Some(whole) = LoadedPayment::whole(tx, payment).await? else { return Ok(()) };
        found = whole;
        elsewhere = waiting.saturating_sub(new_deposit::waiting(&found.record));
        stored = found.record.deposits.len();
        added = apply(app, &business, (&mut found, elsewhere), records.at_once(payment), transfers, verdicts);
    }
    records.note_waiting(business.id, elsewhere.saturating_add(new_deposit::waiting(&found.record)));
    let Some(Added { changed, updated, dust: more, at_once }) = added else { return Ok(()) };
    records.note_at_once(payment, at_once);
    for transfer in more {
        dust.add(payment, transfer);
    }
    if changed.is_empty() {
        return records.keep(tx, found).await;
    }
    let LoadedPayment { record, booked, sums, .. } = &mut found;
    for at in updated {
        tx.update_deposit(&record.deposits[at]).await?;
    }
    tx.insert_deposits(payment, business.id, &record.deposits[stored..]).await?;
    follow_deposit::follow(app, tx, &business, record, sums.as_ref(), booked, &changed).await?;
    match sums {
        Some(sums) => tx.put_deposit_sums(payment, sums).await,
        None if deposit_sums::keep(tx, record).await? => Ok(()),
        None => records.keep(tx, found).await,
    }
}

/// Changes the record by transfers. `None` if it lacks deposits that this needs.
fn apply<'a>(
    app: &App,
    business: &Business,
    (found, elsewhere): (&mut LoadedPayment, Decimal),
    at_once: AtOnce,
    transfers: &[&'a Transfer],
    verdicts: &BTreeMap<Vec<String>, SenderScreening>,
) -> Option<Added<'a>> {
    let LoadedPayment { record, places, sums: kept, .. } = found;
    let mut sums = kept.clone().unwrap_or_else(|| DepositSums::of(record));
    let (stored, mut seq) = (record.deposits.len(), sums.last_seq + 1);
    let mut added = Added { at_once, ..Added::default() };
    for &transfer in transfers {
        let (before, at) = if let Some(at) = places.get(&transfer.output) {
            let deposit = &mut record.deposits[*at];
            let before = deposit.clone();
            if !deposit.take_report(transfer.state, required(app, transfer.output.network)) {
                added.at_once.follow(deposit);
                continue;
            }
            added.changed.note(*at, &before);
            // One that was lost once is no instant one again: others may have taken its place within the limit.
            deposit.instant &= before.state != OutputState::Vanished;
            deposit.confirmed_seq = deposit.is_confirmed().then_some(seq);
            if *at < stored && !added.updated.contains(at) {
                added.updated.push(*at);
            }
            (Some(before), *at)
        } else if transfer.state != OutputState::Vanished {
            let verdict = verdicts.get(&transfer.senders()).cloned().unwrap_or((Screening::Pending, None));
            let beside = beside(record, places, (&sums, &added.at_once), (transfer, transfers));
            let known = (&*record, elsewhere);
            let Some(deposit) =
                new_deposit::new(app, business, known, transfer, (&sums, beside), seq, verdict)
            else {
                tracing::error!(payment = %record.payment.id, output = ?transfer.output, currency = %transfer.currency,
                    "a transfer of a coin that its network does not have is not recorded");
                continue;
            };
            if dust::is_dust(record, &sums, &deposit) {
                if transfer.state == OutputState::Confirmed {
                    added.dust.push(transfer);
                }
                continue;
            }
            let at = record.deposits.len();
            added.changed.note_new(at);
            places.insert(deposit.output.clone(), at);
            record.deposits.push(deposit);
            (None, at)
        } else {
            continue;
        };
        added.at_once.follow(&record.deposits[at]);
        if !sums.follow(record, before.as_ref(), &record.deposits[at]) {
            if kept.is_some() {
                return None;
            }
            sums = DepositSums::of(record);
        }
        seq += 1;
    }
    match kept {
        Some(_) if !sums.suffice(record) => return None,
        Some(kept) => *kept = sums,
        None => {}
    }
    Some(added)
}

/// What can be lost with a transfer: deposits of its coin that are not confirmed, or were not before the chain was read, without those
/// that its change takes away.
fn beside(
    record: &PaymentWithDeposits,
    places: &BTreeMap<OutputId, usize>,
    (sums, at_once): (&DepositSums, &AtOnce),
    (transfer, transfers): (&Transfer, &[&Transfer]),
) -> Amount {
    let key = (transfer.currency, transfer.output.network);
    let is_of = |deposit: &&Deposit| deposit.key() == key && deposit.stands();
    let sum = |sum: Amount, deposit: &Deposit| plus(sum, deposit.amount);
    let vanished = transfers.iter().filter(|transfer| transfer.state == OutputState::Vanished);
    let leaves = vanished.filter_map(|transfer| record.deposits.get(*places.get(&transfer.output)?));
    let leaves = leaves.filter(is_of).filter(|deposit| deposit.is_awaited());
    plus(sums.awaited(key), at_once.of(key)).saturating_sub(leaves.fold(Amount::ZERO, sum))
}
