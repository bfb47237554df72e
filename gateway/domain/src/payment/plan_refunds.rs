//! Plans refunds: the excess of an overpaid payment, and follow-up deposits.

use std::collections::BTreeMap;

use checkout_core::money::mul_div;
use checkout_core::{Amount, Pair, validate_with};
use checkout_wire::PaymentType;
use checkout_wire::payment::{OverpaymentPolicy, RefundAddress, RefundReason, RefundType};
use uuid::Uuid;

use super::PaymentWithDeposits;
use super::coverage::Cover;
use super::deposit::Deposit;
use super::refund::{Plan, Refund};
use super::refund_phase::Phase;
use super::refund_said::{Claim, Given};
use super::status::{is_follow_up, paid_at};
use crate::chain::environment::ANY_NETWORK;
use crate::chain::payout::Payout;
use crate::chain::refund_address::NoRefundAddress;
use crate::ids::BusinessId;
use crate::ledger::fee::fee;
use crate::ledger::limits::less_fee;
use crate::ledger::money::Round;

/// The planned refund of each deposit, counting those selected by `counts`.
///
/// A refund that can no longer be cancelled stays, and the amount that it takes off its deposit is no longer
/// excess. REUSABLE payments accept any number of deposits, so they have no excess. The excess of what
/// comes after a refund of the merchant does not go back automatically while any of them lasts: only the merchant knows what the payer
/// still gets.
pub fn plans(record: &PaymentWithDeposits, counts: impl Fn(&Deposit) -> bool) -> Vec<(Uuid, Plan)> {
    let payment = &record.payment;
    let Some(quote) = payment.quote.as_ref().filter(|_| payment.kind != PaymentType::Reusable) else {
        return Vec::new();
    };
    let mut deposits: Vec<&Deposit> = record.deposits.iter().filter(|deposit| counts(deposit)).collect();
    let binding = |deposit: &Deposit| record.refund(deposit.id).filter(|refund| refund.is_binding());
    // Refunds that cannot change come first, so that the other deposits carry all of the excess.
    deposits.sort_by_key(|deposit| {
        (binding(deposit).is_none(), deposit.confirmed_seq.is_none(), deposit.confirmed_seq, deposit.seen_seq)
    });
    let paid_at = paid_at(record, quote);
    let mut plans = Vec::new();
    deposits.retain(|deposit| {
        let follows = binding(deposit).is_none() && is_follow_up(paid_at, deposit);
        if follows && payment.refund_follow_ups {
            let (kind, reason) = (RefundType::Full, RefundReason::FollowUpDeposit);
            plans.push((deposit.id, Plan { kind, reason, gross: deposit.amount }));
        }
        !follows
    });
    // What a refund that cannot change returns is no part of the price.
    let kept = |deposit: &Deposit| {
        deposit.amount.saturating_sub(binding(deposit).map_or(Amount::ZERO, |refund| refund.gross))
    };
    let mut cover = Cover::new(quote);
    for deposit in &deposits {
        cover.add(record, deposit, kept(deposit));
    }
    // Also one that ended: a later one that lasts may have given back what came between them.
    let comes_first = |deposit: &Deposit| record.charged_refunds().all(|refund| refund.follows(deposit));
    let is_charged_back = record.is_charged_back();
    let mut covered = 0_u128;
    for deposit in deposits {
        let covers = cover.part(record, deposit, kept(deposit)).atoms();
        covered = covered.saturating_add(covers);
        if let Some(refund) = binding(deposit) {
            plans.extend(refund.plan().map(|plan| (deposit.id, plan)));
            continue;
        }
        let excess = covered.saturating_sub(quote.terms.expected.atoms()).min(covers);
        // A deposit that leaves its chain and returns keeps its refund.
        let is_automatic = record.refund(deposit.id).is_some() || !is_charged_back || comes_first(deposit);
        if excess > 0 && is_automatic && payment.overpayment_policy == OverpaymentPolicy::ExcessRefund {
            let gross = part(deposit.amount.atoms(), excess, covers);
            let kind = if gross == deposit.amount.atoms() { RefundType::Full } else { RefundType::Partial };
            let gross = Amount::from_atoms(gross).unwrap_or(deposit.amount);
            plans.push((deposit.id, Plan { kind, reason: RefundReason::Overpayment, gross }));
        }
    }
    affordable(record, counts, plans)
}

/// The plans that, with the merchant's refunds, return no more than was received.
fn affordable(
    record: &PaymentWithDeposits,
    counts: impl Fn(&Deposit) -> bool,
    mut plans: Vec<(Uuid, Plan)>,
) -> Vec<(Uuid, Plan)> {
    if !record.is_charged_back() {
        return plans;
    }
    let is_binding = |id| record.refund(id).is_some_and(Refund::is_binding);
    plans.sort_by_key(|(id, _)| !is_binding(*id));
    let mut rests: BTreeMap<_, u128> = BTreeMap::new();
    for deposit in record.deposits.iter().filter(|deposit| counts(deposit)) {
        let rest = rests.entry(deposit.key()).or_default();
        *rest = rest.saturating_add(deposit.amount.atoms());
    }
    for refund in record.charged_refunds() {
        let rest = rests.entry((refund.pair.currency, refund.pair.network)).or_default();
        *rest = rest.saturating_sub(refund.returned().atoms());
    }
    plans.retain(|(id, plan)| {
        let Some(rest) = record.deposit(*id).and_then(|deposit| rests.get_mut(&deposit.key())) else {
            return false;
        };
        let left = rest.checked_sub(plan.gross.atoms());
        *rest = left.unwrap_or(*rest);
        left.is_some() || is_binding(*id)
    });
    plans
}

/// The same part of `whole` as `share` is of `of`, rounded down.
fn part(whole: u128, share: u128, of: u128) -> u128 {
    if share == 0 {
        return 0;
    }
    mul_div(whole, share, of, Round::Down).unwrap_or(0).min(whole)
}

pub fn is_worth_its_fee(plan: &Plan, pair: &Pair) -> bool {
    less_fee(plan.gross, fee(pair, Amount::ZERO), pair).is_some()
}

/// The refund of a deposit under this plan, and the payout with which it goes at once, that has the new id. `known`: what it was before;
/// `by`: who names the address.
pub fn planned(
    deposit: &Deposit,
    known: Option<&Refund>,
    (plan, by): (&Plan, RefundAddress),
    (business, new): (BusinessId, impl FnOnce() -> (Uuid, u64)),
) -> (Refund, Option<Payout>) {
    let said = known.map(|known| known.kept(deposit)).unwrap_or_default();
    let approved = said.decision.as_ref().and_then(|decision| decision.gross);
    let refund = deposit.planned(plan, fee(deposit.pair(), Amount::ZERO), said.clone());
    let phase = if !is_worth_its_fee(plan, deposit.pair()) {
        return (refund, None); // It keeps the address that was approved, for when it is worth something again.
    } else if approved.is_some_and(|gross| gross != plan.gross) {
        said.undecided()
    } else if let Some(asked) = known.and_then(|known| known.asked(deposit)) {
        asked // An address that the payer asked for stays the only one, whatever the amount is now.
    } else {
        match recipient(deposit, &refund, by) {
            Ok(to) => {
                let ((id, now), is_given) = (new(), refund.given().is_some());
                let payout = refund.payout(id, business, to, is_given, now);
                return (refund.queued(&payout), Some(payout));
            }
            Err(why) => Phase::NeedsAddress { why, refused: said.claim.filter(Claim::is_refused) },
        }
    };
    (Refund { phase, ..refund }, None)
}

/// Where a planned refund goes, before its network is asked.
fn recipient(deposit: &Deposit, refund: &Refund, by: RefundAddress) -> Result<Given, NoRefundAddress> {
    if let Some(given) = refund.given() {
        return Ok(given.clone());
    }
    let (currency, network) = (deposit.currency.code(), deposit.output.network.code());
    // The chain reported the sender, so the address is on the configured network.
    if !validate_with(currency, network, &deposit.from, None, &ANY_NETWORK).valid {
        return Err(NoRefundAddress::UnknownSender);
    }
    let is_decided = refund.phase.decision().is_some() || refund.is_to_own_wallet(deposit);
    let is_asked = by == RefundAddress::Payer && !is_decided;
    if is_asked { Err(NoRefundAddress::UnconfirmedSender) } else { Ok(deposit.sender()) }
}
