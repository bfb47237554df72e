//! Whose coins a payout would send: what is on the balances that it is charged to.

use checkout_domain::chain::payout::Payout;
use checkout_domain::ledger::Account;
use checkout_domain::ledger::cover::Cover;
use checkout_domain::ledger::money::Money;
use checkout_domain::ledger::settlement::settle;
use checkout_domain::payment::PaymentWithDeposits;
use checkout_domain::payment::pending::Spendable;
use checkout_domain::ports::{Stored, Tx};
use checkout_domain::rates::asset::Asset;
use checkout_domain::withdrawal::Withdrawal;

/// `record` is the payment that it refunds, `charged` what is reserved for it.
pub(super) async fn cover(
    tx: &mut dyn Tx,
    record: Option<&PaymentWithDeposits>,
    charged: Option<&Withdrawal>,
    payout: &Payout,
) -> Stored<Cover> {
    let balances = match charged {
        Some(charged) => vec![(charged.balance(), charged.deducted.asset)],
        None => credited(tx, record, payout).await?,
    };
    let pending = tx.pending(payout.business).await?;
    let unsigned = tx.unsigned(payout.business).await?;
    let mut worst = Cover::Final;
    for (account, asset) in balances {
        let balance = tx.balance(payout.business, account, asset).await?;
        let of_others = unsigned.iter().filter(|charged| {
            charged.id != payout.id && (charged.balance(), charged.deducted.asset) == (account, asset)
        });
        let reserved = of_others.fold(Money::zero(asset), |sum, charged| sum.plus(charged.deducted));
        worst = worst.max(Spendable::cover(balance, reserved, account, &pending));
    }
    Ok(worst)
}

/// Those to which the deposit of an automatic refund is credited: planned anew, the refund takes the credit off again, whether it is still
/// there or not.
async fn credited(
    tx: &mut dyn Tx,
    record: Option<&PaymentWithDeposits>,
    payout: &Payout,
) -> Stored<Vec<(Account, Asset)>> {
    let Some((deposit, _)) = record.and_then(|record| record.refund_by_payout(payout.id)) else {
        return Ok(Vec::new());
    };
    let booked = tx.booked_deposits(&[deposit.id]).await?;
    let all = Money::of_amount(deposit.amount, deposit.pair());
    let Some((booked, all)) = booked.get(&deposit.id).zip(all) else { return Ok(Vec::new()) };
    let credits = settle(all, booked.terms, booked.prices).credits();
    let credits = credits.into_iter().filter(|(_, part)| part.from.units > 0);
    Ok(credits.map(|(account, part)| (account, part.gross.asset)).collect())
}
