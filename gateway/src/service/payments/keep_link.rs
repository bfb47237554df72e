//! Keeps the payer's link while there is money to ask for.

use checkout_domain::access::session::CLAIM_DAYS;
use checkout_domain::ids::PaymentId;
use checkout_domain::ports::{Stored, Tx};

use crate::service::App;

const DAY: u64 = 86_400;

/// The session tokens of the payment are accepted for that many days from now on.
pub async fn keep_link(app: &App, tx: &mut dyn Tx, payment: PaymentId) -> Stored<()> {
    tx.keep_sessions(payment, app.clock.now().saturating_add(CLAIM_DAYS * DAY)).await
}
