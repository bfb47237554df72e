//! The transaction that a wallet in the payer's browser signs, on networks where such a wallet signs and does not send.

use async_trait::async_trait;
use checkout_core::{Amount, Pair};

use super::ChainError;

/// What the payer's transaction has to do.
#[derive(Clone, Debug)]
pub struct WalletTransfer {
    pub pair: &'static Pair,
    pub to: String,
    pub amount: Amount,
    /// The number of deposits that the payment had before: the next transfer is another one.
    pub deposits: u64,
}

/// The answer for one account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unsigned {
    /// The bytes that it signs.
    Bytes(Vec<u8>),
    /// It has less than the amount.
    TooLittle,
    /// It has too little of the network's own coin for the fee.
    NoFee,
    /// The token refuses the transfer, or it costs more than is allowed.
    WouldFail,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sending {
    /// The network has the transaction.
    Sent,
    /// It is not the transfer that was asked for, or its account has not signed it. Nothing was sent.
    Other,
}

#[async_trait]
pub trait WalletSigning: Send + Sync {
    /// Writes the transaction of an account. For some minutes it is the same, so that the network takes it once, however often it
    /// is signed and sent. Takes a few requests.
    async fn unsigned(&self, transfer: &WalletTransfer, account: &str) -> Result<Unsigned, ChainError>;

    /// Sends a transaction with its signature, if it is the transfer and nothing else. May be repeated with the same bytes.
    /// An error does not say that nothing was sent.
    async fn send(
        &self,
        transfer: &WalletTransfer,
        unsigned: &[u8],
        signature: &[u8],
    ) -> Result<Sending, ChainError>;
}
