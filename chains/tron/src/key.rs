//! The key of the account that payouts come from, or of one that is swept.

use std::fmt;
use std::path::Path;

use alloy_primitives::{Address, keccak256};
use k256::ecdsa::SigningKey;

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
    /// Opens a file of the Web3 Secret Storage form. Errors are messages for users.
    pub fn open(path: &Path, password: &str) -> Result<Self, String> {
        let secret = checkout_chain_keys::keystore::open(path, password)?;
        let wrong = || format!("The keystore {} does not contain a secp256k1 key.", path.display());
        Self::from_secret(&secret).ok_or_else(wrong)
    }

    pub fn from_secret(secret: &[u8]) -> Option<Self> {
        let key = SigningKey::from_slice(secret).ok()?;
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
    use super::*;
    use crate::account;

    /// The same on Ethereum: the private key of 32 bytes 0x01.
    #[test]
    fn the_account_of_a_key() {
        let secret = [0x01; 32];
        let key = Key::from_secret(&secret).unwrap();
        assert_eq!(format!("{}", key.account()), "0x1a642f0E3c3aF545E7AcBD38b07251B3990914F1");
        assert_eq!(account::to_hex(key.account()), "411a642f0e3c3af545e7acbd38b07251b3990914f1");
        assert!(Key::from_secret(&[0; 32]).is_none());
    }
}
