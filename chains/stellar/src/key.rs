//! Keys from secret seeds `S…`.

use std::fmt;

use ed25519_dalek::{Signer as _, SigningKey};
use stellar_strkey::ed25519::{PrivateKey, PublicKey};

pub struct Key(SigningKey);

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Key").field("account", &self.account()).finish_non_exhaustive()
    }
}

impl Key {
    /// Reads a secret seed. Errors are messages for users and never contain any of it.
    pub fn from_seed(text: &str) -> Result<Self, String> {
        let seed = PrivateKey::from_string(text).map_err(|_| {
            "the key is not a secret seed of a Stellar account (S…), or it is mistyped".to_owned()
        })?;
        Ok(Self(SigningKey::from_bytes(&seed.0)))
    }

    pub fn public(&self) -> [u8; 32] {
        self.0.verifying_key().to_bytes()
    }

    /// The account `G…`.
    pub fn account(&self) -> String {
        PublicKey(self.public()).to_string().as_str().to_owned()
    }

    pub fn sign(&self, message: &[u8]) -> [u8; 64] {
        self.0.sign(message).to_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_and_their_accounts() {
        // From `@stellar/stellar-sdk` 15.1.0, and the root account of a network with the test network's
        // passphrase.
        let check = |seed, expected: Option<&str>| {
            assert_eq!(Key::from_seed(seed).ok().map(|key| key.account()).as_deref(), expected, "{seed}");
        };
        check(
            "SDHOAMBNLGCE2MV5ZKIVZAQD3VCLGP53P3OBSBI6UN5L5XZI5TKHFQL4",
            Some("GBRPYHIL2CI3FNQ4BXLFMNDLFJUNPU2HY3ZMFSHONUCEOASW7QC7OX2H"),
        );
        check("GCVLWV5B3L3YE6DSCCMHLCK7QIB365NYOLQLW3ZKHI5XINNMRLJ6YHVX", None);
        check("SDHOAMBNLGCE2MV5ZKIVZAQD3VCLGP53P3OBSBI6UN5L5XZI5TKHFQL5", None);
        check("", None);
    }
}
