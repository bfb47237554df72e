//! The page that embeds this one, and the messages it has received.

use serde::Serialize;

use crate::screen::Problem;

/// The name and version of the messages between this page and `embed.js`.
pub const PROTOCOL: &str = "crypto-checkout";
pub const VERSION: u32 = 1;

/// The embedding page; it receives no message before a valid greeting.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Host {
    pub peer: Option<Peer>,
    /// The height of the content in CSS pixels, as last measured.
    pub height: Option<u32>,
    pub(crate) told: Told,
}

/// The only window that receives messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Peer {
    pub origin: String,
    /// The loader's own name for this frame, repeated in every message.
    pub instance: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Told {
    pub(crate) height: Option<u32>,
    pub(crate) status: Option<String>,
    pub(crate) complete: bool,
    pub(crate) expired: bool,
    pub(crate) problem: Option<Problem>,
}

/// A message to the embedding page. It never contains the session token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "lowercase", rename_all_fields = "camelCase")]
pub enum HostEvent {
    Ready,
    Resize {
        height: u32,
    },
    Status {
        payment_id: String,
        status: String,
    },
    Complete {
        payment_id: String,
        status: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        redirect_url: Option<String>,
    },
    Expired {
        payment_id: String,
    },
    Error {
        code: &'static str,
    },
    Close,
}

impl Host {
    /// Stores the loader that greeted. When it greets again, it receives all messages again.
    pub fn meet(&mut self, peer: Peer) {
        self.told = Told::default();
        self.peer = Some(peer);
    }
}

/// An unchecked message from the parent window; `origin` is the origin that the browser reports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostMessage {
    pub origin: String,
    pub protocol: String,
    pub version: u32,
    pub instance: String,
    pub kind: String,
}
