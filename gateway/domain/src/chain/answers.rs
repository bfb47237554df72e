//! What a network answers about a transaction.

use std::fmt;

/// Why a transaction was not signed or not sent.
#[derive(Debug)]
pub enum Unsent {
    /// A temporary failure. The state of the transaction is unknown.
    Unavailable(Box<dyn std::error::Error + Send + Sync>),
    /// A permanent failure: the network refuses it, and no chain includes it.
    Refused(String),
    /// No chain includes it, and none will: the payout is signed again.
    Expired(String),
}

impl Unsent {
    /// A temporary failure.
    pub fn later(why: impl Into<String>) -> Self {
        Self::Unavailable(why.into().into())
    }

    pub fn unproven(why: impl Into<String>) -> Self {
        Self::Unavailable(Box::new(Unproven(why.into())))
    }
}

/// The error of an [unavailable](Unsent::Unavailable) network that cannot tell whether it has a transaction: its number is used,
/// and nothing shows by what. After a while an operator decides.
#[derive(Debug)]
pub struct Unproven(pub String);

impl fmt::Display for Unproven {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unproven {}

/// The network's state of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// In the best chain, with this many confirmations, its own block included.
    Confirmed(u64),
    /// In the best chain, with this many confirmations, and it moved nothing.
    Reverted(u64),
    /// Not in a block.
    Pending,
    /// Unknown to the network: the same bytes must be broadcast again.
    Unknown,
}
