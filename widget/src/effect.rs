//! Everything the page may ask the browser for, as data.

use crate::clock::Millis;
use crate::connection::Purpose;
use crate::host::{HostEvent, Peer};
use crate::page_url::Theme;
use crate::state::Field;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    Call(Call),
    /// Come back after this time; replaces every earlier wish.
    Wake {
        after: Millis,
    },
    /// Show another address, without a new entry in the history.
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
    /// Another screen stands: put the focus on its heading. For a change that the payer did not
    /// make, only when the focus would be lost.
    Focus {
        asked: bool,
    },
    /// Leave the page, so that the browser's way back does not lead here again.
    Leave(String),
    Reload,
}

/// One request to the gateway. It ends after [`CALL_TIMEOUT`](crate::connection::CALL_TIMEOUT) in any case.
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
