//! bech32 ([BIP-173]) and bech32m ([BIP-350]): one decoder for a human-readable part that is known beforehand.
//!
//! [BIP-173]: https://github.com/bitcoin/bips/blob/master/bip-0173.mediawiki
//! [BIP-350]: https://github.com/bitcoin/bips/blob/master/bip-0350.mediawiki

use alloc::vec;
use alloc::vec::Vec;
use core::fmt::{self, Write};

use super::symbols::{Cases, NONE, Regroup, SYMBOLS, groups, value};
use super::{Fault, locate};
use crate::address::Reason;

/// No text is longer.
pub(crate) const LONGEST: usize = 90;

const CHECKSUM: usize = 6;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variant {
    Bech32,
    Bech32m,
}

impl Variant {
    /// bech32 for witness version 0, bech32m for later ones (BIP-350).
    pub(crate) const fn of_version(version: u8) -> Self {
        if version == 0 { Self::Bech32 } else { Self::Bech32m }
    }

    const fn residue(self) -> u32 {
        match self {
            Self::Bech32 => 1,
            Self::Bech32m => 0x2bc8_30a3,
        }
    }
}

/// A human-readable part, with the checksum's state after it.
pub(crate) struct Hrp {
    text: &'static str,
    state: u32,
}

impl Hrp {
    /// `text` in lower case.
    pub(crate) const fn new(text: &'static str) -> Self {
        Self { text, state: expand(text.as_bytes()) }
    }

    /// What follows the separator, when the text starts with this part in either letter case.
    pub(crate) fn strip<'a>(&self, text: &'a str) -> Option<&'a [u8]> {
        let (head, rest) = text.as_bytes().split_at_checked(self.text.len())?;
        let rest = rest.strip_prefix(b"1")?;
        head.eq_ignore_ascii_case(self.text.as_bytes()).then_some(rest)
    }
}

/// The checksum's state after a human-readable part of either letter case.
const fn expand(hrp: &[u8]) -> u32 {
    let mut state = 1;
    let mut at = 0;
    while at < hrp.len() {
        state = step(state, hrp[at].to_ascii_lowercase() >> 5);
        at += 1;
    }
    state = step(state, 0);
    at = 0;
    while at < hrp.len() {
        state = step(state, hrp[at].to_ascii_lowercase() & 31);
        at += 1;
    }
    state
}

const GENERATORS: [u32; 5] = [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3];

/// What the five bits that leave the register mix in.
const FEEDBACK: [u32; 32] = {
    let mut table = [0; 32];
    let mut leaving = 0;
    while leaving < 32 {
        let mut bit = 0;
        while bit < 5 {
            if leaving >> bit & 1 == 1 {
                table[leaving] ^= GENERATORS[bit];
            }
            bit += 1;
        }
        leaving += 1;
    }
    table
};

const fn step(state: u32, value: u8) -> u32 {
    (state & 0x01ff_ffff) << 5 ^ value as u32 ^ FEEDBACK[(state >> 25) as usize]
}

/// A decoded text: its first five bits, and the bytes of the rest.
pub(crate) struct Decoded {
    pub(crate) variant: Variant,
    pub(crate) version: u8,
    program: Regroup<64>,
}

impl Decoded {
    pub(crate) fn program(&self) -> Result<&[u8], Reason> {
        self.program.finish()
    }
}

/// Decodes `text`, which starts with `hrp`; `data` is what [`Hrp::strip`] left of it.
pub(crate) fn decode(hrp: &Hrp, text: &str, data: &[u8]) -> Result<Decoded, Fault> {
    if text.len() > LONGEST || data.len() <= CHECKSUM {
        return Err(Reason::BadLength.into());
    }
    let start = text.len() - data.len();
    let mut cases = Cases::of(&text.as_bytes()[..start])?;
    let mut state = hrp.state;
    let mut program = Regroup::new();
    let last = data.len() - CHECKSUM;
    for (at, byte) in data.iter().enumerate() {
        let value = value(*byte);
        if value == NONE {
            return Err(Fault::at(Reason::BadCharacter, start + at));
        }
        cases.see(*byte, start + at)?;
        state = step(state, value);
        if at > 0 && at < last {
            program.push(value);
        }
    }
    let variant = match state {
        state if state == Variant::Bech32.residue() => Variant::Bech32,
        state if state == Variant::Bech32m.residue() => Variant::Bech32m,
        _ => return Err(Reason::BadChecksum.into()),
    };
    Ok(Decoded { variant, version: value(data[0]), program })
}

/// Writes the lower-case text of a version and a program.
pub(crate) fn write(
    hrp: &Hrp,
    variant: Variant,
    version: u8,
    program: &[u8],
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    f.write_str(hrp.text)?;
    f.write_char('1')?;
    let mut state = hrp.state;
    for value in core::iter::once(version).chain(groups(program)) {
        state = step(state, value);
        f.write_char(symbol(u32::from(value)))?;
    }
    let state = (0..CHECKSUM).fold(state, |state, _| step(state, 0)) ^ variant.residue();
    (0..CHECKSUM).try_for_each(|at| f.write_char(symbol(state >> (5 * (CHECKSUM - 1 - at)))))
}

/// Where a text with any human-readable part is wrong: beyond the longest length, at a character that cannot be,
/// or at one or two characters that explain a wrong checksum.
pub(crate) fn locate(text: &str) -> Vec<usize> {
    if text.len() > LONGEST {
        return (LONGEST..text.len()).collect();
    }
    let Some(separator) = text.rfind('1') else {
        return Vec::new();
    };
    let (head, data) = (&text.as_bytes()[..separator], &text.as_bytes()[separator + 1..]);
    if head.is_empty() || data.len() < CHECKSUM {
        return vec![separator];
    }
    let mut state = expand(head);
    let mut cases = Cases::of(head);
    for (at, byte) in data.iter().enumerate() {
        let mixed = cases.as_mut().is_ok_and(|cases| cases.see(*byte, at).is_err());
        if value(*byte) == NONE || mixed {
            return vec![separator + 1 + at];
        }
        state = step(state, value(*byte));
    }
    if [Variant::Bech32, Variant::Bech32m].iter().any(|variant| variant.residue() == state) {
        return Vec::new();
    }
    // Fewer errors are likelier; of as many, those in the variant that the version asks for.
    let due = Variant::of_version(data.first().map_or(0, |byte| value(*byte)));
    let other = if due == Variant::Bech32 { Variant::Bech32m } else { Variant::Bech32 };
    let places = [due, other].map(|variant| {
        locate::locate(data.len(), u64::from(state ^ variant.residue()), |state| {
            u64::from(step(u32::try_from(state).unwrap_or(0), 0))
        })
    });
    let likelier = places.into_iter().filter(|places| !places.is_empty()).min_by_key(Vec::len);
    likelier.unwrap_or_default().into_iter().map(|place| text.len() - 1 - place).collect()
}

fn symbol(value: u32) -> char {
    char::from(SYMBOLS[(value & 31) as usize])
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    #[derive(serde::Deserialize)]
    struct Case {
        string: String,
        locations: Vec<usize>,
    }

    /// The vectors of Bitcoin Core that are of the encoding alone; those of addresses are tested from outside.
    #[test]
    fn errors_are_located_as_published() {
        let lines = include_str!("../../tests/vectors/error_locations.jsonl").lines();
        let cases = lines.map(|line| serde_json::from_str::<Case>(line).unwrap());
        let mut checked = 0;
        for case in cases.filter(|case| case.string.contains('1') && !case.string.starts_with("1q")) {
            // A text whose checksum is of the other variant has no wrong character.
            assert_eq!(locate(&case.string), case.locations, "{}", case.string);
            checked += 1;
        }
        assert!(checked >= 17, "{checked}");
    }
}
