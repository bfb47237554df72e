//! A key in an encrypted Web3 Secret Storage file, the format of geth, foundry and most wallets.

use std::fmt;
use std::path::Path;

use alloy_consensus::TypedTransaction;
use alloy_consensus::transaction::SignableTransaction as _;
use alloy_primitives::{Address, Signature, keccak256};
use async_trait::async_trait;
use k256::ecdsa::SigningKey;

use super::{SignError, Signer};

pub struct Keystore {
    key: SigningKey,
    account: Address,
}

impl fmt::Debug for Keystore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Keystore").field("account", &self.account).finish_non_exhaustive()
    }
}

impl Keystore {
    /// Decrypts the file, which takes a second or two by design. Errors are messages for users.
    pub fn open(path: &Path, password: &str) -> Result<Self, String> {
        let secret = checkout_chain_keys::keystore::open(path, password)?;
        let wrong = || format!("The keystore {} does not contain a secp256k1 key.", path.display());
        Self::from_secret(&secret).ok_or_else(wrong)
    }

    pub fn from_secret(secret: &[u8]) -> Option<Self> {
        let key = SigningKey::from_slice(secret).ok()?;
        let account = account_of(&key);
        Some(Self { key, account })
    }
}

/// The last 20 bytes of the Keccak-256 of the public key.
fn account_of(key: &SigningKey) -> Address {
    let point = key.verifying_key().to_encoded_point(false);
    Address::from_slice(&keccak256(&point.as_bytes()[1..])[12..])
}

#[async_trait]
impl Signer for Keystore {
    fn account(&self) -> Address {
        self.account
    }

    async fn sign(&self, transaction: &TypedTransaction) -> Result<Signature, SignError> {
        let hash = transaction.signature_hash();
        Ok(self.key.sign_prehash_recoverable(hash.as_slice())?.into())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// The first PBKDF2 test vector of the Web3 Secret Storage definition:
    /// <https://github.com/ethereum/wiki/wiki/Web3-Secret-Storage-Definition>.
    const VECTOR: &str = include_str!("../../tests/keystore.json");

    #[test]
    fn the_published_vector_opens_only_with_its_password() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key.json");
        let check = |text: &str, password: &str, expected: Result<&str, &str>| {
            fs::write(&path, text).unwrap();
            match (Keystore::open(&path, password), expected) {
                (Ok(keystore), Ok(account)) => assert_eq!(keystore.account().to_checksum(None), account),
                (Err(have), Err(said)) => assert!(have.contains(said), "{have}"),
                (have, expected) => panic!("{have:?} instead of {expected:?}"),
            }
        };
        check(VECTOR, "testpassword", Ok("0x008AeEda4D805471dF9b2A5B0f38A0C3bCBA786b"));
        check(VECTOR, "wrong", Err("does not open with this password"));
        check("{}", "testpassword", Err("cannot be read"));
        let missing = Keystore::open(&folder.path().join("none.json"), "");
        assert!(missing.unwrap_err().contains("none.json"));
    }
}
