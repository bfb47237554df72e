//! A model of the chains and of the gateway's expected state. Written from the rules in `docs/` and
//! `ARCHITECTURE.md`, in integer arithmetic; it shares no code with the gateway.

use std::collections::{BTreeMap, BTreeSet};

use super::coins::{COINS, Coin, Prices, value};
use super::counts::Counts;
use super::courier::Told;
use super::money::Charge;
use super::senders::Verdict;
use super::steps::{Order, Scene};

/// The position of a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Pending,
    Block(u64),
    Gone,
}

/// A payer's transfer, on its chain. A transaction that was executed again has one for each facts.
#[derive(Clone, Debug)]
pub(super) struct Transfer {
    pub(super) id: String,
    /// Of the output in its transaction.
    pub(super) index: usize,
    pub(super) coin: usize,
    /// `None` if it pays somebody else.
    pub(super) payment: Option<usize>,
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
    /// The node has lost its fields.
    pub(super) odd: bool,
}

impl Transfer {
    /// Transaction and index.
    pub(super) fn output(&self) -> String {
        format!("{}:{}", self.id, self.index)
    }
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
    /// Of the moment at which it was first seen.
    pub(super) prices: Prices,
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
    /// The network's, when it was looked at last.
    pub(super) fee: u128,
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
    pub(super) prices: Prices,
}

pub(super) struct Payment {
    pub(super) id: String,
    pub(super) order: Order,
    /// Index of the quoted coin.
    pub(super) coin: usize,
    pub(super) expected: u128,
    /// Of its quote.
    pub(super) prices: Prices,
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
    pub(super) charge: Charge,
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
    pub(super) prices: Prices,
    /// What each network asks for a transaction, in atoms.
    pub(super) asked: [u128; COINS.len()],
    /// How many blocks each node is behind.
    pub(super) lags: [u64; COINS.len()],
    /// Outputs of which the gateway did not know before it paid out that they are final: when it asks, is open.
    pub(super) shallow: BTreeSet<String>,
    /// Transactions that were read without their fields, and when.
    pub(super) set_aside: BTreeMap<String, u64>,
    pub(super) counts: Counts,
    revision: u64,
    /// The last revision that the gateway has read, by coin.
    pub(super) read: [u64; COINS.len()],
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

    /// The last quote in this coin when a transfer was sent, or the first one after: the clock of a network may be behind.
    pub(super) fn judge(&self, coin: usize, sent_at: u64) -> Option<usize> {
        let holds = |quote: &Quote| quote.coin == coin && sent_at < self.quote_end(quote);
        let last = self.quotes.iter().rposition(|quote| holds(quote) && quote.requested_at <= sent_at);
        let is_near = |quote: &Quote| quote.requested_at <= sent_at + COINS[coin].dated_early;
        last.or_else(|| self.quotes.iter().position(|quote| holds(quote) && is_near(quote)))
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
            None => self.value(deposit.prices, atoms, deposit.coin),
        }
    }

    /// At the rates of receipt, in atoms of the price's quote.
    fn value(&self, mut prices: Prices, atoms: u128, coin: usize) -> u128 {
        let at_receipt = prices[coin];
        prices[self.coin] = self.prices[self.coin];
        if coin == self.coin {
            return atoms * at_receipt / prices[coin];
        }
        value(prices, atoms, coin, self.coin)
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
    pub(super) fn is_dust(&self, transfer: &Transfer, quote: Option<usize>, prices: Prices) -> bool {
        let covers = match quote {
            _ if self.order.in_crypto && transfer.coin == self.coin => transfer.atoms,
            Some(at) => share(transfer.atoms, self.expected, self.quotes[at].expected),
            None => self.value(prices, transfer.atoms, transfer.coin),
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
            prices: COINS.each_ref().map(|coin| coin.price),
            asked: [0; COINS.len()],
            lags: [0; COINS.len()],
            shallow: BTreeSet::new(),
            set_aside: BTreeMap::new(),
            counts: Counts { seeds: 1, ..Counts::default() },
            revision: 0,
            read: [0; COINS.len()],
        }
    }

    pub(super) fn revise(&mut self, transfer: usize, place: Place) {
        self.revision += 1;
        let transfer = &mut self.transfers[transfer];
        (transfer.place, transfer.revision) = (place, self.revision);
    }

    /// Returns the transfers of a coin that `which` selects, in order of revision.
    pub(super) fn by_revision(&self, coin: usize, which: impl Fn(&Transfer) -> bool) -> Vec<usize> {
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

    /// With whatever else its transaction moved when it was executed before.
    pub(super) fn drop_transfer(&mut self, at: usize) {
        let Transfer { id, coin, .. } = self.transfers[at].clone();
        for at in self.by_revision(coin, |transfer| transfer.id == id) {
            self.revise(at, Place::Gone);
        }
    }

    /// All is read again as if nothing was known of it: what moved is in its block.
    pub(super) fn forget_moves(&mut self, coin: usize) {
        for transfer in self.transfers.iter_mut().filter(|transfer| transfer.coin == coin) {
            transfer.left = 0;
        }
    }
}
