//! Refunds by the rules of `docs/money.md`.

use super::coins::COINS;
use super::model::{Model, Payment, Refund};

impl Model {
    /// Keeps sent refunds and plans all others again.
    pub(super) fn plan_refunds(&mut self, payment: usize) {
        let (excess_goes_back, follow_ups_go_back) = (self.scene.refund_excess, self.scene.refund_follow_ups);
        let given_back = self.given_back(payment);
        let payment = &mut self.payments[payment];
        let planned = planned(payment, (excess_goes_back, follow_ups_go_back), given_back);
        for (deposit, plan) in payment.deposits.iter_mut().zip(planned) {
            if deposit.refund.as_ref().is_some_and(|refund| refund.sent) {
                continue;
            }
            let was_due = deposit.refund.as_ref().is_some_and(|refund| refund.possible && !refund.waits);
            if is_same(deposit.refund.as_ref(), plan.as_ref()) {
                continue;
            }
            self.counts.called_back += u64::from(was_due);
            if let Some(plan) = &plan {
                deposit.unapproved &= plan.possible;
                if plan.possible && deposit.approved.is_some_and(|gross| gross != plan.gross) {
                    (deposit.claimed, deposit.approved, deposit.unapproved) = (false, None, true);
                }
            }
            deposit.refund = plan;
        }
    }

    /// Signs and sends everything pending, except refunds of deposits that can still vanish and withdrawals that wait
    /// for the screening. Refunds to contracts wait for an address; the one that is given is screened before it is paid.
    pub(super) fn pay_out(&mut self) {
        self.screen_merchant_refunds();
        let fees = [0, 1, 2].map(|coin| self.fee(coin));
        // Of the balances to which deposits are credited. A refund that leaves changes none of them.
        let is_short = (self.scene.halves < 2 && self.is_short(false, None))
            || (self.scene.halves > 0 && self.is_short(true, None));
        let firm: Vec<bool> = self.payments.iter().map(|payment| self.is_firm(payment)).collect();
        for (payment, firm) in self.payments.iter_mut().zip(firm) {
            for deposit in &mut payment.deposits {
                let is_contract = self.transfers[deposit.transfer].from == CONTRACT;
                let is_blocked = self.flags.contains(&(deposit.coin, CLAIMANT));
                let open = |refund: &&mut Refund| {
                    refund.possible && !refund.sent && !refund.waits && !deposit.unapproved
                };
                let Some(refund) = deposit.refund.as_mut().filter(open) else { continue };
                if is_contract && !deposit.claimed {
                    refund.waits = true;
                    self.counts.without_address += 1;
                    continue;
                }
                let fee = fees[deposit.coin];
                if refund.gross <= 2 * fee {
                    self.counts.dear += 1;
                    continue;
                }
                refund.fee = fee;
                if deposit.claimed && firm && (self.silent || is_blocked) {
                    refund.waits = !self.silent;
                    deposit.claimed = self.silent;
                    deposit.approved = deposit.approved.filter(|_| self.silent);
                    self.counts.claims_refused += u64::from(!self.silent);
                } else {
                    refund.sent = firm && !is_short;
                    self.counts.refunds += u64::from(refund.sent);
                    self.counts.held_back += u64::from(!firm);
                    self.counts.claims_sent += u64::from(refund.sent && deposit.claimed);
                }
            }
        }
        self.send_merchant_refunds();
        if self.silent {
            return;
        }
        for at in 0..self.withdrawals.len() {
            let is_short = self.is_short(self.withdrawals[at].from_crypto, Some(at));
            let withdrawal = &mut self.withdrawals[at];
            if withdrawal.is_over() || withdrawal.refund_of.is_some() {
                continue;
            }
            withdrawal.blocked = self.flags.contains(&(withdrawal.coin, withdrawal.to));
            let is_dear = self.asked[withdrawal.coin] > withdrawal.charge.fee;
            withdrawal.sent = !withdrawal.blocked && !is_dear && !is_short;
            self.counts.dear += u64::from(!withdrawal.is_over());
            self.counts.withdrawals += u64::from(withdrawal.sent);
            self.counts.blocked += u64::from(withdrawal.blocked);
        }
    }
}

/// The sender that is a contract, among the people of each coin.
pub(super) const CONTRACT: usize = 2;

/// Whose address is given for refunds that wait.
pub(super) const CLAIMANT: usize = 1;

/// Whether a plan changes nothing about a refund.
fn is_same(refund: Option<&Refund>, plan: Option<&Refund>) -> bool {
    let terms = |refund: &Refund| (refund.gross, refund.follow_up, refund.possible);
    refund.map(terms) == plan.map(terms)
}

/// Returns the planned refund of each deposit. The excess of what comes after a refund of the merchant does not go back while any lasts,
/// and nothing that the merchant gave back.
fn planned(
    payment: &Payment,
    (excess_goes_back, follow_ups_go_back): (bool, bool),
    given_back: [u128; COINS.len()],
) -> Vec<Option<Refund>> {
    let is_given_back = given_back.iter().any(|atoms| *atoms > 0);
    let mut plans = vec![None; payment.deposits.len()];
    if payment.order.reusable {
        return plans;
    }
    let mut order: Vec<usize> = (0..plans.len()).filter(|at| payment.deposits[*at].is_confirmed()).collect();
    let sent = |at: usize| payment.deposits[at].refund.as_ref().filter(|refund| refund.sent);
    // Deposits with a sent refund come first, then all others in the order of confirmation.
    order.sort_by_key(|at| {
        let deposit = &payment.deposits[*at];
        (sent(*at).is_none(), deposit.confirmed, deposit.seen)
    });
    let mut covered = 0;
    for at in order.iter().copied() {
        let deposit = &payment.deposits[at];
        let covers = payment.covers(deposit);
        let fee = COINS[deposit.coin].fee;
        let plan = |gross, follow_up| {
            Some(Refund { gross, fee, follow_up, possible: gross > 2 * fee, sent: false, waits: false })
        };
        if let Some(refund) = sent(at) {
            covered += payment.covers_with(deposit, deposit.atoms - refund.gross);
        } else if payment.is_follow_up(deposit) {
            plans[at] = plan(deposit.atoms, true).filter(|_| follow_ups_go_back);
        } else {
            covered += covers;
            let excess = covered.saturating_sub(payment.expected).min(covers);
            let gross = (deposit.atoms * excess).checked_div(covers).unwrap_or(0);
            plans[at] = plan(gross, false).filter(|_| excess > 0 && excess_goes_back);
            let first = payment.first_refund.filter(|_| !payment.given_back.is_empty());
            if deposit.refund.is_none() && first.is_some_and(|first| at >= first) {
                plans[at] = None;
            }
        }
    }
    if !is_given_back {
        return plans;
    }
    let mut rests = [0; COINS.len()];
    for deposit in payment.deposits.iter().filter(|deposit| deposit.is_confirmed()) {
        rests[deposit.coin] += deposit.atoms;
    }
    for (rest, atoms) in rests.iter_mut().zip(given_back) {
        *rest = rest.saturating_sub(atoms);
    }
    // What was sent comes first, then follow-ups, then the excess.
    for at in order.iter().copied() {
        let rest = &mut rests[payment.deposits[at].coin];
        *rest = rest.saturating_sub(sent(at).map_or(0, |refund| refund.gross));
    }
    for follow_up in [true, false] {
        for at in order.iter().copied() {
            let Some(plan) = plans[at].as_ref().filter(|plan| plan.follow_up == follow_up) else { continue };
            let rest = &mut rests[payment.deposits[at].coin];
            match rest.checked_sub(plan.gross) {
                Some(left) => *rest = left,
                None => plans[at] = None,
            }
        }
    }
    plans
}
