//! What the gateway reads of a chain.

use std::collections::BTreeSet;

use super::coins::COINS;
use super::model::{Deposit, Hearing, Model, Place, Transfer};
use super::senders::Verdict;

impl Model {
    /// The gateway reads the chain's changes in order, and plans refunds by what it has read.
    pub(super) fn read_chain(&mut self, coin: usize) {
        if self.lags[coin] > 0 {
            return;
        }
        let read = self.read[coin];
        let (mut listed, mut news) = (Vec::new(), Vec::new());
        for at in self.by_revision(coin, |transfer| transfer.revision > read) {
            let Transfer { id, revision, left, odd, place, .. } = &self.transfers[at];
            self.read[coin] = *revision;
            // What is gone has no fields.
            if *odd && *place != Place::Gone {
                listed.push(id.clone());
            } else {
                self.set_aside.remove(id);
                news.push((at, (1..=read).contains(left)));
            }
        }
        self.set_aside.extend(listed.into_iter().map(|id| (id, self.now)));
        self.take(&news);
    }

    /// The gateway reads transfers as they are now, and whether each left a block.
    pub(super) fn take(&mut self, news: &[(usize, bool)]) {
        let mut changed = BTreeSet::new();
        for (at, has_left) in news {
            let transfer = self.transfers[*at].clone();
            let Some(payment) = transfer.payment else { continue };
            if self.record(*at, &transfer, payment, *has_left) {
                changed.insert(payment);
            }
        }
        for payment in changed {
            self.plan_refunds(payment);
        }
    }

    /// Returns false if nothing changed. One that moved to another block between two reads is confirmed anew.
    fn record(&mut self, at: usize, transfer: &Transfer, payment: usize, has_left: bool) -> bool {
        let verdict = self.verdict(transfer.coin, transfer.from);
        let prices = self.prices;
        let payment = &mut self.payments[payment];
        let next = payment.next_event();
        let is_in_block = matches!(transfer.place, Place::Block(_));
        let known = payment.deposits.iter_mut().find(|deposit| deposit.transfer == at);
        match known {
            Some(deposit) => {
                let has_moved = has_left && deposit.is_in_block() && is_in_block;
                let is_news = has_moved
                    || (deposit.is_in_block(), deposit.place == Place::Gone)
                        != (is_in_block, transfer.place == Place::Gone);
                deposit.instant &= deposit.place != Place::Gone;
                deposit.place = transfer.place;
                deposit.was_away |= !deposit.counts();
                if is_news {
                    deposit.confirmed = deposit.is_confirmed().then_some(next);
                }
                is_news
            }
            None if transfer.place == Place::Gone => false,
            None => {
                let quote = payment.judge(transfer.coin, transfer.sent_at);
                let at_fixed_rate = quote.is_some() && !payment.order.floating;
                if payment.is_dust(transfer, quote, prices) {
                    self.counts.dust += 1;
                    return false;
                }
                let is_late = payment.window_end().is_some_and(|end| transfer.sent_at >= end);
                payment.deposits.push(Deposit {
                    transfer: at,
                    coin: transfer.coin,
                    atoms: transfer.atoms,
                    place: transfer.place,
                    instant: COINS[transfer.coin].instant && !transfer.replaceable,
                    at_fixed_rate,
                    quote,
                    prices,
                    seen: next,
                    confirmed: (is_in_block && verdict.is_cleared()).then_some(next),
                    verdict,
                    refund: None,
                    claimed: false,
                    approved: None,
                    unapproved: false,
                    was_away: false,
                    told: Hearing::default(),
                });
                let follow_up = payment.is_follow_up(payment.deposits.last().unwrap());
                self.counts.unanswered += u64::from(verdict == Verdict::Open);
                self.counts.flagged += u64::from(verdict == Verdict::Flagged);
                self.counts.late += u64::from(is_late);
                self.counts.follow_ups += u64::from(follow_up);
                true
            }
        }
    }
}
