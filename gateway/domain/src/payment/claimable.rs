//! What a payer can ask back on the page, and what became of it.

use std::collections::BTreeMap;

use checkout_core::{Amount, Pair, pair};
use checkout_wire::claim_refund::ClaimStatus;
use checkout_wire::payment::{OverpaymentPolicy, RefundWait};
use checkout_wire::refunds::RefundState;
use checkout_wire::{PaymentStatus, PaymentType};
use uuid::Uuid;

use super::PaymentWithDeposits;
use super::deposit::Deposit;
use super::merchant_refund::MerchantRefund;
use super::plan_refunds::plans;
use super::refund::{Given, Wait};
use super::status::status_at;
use crate::chain::payout::Progress;
use crate::ledger::fee::Fees;
use crate::ledger::limits::{self, less_fee};
use crate::withdrawal::rules::Approval;

/// Where the money comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimSource {
    /// The automatic refund of a deposit, which waits for an address.
    Automatic,
    /// A refund of the merchant, who left the address to the payer.
    Merchant,
    /// A deposit that was credited to the merchant and is no part of a paid price.
    Kept,
}

/// Money that a payer can ask for or asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claimable {
    /// That of the deposit, or of the refund of the merchant.
    pub id: Uuid,
    pub deposit: Option<Uuid>,
    pub source: ClaimSource,
    pub pair: &'static Pair,
    /// What the payer gets.
    pub amount: Amount,
    /// What the network takes of it; zero if the merchant pays it.
    pub fee: Amount,
    pub status: ClaimStatus,
    pub to: Option<Given>,
    /// Why the merchant refused it; may be empty.
    pub refusal: Option<String>,
    pub transaction_id: Option<String>,
}

impl PaymentWithDeposits {
    /// One for each deposit and each refund of the merchant that a payer can ask for, or asked for. What has no fee here cannot be
    /// asked for now.
    pub fn claimable(&self, now: u64, fees: &Fees) -> Vec<Claimable> {
        let automatic = self.deposits.iter().filter_map(automatic);
        let merchant = self.merchant_refunds.iter().filter_map(of_merchant);
        let mut all: Vec<Claimable> = automatic.chain(merchant).collect();
        let kept = kept(self, now);
        all.extend(
            kept.into_iter().filter_map(|(deposit, gross)| open(deposit, gross, *fees.get(&deposit.key())?)),
        );
        all
    }

    fn was_asked(&self, deposit: Uuid) -> bool {
        let mut asked = self.merchant_refunds.iter().filter_map(|refund| refund.withdrawal.asked);
        asked.any(|asked| asked.of == Some(deposit))
    }
}

fn automatic(deposit: &Deposit) -> Option<Claimable> {
    let refund = deposit.refund.as_ref()?;
    let given = deposit.claim.as_ref().and_then(|claim| claim.to.as_ref());
    let to = given.or(refund.asked.as_ref().map(|asked| &asked.to)).cloned();
    let sent = refund.payout.as_ref();
    let status = match (refund.waits, sent.map(|sent| sent.progress)) {
        (Some(Wait::Address(_)), _) if refund.is_refused() => ClaimStatus::Refused,
        (Some(Wait::Address(_)), _) => ClaimStatus::Open,
        (Some(Wait::Claim), _) => ClaimStatus::Asked,
        // It goes back where it came from, or is not worth its fee.
        (Some(Wait::Approval), _) | (None, None) => return None,
        (None, Some(_)) if to.is_none() => return None,
        (None, Some(progress)) => on_its_way(progress)?,
    };
    let bound = sent.filter(|sent| sent.progress.is_binding());
    Some(Claimable {
        id: deposit.id,
        deposit: Some(deposit.id),
        source: ClaimSource::Automatic,
        pair: deposit.pair(),
        amount: refund.plan.gross.saturating_sub(refund.fee),
        fee: refund.fee,
        status,
        to,
        refusal: refund.asked.as_ref().and_then(|asked| asked.refusal.clone()),
        transaction_id: bound.and_then(|sent| sent.transaction_id.clone()),
    })
}

fn of_merchant(refund: &MerchantRefund) -> Option<Claimable> {
    let MerchantRefund { withdrawal, progress, .. } = refund;
    let asked = withdrawal.asked;
    let of = asked.and_then(|asked| asked.of);
    let waits = refund.waits();
    // The merchant named the address of any other one.
    if asked.is_none() && waits.is_none_or(|(wait, _)| wait != RefundWait::Address) {
        return None;
    }
    let status = match (refund.state(), waits) {
        (RefundState::Cancelled | RefundState::Blocked, _) => ClaimStatus::Refused,
        (RefundState::Failed | RefundState::NonRefundable, _) => ClaimStatus::Failed,
        (RefundState::Pending, _) if refund.approval == Some(Approval::Rejected) => ClaimStatus::Refused,
        (RefundState::Pending, Some((RefundWait::Address, _))) => ClaimStatus::Open,
        (RefundState::Pending, Some((RefundWait::Approval, _))) => ClaimStatus::Asked,
        (RefundState::Pending, None) | (RefundState::Confirmed, _) => on_its_way(*progress)?,
    };
    Some(Claimable {
        id: of.unwrap_or(withdrawal.id),
        deposit: of,
        source: if of.is_some() { ClaimSource::Kept } else { ClaimSource::Merchant },
        pair: withdrawal.pair,
        amount: withdrawal.amount,
        fee: if of.is_some() { withdrawal.fee } else { Amount::ZERO },
        status,
        to: asked.map(|_| Given::of(withdrawal)),
        refusal: withdrawal.refusal.clone(),
        transaction_id: withdrawal.transaction_id.clone().filter(|_| progress.is_binding()),
    })
}

/// `None` for a payout that pays nothing.
fn on_its_way(progress: Progress) -> Option<ClaimStatus> {
    match progress {
        Progress::Unaddressed | Progress::Waiting | Progress::Signed => Some(ClaimStatus::Approved),
        Progress::Sent => Some(ClaimStatus::Sent),
        Progress::Confirmed | Progress::Final => Some(ClaimStatus::Confirmed),
        Progress::Failed | Progress::Cancelled | Progress::Reverted => None,
    }
}

/// What a payment that takes no more for its price received beyond it, by deposit: all of an expired one; what is too much, or came
/// after a paid one was paid, and is not refunded automatically. What the merchant refunded, whatever for, is taken off it: it is never
/// given back twice, and never part of the price.
fn kept(record: &PaymentWithDeposits, now: u64) -> Vec<(&Deposit, Amount)> {
    if record.payment.kind == PaymentType::Reusable {
        return Vec::new();
    }
    let free = |deposit: &&Deposit| deposit.is_confirmed() && deposit.refund.is_none();
    let beyond: Vec<(&Deposit, Amount)> = match status_at(record, now) {
        // Its price can still be paid.
        PaymentStatus::New | PaymentStatus::Pending | PaymentStatus::Awaiting => Vec::new(),
        PaymentStatus::Expired => {
            record.deposits.iter().filter(free).map(|deposit| (deposit, deposit.amount)).collect()
        }
        PaymentStatus::Deposited | PaymentStatus::Overpaid => {
            let mut refunding = record.clone();
            refunding.payment.overpayment_policy = OverpaymentPolicy::ExcessRefund;
            refunding.payment.refund_follow_ups = true;
            let plans: BTreeMap<_, _> = plans(&refunding, Deposit::is_confirmed).into_iter().collect();
            let deposits = record.deposits.iter().filter(free);
            deposits.filter_map(|deposit| Some((deposit, plans.get(&deposit.id)?.gross))).collect()
        }
    };
    let mut rests: BTreeMap<_, u128> = BTreeMap::new();
    for (deposit, gross) in &beyond {
        let rest = rests.entry(deposit.key()).or_default();
        *rest = rest.saturating_add(gross.atoms());
    }
    for (&(currency, network), rest) in &mut rests {
        let Some(pair) = pair::find(currency, network) else { continue };
        let refundable = record.refundable(pair);
        *rest = rest.saturating_sub(refundable.by_merchant).min(refundable.rest().atoms());
    }
    let unasked = beyond.into_iter().filter(|(deposit, _)| !record.was_asked(deposit.id));
    let left = unasked.filter_map(|(deposit, gross)| {
        let rest = rests.get_mut(&deposit.key())?;
        let atoms = gross.atoms().min(*rest);
        *rest -= atoms;
        Some((deposit, Amount::from_atoms(atoms).ok()?))
    });
    left.collect()
}

/// `None` for what is not worth its fee, or not paid out.
fn open(deposit: &Deposit, gross: Amount, fee: Amount) -> Option<Claimable> {
    let pair = deposit.pair();
    let amount = less_fee(gross, fee, pair)?;
    (amount <= limits::of(pair).maximum).then_some(Claimable {
        id: deposit.id,
        deposit: Some(deposit.id),
        source: ClaimSource::Kept,
        pair,
        amount,
        fee,
        status: ClaimStatus::Open,
        to: None,
        refusal: None,
        transaction_id: None,
    })
}
