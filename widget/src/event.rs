//! Everything that can happen to the page.

use checkout_core::wire::Payment;
use checkout_core::wire::checkout_view::CheckoutView;
use checkout_core::{Currency, Network};
use serde::Deserialize;

use crate::clock::Millis;
use crate::page_data::PageData;
use crate::page_url::PageUrl;
use crate::state::Field;

/// Something that happened, and when by the page's own clock.
#[derive(Debug)]
pub struct Event {
    pub at: Millis,
    pub what: What,
}

#[derive(Debug)]
pub enum What {
    /// The page starts at this address. `given`: what the server drew it from, when it did.
    Started {
        url: PageUrl,
        given: Option<Box<PageData>>,
    },
    /// The time that [`Effect::Wake`](crate::effect::Effect::Wake) asked for has come. `wall` is the
    /// device's clock in UNIX milliseconds; nobody's money depends on it.
    Woke {
        wall: Millis,
    },
    Answered {
        call: u32,
        answer: Answer,
    },

    /// The page is visible again, or came out of the browser's cache.
    Returned,
    Hidden,
    Online,
    Offline,

    /// The payer did something on the page.
    Did(Act),
    Copied {
        field: Field,
        done: bool,
    },

    /// The height of the content in CSS pixels.
    Resized(u32),
    /// The parent window sent a message.
    Message(HostMessage),
}

/// What a payer can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    ChooseCurrency(Currency),
    ChooseNetwork(Network),
    /// Out of the networks to the currencies, or out of the list to the quote.
    GoBack,
    ChangeCurrency,
    /// A new quote after the window ended.
    Renew,
    /// Try again now.
    Retry,
    SwitchQr,
    Copy(Field),
    /// Do not go back to the merchant automatically.
    Stay,
    /// Done with an embedded page.
    Close,
    SwitchLocale(&'static str),
}

/// What came back from a call.
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
    Payment(Box<Payment>),
    Unreadable,
}

/// A message from the parent window, as it came; `origin` is the browser's word.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct HostMessage {
    #[serde(skip)]
    pub origin: String,
    pub protocol: String,
    pub version: u32,
    pub instance: String,
    #[serde(rename = "type")]
    pub kind: String,
}
