//! The 32 symbols that bech32 and CashAddr share, and the regrouping of their five bits into bytes.

use super::Fault;
use crate::address::Reason;

pub(super) const SYMBOLS: &[u8; 32] = b"qpzry9x8gf2tvdw0s3jn54khce6mua7l";

/// Marks a byte that is no symbol.
pub(super) const NONE: u8 = 0xff;

/// The value of each ASCII byte as a symbol of either letter case.
pub(super) const VALUES: [u8; 128] = {
    let mut values = [NONE; 128];
    let mut value = 0_u8;
    while value < 32 {
        let symbol = SYMBOLS[value as usize];
        values[symbol as usize] = value;
        values[symbol.to_ascii_uppercase() as usize] = value;
        value += 1;
    }
    values
};

pub(super) fn value(byte: u8) -> u8 {
    VALUES.get(usize::from(byte)).copied().unwrap_or(NONE)
}

/// Which letter cases were seen.
#[derive(Clone, Copy, Default)]
pub(super) struct Cases(u8);

impl Cases {
    /// Those of a prefix.
    pub(super) fn of(prefix: &[u8]) -> Result<Self, Fault> {
        let mut cases = Self::default();
        prefix.iter().enumerate().try_for_each(|(at, byte)| cases.see(*byte, at)).map(|()| cases)
    }

    /// Refuses the byte that is of another case than those before it.
    pub(super) fn see(&mut self, byte: u8, at: usize) -> Result<(), Fault> {
        if byte.is_ascii_alphabetic() {
            self.0 |= if byte.is_ascii_uppercase() { 1 } else { 2 };
        }
        if self.0 == 3 { Err(Fault::at(Reason::MixedCase, at)) } else { Ok(()) }
    }
}

/// Five-bit groups in, bytes out, into a buffer of fixed size. More bytes than fit are counted but not kept.
pub(super) struct Regroup<const N: usize> {
    bytes: [u8; N],
    length: usize,
    spare: u32,
    bits: u32,
}

impl<const N: usize> Regroup<N> {
    pub(super) const fn new() -> Self {
        Self { bytes: [0; N], length: 0, spare: 0, bits: 0 }
    }

    pub(super) fn push(&mut self, value: u8) {
        self.spare = (self.spare << 5 | u32::from(value)) & 0xfff;
        self.bits += 5;
        if self.bits >= 8 {
            self.bits -= 8;
            if let Some(byte) = self.bytes.get_mut(self.length) {
                *byte = (self.spare >> self.bits & 0xff) as u8;
            }
            self.length += 1;
        }
    }

    /// The bytes, when what is left over is less than one group and zero.
    pub(super) fn finish(&self) -> Result<&[u8], Reason> {
        if self.bits >= 5 {
            return Err(Reason::BadLength);
        }
        if self.spare & ((1 << self.bits) - 1) != 0 {
            return Err(Reason::ReservedBits);
        }
        self.bytes.get(..self.length).ok_or(Reason::BadLength)
    }
}

/// The five-bit groups of `bytes`, the last one filled with zeros.
pub(super) fn groups(bytes: &[u8]) -> impl Iterator<Item = u8> {
    let bit = |at: usize| bytes.get(at / 8).map_or(0, |byte| byte >> (7 - at % 8) & 1);
    (0..(bytes.len() * 8).div_ceil(5))
        .map(move |group| (0..5).fold(0, |value, at| value << 1 | bit(group * 5 + at)))
}
