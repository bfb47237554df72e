//! A payment as it is stored, and the rules that follow from it.

pub mod coverage;
pub mod create_request;
pub mod deposit;
pub mod plan_refunds;
pub mod quote;
pub mod refund;
pub mod render;
pub mod status;
pub mod update_request;

use checkout_core::payment::window_end;
use checkout_core::wire::payment::OverpaymentPolicy;
use checkout_core::wire::{PaymentStatus, PaymentType, RateType};
use checkout_core::{Amount, Currency, Decimal, Network, Pair};
use uuid::Uuid;

use crate::domain::payment::deposit::Deposit;
use crate::domain::rates::fiat::Fiat;

/// The price that the merchant requested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Price {
    /// An amount in the display currency; the crypto amount follows from the rate.
    Display(Decimal),
    /// An exact crypto amount, as a text that keeps its digits on every network.
    Crypto { currency: Currency, amount: String },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payment {
    pub id: Uuid,
    pub business: Uuid,
    pub client_payment_id: String,
    pub kind: PaymentType,
    pub rate_type: RateType,
    pub locale: String,
    pub display_currency: Fiat,
    /// The merchant set the display currency. Until then, PATCH may set it.
    pub display_currency_given: bool,
    pub price: Price,
    /// `depositCurrency` and `network` as given at creation.
    pub requested_currency: Option<Currency>,
    pub requested_network: Option<Network>,
    pub expiration_minutes: u32,
    pub redirect_url: Option<String>,
    pub overpayment_policy: OverpaymentPolicy,
    pub refund_follow_ups: bool,
    pub initiated_at: u64,
    pub quote: Option<Quote>,
    /// The result of [`status::status_at`] when the payment last changed.
    pub status: PaymentStatus,
    /// When the status last became DEPOSITED or OVERPAID.
    pub settled_at: Option<u64>,
    /// Makes the session token unpredictable even if the payment id is known.
    pub session_nonce: Uuid,
    /// The value of a crypto price in the display currency at creation, if there was a rate.
    pub estimate: Option<Decimal>,
}

/// The payer's choice and its price.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quote {
    pub currency: Currency,
    pub network: Network,
    pub address: String,
    pub tag: Option<String>,
    pub terms: Terms,
    /// `paymentRequestedAt`.
    pub requested_at: u64,
}

/// The price of a payment in a pair, at a rate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    pub expected: Amount,
    /// Display currency per whole coin.
    pub rate: Decimal,
    /// EUR per whole coin.
    pub uniform_rate: Decimal,
    pub display: Decimal,
    pub uniform: Decimal,
}

/// A payment with every deposit that was ever seen for it, in order of first sight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    pub payment: Payment,
    /// Increases with every change of the payment, its deposits and their refunds.
    pub version: u64,
    pub deposits: Vec<Deposit>,
}

/// The data that a poll compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version {
    pub business: Uuid,
    /// [`Record::version`].
    pub number: u64,
    /// The end of the payment's window. The time changes what a payment shows only through its window.
    pub window_end: Option<u64>,
}

impl Payment {
    /// Returns the UNIX second at which the window ends; `None` for a payment that never expires.
    pub fn window_end(&self) -> Option<u64> {
        let requested_at = self.quote.as_ref().map(|quote| quote.requested_at);
        window_end(&self.kind, self.initiated_at, requested_at, self.expiration_minutes)
    }

    pub fn window_is_over(&self, now: u64) -> bool {
        self.window_end().is_some_and(|end| now >= end)
    }

    /// Returns whether the quoted rate holds for a deposit that is seen at `seen_at`. A FIXED rate holds until the end
    /// of the window; without a window, it holds for half an hour.
    pub fn rate_holds_at(&self, seen_at: u64) -> bool {
        let Some(quote) = &self.quote else { return false };
        if self.rate_type != RateType::Fixed {
            return false;
        }
        let end = self.window_end().unwrap_or_else(|| {
            quote.requested_at + u64::from(checkout_core::payment::DEFAULT_EXPIRATION_MINUTES) * 60
        });
        seen_at < end
    }

    /// Returns the currency that the price requires.
    pub fn fixed_currency(&self) -> Option<Currency> {
        match &self.price {
            Price::Display(_) => None,
            Price::Crypto { currency, .. } => Some(*currency),
        }
    }

    /// Returns the network that a required currency is bound to.
    pub fn fixed_network(&self) -> Option<Network> {
        self.fixed_currency().and(self.requested_network)
    }
}

impl Quote {
    pub fn pair(&self) -> &'static Pair {
        checkout_core::pair::find(self.currency, self.network).expect("only supported pairs are quoted")
    }

    /// Returns the value of an amount at the quoted rate, in the display currency and in EUR. The quoted amount has
    /// exactly the quoted value, without a rounding loss.
    pub fn worth(&self, amount: Amount, fiat: Fiat) -> (Decimal, Decimal) {
        if amount == self.terms.expected {
            return (self.terms.display, self.terms.uniform);
        }
        let worth = |rate, fiat| {
            crate::domain::payment::quote::worth(amount, self.pair(), rate, fiat).unwrap_or(Decimal::MAX)
        };
        (worth(self.terms.rate, fiat), worth(self.terms.uniform_rate, Fiat::EUR))
    }
}

impl Record {
    /// Creates the record of a new payment.
    pub fn new(payment: Payment) -> Self {
        Self { payment, version: 1, deposits: Vec::new() }
    }

    /// Returns the deposits that are on a chain or pending, and not refused.
    pub fn standing_deposits(&self) -> impl Iterator<Item = &Deposit> {
        self.deposits.iter().filter(|deposit| deposit.stands())
    }
}
