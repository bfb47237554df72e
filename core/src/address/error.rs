//! Why a text is not an acceptable address: the reason, the position and a suggestion.

use core::fmt;

use super::Address;
use super::reason::Reason;
use crate::encoding::{DecodeError, ErrorKind};
use crate::network::Network;

/// Why a text is not an acceptable address. It never contains any part of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddressError {
    pub(crate) reason: Reason,
    pub(crate) at: Option<u8>,
    pub(crate) suggestion: Option<Address>,
    pub(crate) looks_like: Option<Network>,
}

impl AddressError {
    pub(crate) const fn new(reason: Reason) -> Self {
        Self { reason, at: None, suggestion: None, looks_like: None }
    }

    pub(crate) const fn suggesting(reason: Reason, suggestion: Address) -> Self {
        Self { reason, at: None, suggestion: Some(suggestion), looks_like: None }
    }

    pub(crate) fn at(reason: Reason, index: usize) -> Self {
        Self { at: u8::try_from(index).ok(), ..Self::new(reason) }
    }

    /// The same error in a text that starts `start` bytes earlier.
    pub(crate) fn moved(self, start: usize) -> Self {
        let at = self.at.map(|at| at.saturating_add(u8::try_from(start).unwrap_or(u8::MAX)));
        Self { at, ..self }
    }

    pub fn reason(&self) -> Reason {
        self.reason
    }

    /// The byte at which reading stopped, if known.
    pub fn position(&self) -> Option<usize> {
        self.at.map(usize::from)
    }

    /// The correct form of the address that was probably meant, if it can be computed.
    pub fn suggestion(&self) -> Option<&Address> {
        self.suggestion.as_ref()
    }

    /// The network for which the text is valid, or which it names.
    pub fn looks_like(&self) -> Option<Network> {
        self.looks_like
    }
}

impl From<Reason> for AddressError {
    fn from(reason: Reason) -> Self {
        Self::new(reason)
    }
}

impl From<ErrorKind> for AddressError {
    fn from(kind: ErrorKind) -> Self {
        Self::new(match kind {
            ErrorKind::Length => Reason::BadLength,
            ErrorKind::Character => Reason::BadCharacter,
            ErrorKind::MixedCase => Reason::MixedCase,
            ErrorKind::Checksum => Reason::BadChecksum,
            ErrorKind::Padding => Reason::ReservedBits,
        })
    }
}

impl From<DecodeError> for AddressError {
    fn from(error: DecodeError) -> Self {
        Self { at: error.at, ..Self::from(error.kind) }
    }
}

impl fmt::Display for AddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason.message())?;
        match self.looks_like {
            Some(network) => write!(f, " (it looks like a {} address)", network.code()),
            None => Ok(()),
        }
    }
}

impl core::error::Error for AddressError {}
