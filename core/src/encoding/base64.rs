//! Base64 (RFC 4648): 32 bytes in the standard alphabet with padding, as Stellar writes hash memos, and 36 bytes in either alphabet, as
//! TON writes addresses.

#[cfg(feature = "ton")]
use super::{DecodeError, ErrorKind};

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
    encode(bytes, &mut text);
    text
}

/// Writes the digits without padding.
fn encode(bytes: &[u8], text: &mut [u8]) {
    for (four, triple) in text.chunks_exact_mut(4).zip(bytes.chunks(3)) {
        let byte = |at: usize| usize::from(triple.get(at).copied().unwrap_or(0));
        let value = byte(0) << 16 | byte(1) << 8 | byte(2);
        for (at, character) in four.iter_mut().enumerate().take(triple.len() + 1) {
            *character = ALPHABET[value >> (18 - 6 * at) & 63];
        }
    }
}

/// 48 digits of one alphabet: the standard one, or that of URLs.
#[cfg(feature = "ton")]
pub(crate) fn decode_36(text: &str) -> Result<[u8; 36], DecodeError> {
    let text: &[u8; 48] = text.as_bytes().try_into().map_err(|_| ErrorKind::Length)?;
    let of_urls = text.iter().any(|byte| matches!(byte, b'-' | b'_'));
    let mut bytes = [0; 36];
    for (at, (triple, four)) in bytes.chunks_exact_mut(3).zip(text.chunks(4)).enumerate() {
        let mut value = 0;
        for (place, byte) in four.iter().enumerate() {
            let digit = match byte {
                b'-' => Some(62),
                b'_' => Some(63),
                b'+' | b'/' if of_urls => None,
                byte => digit(*byte),
            };
            value = value << 6 | digit.ok_or(DecodeError::at(ErrorKind::Character, 4 * at + place))?;
        }
        triple.copy_from_slice(&value.to_be_bytes()[1..]);
    }
    Ok(bytes)
}

/// In the alphabet of URLs.
#[cfg(feature = "ton")]
pub(crate) fn encode_36(bytes: &[u8; 36]) -> [u8; 48] {
    let mut text = [0; 48];
    encode(bytes, &mut text);
    text.map(|digit| match digit {
        b'+' => b'-',
        b'/' => b'_',
        digit => digit,
    })
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

    #[test]
    #[cfg(feature = "ton")]
    fn the_alphabets_are_not_mixed() {
        let check = |end: &str, expected| {
            let text = alloc::format!("{}{end}", "A".repeat(48 - end.len()));
            assert_eq!(decode_36(&text).map_err(|error| (error.kind, error.at)), expected, "{text}");
        };
        check("", Ok([0; 36]));
        for (end, at) in [("+-", 46), ("-+", 47), ("/_", 46), ("=", 47), (" A", 46)] {
            check(end, Err((ErrorKind::Character, Some(at))));
        }
        assert_eq!(decode_36(&"A".repeat(47)), Err(ErrorKind::Length.into()));
    }

    proptest! {
        #[test]
        fn print_then_parse_is_the_identity(bytes: [u8; 32]) {
            let text = encode_32(&bytes);
            prop_assert_eq!(decode_32(core::str::from_utf8(&text).unwrap()), Some(bytes));
        }

        #[test]
        #[cfg(feature = "ton")]
        fn both_alphabets_read_and_one_is_written(start: [u8; 32], end: [u8; 4]) {
            let mut bytes = [0; 36];
            bytes[..32].copy_from_slice(&start);
            bytes[32..].copy_from_slice(&end);
            let text = alloc::string::String::from_utf8(encode_36(&bytes).to_vec()).unwrap();
            prop_assert!(!text.contains(['+', '/', '=']));
            prop_assert_eq!(decode_36(&text), Ok(bytes));
            prop_assert_eq!(decode_36(&text.replace('-', "+").replace('_', "/")), Ok(bytes));
        }
    }
}
