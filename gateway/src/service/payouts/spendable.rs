//! What of a balance can be spent.

use checkout_domain::ids::{BusinessId, PaymentId};
use checkout_domain::ledger::Account;
use checkout_domain::payment::pending::Spendable;
use checkout_domain::ports::{Stored, Tx};
use checkout_domain::rates::asset::Asset;

/// A balance, locked. A refund waits for the deposits of its own payment, which count for it.
pub async fn spendable(
    tx: &mut dyn Tx,
    business: BusinessId,
    (account, asset): (Account, Asset),
    refunded: Option<PaymentId>,
) -> Stored<Spendable> {
    let balance = tx.balance(business, account, asset).await?;
    let pending = tx.pending(business).await?;
    Ok(match refunded {
        Some(payment) => Spendable::for_refund_of(payment, balance, account, &pending),
        None => Spendable::of(balance, account, &pending),
    })
}
