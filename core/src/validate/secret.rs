//! Detects private keys, seeds and recovery phrases pasted by mistake.

use crate::encoding::base58;

/// The longest recovery phrase, 25 words of twelve letters, with blanks around it.
pub(super) const LONGEST_SECRET: usize = 400;

/// Private keys that say so: of Sui (SIP-15) and of Aptos (AIP-80).
const PREFIXED: [&str; 4] = ["suiprivkey1", "ed25519-priv-", "secp256k1-priv-", "secp256r1-priv-"];

fn starts_with(bytes: &[u8], start: &str) -> bool {
    bytes.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start.as_bytes()))
}

/// Whether the text looks like a private key, a seed or a recovery phrase. Checksums are not verified,
/// because a key with a typing error is still a secret.
pub(crate) fn is_secret(text: &str) -> bool {
    let bytes = text.as_bytes();
    is_key(bytes)
        || is_bech32_key(text)
        || PREFIXED.iter().any(|start| starts_with(bytes, start))
        || is_phrase(bytes)
}

/// A key whose form has a length.
fn is_key(bytes: &[u8]) -> bool {
    let base58 = || bytes.iter().all(|byte| base58::is_symbol(*byte));
    match bytes {
        // Wallet import format of the Bitcoin family, main and test networks.
        [b'5' | b'6' | b'9', ..] if bytes.len() == 51 => base58(),
        [b'K' | b'L' | b'Q' | b'T' | b'c', ..] if bytes.len() == 52 => base58(),
        // BIP-38.
        [b'6', b'P', ..] if bytes.len() == 58 => base58(),
        // BIP-32: xprv, yprv, zprv, tprv, Ltpv, dgpv …
        [_, b'p', b'r', b'v', ..] | [_, b't' | b'g', b'p', b'v', ..]
            if (107..=112).contains(&bytes.len()) =>
        {
            base58()
        }
        // Solana: a private key with its public one. The signature that is a transaction's id looks the same.
        _ if (86..=88).contains(&bytes.len()) => base58(),
        // XRP Ledger seeds.
        [b's', b'E', b'd', ..] if bytes.len() == 31 => base58(),
        [b's', ..] if matches!(bytes.len(), 28 | 29) => base58(),
        // Sprout's spending key of Zcash.
        [b'S', b'K', ..] if bytes.len() == 53 => base58(),
        // Stellar.
        [b'S', ..] if bytes.len() == 56 => bytes.iter().all(|byte| matches!(byte, b'A'..=b'Z' | b'2'..=b'7')),
        // A bare 32-byte key. A transaction id looks the same and is refused as well.
        [b'0', b'x', digits @ ..] | digits if digits.len() == 64 => digits.iter().all(u8::is_ascii_hexdigit),
        _ => false,
    }
}

/// Zcash's `secret-extended-key-main1…` (ZIP-32), Cardano's `addr_sk1…`, `root_xsk1…` and such (CIP-5).
fn is_bech32_key(text: &str) -> bool {
    let is_data = |data: &str| data.len() > 50 && data.bytes().all(|byte| byte.is_ascii_alphanumeric());
    text.rsplit_once('1').is_some_and(|(start, data)| {
        is_data(data) && (start.starts_with("secret-") || start.ends_with("_sk") || start.ends_with("_xsk"))
    })
}

/// BIP-39: 12 to 24 words of three to eight letters. Monero: 13, 16 or 25 words of up to twelve letters.
fn is_phrase(bytes: &[u8]) -> bool {
    let mut count = 0;
    let words = bytes.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let all = words.fold(true, |all, word| {
        count += 1;
        all && (3..=12).contains(&word.len()) && word.iter().all(u8::is_ascii_lowercase)
    });
    all && matches!(count, 12 | 13 | 15 | 16 | 18 | 21 | 24 | 25)
}
