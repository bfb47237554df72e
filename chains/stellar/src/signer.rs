//! Signs payouts: a key of this process, or a signer elsewhere.

use checkout_chain_keys::remote::{Remote, SignError};
use checkout_core::Network;
use ed25519_dalek::{Signature, VerifyingKey};
use sha2::{Digest as _, Sha256};
use stellar_strkey::ed25519::PublicKey;

use crate::key::Key;

#[derive(Debug)]
pub enum Signer {
    Key(Key),
    Remote { public: VerifyingKey, remote: Remote },
}

impl From<Key> for Signer {
    fn from(key: Key) -> Self {
        Self::Key(key)
    }
}

impl Signer {
    /// Errors are messages for users.
    pub fn remote(url: &str, account: &str) -> Result<Self, String> {
        let public =
            PublicKey::from_string(account).ok().and_then(|key| VerifyingKey::from_bytes(&key.0).ok());
        let public = public.ok_or_else(|| format!("signer_account: {account} is not an account (G…)"))?;
        Ok(Self::Remote { public, remote: Remote::new(url, Network::Xlm, account.to_owned())? })
    }

    pub fn public(&self) -> [u8; 32] {
        match self {
            Self::Key(key) => key.public(),
            Self::Remote { public, .. } => public.to_bytes(),
        }
    }

    /// The account `G…`.
    pub fn account(&self) -> String {
        PublicKey(self.public()).to_string().as_str().to_owned()
    }

    pub async fn sign(&self, message: &[u8]) -> Result<[u8; 64], SignError> {
        let hash = Sha256::digest(message);
        match self {
            Self::Key(key) => Ok(key.sign(&hash)),
            Self::Remote { public, remote } => {
                let signature = remote.sign(message).await?;
                let signature = Signature::from_slice(&signature).map_err(|_| remote.not_ours())?;
                public.verify_strict(&hash, &signature).map_err(|_| remote.not_ours())?;
                Ok(signature.to_bytes())
            }
        }
    }
}
