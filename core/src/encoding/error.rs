//! Errors of encoded texts.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ErrorKind {
    /// Too few or too many characters.
    Length,
    /// A character outside the encoding's alphabet.
    Character,
    /// Lower and upper case letters in one text.
    MixedCase,
    Checksum,
    /// Padding bits that are not zero.
    Padding,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DecodeError {
    pub(crate) kind: ErrorKind,
    /// The position of the error, if it is a single byte.
    pub(crate) at: Option<u8>,
}

impl DecodeError {
    pub(crate) fn at(kind: ErrorKind, index: usize) -> Self {
        Self { kind, at: u8::try_from(index).ok() }
    }
}

impl From<ErrorKind> for DecodeError {
    fn from(kind: ErrorKind) -> Self {
        Self { kind, at: None }
    }
}
