//! What the look-up of a transaction tells a payer.

use checkout_core::transaction_id::TransactionIdError;
use checkout_core::{Amount, Pair};

/// The answer to a payer who looks for a transfer by its transaction id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// The text is no transaction id of the network.
    NoId(TransactionIdError),
    /// The network does not know it, at least not yet.
    Unknown,
    /// The network cannot be asked now.
    NotAsked,
    /// It is in a block and moved nothing.
    Failed,
    /// It pays this payment, and waits for confirmations.
    Waiting { coins: Coins, confirmations: u64, required: u64 },
    /// It is counted for this payment.
    Counted(Coins),
    /// It came in a coin, or on a network, that the merchant does not take.
    Held(Coins),
    /// The address of the payment received what no payment is credited for. `asset`: the code of a coin, or the contract of a token.
    NotTaken { asset: String, amount: String },
    /// It cannot be read completely, so what it pays is not known.
    Unclear,
    /// It is too small to count.
    TooSmall(Coins),
    /// It reached the account of all payments, and its tag is not that of this one. `None` if it has none. `reported`: the operator
    /// was told of it. Always false with a tag: the answer would show whether another payment has that tag.
    OtherTag { coins: Coins, tag: Option<String>, reported: bool },
    /// It pays other addresses.
    OtherAddress(Vec<String>),
    /// It transfers no coin that the network's payments are made in.
    NoTransfer,
}

/// What a transaction brought to a payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coins {
    pub pair: &'static Pair,
    pub amount: Amount,
}

impl Finding {
    /// A short name of the answer, for tests and styles.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoId(_) => "no-id",
            Self::Unknown => "unknown",
            Self::NotAsked => "not-asked",
            Self::Failed => "failed",
            Self::Waiting { .. } => "waiting",
            Self::Counted(_) => "counted",
            Self::Held(_) => "held",
            Self::NotTaken { .. } => "not-taken",
            Self::Unclear => "unclear",
            Self::TooSmall(_) => "too-small",
            Self::OtherTag { tag: None, .. } => "no-tag",
            Self::OtherTag { .. } => "other-tag",
            Self::OtherAddress(_) => "other-address",
            Self::NoTransfer => "no-transfer",
        }
    }
}
