//! Signers of payout transactions.

pub mod keystore;
pub mod remote;

use std::error::Error;

use alloy_consensus::transaction::SignableTransaction as _;
use alloy_consensus::{TxEnvelope, TypedTransaction};
use alloy_primitives::{Address, Signature};
use async_trait::async_trait;

/// Why signing failed.
pub type SignError = Box<dyn Error + Send + Sync>;

/// The key of the payout account.
#[async_trait]
pub trait Signer: Send + Sync {
    fn account(&self) -> Address;

    async fn sign(&self, transaction: &TypedTransaction) -> Result<Signature, SignError>;
}

/// Returns the signed transaction, if the signature is the account's.
pub(crate) async fn signed(
    signer: &dyn Signer,
    transaction: TypedTransaction,
) -> Result<TxEnvelope, SignError> {
    let signature = signer.sign(&transaction).await?;
    if signature.recover_address_from_prehash(&transaction.signature_hash())? != signer.account() {
        return Err(format!("the signature is not that of {}", signer.account()).into());
    }
    Ok(transaction.into_envelope(signature))
}
