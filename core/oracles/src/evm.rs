//! EIP-55: <https://eips.ethereum.org/EIPS/eip-55>

use std::fmt::Write;

use sha3::{Digest, Keccak256};

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a text takes all that is written");
        text
    })
}

/// `0x` and the digits, with letter case by the hash of the lower-case digits.
pub fn checksummed(account: &[u8]) -> String {
    let digits = hex(account);
    let hash = hex(&Keccak256::digest(digits.as_bytes()));
    let cased = digits
        .chars()
        .zip(hash.chars())
        .map(|(digit, nibble)| if nibble >= '8' { digit.to_ascii_uppercase() } else { digit });
    format!("0x{}", cased.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::checksummed;

    #[test]
    fn writes_what_the_standard_has() {
        for text in ["5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "fB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"] {
            let bytes: Vec<u8> =
                (0..20).map(|at| u8::from_str_radix(&text[2 * at..2 * at + 2], 16).unwrap()).collect();
            assert_eq!(checksummed(&bytes), format!("0x{text}"));
        }
    }
}
