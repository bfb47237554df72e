//! A transaction that was looked up by its id.

use checkout_core::{Amount, Currency};

use super::{OutputId, OutputState, Transfer};

/// What the network knows of a transaction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundTransaction {
    /// Its own block included; 0 if no block of the best chain includes it.
    pub confirmations: u64,
    /// It is in a block and moved nothing.
    pub failed: bool,
    /// All that it transfers in currencies of this network, to whomever.
    pub transfers: Vec<FoundTransfer>,
    /// What it moves that no payment is credited for.
    pub not_credited: Vec<NotCredited>,
    /// It can move more, which the source does not show.
    pub unclear: bool,
}

/// Coins that arrive somewhere and that this gateway does not credit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotCredited {
    /// The code of a coin, or the contract of a token: its name is whatever its author wrote.
    pub asset: String,
    /// In whole coins; of a token whose decimals are not known, in its smallest units.
    pub amount: String,
    /// In the normal form of the core.
    pub to: String,
}

/// An output or a transfer of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundTransfer {
    pub currency: Currency,
    pub amount: Amount,
    /// In the normal form of the core.
    pub to: String,
    pub tag: Option<String>,
    /// On networks with tags; elsewhere an address alone says whose a transfer is.
    pub origin: Option<TransferOrigin>,
}

/// What else a deposit has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransferOrigin {
    /// As the watcher names it: on Stellar, a fee-bump transaction is also found by the hash of the one that it carries.
    pub output: OutputId,
    pub from: String,
    pub from_tag: Option<String>,
    pub fee: String,
    pub seen_at: u64,
}

impl FoundTransfer {
    /// As the watcher reports it once it is confirmed. `None` on networks without tags.
    pub fn confirmed(&self) -> Option<Transfer> {
        let TransferOrigin { output, from, from_tag, fee, seen_at } = self.origin.clone()?;
        Some(Transfer {
            output,
            currency: self.currency,
            amount: self.amount,
            to: self.to.clone(),
            tag: self.tag.clone(),
            from,
            other_senders: Vec::new(),
            from_tag,
            fee,
            seen_at,
            state: OutputState::Confirmed,
            uncertain: false,
        })
    }

    pub fn is(&self, output: &OutputId) -> bool {
        self.origin.as_ref().is_some_and(|origin| origin.output == *output)
    }
}

impl From<Transfer> for FoundTransfer {
    fn from(transfer: Transfer) -> Self {
        let Transfer { output, currency, amount, to, tag, from, from_tag, fee, seen_at, .. } = transfer;
        let origin = Some(TransferOrigin { output, from, from_tag, fee, seen_at });
        Self { currency, amount, to, tag, origin }
    }
}
