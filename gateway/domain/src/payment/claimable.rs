//! What a payer can ask back on the page, and what became of it.

use std::collections::BTreeMap;

use checkout_core::{Amount, Pair, pair};
use checkout_wire::claim_refund::ClaimStatus;
use checkout_wire::payment::OverpaymentPolicy;
use checkout_wire::{PaymentStatus, PaymentType};
use uuid::Uuid;

use super::PaymentWithDeposits;
use super::deposit::Deposit;
use super::plan_refunds::plans;
use super::refund::{Refund, Source};
use super::refund_phase::{End, Phase, Step};
use super::refund_said::Given;
use super::status::status_at;
use crate::chain::refund_address::NoRefundAddress;
use crate::ledger::fee::Fees;
use crate::ledger::limits::{self, less_fee};

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
    /// Where it came from, while the payer is asked whether that is their own wallet.
    pub sender: Option<Given>,
    pub to: Option<Given>,
    /// Why the merchant refused it; may be empty.
    pub refusal: Option<String>,
    pub transaction_id: Option<String>,
}

impl PaymentWithDeposits {
    /// One for each deposit and each refund of the merchant that a payer can ask for, or asked for. What has no fee here cannot be
    /// asked for now.
    pub fn claimable(&self, now: u64, fees: &Fees) -> Vec<Claimable> {
        let known = self.refunds().filter_map(|refund| claimable(self, refund));
        let kept = kept(self, now);
        let open =
            kept.into_iter().filter_map(|(deposit, gross)| open(deposit, gross, *fees.get(&deposit.key())?));
        known.chain(open).collect()
    }
}

/// `None` if the payer names no address for it.
fn claimable(record: &PaymentWithDeposits, refund: &Refund) -> Option<Claimable> {
    let (source, deposit, fee) = match refund.source {
        Source::Deposit { .. } => (ClaimSource::Automatic, Some(refund.id), refund.fee),
        Source::Merchant(_) => (ClaimSource::Merchant, None, Amount::ZERO),
        Source::Payer(deposit, _) => (ClaimSource::Kept, Some(deposit), refund.fee),
    };
    let claim = refund.phase.claim();
    let to = refund.given().or(claim.map(|claim| &claim.to)).cloned();
    let status = match &refund.phase {
        Phase::NeedsAddress { refused: Some(_), .. } => ClaimStatus::Refused,
        Phase::NeedsAddress { refused: None, .. } => ClaimStatus::Open,
        // The merchant named its address, or it goes back where it came from.
        _ if to.is_none() => return None,
        Phase::Dropped(_) | Phase::AboveLimit(_) | Phase::Ended(End::NotWorthItsFee, _) => return None,
        Phase::Claimed(_) => ClaimStatus::Asked,
        Phase::Leaving(Step::Queued | Step::Signed, _) => ClaimStatus::Approved,
        Phase::Leaving(Step::Sent, _) => ClaimStatus::Sent,
        Phase::Leaving(Step::Confirmed, _) => ClaimStatus::Confirmed,
        Phase::Refused(_) | Phase::Ended(End::Cancelled | End::Blocked, _) => ClaimStatus::Refused,
        Phase::Ended(End::Failed, _) => ClaimStatus::Failed,
    };
    Some(Claimable {
        id: deposit.unwrap_or(refund.id),
        deposit,
        source,
        pair: refund.pair,
        amount: refund.amount(),
        fee,
        status,
        sender: record.deposit(refund.id).filter(|_| asks_for_sender(refund)).map(Deposit::sender),
        to,
        refusal: claim.and_then(|claim| claim.refusal.clone()),
        transaction_id: refund.transaction_id().cloned(),
    })
}

fn asks_for_sender(refund: &Refund) -> bool {
    matches!(refund.phase, Phase::NeedsAddress { why: NoRefundAddress::UnconfirmedSender, .. })
}

/// What a payment that takes no more for its price received beyond it, by deposit: all of an expired one; what is too much, or came
/// after a paid one was paid, and is not refunded automatically. What the merchant refunded, whatever for, is taken off it: it is never
/// given back twice, and never part of the price.
fn kept(record: &PaymentWithDeposits, now: u64) -> Vec<(&Deposit, Amount)> {
    if record.payment.kind == PaymentType::Reusable {
        return Vec::new();
    }
    let free = |deposit: &&Deposit| deposit.is_confirmed() && record.refund(deposit.id).is_none();
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
        *rest = rest.saturating_sub(refundable.charged).min(refundable.rest().atoms());
    }
    let unasked = beyond.into_iter().filter(|(deposit, _)| record.claim_of(deposit.id).is_none());
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
        sender: None,
        to: None,
        refusal: None,
        transaction_id: None,
    })
}
