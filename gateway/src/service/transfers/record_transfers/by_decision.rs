//! Records a transfer for the payment that an operator names, because its tag leads to none.

use std::collections::BTreeMap;

use checkout_domain::chain::Transfer;
use checkout_domain::ids::PaymentId;
use checkout_domain::ports::{Stored, Tx};

use super::dust::Dust;
use super::records::LoadedPayments;
use super::{SenderScreening, add};
use crate::service::App;

/// Like a transfer that was read from the chain. False if it is a deposit already, belongs to a payment by its tag, or cannot be a
/// deposit of this one; then the caller must not commit. No batch of the network is stored meanwhile.
pub async fn record_for(
    app: &App,
    tx: &mut dyn Tx,
    payment: PaymentId,
    transfer: &Transfer,
    screening: SenderScreening,
) -> Stored<bool> {
    tx.cursor(transfer.output.network).await?;
    let transfers = std::slice::from_ref(transfer);
    if tx.owners(transfers).await? != [None] {
        return Ok(false);
    }
    let verdicts = BTreeMap::from([(transfer.senders(), screening)]);
    let (mut records, mut dust) = (LoadedPayments::default(), Dust::default());
    add::add(app, tx, (payment, &[transfer]), &verdicts, &mut records, &mut dust).await?;
    let owners = tx.owners(transfers).await?;
    Ok(matches!(owners.as_slice(), [Some(owner)] if owner.payment == payment))
}
