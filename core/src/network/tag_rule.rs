//! The tag or memo that a network needs in addition to the address.

use core::fmt;
use core::str::FromStr;

use crate::codes::codes;

/// The tag that a network needs beside the address to credit the right customer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagRule {
    /// The network has no tags.
    None,
    /// XRP Ledger: a `u32` destination tag.
    DestinationTag,
    /// Stellar: a memo (text, id or hash).
    Memo,
}

codes! {
    /// The type of a Stellar memo.
    #[non_exhaustive]
    MemoType {
        Text = "text",
        Id = "id",
        Hash = "hash",
    }
}

impl FromStr for MemoType {
    type Err = UnknownMemoType;

    fn from_str(code: &str) -> Result<Self, Self::Err> {
        Self::ALL.iter().find(|kind| kind.code() == code).copied().ok_or(UnknownMemoType)
    }
}

/// The text is not `text`, `id` or `hash`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownMemoType;

impl fmt::Display for UnknownMemoType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown memo type")
    }
}

impl core::error::Error for UnknownMemoType {}
