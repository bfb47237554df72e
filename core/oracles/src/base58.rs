//! Base58Check: the payload and four bytes of its double SHA-256 as one big number in base 58.
//! <https://en.bitcoin.it/wiki/Base58Check_encoding>, <https://xrpl.org/docs/references/protocol/data-types/base58-encodings>

use sha2::{Digest, Sha256};

pub const BITCOIN: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
pub const RIPPLE: &[u8; 58] = b"rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz";

pub fn encode(bytes: &[u8], alphabet: &[u8; 58]) -> String {
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
    // The digits of the number, lowest first.
    let mut digits: Vec<u32> = Vec::new();
    for byte in bytes {
        let mut carry = u32::from(*byte);
        for digit in &mut digits {
            carry += *digit * 256;
            *digit = carry % 58;
            carry /= 58;
        }
        while carry > 0 {
            digits.push(carry % 58);
            carry /= 58;
        }
    }
    let zeros = std::iter::repeat_n(0, zeros);
    zeros.chain(digits.into_iter().rev()).map(|digit| char::from(alphabet[digit as usize])).collect()
}

/// Encodes `version` and `payload` with their checksum.
pub fn check(version: &[u8], payload: &[u8], alphabet: &[u8; 58]) -> String {
    let mut bytes = [version, payload].concat();
    let sum = Sha256::digest(Sha256::digest(&bytes));
    bytes.extend(&sum[..4]);
    encode(&bytes, alphabet)
}

/// Converts between the alphabets; `None` if a character is in neither.
pub fn translate(text: &str, from: &[u8; 58], to: &[u8; 58]) -> Option<String> {
    let digit = |byte: u8| from.iter().position(|symbol| *symbol == byte);
    text.bytes().map(|byte| Some(char::from(to[digit(byte)?]))).collect()
}

#[cfg(test)]
mod tests {
    use super::{BITCOIN, RIPPLE, check, encode, translate};

    #[test]
    fn writes_what_is_published() {
        assert_eq!(encode(b"Hello World!", BITCOIN), "2NEpo7TZRRrLZSi2U"); // draft-msporny-base58-03
        assert_eq!(encode(&[0, 0, 0x28, 0x7f, 0xb4, 0xcd], BITCOIN), "11233QC4"); // the same
        assert_eq!(check(&[0], &[0; 20], BITCOIN), "1111111111111111111114oLvT2");
        assert_eq!(check(&[0], &[0; 20], RIPPLE), "rrrrrrrrrrrrrrrrrrrrrhoLvTp"); // ACCOUNT_ZERO, xrpl.org
        let translated = translate("rrrrrrrrrrrrrrrrrrrrrhoLvTp", RIPPLE, BITCOIN);
        assert_eq!(translated.as_deref(), Some("1111111111111111111114oLvT2"));
        assert_eq!(translate("0", RIPPLE, BITCOIN), None);
    }
}
