//! Adds transfers to the deposits of their payment.

use std::collections::BTreeMap;

use checkout_domain::chain::screening::Screening;
use checkout_domain::chain::{OutputState, Transfer};
use checkout_domain::payment::dust::Missing;
use checkout_domain::ports::{Stored, Tx};
use uuid::Uuid;

use super::records::{Record, Records};
use super::{Dust, Verdict, new_deposit};
use crate::service::{App, follow_deposit};

/// Adds transfers to their payment, and updates its status.
pub(super) async fn add(
    app: &App,
    tx: &mut dyn Tx,
    (payment, transfers): (Uuid, &[&Transfer]),
    verdicts: &BTreeMap<Vec<String>, Verdict>,
    records: &mut Records,
    dust: &mut Dust,
) -> Stored<()> {
    let Some(mut found) = records.take(tx, payment).await? else { return Ok(()) };
    let Record { with_deposits: record, booked, places } = &mut found;
    let Some(business) = records.business(app, record.payment.business).await? else { return Ok(()) };
    let stored = record.deposits.len();
    let mut changed = follow_deposit::Changed::default();
    let (mut missing, mut sums) = (Missing::default(), new_deposit::Sums::default());
    let mut seq = follow_deposit::next_seq(record);
    for transfer in transfers {
        if let Some(at) = places.get(&transfer.output) {
            let deposit = &mut record.deposits[*at];
            if deposit.state == transfer.state {
                continue;
            }
            changed.note(*at, deposit);
            deposit.state = transfer.state;
            deposit.confirmed_seq = deposit.is_confirmed().then_some(seq);
            if *at < stored {
                tx.update_deposit(deposit).await?;
            }
            (missing, sums) = (Missing::default(), new_deposit::Sums::default());
        } else if transfer.state != OutputState::Vanished {
            let verdict = verdicts.get(&transfer.senders()).cloned().unwrap_or((Screening::Pending, None));
            let Some(deposit) = new_deposit::new(app, &business, record, transfer, &mut sums, seq, verdict)
            else {
                tracing::error!(%payment, output = ?transfer.output, currency = %transfer.currency,
                    "a transfer of a coin that its network does not have is not recorded");
                continue;
            };
            if missing.is_dust(record, &deposit) {
                if transfer.state == OutputState::Confirmed {
                    dust.add(payment, transfer);
                }
                continue;
            }
            missing.add(record, &deposit);
            sums.add(record, &deposit);
            changed.note_new(record.deposits.len());
            places.insert(deposit.output.clone(), record.deposits.len());
            record.deposits.push(deposit);
        } else {
            continue;
        }
        seq += 1;
    }
    if changed.is_empty() {
        return records.keep(tx, found).await;
    }
    tx.insert_deposits(payment, &record.deposits[stored..]).await?;
    follow_deposit::follow(app, tx, &business, record, booked, &changed).await?;
    records.keep(tx, found).await
}
