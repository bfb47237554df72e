//! Keys from family seeds in the form of XRP Ledger wallets: `s…` for secp256k1, `sEd…` for Ed25519.
//!
//! <https://xrpl.org/docs/concepts/accounts/cryptographic-keys#key-derivation>

use std::fmt;

use bs58::Alphabet;
use ed25519_dalek::Signer as _;
use k256::SecretKey;
use k256::ecdsa::signature::hazmat::{PrehashSigner as _, PrehashVerifier as _};
use k256::elliptic_curve::sec1::ToEncodedPoint as _;
use ripemd::Ripemd160;
use sha2::{Digest as _, Sha256, Sha512};
use zeroize::Zeroizing;

pub struct Key {
    secret: Secret,
    public: [u8; 33],
}

enum Secret {
    Secp256k1(k256::ecdsa::SigningKey),
    Ed25519(ed25519_dalek::SigningKey),
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Key").field("account", &self.account()).finish_non_exhaustive()
    }
}

impl Key {
    /// Reads a family seed. Errors are messages for users and never contain any of it.
    pub fn from_seed(text: &str) -> Result<Self, String> {
        let wrong = || "the key is not a seed of an XRP account (s… or sEd…)".to_owned();
        let bytes = bs58::decode(text).with_alphabet(Alphabet::RIPPLE).into_vec().map(Zeroizing::new);
        let bytes = bytes.map_err(|_| wrong())?;
        let (body, checksum) = bytes.split_last_chunk::<4>().ok_or_else(wrong)?;
        if Sha256::digest(Sha256::digest(body))[..4] != checksum[..] {
            return Err("the key is mistyped: its checksum is wrong".to_owned());
        }
        match body {
            [0x01, 0xE1, 0x4B, seed @ ..] if seed.len() == 16 => Ok(Self::ed25519(seed)),
            [0x21, seed @ ..] if seed.len() == 16 => Self::secp256k1(seed).ok_or_else(wrong),
            _ => Err(wrong()),
        }
    }

    fn ed25519(seed: &[u8]) -> Self {
        let secret = ed25519_dalek::SigningKey::from_bytes(&half(&[seed]));
        let mut public = [0xED; 33];
        public[1..].copy_from_slice(secret.verifying_key().as_bytes());
        Self { secret: Secret::Ed25519(secret), public }
    }

    /// The first account of the family: the root key plus the key derived from the root's public key.
    fn secp256k1(seed: &[u8]) -> Option<Self> {
        let root = first_key(&[seed])?;
        let root_public = root.public_key().to_encoded_point(true);
        let account = first_key(&[root_public.as_bytes(), &[0; 4]])?;
        let sum = *root.to_nonzero_scalar().as_ref() + *account.to_nonzero_scalar().as_ref();
        let secret = k256::ecdsa::SigningKey::from_bytes(&sum.to_bytes()).ok()?;
        let public = secret.verifying_key().to_encoded_point(true).as_bytes().try_into().ok()?;
        Some(Self { secret: Secret::Secp256k1(secret), public })
    }

    /// As in `SigningPubKey`.
    pub fn public(&self) -> &[u8; 33] {
        &self.public
    }

    /// The classic address.
    pub fn account(&self) -> String {
        account(&self.public)
    }

    /// As in `TxnSignature`. The signature is deterministic.
    pub fn sign(&self, message: &[u8]) -> Vec<u8> {
        match &self.secret {
            Secret::Ed25519(key) => key.sign(message).to_bytes().to_vec(),
            Secret::Secp256k1(key) => {
                let signature: k256::ecdsa::Signature =
                    key.sign_prehash(&half(&[message])).expect("a hash of 32 bytes is signed");
                // Servers accept only the low-S form.
                let signature = signature.normalize_s().unwrap_or(signature);
                signature.to_der().as_bytes().to_vec()
            }
        }
    }
}

/// Of a public key as in `SigningPubKey`.
pub fn account_id(public: &[u8; 33]) -> [u8; 20] {
    Ripemd160::digest(Sha256::digest(public)).into()
}

/// The classic address.
pub fn account(public: &[u8; 33]) -> String {
    let mut bytes = vec![0];
    bytes.extend(account_id(public));
    let checksum = Sha256::digest(Sha256::digest(&bytes));
    bytes.extend(&checksum[..4]);
    bs58::encode(bytes).with_alphabet(Alphabet::RIPPLE).into_string()
}

/// Whether a signature as in `TxnSignature` is valid, and of the form that servers accept.
pub fn is_signed(public: &[u8; 33], message: &[u8], signature: &[u8]) -> bool {
    if let [0xED, key @ ..] = public {
        let key = ed25519_dalek::VerifyingKey::from_bytes(key);
        let signature = ed25519_dalek::Signature::from_slice(signature);
        return key.is_ok_and(|key| {
            signature.is_ok_and(|signature| key.verify_strict(message, &signature).is_ok())
        });
    }
    let key = k256::ecdsa::VerifyingKey::from_sec1_bytes(public);
    let signature = k256::ecdsa::Signature::from_der(signature);
    key.is_ok_and(|key| {
        signature.is_ok_and(|signature| {
            signature.normalize_s().is_none() && key.verify_prehash(&half(&[message]), &signature).is_ok()
        })
    })
}

/// Returns the first valid key among the hashes of these bytes and a counter.
fn first_key(parts: &[&[u8]]) -> Option<SecretKey> {
    (0_u32..16).find_map(|counter| {
        let mut hasher = Sha512::new();
        for part in parts {
            hasher.update(part);
        }
        hasher.update(counter.to_be_bytes());
        let hash = Zeroizing::new(<[u8; 64]>::from(hasher.finalize()));
        SecretKey::from_slice(&hash[..32]).ok()
    })
}

/// The first half of SHA-512.
pub fn half(parts: &[&[u8]]) -> [u8; 32] {
    let mut hasher = Sha512::new();
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize()[..32].try_into().expect("SHA-512 has 64 bytes")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first is rippled's own, for the passphrase `masterpassphrase`; the others come from
    /// `ripple-keypairs` 3.1.0.
    #[test]
    fn seeds_and_their_accounts() {
        let check = |seed, expected: Result<&str, &str>| match (Key::from_seed(seed), expected) {
            (Ok(key), Ok(account)) => assert_eq!(key.account(), account),
            (Err(error), Err(part)) => assert!(
                error.contains(part) && !error.contains(&seed[..2.min(seed.len())]) || seed.is_empty(),
                "{error}"
            ),
            (have, expected) => panic!("{have:?} instead of {expected:?}"),
        };
        check("snoPBrXtMeMyMHUVTgbuqAfg1SUTb", Ok("rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh"));
        check("sp6JS7f14BuwFY8Mw6bTtLKWauoUs", Ok("rGCkuB7PBr5tNy68tPEABEtcdno4hE6Y7f"));
        check("sEdTM1uX8pu2do5XvTnutH6HsouMaM2", Ok("rG31cLyErnqeVj2eomEjBZtq7PYaupGYzL"));
        check("snoPBrXtMeMyMHUVTgbuqAfg1SUTc", Err("checksum is wrong"));
        check("rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh", Err("not a seed"));
        check("0OIl", Err("not a seed"));
        check("", Err("not a seed"));
    }

    #[test]
    fn a_key_is_never_printed() {
        let key = Key::from_seed("snoPBrXtMeMyMHUVTgbuqAfg1SUTb").unwrap();
        assert_eq!(format!("{key:?}"), r#"Key { account: "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh", .. }"#);
    }
}
