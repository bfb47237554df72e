//! What the books and the merchant hear of a payout.

use checkout_domain::business::events::EventType;
use checkout_domain::chain::payout::{Payout, Purpose};
use checkout_domain::ledger::cause::Cause;
use checkout_domain::ledger::money::Money;
use checkout_domain::ledger::{Account, Entry, exchange};
use checkout_domain::payment::PaymentWithDeposits;
use checkout_domain::ports::{Stored, Tx};
use checkout_domain::withdrawal::Withdrawal;
use checkout_wire::create_withdrawal::WithdrawalStatus;
use uuid::Uuid;

use super::changed::Changed;
use crate::events::withdrawal_ended::WithdrawalEnded;
use crate::service::App;
use crate::service::callbacks::announce::announce;
use crate::service::transfers::book::{self, reverse};
use crate::service::transfers::follow_deposit::follow_unrefunded;

/// The money is on its way: the books and the merchant are told.
pub(super) async fn book_sent(app: &App, changed: &mut Changed) -> Stored<()> {
    let Changed { tx, before, payout } = changed;
    match payout.purpose {
        Purpose::Refund => {
            if let Some(entry) = before.as_ref().and_then(|record| sent_refund(app, record, payout)) {
                tx.post(&entry).await?;
            }
        }
        Purpose::Withdrawal | Purpose::MerchantRefund => {
            finish(app, tx.as_mut(), payout.id, WithdrawalStatus::Completed).await?;
        }
    }
    changed.tell(app, EventType::WithdrawalSent).await
}

/// Completes a withdrawal or a refund of the merchant: its status, its ledger entry, the callback of a withdrawal.
pub(super) async fn finish(app: &App, tx: &mut dyn Tx, id: Uuid, status: WithdrawalStatus) -> Stored<()> {
    let Some(mut withdrawal) = tx.withdrawal(id).await? else { return Ok(()) };
    let sent = status == WithdrawalStatus::Completed;
    withdrawal.status = status;
    tx.update_withdrawal(&withdrawal).await?;
    if !sent {
        reverse(app, tx, withdrawal.cause()).await?;
    } else if let Some(entry) = sent_withdrawal(app, &withdrawal) {
        tx.post(&entry).await?;
    }
    if let Some(payment) = withdrawal.payment() {
        return if sent { Ok(()) } else { follow_unrefunded(app, tx, payment).await };
    }
    let event = WithdrawalEnded::new(&withdrawal, app.policy.both_spellings);
    announce(app, tx, withdrawal.business, withdrawal.id, event).await
}

/// Books the amount charged to the balance to the chain, its costs and the service fee.
fn sent_withdrawal(app: &App, withdrawal: &Withdrawal) -> Option<Entry> {
    let amount = Money::of_amount(withdrawal.amount, withdrawal.pair)?;
    let fee = Money::of_amount(withdrawal.fee, withdrawal.pair)?;
    let (given, taken) = (withdrawal.deducted.less(withdrawal.service_fee), amount.plus(fee));
    let mut lines = vec![
        (withdrawal.reserved(), withdrawal.deducted.negated()),
        (Account::Fees, withdrawal.service_fee),
        (Account::Chain, amount),
        (Account::Costs, fee),
    ];
    if given.asset != taken.asset {
        lines.extend(exchange(given, taken));
    }
    let header = book::header(app, withdrawal.business, withdrawal.sent_cause(), withdrawal.payment());
    Some(Entry::new(header, book::price(app), lines))
}

/// Books the refund to the chain, less its costs.
fn sent_refund(app: &App, record: &PaymentWithDeposits, payout: &Payout) -> Option<Entry> {
    let money = |amount| Money::of_amount(amount, payout.pair);
    let (_, refund) = record.refund_by_payout(payout.id)?;
    let (gross, amount) = (money(refund.gross)?, money(payout.amount)?);
    let lines =
        [(Account::Refunds, gross.negated()), (Account::Chain, amount), (Account::Costs, gross.less(amount))];
    let header = book::header(app, payout.business, Cause::SentRefund(payout.id), Some(record.payment.id));
    Some(Entry::new(header, book::price(app), lines))
}
