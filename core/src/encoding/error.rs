//! What is wrong with an encoded text.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ErrorKind {
    /// Too few or too many characters.
    Length,
    /// A character that the encoding does not have.
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
    /// The byte at fault, where it is a single one.
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
