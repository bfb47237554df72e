//! Hexadecimal digits.

use core::fmt::{self, Write};

/// Decodes exactly `2 * N` digits of either case, eight at a time.
pub(crate) fn decode_array<const N: usize>(text: &[u8]) -> Option<[u8; N]> {
    if text.len() != 2 * N {
        return None;
    }
    let mut bytes = [0; N];
    let mut wrong = 0;
    for (four, eight) in bytes.chunks_mut(4).zip(text.chunks(8)) {
        let mut digits = [b'0'; 8];
        digits[..eight.len()].copy_from_slice(eight);
        let values = Lanes::of_digits(u64::from_le_bytes(digits));
        wrong |= values.wrong;
        four.copy_from_slice(&values.packed().to_le_bytes()[..four.len()]);
    }
    (wrong == 0).then_some(bytes)
}

/// The values of eight digits, one per byte.
struct Lanes {
    values: u64,
    /// Zero if all are digits.
    wrong: u64,
}

impl Lanes {
    const ONES: u64 = 0x0101_0101_0101_0101;

    const fn of_digits(digits: u64) -> Self {
        // Letters have bit 0x40, and their low bits are nine less than their value.
        let letters = (digits >> 6) & Self::ONES;
        let values = (digits & (Self::ONES * 0x0f)) + letters * 9;
        // Encoding the values again in lower case gives the same text.
        let above_nine = ((values + Self::ONES * 6) >> 4) & Self::ONES;
        let again = values + Self::ONES * 0x30 + above_nine * 0x27;
        Self { values, wrong: (again ^ (digits | (letters << 5))) | (values & (Self::ONES * 0xf0)) }
    }

    /// Packs two values into a byte.
    const fn packed(&self) -> u32 {
        let pairs = ((self.values << 4) | (self.values >> 8)) & 0x00ff_00ff_00ff_00ff;
        let pairs = (pairs | (pairs >> 8)) & 0x0000_ffff_0000_ffff;
        ((pairs | (pairs >> 16)) & 0xffff_ffff) as u32
    }
}

/// Writes lower-case digits.
pub(crate) fn write(bytes: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    bytes.iter().try_for_each(|byte| {
        lower_digits(*byte).into_iter().try_for_each(|digit| f.write_char(char::from(digit)))
    })
}

/// The two lower-case digits of a byte.
pub(crate) const fn lower_digits(byte: u8) -> [u8; 2] {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    [DIGITS[(byte >> 4) as usize], DIGITS[(byte & 15) as usize]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_tested_at_every_position() {
        for at in 0..16 {
            for byte in 0..=u8::MAX {
                let mut text = *b"0189afAF0189afAF";
                text[at] = byte;
                let digit =
                    |byte: u8| char::from(byte).to_digit(16).and_then(|value| u8::try_from(value).ok());
                let expected: Option<alloc::vec::Vec<u8>> =
                    text.chunks(2).map(|pair| Some(digit(pair[0])? << 4 | digit(pair[1])?)).collect();
                assert_eq!(decode_array::<8>(&text).map(|bytes| bytes.to_vec()), expected, "{byte} at {at}");
            }
        }
        assert_eq!(decode_array(b"0a1b2"), None::<[u8; 2]>);
        assert_eq!(decode_array(b"0a1b2c"), Some([0x0a, 0x1b, 0x2c]));
        assert_eq!(decode_array(b""), Some([]));
    }
}
