//! Bearer tokens, which are shown once, and their stored hashes.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::{Digest as _, Sha256};

use super::session_nonce::SessionNonce;
use crate::ids::{BusinessId, PaymentId};

/// SHA-256 of a token, in hexadecimal; only this is stored. That of a session token follows the token's time, so
/// that new sessions are neighbours in the index.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TokenHash(String);

const HASH_DIGITS: usize = 64;
const HANDLE_DIGITS: usize = 16;
/// Of the milliseconds at the start of a UUID version 7.
const TIME_DIGITS: usize = 12;
const AFTER_TIME: char = '.';

impl TokenHash {
    pub fn of(token: &str) -> Self {
        let hash = hex::encode(Sha256::digest(token.as_bytes()));
        match token.split_once(AFTER_TIME) {
            Some((time, _)) if time.len() == TIME_DIGITS && time.bytes().all(is_digit) => {
                Self(format!("{time}{hash}"))
            }
            _ => Self(hash),
        }
    }

    /// A hash from the store.
    pub fn stored(hash: String) -> Self {
        Self(hash)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A prefix of the hash that identifies the token.
    pub fn handle(&self) -> &str {
        let digits = if self.0.len() > HASH_DIGITS { TIME_DIGITS + HANDLE_DIGITS } else { HANDLE_DIGITS };
        self.0.get(..digits).unwrap_or(&self.0)
    }
}

fn is_digit(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'a'..=b'f')
}

/// The owner of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// All businesses of this gateway; requests specify one.
    Organisation,
    Business(BusinessId),
    /// A payer of one payment.
    Session {
        payment: PaymentId,
    },
}

impl Caller {
    /// Whether the token is for the back end of this business.
    pub fn acts_for(self, business: BusinessId) -> bool {
        match self {
            Self::Organisation => true,
            Self::Business(own) => own == business,
            Self::Session { .. } => false,
        }
    }
}

/// A token of 32 random bytes after a prefix that identifies its kind to people and secret scanners.
pub fn from_random(prefix: &str, bytes: [u8; 32]) -> String {
    format!("{prefix}{}", URL_SAFE_NO_PAD.encode(bytes))
}

/// Prefix of organisation keys.
pub const ORGANISATION: &str = "org_";
/// Prefix of business tokens.
pub const BUSINESS: &str = "biz_";
/// Prefix of the secrets of counters.
pub const COUNTER: &str = "ctr_";

/// The key of derived tokens: 32 random bytes per database.
#[derive(Clone)]
pub struct TokenKey([u8; 32]);

impl TokenKey {
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Parses the output of [`to_text`](Self::to_text).
    pub fn parse(text: &str) -> Option<Self> {
        URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok().map(Self)
    }

    pub fn to_text(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0)
    }

    /// The session token of a payment: the time of its id, and HMAC-SHA256 over the id and a random nonce.
    ///
    /// A replayed creation must return a working `paymentUrl`, so the token is derived; without the key it is
    /// indistinguishable from random.
    pub fn session(&self, payment: PaymentId, nonce: SessionNonce) -> String {
        let mac = self.mac(&[b"session", payment.0.as_bytes(), nonce.0.as_bytes()]);
        let time = hex::encode(payment.0.as_bytes().get(..TIME_DIGITS / 2).expect("an id has 16 bytes"));
        format!("{time}{AFTER_TIME}{}", URL_SAFE_NO_PAD.encode(mac))
    }

    /// A business token that is the same at each start on the same database.
    pub fn repeatable_business(&self, business: BusinessId) -> String {
        from_random(BUSINESS, self.mac(&[b"sandbox", business.0.as_bytes()]))
    }

    /// What stands for an address that got a receipt of the payment, when the address is erased.
    pub fn receipt(&self, payment: PaymentId, address: &str) -> String {
        URL_SAFE_NO_PAD.encode(self.mac(&[b"receipt", payment.0.as_bytes(), address.as_bytes()]))
    }

    fn mac(&self, parts: &[&[u8]]) -> [u8; 32] {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("HMAC takes keys of any length");
        for part in parts {
            mac.update(part);
        }
        mac.finalize().into_bytes().into()
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn session_tokens_are_reproducible_and_distinct() {
        let key = TokenKey::new([7; 32]);
        let (a, b) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let token = key.session(PaymentId(a), SessionNonce(b));
        assert_eq!(token.len(), TIME_DIGITS + 1 + 43, "32 bytes in base64url after the time");
        assert_eq!(token, TokenKey::parse(&key.to_text()).unwrap().session(PaymentId(a), SessionNonce(b)));
        assert_ne!(token, key.session(PaymentId(b), SessionNonce(a)));
        assert_ne!(token, key.session(PaymentId(a), SessionNonce(a)));
        assert_ne!(token, TokenKey::new([8; 32]).session(PaymentId(a), SessionNonce(b)));
        assert!(key.repeatable_business(BusinessId(a)).starts_with(BUSINESS));
        assert_eq!(format!("{:?}", SessionNonce(b)), "SessionNonce", "it is in no log");
    }

    #[test]
    fn only_a_session_begins_with_a_time() {
        for (time, expected) in [
            ("0007abff0007", HASH_DIGITS + TIME_DIGITS),
            ("0007abff000", HASH_DIGITS),
            ("0007abff000g", HASH_DIGITS),
            ("0007ABFF0007", HASH_DIGITS),
            ("0x07abff0007", HASH_DIGITS),
            ("éabff0007ab", HASH_DIGITS),
        ] {
            assert_eq!(TokenHash::of(&format!("{time}.mac")).as_str().len(), expected, "{time:?}");
        }
    }

    #[test]
    fn hashes_are_sha256() {
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"; // FIPS 180-2, "abc"
        assert_eq!(TokenHash::of("abc").as_str(), expected);
        assert_eq!(TokenHash::of("abc").handle(), "ba7816bf8f01cfea");
    }

    #[test]
    fn hashes_of_sessions_sort_by_time() {
        let key = TokenKey::new([7; 32]);
        let hash =
            |id| TokenHash::of(&key.session(PaymentId(Uuid::from_u128(id)), SessionNonce(Uuid::nil())));
        let (early, late) = (
            hash(0x019a_0000_0001_7000_8000_0000_0000_0000),
            hash(0x019a_0000_0002_7000_8000_0000_0000_0000),
        );
        assert!(early < late);
        assert_eq!(early.handle().len(), 28);
        assert!(early.as_str().starts_with("019a00000001") && early.as_str().starts_with(early.handle()));
    }
}
