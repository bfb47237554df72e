//! Hexadecimal digits.

use core::fmt::{self, Write};

/// Exactly `2 * N` digits of either case.
pub(crate) fn decode_array<const N: usize>(text: &[u8]) -> Option<[u8; N]> {
    let (pairs, []) = text.as_chunks::<2>() else { return None };
    let pairs: &[[u8; 2]; N] = pairs.try_into().ok()?;
    let mut bytes = [0; N];
    let mut seen = 0;
    // Without a branch for each digit.
    for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
        let (high, low) = (value(*high), value(*low));
        seen |= high | low;
        *byte = high << 4 | low;
    }
    (seen < 16).then_some(bytes)
}

/// The value of a digit; 16 or more for what is none.
const fn value(byte: u8) -> u8 {
    let (decimal, letter) = (byte.wrapping_sub(b'0'), (byte | 0x20).wrapping_sub(b'a'));
    if decimal < 10 {
        decimal
    } else if letter < 6 {
        letter + 10
    } else {
        16
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
