//! bech32 ([BIP-173]) and bech32m ([BIP-350]) for a known human-readable part.
//!
//! Decoding takes less than a third of the time of the `bech32` crate (83 ns to 289 ns for a P2WPKH address,
//! `cargo xtask bench core`), reports the position of a wrong character, and reads both variants in one pass.
//!
//! [BIP-173]: https://github.com/bitcoin/bips/blob/master/bip-0173.mediawiki
//! [BIP-350]: https://github.com/bitcoin/bips/blob/master/bip-0350.mediawiki

use alloc::vec;
use alloc::vec::Vec;
use core::fmt::{self, Write};

use super::bch_register::Register;
use super::charset::{Bytes, WRITTEN, groups, regroup, values, write_symbols};
use super::{DecodeError, ErrorKind, bch_errors};

/// The longest text (BIP-173).
pub(crate) const LONGEST: usize = 90;

/// The longest part after the separator, including addresses that exceed BIP-173.
const LONGEST_DATA: usize = 120;

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

    const fn residue(self) -> u64 {
        match self {
            Self::Bech32 => 1,
            Self::Bech32m => 0x2bc8_30a3,
        }
    }
}

static REGISTER: Register<30> =
    Register::new([0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3]);

/// A human-readable part, with the checksum state after it.
pub(crate) struct Hrp {
    text: &'static str,
    state: u64,
}

impl Hrp {
    /// `text` in lower case.
    pub(crate) const fn new(text: &'static str) -> Self {
        Self { text, state: expand(text.as_bytes()) }
    }

    #[cfg(feature = "zcash")]
    pub(crate) const fn text(&self) -> &'static str {
        self.text
    }

    /// Returns the part after the separator if the text starts with this prefix in either letter case.
    pub(crate) fn strip<'a>(&self, text: &'a str) -> Option<&'a [u8]> {
        let (head, rest) = text.as_bytes().split_at_checked(self.text.len())?;
        let rest = rest.strip_prefix(b"1")?;
        head.eq_ignore_ascii_case(self.text.as_bytes()).then_some(rest)
    }
}

/// The checksum state after a human-readable part of either letter case.
const fn expand(hrp: &[u8]) -> u64 {
    let mut state = 1;
    let mut at = 0;
    while at < hrp.len() {
        state = REGISTER.step(state, hrp[at].to_ascii_lowercase() >> 5);
        at += 1;
    }
    state = REGISTER.step(state, 0);
    at = 0;
    while at < hrp.len() {
        state = REGISTER.step(state, hrp[at].to_ascii_lowercase() & 31);
        at += 1;
    }
    state
}

/// The buffer for decoded symbols.
pub(crate) struct Buffer<const N: usize = LONGEST_DATA>([u8; N]);

impl Buffer {
    pub(crate) const fn new() -> Self {
        Self([0; LONGEST_DATA])
    }
}

#[cfg(feature = "zcash")]
impl<const N: usize> Buffer<N> {
    pub(crate) const fn of_size() -> Self {
        Self([0; N])
    }
}

/// A decoded text: the value of its first symbol, and those of all.
pub(crate) struct Decoded<'a> {
    pub(crate) variant: Variant,
    pub(crate) version: u8,
    values: &'a [u8],
}

impl Decoded<'_> {
    pub(crate) fn program<const N: usize>(&self) -> Result<Bytes<N>, ErrorKind> {
        regroup(&self.values[1..])
    }

    /// The bytes of a text without a version.
    #[cfg(any(feature = "cardano", feature = "cosmos", feature = "zcash"))]
    pub(crate) fn bytes<const N: usize>(&self) -> Result<Bytes<N>, ErrorKind> {
        regroup(self.values)
    }
}

/// Decodes a text of at most `longest` characters that starts with `hrp`; `data` is the result of
/// [`Hrp::strip`].
pub(crate) fn decode<'a, const N: usize>(
    hrp: &Hrp,
    text: &str,
    data: &[u8],
    longest: usize,
    buffer: &'a mut Buffer<N>,
) -> Result<Decoded<'a>, DecodeError> {
    if text.len() > longest || !(CHECKSUM + 1..=N).contains(&data.len()) {
        return Err(ErrorKind::Length.into());
    }
    let place = &mut buffer.0[..data.len()];
    values(&text.as_bytes()[..text.len() - data.len()], data, place)?;
    let state = REGISTER.take(hrp.state, place);
    let variant = match state {
        state if state == Variant::Bech32.residue() => Variant::Bech32,
        state if state == Variant::Bech32m.residue() => Variant::Bech32m,
        _ => return Err(ErrorKind::Checksum.into()),
    };
    Ok(Decoded { variant, version: place[0], values: &place[..data.len() - CHECKSUM] })
}

/// Encodes a version and a program in lower case.
pub(crate) fn write(
    hrp: &Hrp,
    variant: Variant,
    version: u8,
    program: &[u8],
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let mut values = [0; WRITTEN];
    values[0] = version;
    let length = groups(program, &mut values[1..]).ok_or(fmt::Error)?;
    seal(hrp, variant, values.get_mut(..=length + CHECKSUM), f)
}

/// Encodes bytes without a version in lower case.
#[cfg(any(feature = "cardano", feature = "cosmos", feature = "zcash"))]
pub(crate) fn write_bytes(
    hrp: &Hrp,
    variant: Variant,
    bytes: &[u8],
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let mut values = [0; WRITTEN];
    let length = groups(bytes, &mut values).ok_or(fmt::Error)?;
    seal(hrp, variant, values.get_mut(..length + CHECKSUM), f)
}

/// Writes values, whose checksum it sets.
fn seal(hrp: &Hrp, variant: Variant, values: Option<&mut [u8]>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let values = values.ok_or(fmt::Error)?;
    REGISTER.seal(hrp.state, variant.residue(), values, CHECKSUM);
    f.write_str(hrp.text)?;
    f.write_char('1')?;
    write_symbols(values, f)
}

/// Locates errors in a text with any human-readable part: the excess length, an invalid character, or one or
/// two characters that explain a wrong checksum. `due` is the variant for the value of the first symbol.
pub(crate) fn locate(text: &str, due: impl Fn(u8) -> Variant) -> Vec<usize> {
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
    let mut buffer = [0; LONGEST];
    let place = &mut buffer[..data.len()];
    if let Err(error) = values(&text.as_bytes()[..=separator], data, place) {
        return error.at.map(usize::from).into_iter().collect();
    }
    let state = REGISTER.take(expand(head), place);
    if [Variant::Bech32, Variant::Bech32m].iter().any(|variant| variant.residue() == state) {
        return Vec::new();
    }
    // Fewer errors are more likely; on a tie, those of the variant that is due.
    let due = due(buffer[0]);
    let other = if due == Variant::Bech32 { Variant::Bech32m } else { Variant::Bech32 };
    let residues = [due, other].map(|variant| state ^ variant.residue());
    let places = bch_errors::locate(data.len(), &residues, |state| REGISTER.step(state, 0));
    places.into_iter().map(|place| text.len() - 1 - place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    fn of_segwit(text: &str) -> Vec<usize> {
        locate(text, Variant::of_version)
    }

    #[derive(serde::Deserialize)]
    struct Case {
        string: String,
        locations: Vec<usize>,
    }

    /// Bitcoin Core's vectors for the encoding alone; vectors for addresses are in the integration tests.
    #[test]
    fn errors_are_located_as_published() {
        let lines = include_str!("../../tests/vectors/error_locations.jsonl").lines();
        let cases = lines.map(|line| serde_json::from_str::<Case>(line).unwrap());
        let mut checked = 0;
        for case in cases.filter(|case| case.string.contains('1') && !case.string.starts_with("1q")) {
            // A text with the other variant's checksum has no wrong character.
            assert_eq!(of_segwit(&case.string), case.locations, "{}", case.string);
            checked += 1;
        }
        assert!(checked >= 17, "{checked}");
    }

    #[test]
    fn errors_are_located_up_to_the_longest_text() {
        let longest =
            "an83characterlonghumanreadablepartthatcontainsthenumber1andtheexcludedcharactersbio1tt5tgs";
        assert_eq!((longest.len(), of_segwit(longest)), (LONGEST, Vec::new()));
        let wrong = longest.replace("1tt5", "1qt5");
        assert_eq!(of_segwit(&wrong), [LONGEST - CHECKSUM]);
        assert_eq!(of_segwit(&(wrong + "q")), [LONGEST]);
    }
}
