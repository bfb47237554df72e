//! A refund of a payment: what made it, and how far it is.

use checkout_core::{Amount, Pair};
use checkout_wire::payment::{RefundReason, RefundType};
use uuid::Uuid;

use super::deposit::Deposit;
use super::refund_phase::{End, Phase};
use crate::chain::payout::hold::Hold;
use crate::chain::payout::state::{PayoutState, Progress};
use crate::chain::payout::{Payout, Purpose};
use crate::chain::refund_address::NoRefundAddress;
use crate::ids::BusinessId;
use crate::withdrawal::Withdrawal;
use crate::withdrawal::rules::Unapproved;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refund {
    /// That of its deposit if it is automatic, otherwise that of its payout.
    pub id: Uuid,
    pub pair: &'static Pair,
    /// What the payment gives back.
    pub gross: Amount,
    /// What the network takes: of `gross`, unless the merchant pays it.
    pub fee: Amount,
    pub source: Source,
    pub claim: Option<Claim>,
    /// About an automatic one.
    pub decision: Option<Decision>,
    pub phase: Phase,
}

/// What made a refund.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A deposit that is too much, or came too late: its own money goes back.
    Deposit { kind: RefundType, reason: RefundReason },
    /// The merchant: a balance is charged.
    Merchant(Box<Withdrawal>),
    /// The payer asked for what was credited with this deposit: a balance is charged.
    Payer(Uuid, Box<Withdrawal>),
}

/// The payer's request: where the money is to go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    pub to: Given,
    pub at: u64,
    /// Why the merchant refused it; may be empty.
    pub refusal: Option<String>,
}

/// An operator's decision about an automatic refund, which keeps it while nothing is planned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// `None`: to the sender.
    pub to: Option<Given>,
    pub at: u64,
    /// The amount before the fee that was approved; `None` if an address alone was named.
    pub gross: Option<Amount>,
}

/// An address that was given for a refund, in normal form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    pub address: String,
    pub tag: Option<String>,
}

/// The refunded part of a deposit, and the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    pub kind: RefundType,
    pub reason: RefundReason,
    /// Including the fee.
    pub gross: Amount,
}

impl Refund {
    /// The payout of an automatic refund. `is_given`: to an address that was given, not to the sender.
    pub fn payout(&self, id: Uuid, business: BusinessId, to: Given, is_given: bool, now: u64) -> Payout {
        Payout {
            id,
            business,
            purpose: Purpose::Refund,
            pair: self.pair,
            amount: self.amount(),
            to: to.address,
            tag: to.tag,
            claimed: is_given,
            created_at: now,
            state: PayoutState::Waiting,
            hold: Hold::Free,
            why: None,
            revision: 0,
        }
    }

    /// The refund for which a balance is charged; `None` if its payout is in no phase of one. `claimed_at` and `refusal` are those of the
    /// payer's request.
    pub fn charged(
        charge: Withdrawal,
        payout: (Progress, Option<u64>),
        (claimed_at, refusal): (Option<u64>, Option<String>),
    ) -> Option<Self> {
        let claim = claimed_at.map(|at| Claim { to: Given::of(&charge), at, refusal });
        let phase = Phase::of_charge(&charge, payout, claim.is_some())?;
        let (id, pair, gross, fee) = (charge.id, charge.pair, charge.gross(), charge.fee);
        let source = match charge.claim_of() {
            Some(deposit) => Source::Payer(deposit, Box::new(charge)),
            None => Source::Merchant(Box::new(charge)),
        };
        Some(Self { id, pair, gross, fee, source, claim, decision: None, phase })
    }

    /// `None` if a balance is charged for it, or nothing is planned.
    pub fn plan(&self) -> Option<Plan> {
        match self.source {
            Source::Deposit { kind, reason } if self.is_planned() => {
                Some(Plan { kind, reason, gross: self.gross })
            }
            Source::Deposit { .. } | Source::Merchant(_) | Source::Payer(..) => None,
        }
    }

    /// Its payment returns it. One that is not planned is kept for what was said about it.
    pub fn is_planned(&self) -> bool {
        self.phase != Phase::Dropped
    }

    /// The address that an operator gave for it.
    pub fn given(&self) -> Option<&Given> {
        self.decision.as_ref()?.to.as_ref()
    }

    /// Whether the payer said that this deposit came from their own wallet.
    pub fn is_to_own_wallet(&self, deposit: &Deposit) -> bool {
        self.claim.as_ref().is_some_and(|claim| claim.refusal.is_none() && claim.to == deposit.sender())
    }

    /// `None` if a balance is charged for it.
    pub fn kind(&self) -> Option<RefundType> {
        match self.source {
            Source::Deposit { kind, .. } => Some(kind),
            Source::Merchant(_) | Source::Payer(..) => None,
        }
    }

    /// What sends it. What is charged has the id of its payout from the beginning.
    pub fn payout_id(&self) -> Option<Uuid> {
        let of_charge = self.charge().map(|charge| charge.id);
        of_charge.or_else(|| self.phase.transfer().map(|transfer| transfer.payout))
    }

    /// What is charged to a balance for it.
    pub fn charge(&self) -> Option<&Withdrawal> {
        match &self.source {
            Source::Deposit { .. } => None,
            Source::Merchant(charge) | Source::Payer(_, charge) => Some(charge),
        }
    }

    /// What the recipient gets.
    pub fn amount(&self) -> Amount {
        self.charge().map_or_else(|| self.gross.saturating_sub(self.fee), |charge| charge.amount)
    }

    /// The payer got the money, or gets it.
    pub fn lasts(&self) -> bool {
        !matches!(self.phase, Phase::Dropped | Phase::Ended(_))
    }

    /// It lasts, and the merchant did not refuse it.
    pub fn goes_back(&self) -> bool {
        self.lasts() && self.phase != Phase::Refused
    }

    /// The amount that the merchant does not keep.
    pub fn returned(&self) -> Amount {
        if self.lasts() { self.gross } else { Amount::ZERO }
    }

    /// It can no longer be cancelled.
    pub fn is_binding(&self) -> bool {
        matches!(self.phase, Phase::Signed(_) | Phase::Sent(_) | Phase::Confirmed(_))
    }

    /// Once it is signed.
    pub fn transaction_id(&self) -> Option<&String> {
        self.phase.transfer().filter(|_| self.is_binding())?.transaction_id.as_ref()
    }

    /// The payer named an address, and the merchant decides or refused it.
    pub fn is_claimed(&self) -> bool {
        let claimed = Phase::NeedsApproval(Unapproved::Claim);
        self.phase == claimed || self.phase == Phase::NeedsAddress(NoRefundAddress::ClaimRefused)
    }

    /// The merchant refused the address that the payer named, and gives another one.
    pub fn is_refused(&self) -> bool {
        self.claim.as_ref().is_some_and(|claim| claim.refusal.is_some())
    }

    /// The payer named an address.
    #[must_use]
    pub fn claimed(self, to: Given, at: u64) -> Self {
        let claim = Some(Claim { to, at, refusal: None });
        Self { claim, phase: Phase::NeedsApproval(Unapproved::Claim), ..self }
    }

    /// The merchant refuses the address that the payer named.
    #[must_use]
    pub fn refused(self, reason: &str) -> Self {
        let phase = match self.charge() {
            Some(_) => Phase::Refused,
            None => Phase::NeedsAddress(NoRefundAddress::ClaimRefused),
        };
        let claim = self.claim.map(|claim| Claim { refusal: Some(reason.to_owned()), ..claim });
        Self { claim, phase, ..self }
    }

    /// An operator lets it go with this payout. What somebody saw is approved with its amount; another address is only named.
    #[must_use]
    pub fn decided(self, payout: &Payout) -> Self {
        let to = Given { address: payout.to.clone(), tag: payout.tag.clone() };
        let is_seen = match self.phase {
            Phase::NeedsApproval(Unapproved::Limit) => true,
            Phase::NeedsApproval(Unapproved::Claim) => {
                self.claim.as_ref().is_some_and(|claim| claim.to == to)
            }
            _ => false,
        };
        let gross = is_seen.then_some(self.gross);
        let decision = Decision { to: payout.claimed.then_some(to), at: payout.created_at, gross };
        Self { decision: Some(decision), phase: Phase::queued(payout), ..self }
    }

    /// It has no transaction any more. The payer names another address, unless the merchant refused one.
    #[must_use]
    pub fn waits_again(self, phase: Phase) -> Self {
        let claim = if self.is_refused() { self.claim } else { None };
        Self { claim, decision: None, phase, ..self }
    }

    /// It waits for another decision. An address that was approved becomes a claim.
    #[must_use]
    pub fn undecided(self) -> Self {
        let Some(Decision { to, at, .. }) = self.decision else { return self };
        let decided = to.map(|to| Claim { to, at, refusal: None });
        let why = if decided.is_some() { Unapproved::Claim } else { Unapproved::Limit };
        let claim = self.claim.or(decided);
        Self { claim, decision: None, phase: Phase::NeedsApproval(why), ..self }
    }

    /// Nothing goes back of its deposit now. It keeps what was decided, and what the payer asked for.
    #[must_use]
    pub fn dropped(self, deposit: &Deposit) -> Self {
        let claim = self.lasting_claim(deposit).cloned();
        Self { claim, phase: Phase::Dropped, ..self }
    }

    /// The payer's request, if it stays whatever is planned: what was approved is an operator's decision.
    fn lasting_claim(&self, deposit: &Deposit) -> Option<&Claim> {
        let stays =
            !self.is_planned() || self.is_claimed() || self.is_refused() || self.is_to_own_wallet(deposit);
        self.claim.as_ref().filter(|_| stays)
    }

    /// Another plan for its deposit, before it is known where that goes.
    #[must_use]
    pub fn planned_again(&self, deposit: &Deposit, plan: &Plan, fee: Amount) -> Self {
        let (claim, decision) = (self.lasting_claim(deposit).cloned(), self.decision.clone());
        Self { claim, decision, ..deposit.planned(plan, fee) }
    }

    /// What it waits for again under another plan. An address that the payer asked for stays the only one, whatever the amount is.
    pub fn asked(&self, deposit: &Deposit) -> Option<Phase> {
        match &self.phase {
            Phase::Dropped if self.decision.is_some() || self.is_to_own_wallet(deposit) => None,
            Phase::Dropped => self.claim.as_ref().map(Claim::phase),
            phase => self.is_claimed().then(|| phase.clone()),
        }
    }
}

impl Deposit {
    /// Where it came from.
    pub fn sender(&self) -> Given {
        Given { address: self.from.clone(), tag: self.from_tag.clone() }
    }

    /// The refund that is planned for it, before it is known where that goes.
    pub fn planned(&self, plan: &Plan, fee: Amount) -> Refund {
        let Plan { kind, reason, gross } = *plan;
        let (source, claim, decision) = (Source::Deposit { kind, reason }, None, None);
        let phase = Phase::Ended(End::NotWorthItsFee);
        Refund { id: self.id, pair: self.pair(), gross, fee, source, claim, decision, phase }
    }
}

impl Claim {
    /// Of a refund that is planned again.
    fn phase(&self) -> Phase {
        match self.refusal {
            Some(_) => Phase::NeedsAddress(NoRefundAddress::ClaimRefused),
            None => Phase::NeedsApproval(Unapproved::Claim),
        }
    }
}

impl Given {
    /// Where a withdrawal goes.
    pub fn of(withdrawal: &Withdrawal) -> Self {
        Self { address: withdrawal.to.clone(), tag: withdrawal.tag.clone() }
    }
}

#[cfg(test)]
mod tests {
    use checkout_core::{Currency, Network, pair};

    use super::*;

    const WAITS: Phase = Phase::NeedsAddress(NoRefundAddress::Contract);

    fn given(address: &str) -> Given {
        Given { address: address.to_owned(), tag: None }
    }

    fn refund(phase: Phase) -> Refund {
        Refund {
            id: Uuid::from_u128(1),
            pair: pair::find(Currency::Btc, Network::Btc).unwrap(),
            gross: Amount::from_atoms(10).unwrap(),
            fee: Amount::from_atoms(3).unwrap(),
            source: Source::Deposit { kind: RefundType::Partial, reason: RefundReason::Overpayment },
            claim: None,
            decision: None,
            phase,
        }
    }

    /// An address that nobody else saw is not approved: its amount may change.
    #[test]
    fn what_a_decision_approves() {
        let check = |refund: Refund, to: Option<&str>, is_approved: bool| {
            let (gross, why) = (refund.gross, format!("{:?} to {to:?}", refund.phase));
            let business = BusinessId(Uuid::nil());
            let payout =
                refund.payout(Uuid::from_u128(2), business, given(to.unwrap_or("sender")), to.is_some(), 7);
            assert_eq!(payout.amount.atoms(), 7, "{why}");
            let queued = refund.decided(&payout);
            assert_eq!(queued.phase.transfer().unwrap().payout, payout.id, "{why}");
            let expected = Decision { to: to.map(given), at: 7, gross: is_approved.then_some(gross) };
            assert_eq!(queued.decision, Some(expected), "{why}");
        };
        let limit = || refund(Phase::NeedsApproval(Unapproved::Limit));
        let claimed = || refund(WAITS).claimed(given("payer"), 5);
        check(limit(), None, true);
        check(limit(), Some("other"), true);
        check(claimed(), Some("payer"), true);
        check(claimed(), Some("other"), false);
        check(claimed().refused("no"), Some("other"), false);
        check(refund(WAITS), Some("other"), false);
    }

    #[test]
    fn a_claim_is_forgotten_unless_it_was_refused() {
        let check = |refund: Refund, claim: Option<&str>, is_claimed: bool| {
            assert_eq!(refund.claim.as_ref().map(|claim| &*claim.to.address), claim, "{refund:?}");
            assert_eq!((refund.is_claimed(), refund.lasts()), (is_claimed, true), "{refund:?}");
        };
        let claimed = || refund(WAITS).claimed(given("payer"), 5);
        check(refund(WAITS), None, false);
        check(claimed(), Some("payer"), true);
        check(claimed().refused("no"), Some("payer"), true);
        check(claimed().refused("no").claimed(given("other"), 6), Some("other"), true);
        check(claimed().waits_again(WAITS), None, false);
        check(claimed().refused("no").waits_again(WAITS), Some("payer"), false);
        let kept = refund(Phase::Ended(End::NotWorthItsFee));
        assert_eq!((kept.returned(), refund(WAITS).returned().atoms()), (Amount::ZERO, 10));
    }
}
