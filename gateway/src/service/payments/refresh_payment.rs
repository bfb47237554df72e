//! The stored status of a payment after a change of the merchant's refunds: what is given back does not pay.

use checkout_domain::payment::status;
use checkout_domain::ports::{Stored, Tx};
use checkout_domain::withdrawal::Withdrawal;

use crate::service::App;

/// Updates the payment of a refund, which is locked.
pub async fn refresh(app: &App, tx: &mut dyn Tx, refund: &Withdrawal) -> Stored<()> {
    let Some(payment) = refund.payment().filter(|_| refund.is_of_unpaid()) else { return Ok(()) };
    let Some(mut record) = tx.payment(payment).await? else { return Ok(()) };
    if status::refresh_status(&mut record, app.clock.now()) {
        tx.update_payment(&record.payment).await?;
        tracing::info!(%payment, status = %record.payment.status, "payment moved");
    }
    Ok(())
}
