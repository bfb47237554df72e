//! Base64 of exactly 32 bytes, as Stellar writes hash memos (RFC 4648, standard alphabet, padded).

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn digit(byte: u8) -> Option<u32> {
    Some(match byte {
        b'A'..=b'Z' => u32::from(byte - b'A'),
        b'a'..=b'z' => u32::from(byte - b'a') + 26,
        b'0'..=b'9' => u32::from(byte - b'0') + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    })
}

/// 43 digits and one `=`; the two spare bits must be zero.
pub(crate) fn decode_32(text: &str) -> Option<[u8; 32]> {
    let digits = text.as_bytes().strip_suffix(b"=")?;
    if digits.len() != 43 {
        return None;
    }
    let mut bytes = [0; 33];
    for (triple, four) in bytes.chunks_exact_mut(3).zip(digits.chunks(4)) {
        let mut value = 0;
        for at in 0..4 {
            value = value << 6 | four.get(at).map_or(Some(0), |byte| digit(*byte))?;
        }
        triple.copy_from_slice(&value.to_be_bytes()[1..]);
    }
    let [hash @ .., spare] = bytes;
    (spare == 0).then_some(hash)
}

pub(crate) fn encode_32(bytes: &[u8; 32]) -> [u8; 44] {
    let mut text = [b'='; 44];
    for (four, triple) in text.chunks_exact_mut(4).zip(bytes.chunks(3)) {
        let byte = |at: usize| usize::from(triple.get(at).copied().unwrap_or(0));
        let value = byte(0) << 16 | byte(1) << 8 | byte(2);
        for (at, character) in four.iter_mut().enumerate().take(triple.len() + 1) {
            *character = ALPHABET[value >> (18 - 6 * at) & 63];
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_the_one_text_of_32_bytes_is_read() {
        assert_eq!(decode_32("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="), Some([0; 32]));
        assert_eq!(decode_32("//////////////////////////////////////////8="), Some([255; 32]));
        for wrong in [
            "",
            "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
            "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB=",
            "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
            "AAAAAAAAAAAAAAAAAAAAA-AAAAAAAAAAAAAAAAAAAAA=",
            "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
        ] {
            assert_eq!(decode_32(wrong), None, "{wrong:?}");
        }
    }

    proptest! {
        #[test]
        fn print_then_parse_is_the_identity(bytes: [u8; 32]) {
            let text = encode_32(&bytes);
            prop_assert_eq!(decode_32(core::str::from_utf8(&text).unwrap()), Some(bytes));
        }
    }
}
