//! What has arrived is accepted as the price: by the rules, once, or by the merchant.

use std::collections::BTreeSet;

use checkout_wire::refunds::RefundState;
use uuid::Uuid;

use super::PaymentWithDeposits;
use super::deposit::Deposit;
use super::status::{is_settled, paid_at, status_at};

/// The version of the rules that judge whether a payment is paid: increment it with each change of what they accept.
const RULES: u32 = 1;

/// It holds as long as all of these deposits are confirmed and not given back, whatever the rules of another version would say of them.
/// What the rules said ends when one of them leaves its chain; what the merchant said holds again when it is back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acceptance {
    pub by: Judge,
    pub at: u64,
    /// The last sequence number of the payment's events then: what is first seen later follows a paid payment.
    pub seq: u32,
    pub deposits: BTreeSet<Uuid>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judge {
    Merchant,
    Rules { version: u32 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotAcceptable {
    /// No deposit is confirmed, cleared and kept.
    NothingArrived,
    Paid,
    /// Some of it is asked for, or goes back.
    GoingBack,
}

impl PaymentWithDeposits {
    /// The acceptance, if it holds.
    pub fn acceptance(&self) -> Option<&Acceptance> {
        let acceptance = self.payment.acceptance.as_ref()?;
        let accepted = self.deposits.iter().filter(|deposit| acceptance.deposits.contains(&deposit.id));
        // What moved to another block since is confirmed anew: the rules judge it again, however it was read.
        let is_as_judged = |deposit: &Deposit| {
            acceptance.by == Judge::Merchant || deposit.confirmed_seq.is_some_and(|seq| seq <= acceptance.seq)
        };
        let stand = accepted.filter(|deposit| self.has_arrived(deposit) && is_as_judged(deposit)).count();
        (stand == acceptance.deposits.len()).then_some(acceptance)
    }

    /// Accepts what has arrived, as far as it was not given back. Returns false if that was accepted before.
    pub fn accept(&mut self, now: u64) -> Result<bool, NotAcceptable> {
        if self.acceptance().is_some_and(|acceptance| acceptance.by == Judge::Merchant) {
            return Ok(false);
        }
        if is_settled(status_at(self, now)) {
            return Err(NotAcceptable::Paid);
        }
        if self.is_going_back() {
            return Err(NotAcceptable::GoingBack);
        }
        let is_kept =
            |deposit: &&Deposit| self.has_arrived(deposit) && self.returned(deposit) < deposit.amount;
        let deposits: BTreeSet<Uuid> =
            self.deposits.iter().filter(is_kept).map(|deposit| deposit.id).collect();
        if deposits.is_empty() {
            return Err(NotAcceptable::NothingArrived);
        }
        self.payment.acceptance =
            Some(Acceptance { by: Judge::Merchant, at: now, seq: self.last_seq(), deposits });
        Ok(true)
    }

    /// Keeps what the rules say of a ONE_TIME payment that is paid, as long as it holds.
    pub(super) fn judge(&mut self, is_paid: bool, now: u64) {
        if self.acceptance().is_some() {
            return;
        }
        let by_merchant = |acceptance: &Acceptance| acceptance.by == Judge::Merchant;
        self.payment.acceptance = self.payment.acceptance.take().filter(by_merchant);
        let Some(quote) = self.payment.quote.as_ref().filter(|_| is_paid) else { return };
        let Some(seq) = paid_at(self, quote) else { return };
        let pays = |deposit: &&Deposit| {
            self.has_arrived(deposit) && deposit.confirmed_seq.is_some_and(|confirmed| confirmed <= seq)
        };
        let deposits = self.deposits.iter().filter(pays).map(|deposit| deposit.id).collect();
        let by = Judge::Rules { version: RULES };
        self.payment.acceptance = Some(Acceptance { by, at: now, seq, deposits });
    }

    /// The last sequence number of the payment's events.
    pub fn last_seq(&self) -> u32 {
        let seqs = self.deposits.iter();
        seqs.map(|deposit| deposit.confirmed_seq.unwrap_or(0).max(deposit.seen_seq)).max().unwrap_or(0)
    }

    fn has_arrived(&self, deposit: &Deposit) -> bool {
        deposit.is_confirmed() && !self.is_given_back(deposit)
    }

    fn is_going_back(&self) -> bool {
        self.refunds().any(|refund| refund.goes_back() && refund.phase.status() == Some(RefundState::Pending))
    }
}
