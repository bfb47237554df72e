//! Monero's base58: each eight bytes are eleven digits, and fewer at the end
//! ([source](https://github.com/monero-project/monero/blob/master/src/common/base58.cpp)).

use core::fmt;

use super::base58::{self, DIGITS};
use super::{DecodeError, ErrorKind};

const BYTES: usize = 8;

/// The number of digits of 0 to 8 bytes.
const SIZES: [usize; BYTES + 1] = [0, 2, 3, 5, 6, 7, 9, 10, 11];

/// Writes the bytes of `text` to the start of `place`.
pub(crate) fn decode<'a>(text: &[u8], place: &'a mut [u8]) -> Result<&'a [u8], DecodeError> {
    if let Some(at) = text.iter().position(|digit| base58::value(*digit).is_none()) {
        return Err(DecodeError::at(ErrorKind::Character, at));
    }
    let mut length = 0;
    for digits in text.chunks(SIZES[BYTES]) {
        let count = SIZES.iter().position(|size| *size == digits.len()).ok_or(ErrorKind::Length)?;
        let value = |digit: &u8| u64::from(base58::value(*digit).unwrap_or_default());
        let number =
            digits.iter().try_fold(0_u64, |number, digit| number.checked_mul(58)?.checked_add(value(digit)));
        // A number that does not fit is no encoding: the reference refuses it.
        let bytes = number.ok_or(ErrorKind::Padding)?.to_be_bytes();
        let (zeros, bytes) = bytes.split_at(BYTES - count);
        if zeros.iter().any(|byte| *byte != 0) {
            return Err(ErrorKind::Padding.into());
        }
        place.get_mut(length..length + count).ok_or(ErrorKind::Length)?.copy_from_slice(bytes);
        length += count;
    }
    Ok(&place[..length])
}

pub(crate) fn write(bytes: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for block in bytes.chunks(BYTES) {
        let mut number = block.iter().fold(0, |number, byte| number << 8 | u64::from(*byte));
        let mut digits = [DIGITS[0]; SIZES[BYTES]];
        let digits = &mut digits[..SIZES[block.len()]];
        for digit in digits.iter_mut().rev() {
            *digit = DIGITS[(number % 58) as usize];
            number /= 58;
        }
        f.write_str(core::str::from_utf8(digits).map_err(|_| fmt::Error)?)?;
    }
    Ok(())
}
