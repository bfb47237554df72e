//! What of a balance can be spent.

use checkout_domain::ids::{BusinessId, PaymentId};
use checkout_domain::ledger::Account;
use checkout_domain::payment::pending::Spendable;
use checkout_domain::ports::{Stored, Tx};
use checkout_domain::rates::asset::Asset;
use checkout_domain::withdrawal::Withdrawal;

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

/// Whether no money that is not final pays a charged refund, if it is signed now.
pub async fn lets_leave(tx: &mut dyn Tx, charge: &Withdrawal) -> Stored<bool> {
    let (account, asset) = (charge.balance(), charge.deducted.asset);
    let balance = tx.balance(charge.business, account, asset).await?;
    let pending = tx.pending(charge.business).await?;
    Ok(Spendable::lets_leave(charge.id, balance, account, &pending))
}
