//! The events of the page.

use checkout_core::{Currency, Network};
use checkout_wire::checkout_view::CheckoutView;
use checkout_wire::update_payment::UpdatedPayment;

use crate::clock::Millis;
use crate::host::HostMessage;
use crate::page_data::PageData;
use crate::page_url::PageUrl;
use crate::screen::Field;

/// An event and its time by the page's own clock.
#[derive(Debug)]
pub struct Event {
    pub at: Millis,
    pub what: What,
}

#[derive(Debug)]
pub enum What {
    /// The page starts at this URL. `given` is the data from which the server rendered it, if it did.
    Started {
        url: PageUrl,
        given: Option<Box<PageData>>,
    },
    /// The timer of [`Effect::Wake`](crate::effect::Effect::Wake) fired. `wall` is the device's clock in UNIX
    /// milliseconds; no amount and no deadline depends on it.
    Woke {
        wall: Millis,
    },
    Answered {
        call: u32,
        answer: Answer,
    },

    /// The page is visible again, or was restored from the browser's cache.
    Returned,
    Hidden,
    /// The payer is back from a link that no wallet has opened: the browser inside an app had replaced the page by an error.
    WalletMissing,
    Online,
    Offline,

    /// The payer acted on the page.
    Did {
        act: Act,
        /// By the page's own clock. A busy page handles a press later than this.
        pressed: Millis,
    },
    /// The browser paints the page after [`Effect::ReportPaint`](crate::effect::Effect::ReportPaint).
    Painted,
    Copied {
        field: Field,
        done: bool,
    },

    /// The height of the content in CSS pixels.
    Resized(u32),
    /// The parent window sent a message.
    Message(HostMessage),
}

/// An action of the payer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    ChooseCurrency(Currency),
    ChooseNetwork(Network),
    /// Return from the networks to the currencies, or from the list to the quote.
    GoBack,
    ChangeCurrency,
    /// Ask for a new quote after the window ended.
    Renew,
    /// Try again now.
    Retry,
    SwitchQr,
    /// Open a wallet on this device by its scheme.
    OpenWallet,
    Copy(Field),
    /// Show the code that opens the page on another device, or the payment's again.
    HandOver,
    /// Print the receipt.
    Print,
    /// Give the receipt to another app.
    Share,
    /// Do not return to the merchant automatically.
    Stay,
    /// Close an embedded page.
    Close,
}

/// The outcome of a call.
#[derive(Debug)]
pub enum Answer {
    /// No answer: no network, a timeout, a broken connection.
    None,
    Reply(Box<Reply>),
}

#[derive(Debug, Default)]
pub struct Reply {
    pub status: u16,
    /// `X-Server-Time`, UNIX milliseconds.
    pub server_time: Option<u64>,
    pub etag: Option<String>,
    /// `Retry-After` in seconds.
    pub retry_after: Option<u32>,
    /// `X-Request-Id`.
    pub request_id: Option<String>,
    pub body: Body,
}

#[derive(Debug, Default)]
pub enum Body {
    #[default]
    Empty,
    View(Box<CheckoutView>),
    /// The answer to the payer's choice.
    Chosen(Box<UpdatedPayment>),
    Unreadable,
}
