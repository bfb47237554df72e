//! The grammar of decimal text: `0|[1-9][0-9]*` with an optional fraction.

use core::fmt;

/// Why a text is not an exact decimal amount. Texts are never rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AmountError {
    /// The text is empty.
    Empty,
    /// A `+` or `-` at the start.
    Sign,
    /// An `e` or `E`: exponents are not accepted.
    Exponent,
    /// Whitespace anywhere.
    Blank,
    /// The whole part has leading zeros, as in `007`.
    LeadingZero,
    /// The point has no digit on one side, as in `.5` or `5.`.
    BarePoint,
    /// A character other than a digit or the point, at this byte.
    Character { at: usize },
    /// More decimal places than the currency has on this network.
    TooManyDecimals { allowed: u8 },
    /// More than [`Amount::MAX`](crate::Amount::MAX).
    TooLarge,
    /// A division by a rate of zero.
    ZeroRate,
}

impl AmountError {
    /// The stable code.
    pub fn code(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Sign => "sign",
            Self::Exponent => "exponent",
            Self::Blank => "blank",
            Self::LeadingZero => "leading_zero",
            Self::BarePoint => "bare_point",
            Self::Character { .. } => "character",
            Self::TooManyDecimals { .. } => "too_many_decimals",
            Self::TooLarge => "too_large",
            Self::ZeroRate => "zero_rate",
        }
    }
}

impl fmt::Display for AmountError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the amount is empty"),
            Self::Sign => f.write_str("an amount has no sign"),
            Self::Exponent => f.write_str("an amount has no exponent"),
            Self::Blank => f.write_str("an amount has no blanks"),
            Self::LeadingZero => f.write_str("an amount has no leading zeros"),
            Self::BarePoint => f.write_str("the decimal point needs a digit on both sides"),
            Self::Character { at } => {
                write!(f, "the character at position {at} is not a digit or a decimal point")
            }
            Self::TooManyDecimals { allowed } => {
                write!(f, "at most {allowed} decimal places are possible here")
            }
            Self::TooLarge => f.write_str("the amount is too large"),
            Self::ZeroRate => f.write_str("the exchange rate is zero"),
        }
    }
}

impl core::error::Error for AmountError {}

/// A text that matches the grammar, split at its point. The fraction may be empty.
pub(crate) struct Digits<'a> {
    pub(crate) whole: &'a [u8],
    pub(crate) fraction: &'a [u8],
}

/// The maximum length of an amount; longer texts are refused unread.
const LONGEST: usize = 80;

pub(crate) fn split(text: &str) -> Result<Digits<'_>, AmountError> {
    let bytes = text.as_bytes();
    match bytes {
        [] => return Err(AmountError::Empty),
        [b'+' | b'-', ..] => return Err(AmountError::Sign),
        _ if bytes.len() > LONGEST => return Err(AmountError::TooLarge),
        _ => {}
    }
    let mut point = None;
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'0'..=b'9' => {}
            b'.' if point.is_none() => point = Some(at),
            b' ' | b'\t' | b'\n' | b'\r' => return Err(AmountError::Blank),
            b'e' | b'E' if at > 0 => return Err(AmountError::Exponent),
            _ => return Err(AmountError::Character { at }),
        }
    }
    let (whole, fraction) = match point {
        Some(at) => (&bytes[..at], &bytes[at + 1..]),
        None => (bytes, &bytes[bytes.len()..]),
    };
    if whole.is_empty() || (point.is_some() && fraction.is_empty()) {
        return Err(AmountError::BarePoint);
    }
    if whole.len() > 1 && whole[0] == b'0' {
        return Err(AmountError::LeadingZero);
    }
    Ok(Digits { whole, fraction })
}

/// Appends `digits` to `value`; `None` on overflow.
pub(crate) fn append(value: u128, digits: &[u8]) -> Option<u128> {
    digits.iter().try_fold(value, |value, digit| value.checked_mul(10)?.checked_add(u128::from(digit - b'0')))
}
