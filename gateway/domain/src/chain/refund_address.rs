//! Senders that a refund would not reach.

/// Why a refund to the sender of a deposit would not reach the payer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoRefundAddress {
    /// The transaction does not show who sent it.
    UnknownSender,
    /// The sender is a contract, which may not know the payer or not be able to send money on.
    Contract,
    /// A contract sent it on behalf of somebody: the transfer is seen only in the trace of the transaction.
    InternalTransfer,
    /// The sender demands a tag of everybody who pays it, and sent none.
    TagRequired,
    /// The sender accepts payments of accounts only that it knows.
    Closed,
    /// The network refuses a payment to this address.
    Refused,
    /// The payment to this address failed in its block.
    Reverted,
    /// The screening blocks the address.
    Blocked,
    /// The merchant refused the address that the payer named.
    ClaimRefused,
}

impl NoRefundAddress {
    pub const WORDS: [(Self, &str); 9] = [
        (Self::UnknownSender, "UNKNOWN_SENDER"),
        (Self::Contract, "CONTRACT"),
        (Self::InternalTransfer, "INTERNAL_TRANSFER"),
        (Self::TagRequired, "TAG_REQUIRED"),
        (Self::Closed, "CLOSED"),
        (Self::Refused, "REFUSED"),
        (Self::Reverted, "REVERTED"),
        (Self::Blocked, "BLOCKED"),
        (Self::ClaimRefused, "CLAIM_REFUSED"),
    ];

    pub fn as_str(self) -> &'static str {
        Self::WORDS.iter().find(|(why, _)| *why == self).map_or("", |(_, word)| word)
    }

    pub fn known(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(_, known)| *known == word).map(|(why, _)| *why)
    }
}
