//! What other payers chose before a payment was created: it decides in which order the pairs are offered, and what a transfer usually
//! costs. It is the same whenever it is asked, so a page that polls before it has chosen reads it once.

use std::collections::BTreeMap;
use std::sync::Arc;

use checkout_core::{Currency, Network};
use checkout_domain::ids::PaymentId;
use checkout_domain::payment::Payment;
use checkout_domain::ports::Stored;
use parking_lot::Mutex;

use super::usual_fee::UsualFees;
use crate::service::App;

/// The payments of this long before one decide in which order it offers the pairs, in seconds. What is paid later changes nothing:
/// no row moves under a payer's finger.
const REMEMBERED: u64 = 90 * 24 * 60 * 60;

/// Most payments in memory.
const MOST: usize = 4_096;

#[derive(Debug, Default)]
pub(crate) struct PastChoices {
    /// How often the business was paid in each pair.
    pub(crate) paid: BTreeMap<(Currency, Network), u64>,
    pub(crate) fees: UsualFees,
}

/// Those of payments whose pages were asked for.
#[derive(Debug, Default)]
pub struct KnownChoices(Mutex<BTreeMap<PaymentId, Arc<PastChoices>>>);

/// Reads what came before a payment, once.
pub(crate) async fn before(app: &App, payment: &Payment) -> Stored<Arc<PastChoices>> {
    let KnownChoices(known) = &app.state.choices;
    if let Some(known) = known.lock().get(&payment.id) {
        return Ok(Arc::clone(known));
    }
    let (until, since) = (payment.initiated_at, payment.initiated_at.saturating_sub(REMEMBERED));
    let paid = app.store.paid_pairs(payment.business, payment.id, since, until).await?;
    let fees = UsualFees::at(app, payment.business, until).await?;
    let choices = Arc::new(PastChoices { paid, fees });
    let mut known = known.lock();
    if known.len() >= MOST {
        known.pop_first(); // The oldest payment.
    }
    known.insert(payment.id, Arc::clone(&choices));
    Ok(choices)
}
