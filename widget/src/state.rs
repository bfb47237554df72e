//! The state of the page.

use checkout_core::payment::{Received, StatusInputs, status, window_end};
use checkout_core::wire::checkout_view::CheckoutView;
use checkout_core::wire::{Payment, PaymentStatus};
use checkout_core::{Amount, Currency, Network, Pair, pair};

use crate::clock::{Clock, Millis};
use crate::connection::{Connection, Pace};
use crate::host::Host;
use crate::page_url::{PageUrl, Session, safe_redirect};
use crate::quote::{self, Code, Quote, received};

#[derive(Clone, Debug)]
pub struct State {
    /// The time of the last event.
    pub now: Millis,
    /// The device's clock at the last wake, only to detect that the device slept.
    pub wall: Option<Millis>,
    pub woke_at: Millis,
    pub url: PageUrl,
    /// `None` until the page has started, and for a URL without payment or token.
    pub session: Option<Session>,
    /// The requested locale: of the URL, or else of the payment.
    pub locale: Option<String>,
    pub clock: Clock,
    pub connection: Connection,
    pub host: Host,
    pub open: Option<Open>,
    pub problem: Option<Problem>,
    /// The request id of the answer that caused the problem, for support.
    pub reference: Option<String>,
    pub copied: Option<Copied>,
    pub announcement: Option<Announcement>,
    pub leaving: Leaving,
    /// The seconds left at the last event, to detect which marks were passed.
    pub last_left: Option<u64>,
}

/// The payment, once it was read.
#[derive(Clone, Debug)]
pub struct Open {
    pub merchant: String,
    pub allowed_origins: Vec<String>,
    pub offers: Vec<Offer>,
    pub sandbox: bool,
    pub payment: Payment,
    /// `Some` when the payment has one and it passed every check.
    pub quote: Option<Quote>,
    /// The payer is choosing although there is a quote or the window is over.
    pub choosing_again: bool,
    /// The currency for which the payer chooses a network.
    pub chosen: Option<Currency>,
    /// The choice that was sent to the gateway and not yet answered.
    pub asking: Option<&'static Pair>,
    pub notice: Option<Notice>,
    /// The payer's choice for the QR code; `None`: the default of the asset.
    pub qr_mode: Option<QrMode>,
}

/// A pair that the payer may choose.
#[derive(Clone, Debug)]
pub struct Offer {
    pub pair: &'static Pair,
    pub estimate: Option<Amount>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Screen {
    Loading,
    Choose,
    Pay,
    Seen,
    Partial,
    Paid,
    Overpaid,
    Expired,
    Problem,
}

impl Screen {
    /// The value of `data-screen`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Loading => "loading",
            Self::Choose => "choose",
            Self::Pay => "pay",
            Self::Seen => "seen",
            Self::Partial => "partial",
            Self::Paid => "paid",
            Self::Overpaid => "overpaid",
            Self::Expired => "expired",
            Self::Problem => "problem",
        }
    }

    pub fn is_complete(self) -> bool {
        matches!(self, Self::Paid | Self::Overpaid)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The URL opens no payment, or the token is not (or no longer) valid for it.
    Link,
    /// The gateway cannot be reached; the page keeps trying.
    Unreachable,
    /// The address did not pass the checks and is not shown.
    Refused,
    /// This version of the page cannot read the answer.
    Unreadable,
    /// There is no currency to choose.
    NothingOffered,
}

impl Problem {
    /// A stable name for machines.
    pub fn code(self) -> &'static str {
        match self {
            Self::Link => "link_invalid",
            Self::Unreachable => "unreachable",
            Self::Refused => "address_refused",
            Self::Unreadable => "unreadable",
            Self::NothingOffered => "nothing_offered",
        }
    }
}

/// A message about the payer's last request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    /// The gateway could not be reached.
    NotReached,
    /// This choice is not possible now; another one may be.
    NotPossible,
    /// There is no exchange rate at the moment.
    NoRate,
    /// The payment no longer accepts another choice.
    Closed,
}

impl Notice {
    pub const ALL: [Self; 4] = [Self::NotReached, Self::NotPossible, Self::NoRate, Self::Closed];

    /// A stable name for machines.
    pub fn code(self) -> &'static str {
        match self {
            Self::NotReached => "not_reached",
            Self::NotPossible => "not_possible",
            Self::NoRate => "no_rate",
            Self::Closed => "closed",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QrMode {
    Amount,
    Address,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    Amount,
    Address,
    Tag,
}

/// The outcome of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copied {
    pub field: Field,
    pub done: bool,
    pub until: Millis,
}

/// The current announcement to users of screen readers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Announcement {
    pub what: Say,
    pub until: Millis,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Say {
    Screen,
    Copied { field: Field, done: bool },
    SecondsLeft(u64),
    Offline,
    Online,
    Notice,
}

/// The automatic redirect to the merchant, which happens at most once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaving {
    NotYet,
    At(Millis),
    /// The payer chose to stay.
    Stays,
    Gone,
}

impl State {
    /// The state before the page has started.
    pub fn new(seed: u32) -> Self {
        Self {
            now: 0,
            wall: None,
            woke_at: 0,
            url: PageUrl::default(),
            session: None,
            locale: None,
            clock: Clock::default(),
            connection: Connection::new(0, seed),
            host: Host::default(),
            open: None,
            problem: None,
            reference: None,
            copied: None,
            announcement: None,
            leaving: Leaving::NotYet,
            last_left: None,
        }
    }

    pub fn screen(&self) -> Screen {
        if self.problem.is_some() {
            return Screen::Problem;
        }
        let Some(open) = &self.open else { return Screen::Loading };
        if open.is_choosing() {
            return Screen::Choose;
        }
        match self.status() {
            PaymentStatus::New => Screen::Choose,
            PaymentStatus::Pending => Screen::Pay,
            PaymentStatus::Deposited => Screen::Paid,
            PaymentStatus::Overpaid => Screen::Overpaid,
            PaymentStatus::Expired => Screen::Expired,
            PaymentStatus::Awaiting | PaymentStatus::Other(_) => {
                if open.remaining().is_some() {
                    Screen::Partial
                } else {
                    Screen::Seen
                }
            }
        }
    }

    /// The status to show: the gateway's, or the one after the end of the window when the window has just ended and the
    /// gateway has not reported it yet.
    pub fn status(&self) -> PaymentStatus {
        let Some(open) = &self.open else { return PaymentStatus::New };
        let said = &open.payment.status;
        match said {
            PaymentStatus::Deposited | PaymentStatus::Overpaid | PaymentStatus::Expired => said.clone(),
            PaymentStatus::New | PaymentStatus::Pending | PaymentStatus::Awaiting => {
                if self.millis_left() == Some(0) { open.standing(true) } else { said.clone() }
            }
            PaymentStatus::Other(_) => open.standing(self.millis_left() == Some(0)),
        }
    }

    /// Milliseconds to the end of the window; `None` when it has no end or the time is not known.
    pub fn millis_left(&self) -> Option<u64> {
        let end = self.open.as_ref()?.window_end()?;
        let now = self.clock.server_time(self.now)?;
        Some((end * 1_000).saturating_sub(now))
    }

    /// Whole seconds to the end of the window, rounded down.
    pub fn seconds_left(&self) -> Option<u64> {
        Some(self.millis_left()? / 1_000)
    }

    /// Whether the page shows the countdown. While the payer still chooses, only when the end is near.
    pub fn counts_down(&self) -> bool {
        match self.screen() {
            Screen::Pay | Screen::Partial => {
                self.open.as_ref().is_some_and(|open| open.window_end().is_some())
            }
            Screen::Choose => self.seconds_left().is_some_and(|left| left <= 300),
            _ => false,
        }
    }

    pub fn pace(&self) -> Pace {
        match self.screen() {
            Screen::Paid | Screen::Overpaid => Pace::Settled,
            Screen::Choose | Screen::Expired => Pace::Calm,
            _ => Pace::Live,
        }
    }

    /// The redirect after completion, if this page may lead there.
    pub fn way_back(&self) -> Option<&str> {
        let url = self.open.as_ref()?.payment.redirect_url.as_deref()?;
        safe_redirect(url, self.url.secure)
    }
}

impl Open {
    /// The payment with nothing chosen on the page.
    pub fn new(view: CheckoutView, quote: Option<Quote>) -> Self {
        let offers = offers(&view);
        Self {
            merchant: view.merchant_name,
            allowed_origins: view.allowed_origins,
            offers,
            sandbox: view.sandbox,
            payment: view.payment,
            quote,
            choosing_again: false,
            chosen: None,
            asking: None,
            notice: None,
            qr_mode: None,
        }
    }

    /// True when the list is shown although the status has another screen.
    pub fn is_choosing(&self) -> bool {
        let may_choose = matches!(
            self.payment.status,
            PaymentStatus::New | PaymentStatus::Pending | PaymentStatus::Expired
        );
        self.choosing_again && may_choose
    }

    pub fn window_end(&self) -> Option<u64> {
        let payment = &self.payment;
        window_end(
            &payment.kind,
            payment.payment_initiated_at,
            payment.payment_requested_at,
            payment.expiration_minutes,
        )
    }

    /// The amount that has arrived; see [`received`].
    pub fn received(&self) -> Option<Received> {
        received(&self.payment, self.quote.as_ref()?)
    }

    /// The remaining amount, when deposits have arrived that do not cover the payment.
    pub fn remaining(&self) -> Option<Amount> {
        if self.payment.deposits.is_empty() {
            return None;
        }
        let quote = self.quote.as_ref()?;
        let remaining = checkout_core::payment::remaining(quote.amount, self.received()?);
        (!remaining.is_zero()).then_some(remaining)
    }

    /// The amount to send now: the remaining amount when part has arrived, else the whole amount.
    pub fn due(&self) -> Option<Amount> {
        self.remaining().or(self.quote.as_ref().map(|quote| quote.amount))
    }

    /// The contents of the QR code.
    pub fn code(&self) -> Option<Code> {
        let quote = self.quote.as_ref()?;
        Some(quote::code(quote, self.due()?, self.qr_mode))
    }

    /// The status computed from the facts on this page.
    fn standing(&self, window_over: bool) -> PaymentStatus {
        let facts_are_exact = self.payment.deposits.is_empty() || self.received().is_some();
        if !facts_are_exact {
            return PaymentStatus::Awaiting;
        }
        status(&StatusInputs {
            kind: self.payment.kind.clone(),
            requested: self.quote.is_some(),
            expected: self.quote.as_ref().map(|quote| quote.amount),
            received: self.received().unwrap_or_default(),
            // The gateway applies the tolerance of the business; this page only predicts the end of the window.
            tolerance: Amount::ZERO,
            window_over,
        })
    }

    /// The offered currencies, without duplicates, in the merchant's order.
    pub fn currencies(&self) -> Vec<Currency> {
        let mut currencies = Vec::new();
        for offer in &self.offers {
            if !currencies.contains(&offer.pair.currency) {
                currencies.push(offer.pair.currency);
            }
        }
        currencies
    }

    pub fn offers_of(&self, currency: Currency) -> impl Iterator<Item = &Offer> {
        self.offers.iter().filter(move |offer| offer.pair.currency == currency)
    }

    pub fn offer(&self, currency: Currency, network: Network) -> Option<&Offer> {
        self.offers_of(currency).find(|offer| offer.pair.network == network)
    }
}

/// The pairs that the payer may choose: those that this version knows, within the merchant's restrictions.
fn offers(view: &CheckoutView) -> Vec<Offer> {
    let is_new = view.payment.status == PaymentStatus::New;
    let fixed_currency = view.payment.deposit_currency.as_deref().filter(|_| is_new);
    let fixed_network = view.payment.expected_network.as_deref().filter(|_| is_new);
    let fits = |fixed: Option<&str>, code: &str| fixed.is_none_or(|fixed| fixed == code);
    let options = view.options.iter();
    let options = options
        .filter(|option| fits(fixed_currency, &option.currency) && fits(fixed_network, &option.network));
    options
        .filter_map(|option| {
            let pair = pair::find(option.currency.parse().ok()?, option.network.parse().ok()?)?;
            let estimate = option.estimated_amount.as_deref();
            let estimate = estimate.and_then(|text| Amount::parse(text, pair.decimals).ok());
            pair.deposit.then_some(Offer { pair, estimate })
        })
        .collect()
}
