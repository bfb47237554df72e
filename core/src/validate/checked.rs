//! The answers of [`check`](super::check).

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::Warning;
use crate::address::{Address, Kind, Reason};
use crate::network::Network;
use crate::tag::{Tag, TagError};

/// An address with its tag that money may be sent to. Its `Display` is the normal form of the account, without the tag.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Checked {
    /// As it was given: an X-address, a muxed account.
    pub(super) address: Address,
    pub(super) normalized: String,
    pub(super) tag: Option<Tag>,
    pub(super) warnings: Vec<Warning>,
}

impl Checked {
    /// The account, without a tag.
    pub fn account(&self) -> Address {
        self.address.account()
    }

    /// The kind of the given text.
    pub fn kind(&self) -> Kind {
        self.address.kind()
    }

    /// The tag, given separately or embedded in the address. It must be sent with the payment.
    pub fn tag(&self) -> Option<&Tag> {
        self.tag.as_ref()
    }

    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }
}

impl fmt::Display for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.normalized)
    }
}

/// Why an address or its tag is refused. It never contains any part of a secret.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Refused {
    pub(super) reason: Reason,
    /// Of an accepted address, whose tag is refused.
    pub(super) kind: Option<Kind>,
    pub(super) positions: Vec<usize>,
    pub(super) suggestion: Option<Box<Suggestion>>,
    pub(super) looks_like: Option<Network>,
}

/// What was probably meant. Nothing is corrected without asking.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Suggestion {
    /// The address and the tag that belongs to it: take both.
    Recipient { address: Address, tag: Option<Tag> },
    /// The address is right; the tag in its normal form.
    Tag(Tag),
}

impl Refused {
    pub(super) fn tag(kind: Kind, error: &TagError) -> Self {
        let suggestion = error.suggestion().cloned().map(|tag| Box::new(Suggestion::Tag(tag)));
        Self { reason: error.reason(), kind: Some(kind), positions: Vec::new(), suggestion, looks_like: None }
    }

    pub fn reason(&self) -> Reason {
        self.reason
    }

    /// Positions of errors in the address, in bytes from its start.
    pub fn positions(&self) -> &[usize] {
        &self.positions
    }

    pub fn suggestion(&self) -> Option<&Suggestion> {
        self.suggestion.as_deref()
    }

    /// The network for which the text is valid, or which it names.
    pub fn looks_like(&self) -> Option<Network> {
        self.looks_like
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason.message())
    }
}

impl core::error::Error for Refused {}
