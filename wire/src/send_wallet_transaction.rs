//! `POST /checkout/{paymentId}/wallet`: the page sends what a wallet in the payer's browser has signed.
//!
//! An extension: the interface has no such endpoint. Only the page uses it.

use serde::{Deserialize, Serialize};

use super::words::{Word, words};

words! {
    /// What became of a signed transaction.
    WalletSendState {
        Sent = "SENT",
        NotSent = "NOT_SENT",
        Unknown = "UNKNOWN",
    }
}

/// What became of a transaction that a wallet has signed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WalletSent {
    /// `SENT`: the network has it. `NOT_SENT`: the payment does not ask for it, or its account has not signed it. `UNKNOWN`: the network gave no clear answer;
    /// the same transaction may be sent again.
    pub state: Word<WalletSendState>,
}
