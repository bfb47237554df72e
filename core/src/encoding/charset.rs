//! The 32 symbols of bech32 and CashAddr, and the conversion between five-bit groups and bytes.

use core::fmt;

use super::{DecodeError, ErrorKind};

const SYMBOLS: &[u8; 32] = b"qpzry9x8gf2tvdw0s3jn54khce6mua7l";

const VALUE: u8 = 31;
const UPPER: u8 = 0x20;
const LOWER: u8 = 0x40;
const MIXED: u8 = UPPER | LOWER;
const NONE: u8 = 0x80;

/// The symbol value and letter case of each byte, or none.
static CLASSES: [u8; 256] = {
    let mut classes = [NONE; 256];
    let mut value = 0_u8;
    while value < 32 {
        let symbol = SYMBOLS[value as usize];
        classes[symbol.to_ascii_uppercase() as usize] = value | UPPER;
        classes[symbol as usize] = value | if symbol.is_ascii_digit() { 0 } else { LOWER };
        value += 1;
    }
    classes
};

fn is_symbol(byte: u8) -> bool {
    CLASSES[usize::from(byte)] & NONE == 0
}

/// Writes the symbol values of `data`, which follows `head`, to `place`. All letters must be of one case.
/// `place` is as long as `data`.
pub(super) fn values(head: &[u8], data: &[u8], place: &mut [u8]) -> Result<(), DecodeError> {
    let mut seen = head.iter().fold(0, |seen, byte| seen | case(*byte));
    for (value, byte) in place.iter_mut().zip(data) {
        let class = CLASSES[usize::from(*byte)];
        seen |= class;
        *value = class & VALUE;
    }
    if seen & NONE == 0 && seen & MIXED != MIXED { Ok(()) } else { Err(first_error(head, data)) }
}

const fn case(byte: u8) -> u8 {
    match byte {
        b'A'..=b'Z' => UPPER,
        b'a'..=b'z' => LOWER,
        _ => 0,
    }
}

/// The first byte that is not a symbol, or that differs in letter case from those before it.
#[cold]
fn first_error(head: &[u8], data: &[u8]) -> DecodeError {
    let mut seen = 0;
    for (at, byte) in head.iter().chain(data).enumerate() {
        if at >= head.len() && !is_symbol(*byte) {
            return DecodeError::at(ErrorKind::Character, at);
        }
        seen |= case(*byte);
        if seen == MIXED {
            return DecodeError::at(ErrorKind::MixedCase, at);
        }
    }
    ErrorKind::Character.into()
}

/// At most `N` bytes.
#[derive(Clone, Copy)]
pub(crate) struct Bytes<const N: usize> {
    bytes: [u8; N],
    length: usize,
}

impl<const N: usize> Bytes<N> {
    pub(crate) fn as_slice(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }

    #[cfg(feature = "zcash")]
    pub(crate) fn as_mut_slice(&mut self) -> &mut [u8] {
        self.bytes.get_mut(..self.length).unwrap_or_default()
    }
}

/// Converts five-bit groups to bytes. The remaining bits must be fewer than one group, and zero.
pub(super) fn regroup<const N: usize>(values: &[u8]) -> Result<Bytes<N>, ErrorKind> {
    let (length, left_over) = (values.len() * 5 / 8, values.len() * 5 % 8);
    if left_over >= 5 {
        return Err(ErrorKind::Length);
    }
    let number = |values: &[u8]| values.iter().fold(0, |number, value| number << 5 | u64::from(*value));
    let mut bytes = [0; N];
    let (fives, last) = bytes.get_mut(..length).ok_or(ErrorKind::Length)?.as_chunks_mut::<5>();
    let (eights, rest) = values.as_chunks::<8>();
    for (five, eight) in fives.iter_mut().zip(eights) {
        let [_, _, _, group @ ..] = number(eight).to_be_bytes();
        *five = group;
    }
    let rest = number(rest);
    for (at, byte) in last.iter_mut().rev().enumerate() {
        *byte = (rest >> (left_over + 8 * at) & 0xff) as u8;
    }
    if rest & ((1 << left_over) - 1) == 0 { Ok(Bytes { bytes, length }) } else { Err(ErrorKind::Padding) }
}

/// Writes the five-bit groups of `bytes` to `place`, padding the last one with zeros, and returns their
/// number. Returns `None` if `place` is too small.
pub(super) fn groups(bytes: &[u8], place: &mut [u8]) -> Option<usize> {
    let length = (bytes.len() * 8).div_ceil(5);
    let number = |bytes: &[u8]| bytes.iter().fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
    let group = |number: u64, at: usize| (number >> (35 - 5 * at) & 31) as u8;
    let ((eights, last), (fives, rest)) =
        (place.get_mut(..length)?.as_chunks_mut::<8>(), bytes.as_chunks::<5>());
    for (eight, five) in eights.iter_mut().zip(fives) {
        let number = number(five);
        *eight = core::array::from_fn(|at| group(number, at));
    }
    let number = number(rest) << (40 - 8 * rest.len());
    for (at, value) in last.iter_mut().enumerate() {
        *value = group(number, at);
    }
    Some(length)
}

/// The most symbols that are written.
pub(super) const WRITTEN: usize = if cfg!(feature = "zcash") { 216 } else { 128 };

/// Writes at most [`WRITTEN`] values as lower-case symbols.
pub(super) fn write_symbols(values: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut text = [0; WRITTEN];
    let text = text.get_mut(..values.len()).ok_or(fmt::Error)?;
    for (symbol, value) in text.iter_mut().zip(values) {
        *symbol = SYMBOLS[usize::from(value & VALUE)];
    }
    f.write_str(core::str::from_utf8(text).map_err(|_| fmt::Error)?)
}
