//! Signs payouts: a key of this process, or a signer elsewhere.

use checkout_chain_keys::remote::{Remote, SignError};
use checkout_core::Network;

use crate::key::{self, Key};

#[derive(Debug)]
pub enum Signer {
    Key(Key),
    Remote { public: [u8; 33], remote: Remote },
}

impl From<Key> for Signer {
    fn from(key: Key) -> Self {
        Self::Key(key)
    }
}

impl Signer {
    /// `public`: the account's public key in hexadecimal digits, 33 bytes, as in `SigningPubKey`. Errors are messages for users.
    pub fn remote(url: &str, public: &str) -> Result<Self, String> {
        let bytes = hex::decode(public).ok().and_then(|bytes| bytes.try_into().ok());
        let public: [u8; 33] = bytes
            .filter(|bytes: &[u8; 33]| matches!(bytes[0], 0x02 | 0x03 | 0xED))
            .ok_or("signer_public_key must be 33 bytes in hexadecimal digits (02…, 03… or ED…)")?;
        Ok(Self::Remote { public, remote: Remote::new(url, Network::Xrp, key::account(&public))? })
    }

    pub fn public(&self) -> &[u8; 33] {
        match self {
            Self::Key(key) => key.public(),
            Self::Remote { public, .. } => public,
        }
    }

    pub fn account(&self) -> String {
        key::account(self.public())
    }

    pub async fn sign(&self, message: &[u8]) -> Result<Vec<u8>, SignError> {
        match self {
            Self::Key(key) => Ok(key.sign(message)),
            Self::Remote { public, remote } => {
                let signature = remote.sign(message).await?;
                if !key::is_signed(public, message, &signature) {
                    return Err(remote.not_ours());
                }
                Ok(signature)
            }
        }
    }
}
