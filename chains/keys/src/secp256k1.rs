//! Keys of accounts of Ethereum, BNB Smart Chain and TRON.

use std::fmt;
use std::path::Path;

use alloy_primitives::{Address, keccak256};
use k256::ecdsa::SigningKey;

use crate::keystore;

pub struct Key {
    key: SigningKey,
    account: Address,
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Key").field("account", &self.account).finish_non_exhaustive()
    }
}

impl Key {
    /// Opens a keystore, which takes a second or two by design. Errors are messages for users.
    pub fn open(path: &Path, password: &str) -> Result<Self, String> {
        let secret = keystore::open(path, password)?;
        let wrong = || format!("The keystore {} does not contain a secp256k1 key.", path.display());
        Self::from_secret(&secret).ok_or_else(wrong)
    }

    pub fn from_secret(secret: &[u8]) -> Option<Self> {
        let key = SigningKey::from_slice(secret).ok()?;
        // The last 20 bytes of the Keccak-256 of the public key.
        let point = key.verifying_key().to_encoded_point(false);
        let account = Address::from_slice(&keccak256(&point.as_bytes()[1..])[12..]);
        Some(Self { key, account })
    }

    pub fn account(&self) -> Address {
        self.account
    }

    /// `r`, `s`, and which of the two keys that could have made them, plus 27. The signature of a key and a hash is always
    /// the same.
    pub fn sign(&self, hash: &[u8; 32]) -> [u8; 65] {
        let (signature, recovery) =
            self.key.sign_prehash_recoverable(hash).expect("a hash of 32 bytes can be signed");
        let mut bytes = [0; 65];
        bytes[..64].copy_from_slice(&signature.to_bytes());
        bytes[64] = recovery.to_byte() + 27;
        bytes
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// The first PBKDF2 test vector of the Web3 Secret Storage definition:
    /// <https://github.com/ethereum/wiki/wiki/Web3-Secret-Storage-Definition>.
    const VECTOR: &str = include_str!("../../evm/tests/keystore.json");

    #[test]
    fn the_published_vector_opens_only_with_its_password() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key.json");
        let check = |text: &str, password: &str, expected: Result<&str, &str>| {
            fs::write(&path, text).unwrap();
            match (Key::open(&path, password), expected) {
                (Ok(key), Ok(account)) => assert_eq!(key.account().to_checksum(None), account),
                (Err(have), Err(said)) => assert!(have.contains(said), "{have}"),
                (have, expected) => panic!("{have:?} instead of {expected:?}"),
            }
        };
        check(VECTOR, "testpassword", Ok("0x008AeEda4D805471dF9b2A5B0f38A0C3bCBA786b"));
        check(VECTOR, "wrong", Err("does not open with this password"));
        check("{}", "testpassword", Err("cannot be read"));
        let missing = Key::open(&folder.path().join("none.json"), "");
        assert!(missing.unwrap_err().contains("none.json"));
    }

    /// The private key of 32 bytes 0x01.
    #[test]
    fn the_account_of_a_key() {
        let key = Key::from_secret(&[0x01; 32]).unwrap();
        assert_eq!(key.account().to_checksum(None), "0x1a642f0E3c3aF545E7AcBD38b07251B3990914F1");
        assert!(Key::from_secret(&[0; 32]).is_none());
    }
}
