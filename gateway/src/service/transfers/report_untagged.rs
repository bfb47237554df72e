//! Stores what a payer's look-up found without the tag of a payment, for the operator.

use checkout_domain::chain::Transfer;
use checkout_domain::payment::PaymentWithDeposits;
use checkout_domain::payment::finding::{Looked, without_its_tag};
use checkout_domain::ports::Stored;

use super::record_transfers::storable;
use crate::service::App;

/// True if the operator knows of it. What has the tag of another payment belongs to that one, and is not reported.
pub(crate) async fn report(app: &App, record: &PaymentWithDeposits, looked: &Looked<'_>) -> bool {
    let transfers: Vec<Transfer> = without_its_tag(record, looked).into_iter().map(storable).collect();
    let reported = store(app, record, &transfers).await.unwrap_or_else(|error| {
        tracing::error!(payment = %record.payment.id, transaction = looked.id, %error, "an untagged transfer was not reported");
        Vec::new()
    });
    for transfer in &reported {
        tracing::warn!(payment = %record.payment.id, network = %looked.network, transaction = looked.id,
            output = transfer.output.index, tag = transfer.tag.as_deref(),
            "a payer reports a transfer that has the tag of no payment");
    }
    !reported.is_empty()
}

async fn store<'a>(
    app: &App,
    record: &PaymentWithDeposits,
    transfers: &'a [Transfer],
) -> Stored<Vec<&'a Transfer>> {
    let mut reported = Vec::new();
    if transfers.is_empty() {
        return Ok(reported);
    }
    for (transfer, owner) in transfers.iter().zip(app.store.owners(transfers).await?) {
        let is_free = owner.is_none();
        if is_free && app.store.report_untagged(transfer, record.payment.id, app.clock.now()).await? {
            reported.push(transfer);
        }
    }
    Ok(reported)
}
