//! The states of the page. Each owns the facts of its screen; shared facts are in
//! [`Shared`](crate::page::Shared).

use checkout_core::{Amount, Currency, Pair};

use crate::clock::Millis;
use crate::connection::Pace;
use crate::quote::{self, Code, Quote};
use crate::screen::{Field, Notice, Problem, QrMode, Screen};

/// The state of the page.
#[derive(Clone, Debug)]
pub enum State {
    /// The payment is not known yet.
    Opening,
    Choosing(Choosing),
    Paying(Paying),
    Watching(Watching),
    Expired(Expired),
    Finished(Finished),
    Failed(Failed),
}

/// The payer chooses a currency and a network.
#[derive(Clone, Debug, Default)]
pub struct Choosing {
    /// The currency for which the payer chooses a network.
    pub currency: Option<Currency>,
    /// The payer opened the list although the payment has another screen.
    pub again: bool,
    pub request: Request,
}

/// The payer's request for a quote.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The choice that was sent to the gateway and not yet answered.
    pub asking: Option<&'static Pair>,
    /// Why the last request failed.
    pub notice: Option<Notice>,
}

/// The payer is asked to send an amount: the whole, or the rest when part has arrived.
#[derive(Clone, Debug)]
pub struct Paying {
    pub quote: Quote,
    /// The part that has arrived; `None` if nothing has.
    pub arrived: Option<Amount>,
    /// The amount to send now.
    pub due: Amount,
    /// The payer's choice for the QR code; `None` for the asset's default.
    pub qr_mode: Option<QrMode>,
    /// The QR code opens this page on another device.
    pub hand_over: bool,
    /// The choice was changed on another page.
    pub changed_elsewhere: bool,
    /// The payer pressed a link that some wallet on this device may have registered.
    pub wallet: Option<WalletCall>,
}

/// Browsers do not tell whether a wallet has opened; a page that is hidden gave way to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalletCall {
    /// It counts as missing at this time.
    Until(Millis),
    Missing,
}

impl Paying {
    /// Nothing has arrived yet.
    pub fn whole(quote: Quote) -> Self {
        let due = quote.amount;
        Self {
            quote,
            arrived: None,
            due,
            qr_mode: None,
            hand_over: false,
            changed_elsewhere: false,
            wallet: None,
        }
    }
}

/// Everything has arrived, or the amount that arrived is unknown; the network still confirms it.
#[derive(Clone, Debug)]
pub struct Watching {
    pub quote: Option<Quote>,
}

/// The window has ended.
#[derive(Clone, Debug)]
pub struct Expired {
    pub quote: Option<Quote>,
    pub request: Request,
}

/// The payment is complete.
#[derive(Clone, Debug)]
pub struct Finished {
    pub quote: Option<Quote>,
    pub overpaid: bool,
    /// A transfer came after the order was paid.
    pub twice: bool,
    /// The payer asked for money back, which has not arrived yet.
    pub returning: bool,
    pub leaving: Leaving,
}

/// The payment cannot be shown.
#[derive(Clone, Debug)]
pub struct Failed {
    pub problem: Problem,
    /// The request id of the answer that caused the problem, for support.
    pub reference: Option<String>,
}

impl State {
    pub fn screen(&self) -> Screen {
        match self {
            Self::Opening => Screen::Loading,
            Self::Choosing(_) => Screen::Choose,
            Self::Paying(paying) if paying.arrived.is_some() => Screen::Partial,
            Self::Paying(_) => Screen::Pay,
            Self::Watching(_) => Screen::Seen,
            Self::Expired(_) => Screen::Expired,
            Self::Finished(finished) if finished.twice => Screen::PaidTwice,
            Self::Finished(finished) if finished.overpaid => Screen::Overpaid,
            Self::Finished(_) => Screen::Paid,
            Self::Failed(_) => Screen::Problem,
        }
    }

    pub fn pace(&self) -> Pace {
        match self {
            Self::Finished(finished) if finished.returning => Pace::Calm,
            Self::Finished(_) => Pace::Settled,
            Self::Choosing(_) | Self::Expired(_) => Pace::Calm,
            Self::Opening | Self::Paying(_) | Self::Watching(_) | Self::Failed(_) => Pace::Live,
        }
    }

    pub fn problem(&self) -> Option<Problem> {
        match self {
            Self::Failed(failed) => Some(failed.problem),
            _ => None,
        }
    }

    /// The payer's request, on the screens that make one.
    pub fn request(&self) -> Option<&Request> {
        match self {
            Self::Choosing(choosing) => Some(&choosing.request),
            Self::Expired(expired) => Some(&expired.request),
            _ => None,
        }
    }

    pub(crate) fn request_mut(&mut self) -> Option<&mut Request> {
        match self {
            Self::Choosing(choosing) => Some(&mut choosing.request),
            Self::Expired(expired) => Some(&mut expired.request),
            _ => None,
        }
    }

    /// The currency for which the payer chooses a network.
    pub fn chosen(&self) -> Option<Currency> {
        match self {
            Self::Choosing(choosing) => choosing.currency,
            _ => None,
        }
    }
}

impl Paying {
    /// The contents of the QR code.
    pub fn code(&self) -> Code {
        quote::code(&self.quote, self.due, self.qr_mode)
    }
}

/// The outcome of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copied {
    pub field: Field,
    pub done: bool,
    pub until: Millis,
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
