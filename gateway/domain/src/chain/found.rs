//! A transaction that was looked up by its id.

use checkout_core::{Amount, Currency};

use super::Transfer;

/// What the network knows of a transaction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundTransaction {
    /// Its own block included; 0 if no block of the best chain includes it.
    pub confirmations: u64,
    /// It is in a block and moved nothing.
    pub failed: bool,
    /// All that it transfers in currencies of this network, to whomever.
    pub transfers: Vec<FoundTransfer>,
}

/// An output or a transfer of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundTransfer {
    pub currency: Currency,
    pub amount: Amount,
    /// In the normal form of the core.
    pub to: String,
    pub tag: Option<String>,
}

impl From<Transfer> for FoundTransfer {
    fn from(transfer: Transfer) -> Self {
        let Transfer { currency, amount, to, tag, .. } = transfer;
        Self { currency, amount, to, tag }
    }
}
