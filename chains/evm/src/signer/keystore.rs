//! A key in an encrypted Web3 Secret Storage file, the format of geth, foundry and most wallets.

use alloy_consensus::TypedTransaction;
use alloy_consensus::transaction::SignableTransaction as _;
use alloy_primitives::{Address, Signature};
use async_trait::async_trait;
pub use checkout_chain_keys::secp256k1::Key as Keystore;

use super::{SignError, Signer};

#[async_trait]
impl Signer for Keystore {
    fn account(&self) -> Address {
        self.account()
    }

    async fn sign(&self, transaction: &TypedTransaction) -> Result<Signature, SignError> {
        Ok(Signature::from_raw_array(&self.sign(&transaction.signature_hash()))?)
    }
}
