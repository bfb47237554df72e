//! A model of the chains and of the gateway's expected state. Written from the rules in `docs/` and
//! `ARCHITECTURE.md`, in integer arithmetic; it shares no code with the gateway.

use std::collections::BTreeSet;

use super::coins::{COINS, Coin, value};
use super::counts::Counts;
use super::courier::Told;
use super::senders::Verdict;
use super::steps::{Order, Scene};

/// The position of a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Pending,
    Block(u64),
    Gone,
}

/// A payer's transfer, on its chain.
#[derive(Clone, Debug)]
pub(super) struct Transfer {
    pub(super) id: String,
    pub(super) coin: usize,
    pub(super) payment: usize,
    pub(super) atoms: u128,
    pub(super) replaceable: bool,
    /// Index of the coin's people.
    pub(super) from: usize,
    pub(super) sent_at: u64,
    pub(super) place: Place,
    /// The revision of its last change.
    pub(super) revision: u64,
    /// The revision that it had in the last block that it left, or 0.
    pub(super) left: u64,
}

/// A transfer as the gateway read it.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
pub(super) struct Deposit {
    pub(super) transfer: usize,
    pub(super) coin: usize,
    pub(super) atoms: u128,
    pub(super) place: Place,
    pub(super) instant: bool,
    pub(super) at_fixed_rate: bool,
    /// The quote that values it, among those of the payment.
    pub(super) quote: Option<usize>,
    /// The sequence numbers of its first sight and its confirmation among the payment's events.
    pub(super) seen: u32,
    pub(super) confirmed: Option<u32>,
    pub(super) verdict: Verdict,
    pub(super) refund: Option<Refund>,
    /// An operator gave the refund another address.
    pub(super) claimed: bool,
    /// The amount before the fee with which that was approved.
    pub(super) approved: Option<u128>,
    /// The amount is another one now: it waits for an approval again.
    pub(super) unapproved: bool,
    /// It left the chain and came back: its callback may have another body.
    pub(super) was_away: bool,
    pub(super) told: Hearing,
}

#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
pub(super) struct Refund {
    pub(super) gross: u128,
    pub(super) follow_up: bool,
    /// It is worth more than the fee.
    pub(super) possible: bool,
    pub(super) sent: bool,
    /// The sender is a contract, or the screening blocked the address that was given.
    pub(super) waits: bool,
}

/// A quote that was shown.
#[derive(Clone, Debug)]
pub(super) struct Quote {
    pub(super) coin: usize,
    pub(super) expected: u128,
    pub(super) requested_at: u64,
}

pub(super) struct Payment {
    pub(super) id: String,
    pub(super) order: Order,
    /// Index of the quoted coin.
    pub(super) coin: usize,
    pub(super) expected: u128,
    pub(super) initiated_at: u64,
    pub(super) requested_at: u64,
    /// In the order in which they were shown.
    pub(super) quotes: Vec<Quote>,
    /// Coin, address and tag of every quote.
    pub(super) addresses: Vec<(usize, String, Option<String>)>,
    pub(super) deposits: Vec<Deposit>,
    /// The refunds of the merchant that last.
    pub(super) given_back: Vec<GivenBack>,
    /// How many deposits the payment had at the first refund of the merchant, also of one that ended.
    pub(super) first_refund: Option<usize>,
}

/// A refund of the merchant.
#[derive(Clone, Copy, Debug)]
pub(super) struct GivenBack {
    pub(super) coin: usize,
    /// How many deposits the payment had.
    pub(super) deposits: usize,
    /// The payment was not paid.
    pub(super) of_unpaid: bool,
}

/// Whether a merchant received a callback.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Hearing {
    #[default]
    Untold,
    /// The merchant received it, but the gateway died before it stored that.
    Unsure,
    Told,
}

impl Hearing {
    pub(super) fn is_told(self) -> bool {
        self != Self::Untold
    }

    pub(super) fn hear(&mut self, told: &Told, stored: bool) -> Result<(), String> {
        if *self == Self::Told {
            return Err(format!("told again: {told:?}"));
        }
        if told.taken {
            *self = if stored { Self::Told } else { Self::Unsure };
        }
        Ok(())
    }
}

#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
pub(super) struct Withdrawal {
    pub(super) id: String,
    /// The payment that the merchant refunds with it.
    pub(super) refund_of: Option<usize>,
    pub(super) given_back: Option<GivenBack>,
    /// A refund waits for its deposits after the screening.
    pub(super) screened: bool,
    pub(super) coin: usize,
    pub(super) from_crypto: bool,
    pub(super) atoms: u128,
    pub(super) deducted: i128,
    /// Index of the coin's people.
    pub(super) to: usize,
    pub(super) sent: bool,
    /// The screening blocked it, or the merchant took it back: nothing is sent and nothing is charged.
    pub(super) blocked: bool,
    pub(super) told: Hearing,
}

pub(super) struct Model {
    pub(super) scene: Scene,
    pub(super) now: u64,
    pub(super) heights: [u64; COINS.len()],
    /// The highest height of each chain so far.
    pub(super) peaks: [u64; COINS.len()],
    pub(super) transfers: Vec<Transfer>,
    pub(super) payments: Vec<Payment>,
    pub(super) withdrawals: Vec<Withdrawal>,
    /// Coins and people that the screening blocks.
    pub(super) flags: BTreeSet<(usize, usize)>,
    /// The screening does not answer.
    pub(super) silent: bool,
    pub(super) counts: Counts,
    revision: u64,
    /// The last revision that the gateway has read, by coin.
    read: [u64; COINS.len()],
}

impl Deposit {
    pub(super) fn is_in_block(&self) -> bool {
        matches!(self.place, Place::Block(_))
    }

    /// In a block and credited to the merchant.
    pub(super) fn is_confirmed(&self) -> bool {
        self.is_in_block() && self.verdict.is_cleared()
    }

    pub(super) fn stands(&self) -> bool {
        self.place != Place::Gone && self.verdict != Verdict::Refused
    }

    /// Counts for the merchant: confirmed, or an instant deposit that is on its chain.
    pub(super) fn counts(&self) -> bool {
        self.is_confirmed() || (self.instant && self.stands() && self.verdict.is_cleared())
    }
}

impl Payment {
    /// Returns the next sequence number of the payment's events.
    pub(super) fn next_event(&self) -> u32 {
        let events = self.deposits.iter().map(|deposit| deposit.seen.max(deposit.confirmed.unwrap_or(0)));
        1 + events.max().unwrap_or(0)
    }

    fn length(&self) -> u64 {
        if self.order.long { 7 * 86_400 } else { 1_800 }
    }

    /// Returns `None` for a payment that stays open.
    pub(super) fn window_end(&self) -> Option<u64> {
        let first = self.initiated_at + self.length();
        let end = if self.requested_at >= first { self.requested_at + self.length() } else { first };
        (!self.order.reusable).then_some(end)
    }

    /// The quote that a payer who comes back to a coin gets again.
    pub(super) fn fixed_quote(&self, coin: usize, now: u64) -> Option<&Quote> {
        let mut quotes = self.quotes.iter().rev().filter(|_| !self.order.floating);
        quotes.find(|quote| quote.coin == coin && now < self.quote_end(quote))
    }

    /// The time until which a quote values transfers.
    fn quote_end(&self, quote: &Quote) -> u64 {
        let half_hour = quote.requested_at + 1_800;
        if self.order.reusable {
            return half_hour;
        }
        let first = self.initiated_at + self.length();
        let end = if quote.requested_at >= first { quote.requested_at + self.length() } else { first };
        if self.order.floating { end.min(half_hour) } else { end }
    }

    /// The last quote in this coin when a transfer was sent.
    fn judge(&self, coin: usize, sent_at: u64) -> Option<usize> {
        let mut quotes = self.quotes.iter().enumerate().rev();
        let found = quotes.find(|(_, quote)| {
            quote.coin == coin && quote.requested_at <= sent_at && sent_at < self.quote_end(quote)
        });
        found.map(|(at, _)| at)
    }

    /// In atoms of the price's quote: the same share of it as of the quote that values the deposit.
    pub(super) fn covers(&self, deposit: &Deposit) -> u128 {
        self.covers_with(deposit, deposit.atoms)
    }

    /// The same for a part of a deposit.
    pub(super) fn covers_with(&self, deposit: &Deposit, atoms: u128) -> u128 {
        match deposit.quote {
            _ if self.order.in_crypto && deposit.coin == self.coin => atoms,
            Some(at) => share(atoms, self.expected, self.quotes[at].expected),
            None => value(atoms, deposit.coin, self.coin),
        }
    }

    /// The deposit in the coin of the quote.
    pub(super) fn in_coin(&self, deposit: &Deposit) -> u128 {
        if deposit.coin == self.coin { deposit.atoms } else { self.covers(deposit) }
    }

    /// The amount that covers the payment: with less than nodes relay missing, it does.
    fn least(&self) -> u128 {
        let part = if self.order.floating { self.expected * 5 / 1_000 } else { 0 };
        let Coin { unit, relayed, .. } = COINS[self.coin];
        self.expected - part.max(unit).max(relayed - 1)
    }

    /// Below a thousandth of the smallest withdrawal and of the price, and not completing the price.
    fn is_dust(&self, transfer: &Transfer, quote: Option<usize>) -> bool {
        let covers = match quote {
            _ if self.order.in_crypto && transfer.coin == self.coin => transfer.atoms,
            Some(at) => share(transfer.atoms, self.expected, self.quotes[at].expected),
            None => value(transfer.atoms, transfer.coin, self.coin),
        };
        let received = self.received(true) + self.received(false);
        let completes = received < self.least() && received + covers >= self.least();
        transfer.atoms < COINS[transfer.coin].least / 1_000 && covers * 1_000 < self.expected && !completes
    }

    /// The part of an unpaid payment that the merchant gave back pays it no longer.
    fn is_given_back(&self, deposit: &Deposit) -> bool {
        let place = self.deposits.iter().position(|other| other.transfer == deposit.transfer).unwrap();
        let mut refunds = self.given_back.iter();
        refunds.any(|refund| refund.of_unpaid && refund.coin == deposit.coin && place < refund.deposits)
    }

    pub(super) fn is_follow_up(&self, deposit: &Deposit) -> bool {
        let earlier =
            self.deposits.iter().filter(|other| other.confirmed.is_some_and(|at| at < deposit.seen));
        let earlier = earlier.filter(|other| !self.is_given_back(other));
        let covered: u128 = earlier.map(|other| self.covers(other)).sum();
        !self.order.reusable && covered >= self.least()
    }

    fn received(&self, confirmed: bool) -> u128 {
        let present = self.deposits.iter().filter(|deposit| deposit.stands() && !self.is_follow_up(deposit));
        let present = present.filter(|deposit| !self.is_given_back(deposit));
        present
            .filter(|deposit| deposit.is_confirmed() == confirmed)
            .map(|deposit| self.covers(deposit))
            .sum()
    }

    pub(super) fn status(&self, now: u64) -> &'static str {
        let (confirmed, pending) = (self.received(true), self.received(false));
        if self.order.reusable && confirmed > 0 {
            "DEPOSITED"
        } else if confirmed > self.expected {
            "OVERPAID"
        } else if confirmed >= self.least() {
            "DEPOSITED"
        } else if self.window_end().is_some_and(|end| now >= end) && confirmed + pending < self.least() {
            "EXPIRED"
        } else if confirmed + pending > 0 {
            "AWAITING"
        } else {
            "PENDING"
        }
    }
}

/// `atoms` × `of` ÷ `whole`, rounded down, without the product of two large numbers.
fn share(atoms: u128, of: u128, whole: u128) -> u128 {
    let (times, rest) = (atoms / whole, atoms % whole);
    times * of + long_division(rest, of, whole)
}

/// `part` × `of` ÷ `whole` for a part of the whole, bit by bit.
fn long_division(part: u128, of: u128, whole: u128) -> u128 {
    let (mut quotient, mut rest) = (0, 0);
    for bit in (0..128).rev() {
        quotient <<= 1;
        rest <<= 1;
        if part >> bit & 1 == 1 {
            quotient += of / whole;
            rest += of % whole;
        }
        quotient += rest / whole;
        rest %= whole;
    }
    quotient
}

impl Model {
    pub(super) fn new(scene: Scene, now: u64) -> Self {
        Self {
            scene,
            now,
            heights: [0; COINS.len()],
            peaks: [0; COINS.len()],
            transfers: Vec::new(),
            payments: Vec::new(),
            withdrawals: Vec::new(),
            flags: BTreeSet::new(),
            silent: false,
            counts: Counts { seeds: 1, ..Counts::default() },
            revision: 0,
            read: [0; COINS.len()],
        }
    }

    fn revise(&mut self, transfer: usize, place: Place) {
        self.revision += 1;
        let transfer = &mut self.transfers[transfer];
        (transfer.place, transfer.revision) = (place, self.revision);
    }

    /// Returns the transfers of a coin that `which` selects, in order of revision.
    fn by_revision(&self, coin: usize, which: impl Fn(&Transfer) -> bool) -> Vec<usize> {
        let all = 0..self.transfers.len();
        let mut found: Vec<usize> =
            all.filter(|at| self.transfers[*at].coin == coin && which(&self.transfers[*at])).collect();
        found.sort_by_key(|at| self.transfers[*at].revision);
        found
    }

    pub(super) fn pay(&mut self, transfer: Transfer) {
        self.transfers.push(transfer);
        self.revise(self.transfers.len() - 1, Place::Pending);
    }

    pub(super) fn mine(&mut self, coin: usize, count: u64) {
        let first = self.heights[coin] + 1;
        for at in self.by_revision(coin, |transfer| transfer.place == Place::Pending) {
            self.revise(at, Place::Block(first));
        }
        self.heights[coin] += count;
        self.peaks[coin] = self.peaks[coin].max(self.heights[coin]);
    }

    pub(super) fn reorganise(&mut self, coin: usize, depth: u32) {
        let height = self.heights[coin].saturating_sub(u64::from(depth));
        self.heights[coin] = height;
        let loose =
            self.by_revision(coin, |transfer| matches!(transfer.place, Place::Block(at) if at > height));
        self.counts.loosened += loose.len() as u64;
        for at in loose {
            self.transfers[at].left = self.transfers[at].revision;
            self.revise(at, Place::Pending);
        }
    }

    pub(super) fn drop_transfer(&mut self, at: usize) {
        self.revise(at, Place::Gone);
    }

    /// All is read again as if nothing was known of it: what moved is in its block.
    pub(super) fn forget_moves(&mut self, coin: usize) {
        for transfer in self.transfers.iter_mut().filter(|transfer| transfer.coin == coin) {
            transfer.left = 0;
        }
    }

    /// The gateway reads the chain's changes in order and plans refunds.
    pub(super) fn read_chain(&mut self, coin: usize) {
        let read = self.read[coin];
        for at in self.by_revision(coin, |transfer| transfer.revision > read) {
            let transfer = self.transfers[at].clone();
            self.read[coin] = transfer.revision;
            if self.record(at, &transfer, (1..=read).contains(&transfer.left)) {
                self.plan_refunds(transfer.payment);
            }
        }
    }

    /// Returns false if nothing changed. One that moved to another block between two reads is confirmed anew.
    fn record(&mut self, at: usize, transfer: &Transfer, has_left: bool) -> bool {
        let verdict = self.verdict(transfer.coin, transfer.from);
        let payment = &mut self.payments[transfer.payment];
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
                if payment.is_dust(transfer, quote) {
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
