//! The steps of a refund, and what refuses one.

use checkout_core::Decimal;

use super::deposit::Deposit;
use super::refund::Refund;
use super::refund_phase::{End, Phase, Step, Transfer};
use super::refund_said::{Claim, Decision, Given, Said};
use crate::chain::payout::Payout;
use crate::chain::refund_address::NoRefundAddress;
use crate::withdrawal::Withdrawal;
use crate::withdrawal::rules::Approval;

crate::words! {
    /// Why a refund does not take a step, as the end of a sentence.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum NotNow {
        NeedsAddress = "waits for an address",
        NeedsNoAddress = "waits for no address",
        NeedsNoApproval = "waits for no approval",
        NotAsked = "was not asked for by the payer, or is decided",
        TooLate = "cannot be cancelled any more",
        Automatic = "is automatic: its money belongs to the payer",
    }
}

impl Refund {
    /// Whether it waits for an approval; false if it has one.
    pub fn can_be_approved(&self) -> Result<bool, NotNow> {
        let is_approved = match self.charge() {
            Some(charge) => charge.approval == Some(Approval::Approved),
            None => {
                self.phase.claim().is_some()
                    || self.phase.decision().is_some_and(|decision| decision.to.is_none())
            }
        };
        match self.phase {
            Phase::AboveLimit(_) | Phase::Claimed(_) => Ok(true),
            Phase::NeedsAddress { .. } => Err(NotNow::NeedsAddress),
            Phase::Dropped(_) | Phase::Refused(_) | Phase::Leaving(..) | Phase::Ended(..) => {
                is_approved.then_some(false).ok_or(NotNow::NeedsNoApproval)
            }
        }
    }

    /// Whether an organisation key approves it, and not who asked for it: what charges more to a balance than a token of the business may
    /// pay, or was not asked for by the payer.
    pub fn is_approved_by_organisation(&self, approval_above: Option<Decimal>) -> bool {
        let is_large = |charge: &Withdrawal| approval_above.is_some_and(|most| charge.uniform_amount > most);
        let charge = self.charge().filter(|charge| charge.approval.is_some());
        charge.is_some_and(|charge| self.phase.claim().is_none() || is_large(charge))
    }

    /// Whether an operator can send it to this address; false if it has that. An automatic one that needs an approval can go to another one.
    pub fn can_be_addressed(&self, to: &Given) -> Result<bool, NotNow> {
        let (is_open, known) = match self.charge() {
            Some(charge) => (false, self.lasts().then(|| Given::of(charge))),
            None => (self.phase.wait().is_some(), self.given().cloned()),
        };
        match &self.phase {
            _ if known.as_ref() == Some(to) => Ok(false),
            Phase::NeedsAddress { .. } => Ok(true),
            _ => is_open.then_some(true).ok_or(NotNow::NeedsNoAddress),
        }
    }

    /// Whether the merchant can take it back; false if that was done.
    pub fn can_be_cancelled(&self) -> Result<bool, NotNow> {
        if self.charge().is_none() {
            return Err(NotNow::Automatic);
        }
        if matches!(self.phase, Phase::Ended(End::Cancelled, _)) {
            return Ok(false);
        }
        if self.lasts() && !self.is_binding() { Ok(true) } else { Err(NotNow::TooLate) }
    }

    /// The payer named an address.
    pub fn claimed(self, claim: Claim) -> Result<Self, NotNow> {
        if !matches!(self.phase, Phase::NeedsAddress { .. }) {
            return Err(NotNow::NeedsNoAddress);
        }
        Ok(Self { phase: Phase::Claimed(claim), ..self })
    }

    /// The merchant refuses the address that the payer named; `None` if that was done.
    pub fn refused(self, reason: &str) -> Result<Option<Self>, NotNow> {
        let is_rejected = self.charge().map(|charge| charge.approval == Some(Approval::Rejected));
        let is_refused = match &self.phase {
            Phase::NeedsAddress { why, .. } => *why == NoRefundAddress::ClaimRefused,
            phase => phase.claim().is_some() && is_rejected == Some(true),
        };
        let Phase::Claimed(claim) = self.phase else {
            return if is_refused { Ok(None) } else { Err(NotNow::NotAsked) };
        };
        let refused = Some(Claim { refusal: Some(reason.to_owned()), ..claim });
        let phase = match is_rejected {
            Some(_) => Phase::Refused(refused),
            None => Phase::NeedsAddress { why: NoRefundAddress::ClaimRefused, refused },
        };
        Ok(Some(Self { phase, ..self }))
    }

    /// An operator lets it go with this payout. What somebody saw is approved with its amount; another address is only named.
    pub fn decided(self, payout: &Payout) -> Result<Self, NotNow> {
        let to = Given { address: payout.to.clone(), tag: payout.tag.clone() };
        let is_seen = match &self.phase {
            Phase::AboveLimit(_) => true,
            Phase::Claimed(claim) => claim.to == to,
            Phase::NeedsAddress { .. } => false,
            Phase::Dropped(_) | Phase::Refused(_) | Phase::Leaving(..) | Phase::Ended(..) => {
                return Err(NotNow::NeedsNoAddress);
            }
        };
        let gross = is_seen.then_some(self.gross);
        let decision = Decision { to: payout.claimed.then_some(to), at: payout.created_at, gross };
        let said = Said { decision: Some(decision), ..self.said() };
        Ok(Self { phase: Phase::Leaving(Step::Queued, Transfer::of(payout, said)), ..self })
    }

    /// It goes with this payout.
    pub fn queued(self, payout: &Payout) -> Self {
        Self { phase: Phase::Leaving(Step::Queued, Transfer::of(payout, self.said())), ..self }
    }

    /// It has no transaction any more. The payer names another address, unless the merchant refused one.
    pub fn needs_address(self, why: NoRefundAddress) -> Self {
        let refused = self.refused_claim();
        Self { phase: Phase::NeedsAddress { why, refused }, ..self }
    }

    /// It is beyond the automatic refunds of a day.
    pub fn needs_approval(self) -> Self {
        let stays = |claim: &&Claim| claim.is_refused() || claim.is_own_wallet;
        let claim = self.phase.claim().filter(stays).cloned();
        Self { phase: Phase::AboveLimit(Said { claim, decision: None }), ..self }
    }

    /// Its network asks more than it is worth: the merchant keeps the money.
    pub fn given_up(self) -> Self {
        Self { phase: Phase::Ended(End::NotWorthItsFee, self.said()), ..self }
    }

    /// It waits for another decision; `None` if there is none.
    pub fn undecided(self) -> Option<Self> {
        self.phase.decision()?;
        Some(Self { phase: self.said().undecided(), ..self })
    }

    /// Nothing goes back of its deposit now. It keeps what was decided, and what the payer asked for.
    pub fn dropped(self, deposit: &Deposit) -> Self {
        Self { phase: Phase::Dropped(self.kept(deposit)), ..self }
    }

    fn said(&self) -> Said {
        Said { claim: self.phase.claim().cloned(), decision: self.phase.decision().cloned() }
    }

    fn refused_claim(&self) -> Option<Claim> {
        self.phase.claim().filter(|claim| claim.is_refused()).cloned()
    }

    /// What stays, whatever is planned. What was approved is an operator's decision, no request of the payer any more.
    pub(super) fn kept(&self, deposit: &Deposit) -> Said {
        let is_lasting = matches!(self.phase, Phase::Dropped(_) | Phase::Claimed(_) | Phase::Ended(..));
        let stays = |claim: &Claim| is_lasting || claim.is_refused() || self.is_to_own_wallet(deposit);
        let said = self.said();
        Said { claim: said.claim.filter(stays), ..said }
    }

    /// What it waits for again under another plan. An address that the payer asked for stays the only one, whatever the amount is.
    pub(super) fn asked(&self, deposit: &Deposit) -> Option<Phase> {
        match &self.phase {
            Phase::Claimed(_)
            | Phase::NeedsAddress { why: NoRefundAddress::ClaimRefused, .. }
            | Phase::NeedsAddress { refused: Some(_), .. } => Some(self.phase.clone()),
            Phase::Dropped(Said { claim: Some(claim), decision: None })
            | Phase::Ended(_, Said { claim: Some(claim), decision: None })
                if !self.is_to_own_wallet(deposit) =>
            {
                let why = NoRefundAddress::ClaimRefused;
                Some(match claim.refusal {
                    Some(_) => Phase::NeedsAddress { why, refused: Some(claim.clone()) },
                    None => Phase::Claimed(claim.clone()),
                })
            }
            _ => None,
        }
    }
}

impl Said {
    /// An address that was approved becomes a claim.
    pub(super) fn undecided(self) -> Phase {
        let Some(Decision { to: Some(to), at, .. }) = self.decision else {
            return Phase::AboveLimit(Self { claim: self.claim, decision: None });
        };
        let asked = self.claim.filter(|claim| claim.to == to && !claim.is_refused());
        Phase::Claimed(asked.unwrap_or_else(|| Claim::new(to, at)))
    }
}

#[cfg(test)]
mod tests;
