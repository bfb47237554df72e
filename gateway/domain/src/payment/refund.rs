//! A refund of a payment: what made it, and how far it is.

use checkout_core::{Amount, Pair};
use checkout_wire::payment::{RefundReason, RefundType};
use uuid::Uuid;

use super::deposit::Deposit;
use super::refund_phase::{End, Phase, Step};
use super::refund_said::{Claim, Given, Said};
use crate::chain::payout::hold::Hold;
use crate::chain::payout::state::{PayoutState, Progress};
use crate::chain::payout::{Payout, Purpose};
use crate::ids::BusinessId;
use crate::withdrawal::Withdrawal;

#[must_use]
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

    /// The refund for which a balance is charged; `None` if its payout is in no state of one. `claimed_at` and `refusal` are those of the
    /// payer's request.
    pub fn charged(
        charge: Withdrawal,
        payout: (Progress, Option<u64>),
        (claimed_at, refusal): (Option<u64>, Option<String>),
    ) -> Option<Self> {
        let claim = claimed_at.map(|at| Claim { refusal, ..Claim::new(Given::of(&charge), at) });
        let phase = Phase::of_charge(&charge, payout, claim)?;
        let (id, pair, gross, fee) = (charge.id, charge.pair, charge.gross(), charge.fee);
        let source = match charge.claim_of() {
            Some(deposit) => Source::Payer(deposit, Box::new(charge)),
            None => Source::Merchant(Box::new(charge)),
        };
        Some(Self { id, pair, gross, fee, source, phase })
    }

    /// `None` if a balance is charged for it, or nothing is planned.
    pub fn plan(&self) -> Option<Plan> {
        let Source::Deposit { kind, reason } = self.source else { return None };
        self.is_planned().then_some(Plan { kind, reason, gross: self.gross })
    }

    /// Its payment returns it. One that is not planned is kept for what was said about it.
    pub fn is_planned(&self) -> bool {
        !matches!(self.phase, Phase::Dropped(_))
    }

    /// The address that an operator gave for it.
    pub fn given(&self) -> Option<&Given> {
        self.phase.decision()?.to.as_ref()
    }

    /// Whether the payer said that this deposit came from their own wallet.
    pub fn is_to_own_wallet(&self, deposit: &Deposit) -> bool {
        let is_said = |claim: &Claim| claim.is_own_wallet && !claim.is_refused();
        self.phase.claim().is_some_and(|claim| is_said(claim) && claim.to == deposit.sender())
    }

    /// `None` if a balance is charged for it.
    pub fn kind(&self) -> Option<RefundType> {
        if let Source::Deposit { kind, .. } = self.source { Some(kind) } else { None }
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
        !matches!(self.phase, Phase::Dropped(_) | Phase::Ended(..))
    }

    /// It lasts, and the merchant did not refuse it.
    pub fn goes_back(&self) -> bool {
        self.lasts() && !matches!(self.phase, Phase::Refused(_))
    }

    /// The amount that the merchant does not keep.
    pub fn returned(&self) -> Amount {
        if self.lasts() { self.gross } else { Amount::ZERO }
    }

    /// It can no longer be cancelled.
    pub fn is_binding(&self) -> bool {
        matches!(&self.phase, Phase::Leaving(step, _) if *step >= Step::Signed)
    }

    /// Once it is signed.
    pub fn transaction_id(&self) -> Option<&String> {
        self.phase.transfer().filter(|_| self.is_binding())?.transaction_id.as_ref()
    }
}

impl Deposit {
    /// Where it came from.
    pub fn sender(&self) -> Given {
        Given { address: self.from.clone(), tag: self.from_tag.clone() }
    }

    /// The refund that is planned for it, before it is known where that goes.
    pub fn planned(&self, plan: &Plan, fee: Amount, said: Said) -> Refund {
        let Plan { kind, reason, gross } = *plan;
        let source = Source::Deposit { kind, reason };
        let phase = Phase::Ended(End::NotWorthItsFee, said);
        Refund { id: self.id, pair: self.pair(), gross, fee, source, phase }
    }
}
