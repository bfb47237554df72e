//! A stored payment, and facts derived from it at a given time.

pub mod acceptance;
pub mod amount_words;
pub mod claimable;
pub mod confirmations;
pub mod coverage;
pub mod deposit;
pub mod deposit_filter;
pub mod deposit_sums;
pub mod destination;
pub mod dust;
pub mod filter;
pub mod finding;
pub mod hold;
pub mod note_words;
pub mod pending;
pub mod plan_refunds;
pub mod quote;
pub mod refund;
pub mod refund_filter;
pub mod refund_phase;
pub mod refund_said;
pub mod refund_steps;
pub mod refundable;
pub mod stages;
pub mod status;
pub mod tolerance;

use std::collections::BTreeMap;

use checkout_core::{Amount, Currency, Decimal, Network, Pair};
use checkout_wire::payment::OverpaymentPolicy;
use checkout_wire::rules::{DEFAULT_EXPIRATION_MINUTES, expires_at, window_end};
use checkout_wire::{PaymentStatus, PaymentType, RateType};
use uuid::Uuid;

use crate::access::session_nonce::SessionNonce;
use crate::ids::{BusinessId, PaymentId};
use crate::payment::acceptance::Acceptance;
use crate::payment::deposit::Deposit;
use crate::payment::refund::Refund;
use crate::rates::fiat::Fiat;
use crate::rates::market::ShownRates;

/// The price set by the merchant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Price {
    /// An amount of the display currency; the crypto amount follows from the rate.
    Display(Decimal),
    /// An exact crypto amount, as text, which keeps its digits on every network.
    Crypto { currency: Currency, amount: String },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payment {
    pub id: PaymentId,
    pub business: BusinessId,
    pub client_payment_id: String,
    pub kind: PaymentType,
    pub rate_type: RateType,
    pub locale: String,
    pub display_currency: Fiat,
    /// The display currency in the answer to POST, which PATCH may change.
    pub first_display_currency: Fiat,
    /// Whether the merchant set the display currency; otherwise PATCH still may.
    pub display_currency_given: bool,
    pub price: Price,
    /// `depositCurrency` and `network` at creation.
    pub requested_currency: Option<Currency>,
    pub requested_network: Option<Network>,
    pub expiration_minutes: u32,
    pub redirect_url: Option<String>,
    pub overpayment_policy: OverpaymentPolicy,
    pub refund_follow_ups: bool,
    /// The tolerated underpayment as a share of the expected amount; `None` uses the default of the rate
    /// type.
    pub underpayment_tolerance: Option<Decimal>,
    pub initiated_at: u64,
    pub quote: Option<Quote>,
    /// The result of [`status::status_at`] when the payment last changed.
    pub status: PaymentStatus,
    /// When the status last became DEPOSITED or OVERPAID.
    pub settled_at: Option<u64>,
    pub session_nonce: SessionNonce,
    /// The value of a crypto price in the display currency at creation, if there was a rate.
    pub estimate: Option<Decimal>,
    /// When the merchant cancelled it: its window ended then.
    pub cancelled_at: Option<u64>,
    pub acceptance: Option<Acceptance>,
    pub notes: Notes,
}

/// The merchant's own notes about a payment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    pub description: Option<String>,
    pub metadata: BTreeMap<String, String>,
}

/// The payer's choice and its cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quote {
    pub currency: Currency,
    pub network: Network,
    pub address: String,
    pub tag: Option<String>,
    /// The display currency of the terms.
    pub fiat: Fiat,
    pub terms: Terms,
    /// `paymentRequestedAt`.
    pub requested_at: u64,
}

/// The cost of a pair at a rate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    pub expected: Amount,
    pub shown: ShownRates,
    pub display: Decimal,
    pub uniform: Decimal,
}

/// A payment with every quote shown and every deposit seen, both in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaymentWithDeposits {
    pub payment: Payment,
    /// Increases with every change of the payment, its deposits and their refunds.
    pub version: u64,
    /// The last one is the payment's current quote.
    pub quotes: Vec<Quote>,
    pub deposits: Vec<Deposit>,
    /// By id, which is that of its deposit if it is automatic.
    pub refunds: BTreeMap<Uuid, Refund>,
}

/// The facts that a poll compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version {
    pub business: BusinessId,
    /// [`PaymentWithDeposits::version`].
    pub number: u64,
    /// The end of the payment's window: the only time-dependent change of a payment.
    pub window_end: Option<u64>,
}

impl Payment {
    /// The UNIX second at which the window ends; `None` for a payment that never expires. Amounts that were shown before it was
    /// cancelled still pay until the end of their quote.
    pub fn window_end(&self) -> Option<u64> {
        let requested_at = self.quote.as_ref().map(|quote| quote.requested_at);
        self.unless_cancelled(window_end(self.kind, self.initiated_at, requested_at, self.expiration_minutes))
    }

    /// That of the first window, whatever was chosen after it.
    pub fn first_window_end(&self) -> Option<u64> {
        self.unless_cancelled(expires_at(self.kind, self.initiated_at, self.expiration_minutes))
    }

    fn unless_cancelled(&self, end: Option<u64>) -> Option<u64> {
        end.map(|end| self.cancelled_at.map_or(end, |cancelled_at| end.min(cancelled_at)))
    }

    pub fn window_is_over(&self, now: u64) -> bool {
        self.window_end().is_some_and(|end| now >= end)
    }

    /// The UNIX second until which a quote is valid: the end of its window, or half an hour at a floating rate and for a payment
    /// without a window.
    pub fn quote_end(&self, quote: &Quote) -> u64 {
        let end = window_end(self.kind, self.initiated_at, Some(quote.requested_at), self.expiration_minutes);
        match (end, self.rate_type) {
            (Some(end), RateType::Fixed) => end,
            (Some(end), RateType::Floating) => end.min(quote.market_end()),
            (None, _) => quote.market_end(),
        }
    }

    /// The currency that the payer chose, or else that of the request.
    pub fn currency(&self) -> Option<Currency> {
        self.quote.as_ref().map(|quote| quote.currency).or(self.requested_currency)
    }

    /// The network that the payer chose, or else that of the request.
    pub fn network(&self) -> Option<Network> {
        self.quote.as_ref().map(|quote| quote.network).or(self.requested_network)
    }

    /// The currency that the price fixes.
    pub fn fixed_currency(&self) -> Option<Currency> {
        match &self.price {
            Price::Display(_) => None,
            Price::Crypto { currency, .. } => Some(*currency),
        }
    }

    /// The network that a fixed currency is bound to.
    pub fn fixed_network(&self) -> Option<Network> {
        self.fixed_currency().and(self.requested_network)
    }
}

impl Quote {
    /// The UNIX second until which its rate is near that of the market.
    pub fn market_end(&self) -> u64 {
        self.requested_at + u64::from(DEFAULT_EXPIRATION_MINUTES) * 60
    }

    pub fn pair(&self) -> &'static Pair {
        checkout_core::pair::find(self.currency, self.network).expect("only supported pairs are quoted")
    }

    /// Display and EUR value of an amount at the quoted rate. The quoted amount has exactly the value of the
    /// price, without a rounding loss.
    pub fn value(&self, amount: Amount, fiat: Fiat) -> (Decimal, Decimal) {
        if amount == self.terms.expected {
            return (self.terms.display, self.terms.uniform);
        }
        let value = |rate, fiat| {
            crate::payment::quote::value(amount, self.pair(), rate, fiat).unwrap_or(Decimal::MAX)
        };
        (value(self.terms.shown.display, fiat), value(self.terms.shown.uniform, Fiat::EUR))
    }
}

impl PaymentWithDeposits {
    /// A new payment.
    pub fn new(payment: Payment) -> Self {
        Self { payment, version: 1, quotes: Vec::new(), deposits: Vec::new(), refunds: BTreeMap::new() }
    }

    /// Makes this the payment's current quote.
    pub fn show(&mut self, quote: Quote) {
        self.payment.quote = Some(quote.clone());
        self.quotes.push(quote);
    }

    /// The last quote of a currency at a rate, and its index.
    pub fn quote_at_rate(&self, currency: Currency, rate: Decimal) -> Option<(usize, &Quote)> {
        let mut quotes = self.quotes.iter().enumerate().rev();
        quotes.find(|(_, quote)| quote.currency == currency && quote.terms.shown.display == rate)
    }

    /// The deposits on a chain or pending.
    pub fn present_deposits(&self) -> impl Iterator<Item = &Deposit> {
        self.deposits.iter().filter(|deposit| deposit.stands())
    }

    /// The deposits that pay the price, now or once they are confirmed and cleared.
    pub fn paying_deposits(&self) -> impl Iterator<Item = &Deposit> {
        self.deposits.iter().filter(|deposit| deposit.pays())
    }
}
