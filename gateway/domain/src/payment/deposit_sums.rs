//! The sums of the deposits of a payment. They are stored, so that one more deposit is judged without reading the others.
//!
//! They follow a deposit that is added, returns or confirms. One that is lost again, and another quote, need all deposits.

use std::collections::BTreeMap;

use checkout_core::{Amount, Currency, Network, Pair};
use checkout_wire::PaymentType;
use checkout_wire::rules::Received;
use serde::{Deserialize, Serialize};

use super::PaymentWithDeposits;
use super::coverage::{Cover, CoverSums, plus};
use super::deposit::Deposit;
use super::status::least;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DepositSums {
    /// The number of quotes that the payment had.
    pub quotes: usize,
    /// The last sequence number of the payment's events.
    pub last_seq: u32,
    /// The deposits on a chain or pending, by pair.
    #[serde(with = "entries")]
    pub pairs: BTreeMap<(Currency, Network), Amount>,
    /// Those of them that are not confirmed.
    #[serde(with = "entries")]
    pub awaited: BTreeMap<(Currency, Network), Amount>,
    /// Those at the rate of a quote, by its index, in its atoms.
    pub at_quotes: BTreeMap<usize, Amount>,
    /// The deposits that pay the price, now or once they are confirmed and cleared.
    pub paying: CoverSums,
    /// The confirmed ones of these.
    pub confirmed: CoverSums,
    /// Whether one of them is being valued.
    #[serde(skip)]
    pub is_being_valued: bool,
}

impl DepositSums {
    /// The sums of all deposits.
    pub fn of(record: &PaymentWithDeposits) -> Self {
        let mut sums = Self { quotes: record.quotes.len(), ..Self::default() };
        for deposit in &record.deposits {
            sums.follow(record, None, deposit);
        }
        sums
    }

    /// Follows a new deposit, or a change of one. Returns false if that takes something off: then the sums have to be made
    /// anew, of all deposits.
    pub fn follow(
        &mut self,
        record: &PaymentWithDeposits,
        before: Option<&Deposit>,
        after: &Deposit,
    ) -> bool {
        let Some(quote) = &record.payment.quote else { return false };
        let rules: [fn(&Deposit) -> bool; 3] = [Deposit::stands, Deposit::pays, Deposit::is_confirmed];
        let [stands, pays, is_confirmed] = rules.map(|rule| (before.is_some_and(rule), rule(after)));
        if [stands, pays, is_confirmed].contains(&(true, false)) {
            return false;
        }
        self.is_being_valued |= after.being_valued;
        self.last_seq = self.last_seq.max(after.seen_seq).max(after.confirmed_seq.unwrap_or(0));
        if stands == (false, true) {
            let sum = self.pairs.entry(after.key()).or_default();
            *sum = plus(*sum, after.amount);
            if let Some((place, shown)) = record.quote_at_rate(after.currency, after.rate) {
                let sum = self.at_quotes.entry(place).or_default();
                *sum = plus(*sum, after.rescaled(shown));
            }
        }
        let awaits = |deposit: &Deposit| deposit.stands() && deposit.is_awaited();
        let awaited = self.awaited.entry(after.key()).or_default();
        match (before.is_some_and(awaits), awaits(after)) {
            (false, true) => *awaited = plus(*awaited, after.amount),
            (true, false) => *awaited = awaited.saturating_sub(after.amount),
            (false, false) | (true, true) => {}
        }
        for ((was, is), sums) in [(pays, &mut self.paying), (is_confirmed, &mut self.confirmed)] {
            if is && !was {
                let mut cover = Cover::resume(quote, std::mem::take(sums));
                cover.add(record, after, after.amount);
                *sums = cover.into_sums();
            }
        }
        true
    }

    /// Whether the rules need nothing else of the deposits, none of which has a refund, was accepted, is being valued or is of before a
    /// later quote: the payment cannot be overpaid, or everything that was seen does not pay it. Then no deposit is in excess or a follow-up.
    pub fn suffice(&self, record: &PaymentWithDeposits) -> bool {
        let payment = &record.payment;
        let Some(quote) = payment.quote.as_ref().filter(|_| self.quotes == record.quotes.len()) else {
            return false;
        };
        if payment.acceptance.is_some() || self.is_being_valued || !self.paying.earlier.is_empty() {
            return false;
        }
        let paying = || Cover::resume(quote, self.paying.clone()).total();
        payment.kind == PaymentType::Reusable || paying() < least(record, quote)
    }

    /// As [`received`](super::status::received), of sums that suffice.
    pub fn received(&self, record: &PaymentWithDeposits) -> Received {
        let Some(quote) = &record.payment.quote else { return Received::default() };
        let total = |sums: &CoverSums| Cover::resume(quote, sums.clone()).total();
        let confirmed = total(&self.confirmed);
        Received { confirmed, unconfirmed: total(&self.paying).saturating_sub(confirmed) }
    }

    pub fn of_pair(&self, pair: &Pair) -> Amount {
        self.pairs.get(&(pair.currency, pair.network)).copied().unwrap_or_default()
    }

    /// Of the deposits of this coin on this network that are not confirmed.
    pub fn awaited(&self, key: (Currency, Network)) -> Amount {
        self.awaited.get(&key).copied().unwrap_or_default()
    }

    /// Of the deposits at the rate of a quote.
    pub fn at_quote(&self, place: usize) -> Amount {
        self.at_quotes.get(&place).copied().unwrap_or_default()
    }
}

/// A map as a list of its entries: a key of JSON is a text, and a pair is none.
pub(crate) mod entries {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<K: Serialize, V: Serialize, S: Serializer>(
        map: &BTreeMap<K, V>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(map)
    }

    pub(crate) fn deserialize<'de, K, V, D>(deserializer: D) -> Result<BTreeMap<K, V>, D::Error>
    where
        K: Deserialize<'de> + Ord,
        V: Deserialize<'de>,
        D: Deserializer<'de>,
    {
        Vec::deserialize(deserializer).map(BTreeMap::from_iter)
    }
}
