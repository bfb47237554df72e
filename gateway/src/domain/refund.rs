//! What goes back to payers: the excess of an overpaid payment, and what came after it was paid.

use checkout_core::wire::payment::{OverpaymentPolicy, RefundReason, RefundStatus, RefundType};
use checkout_core::wire::{self, PaymentType};
use checkout_core::{Amount, validate};
use uuid::Uuid;

use super::deposit::Deposit;
use super::fiat::Fiat;
use super::limits;
use super::money::Round;
use super::muldiv::mul_div;
use super::payment::Record;
use super::payout::Progress;
use super::quote::worth;
use super::standing::is_follow_up;

/// The refund of one deposit as it is stored, in atoms of the deposit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refund {
    pub plan: Plan,
    /// The cost of the chain, which the payer bears: `gross` less this is sent.
    pub fee: Amount,
    /// `None` when it cannot be refunded: nothing would be left, or no sender is known. The merchant keeps it.
    pub payout: Option<Transfer>,
}

/// The transaction of a refund.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transfer {
    pub id: Uuid,
    pub progress: Progress,
    pub transaction_id: Option<String>,
    pub confirmed_at: Option<u64>,
}

/// What of a deposit goes back, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    pub kind: RefundType,
    pub reason: RefundReason,
    /// The fee included.
    pub gross: Amount,
}

/// What is to go back of each deposit, counting those that `counts` says.
///
/// A refund that cannot be called back stands whatever happens to the other deposits, and what it takes off its deposit
/// is no excess any more. REUSABLE payments take any number of deposits: nothing of theirs is too much.
pub fn plans(record: &Record, counts: impl Fn(&Deposit) -> bool) -> Vec<(Uuid, Plan)> {
    let payment = &record.payment;
    let Some(quote) = payment.quote.as_ref().filter(|_| payment.kind != PaymentType::Reusable) else {
        return Vec::new();
    };
    let mut deposits: Vec<&Deposit> = record.deposits.iter().filter(|deposit| counts(deposit)).collect();
    // What cannot be changed comes first, so that the others carry all of the excess.
    deposits.sort_by_key(|deposit| {
        let is_fixed = deposit.refund.as_ref().is_some_and(Refund::is_binding);
        (!is_fixed, deposit.confirmed_seq.is_none(), deposit.confirmed_seq, deposit.seen_seq)
    });
    let (mut covered, mut plans) = (0_u128, Vec::new());
    for deposit in deposits {
        let fixed = deposit.refund.as_ref().filter(|refund| refund.is_binding());
        if let Some(refund) = fixed {
            plans.push((deposit.id, refund.plan.clone()));
        } else if is_follow_up(record, quote, deposit) {
            if payment.refund_follow_ups {
                let (kind, reason) = (RefundType::Full, RefundReason::FollowUpDeposit);
                plans.push((deposit.id, Plan { kind, reason, gross: deposit.amount }));
            }
            continue;
        }
        let covers = deposit.covers(payment, quote).atoms();
        let gross = fixed.map_or(Amount::ZERO, |refund| refund.plan.gross);
        covered = covered.saturating_add(covers - part(covers, gross.atoms(), deposit.amount.atoms()));
        let excess = covered.saturating_sub(quote.terms.expected.atoms()).min(covers);
        if fixed.is_none() && excess > 0 && payment.overpayment_policy == OverpaymentPolicy::ExcessRefund {
            let gross = part(deposit.amount.atoms(), excess, covers);
            let kind = if gross == deposit.amount.atoms() { RefundType::Full } else { RefundType::Partial };
            let gross = Amount::from_atoms(gross).unwrap_or(deposit.amount);
            plans.push((deposit.id, Plan { kind, reason: RefundReason::Overpayment, gross }));
        }
    }
    plans
}

/// The part of `whole` that `share` is of `of`, rounded down.
fn part(whole: u128, share: u128, of: u128) -> u128 {
    mul_div(whole, share, of, Round::Down).unwrap_or(0).min(whole)
}

/// The cost of the chain, and what is sent when something is left after it and the sender is known.
pub fn sendable(deposit: &Deposit, plan: &Plan) -> (Amount, Option<Amount>) {
    let pair = deposit.pair();
    let fee = limits::of(pair).fee;
    let left = plan.gross.checked_sub(fee).filter(|left| !left.is_zero());
    let sender = validate(pair.currency.code(), pair.network.code(), &deposit.from, None);
    (fee, left.filter(|_| sender.valid))
}

impl Refund {
    /// It cannot be called back.
    pub fn is_binding(&self) -> bool {
        self.payout.as_ref().is_some_and(|payout| payout.progress.is_binding())
    }

    /// It failed, or could not be sent in the first place: the merchant keeps the money.
    pub fn is_impossible(&self) -> bool {
        self.payout.as_ref().is_none_or(|payout| payout.progress == Progress::Failed)
    }

    /// What does not stay with the merchant.
    pub fn returned(&self) -> Amount {
        if self.is_impossible() { Amount::ZERO } else { self.plan.gross }
    }

    pub fn status(&self) -> RefundStatus {
        match &self.payout {
            Some(payout) if payout.progress.is_confirmed() => RefundStatus::Confirmed,
            _ if self.is_impossible() => RefundStatus::NonRefundable,
            _ => RefundStatus::Pending,
        }
    }

    /// Interface section 2.3. The amount of a NON_REFUNDABLE one is what was too much, its fee what sending would cost.
    pub fn to_wire(&self, deposit: &Deposit, fiat: Fiat) -> wire::Refund {
        let pair = deposit.pair();
        let amount =
            if self.is_impossible() { self.plan.gross } else { self.plan.gross.saturating_sub(self.fee) };
        let display = |amount| fiat.text(worth(amount, pair, deposit.rate, fiat).unwrap_or_default());
        let sent = self.payout.as_ref().filter(|payout| payout.progress.is_binding());
        wire::Refund {
            kind: self.plan.kind.clone(),
            status: self.status(),
            reason: self.plan.reason.clone(),
            amount: amount.to_text(pair.decimals),
            fee: self.fee.to_text(pair.decimals),
            display_currency: fiat.code().to_owned(),
            display_amount: display(amount),
            display_fee: display(self.fee),
            transaction_id: sent.and_then(|payout| payout.transaction_id.clone()),
            confirmed_at: sent.and_then(|payout| payout.confirmed_at),
        }
    }
}
