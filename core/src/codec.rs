//! Pure encodings: text to bytes and back. Nothing here knows a network.
//!
//! Every decoder refuses by length before it looks at a character, and none allocates.

pub(crate) mod base32;
pub(crate) mod base58;
pub(crate) mod base64;
pub(crate) mod bech32;
pub(crate) mod cashaddr;
pub(crate) mod hash;
pub(crate) mod hex;
mod locate;
mod register;
mod symbols;

use crate::address::Reason;

/// What is wrong with an encoding, and at which byte where that is one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) reason: Reason,
    pub(crate) at: Option<u8>,
}

impl Fault {
    pub(crate) const fn new(reason: Reason) -> Self {
        Self { reason, at: None }
    }

    pub(crate) fn at(reason: Reason, index: usize) -> Self {
        Self { reason, at: u8::try_from(index).ok() }
    }
}

impl From<Reason> for Fault {
    fn from(reason: Reason) -> Self {
        Self::new(reason)
    }
}
