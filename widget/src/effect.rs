//! The requests of the page to the browser, as data.

use crate::clock::Millis;
use crate::connection::Purpose;
use crate::host::{HostEvent, Peer};
use crate::page_url::Theme;
use crate::screen::Field;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    Call(Call),
    /// Raise [`What::Woke`](crate::event::What::Woke) after this time; replaces every earlier timer.
    Wake {
        after: Millis,
    },
    /// Raise [`What::Painted`](crate::event::What::Painted) when the browser next paints the page.
    ReportPaint,
    /// Show another URL, without a new entry in the history.
    ShowAddress(String),
    SetTheme(Theme),
    Copy {
        field: Field,
        text: String,
    },
    TellHost {
        peer: Peer,
        event: HostEvent,
    },
    /// Focus the heading of the new screen. If the payer did not cause the change, only if the focus would be
    /// lost.
    Focus {
        asked: bool,
    },
    /// Navigate without an entry in the history: the browser's back button does not return here.
    Leave(String),
    /// Open a URL whose scheme a wallet may have registered. If none has, this page stays.
    OpenWallet(String),
    Print,
    Share {
        title: String,
        text: String,
    },
    Reload,
}

/// One request to the gateway. It always ends after [`CALL_TIMEOUT`](crate::connection::CALL_TIMEOUT).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    pub id: u32,
    pub purpose: Purpose,
    pub method: &'static str,
    pub path: String,
    pub token: String,
    pub etag: Option<String>,
    /// JSON.
    pub body: Option<String>,
}
