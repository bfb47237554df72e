//! Signs payouts: a key of this process, or a signer elsewhere.

use alloy_primitives::{Address, B256, Signature};
use checkout_chain_keys::remote::{Remote, SignError};
use checkout_core::Network;
use sha2::{Digest as _, Sha256};

use crate::account;
use crate::key::Key;

#[derive(Debug)]
pub enum Signer {
    Key(Key),
    Remote { account: Address, remote: Remote },
}

impl From<Key> for Signer {
    fn from(key: Key) -> Self {
        Self::Key(key)
    }
}

impl Signer {
    /// Errors are messages for users.
    pub fn remote(url: &str, account: &str) -> Result<Self, String> {
        let wrong = || format!("signer_account: {account} is no account (T…)");
        let remote = Remote::new(url, Network::Trx, account.to_owned())?;
        Ok(Self::Remote { account: account::read(account).ok_or_else(wrong)?, remote })
    }

    pub fn account(&self) -> Address {
        match self {
            Self::Key(key) => key.account(),
            Self::Remote { account, .. } => *account,
        }
    }

    pub async fn sign(&self, message: &[u8]) -> Result<[u8; 65], SignError> {
        let hash: [u8; 32] = Sha256::digest(message).into();
        match self {
            Self::Key(key) => Ok(key.sign(&hash)),
            Self::Remote { account, remote } => {
                let bytes: [u8; 65] =
                    remote.sign(message).await?.try_into().map_err(|_| remote.not_ours())?;
                let signature = Signature::from_raw_array(&bytes).map_err(|_| remote.not_ours())?;
                let signed_by = signature.recover_address_from_prehash(&B256::from(hash));
                if signed_by.ok() != Some(*account) {
                    return Err(remote.not_ours());
                }
                Ok(bytes)
            }
        }
    }
}
