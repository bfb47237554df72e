//! Stores the sums of a payment's deposits, so that its next deposit is added without reading them.

use checkout_domain::payment::PaymentWithDeposits;
use checkout_domain::payment::deposit_sums::DepositSums;
use checkout_domain::payment::status::is_settled;
use checkout_domain::ports::Stored;
use checkout_domain::ports::payments::PaymentTx;
use checkout_wire::PaymentType;

/// Payments with fewer deposits are read whole.
const FEW: usize = 3;

/// Stores the sums of a payment with all its deposits as they are stored. Returns false if it is to be read whole: a refund
/// depends on all deposits.
pub async fn keep(tx: &mut (impl PaymentTx + ?Sized), record: &PaymentWithDeposits) -> Stored<bool> {
    let payment = &record.payment;
    let is_paid = payment.kind != PaymentType::Reusable && is_settled(payment.status);
    if is_paid
        || record.deposits.len() < FEW
        || record.deposits.iter().any(|deposit| record.refund(deposit.id).is_some())
        || record.deposits.iter().any(|deposit| record.is_given_back(deposit))
    {
        return Ok(false);
    }
    let sums = DepositSums::of(record);
    let suffice = sums.suffice(record);
    if suffice {
        tx.put_deposit_sums(payment.id, &sums).await?;
    }
    Ok(suffice)
}
