//! Destination tags and memos: who of many behind one address is paid.

use alloc::string::String;
use core::fmt;

use crate::address::Reason;
use crate::codes::codes;

codes! {
    /// How a Stellar memo is meant.
    MemoType {
        Text = "text",
        Id = "id",
        Hash = "hash",
    }
}

/// A checked tag or memo. Its `Display` is the normal form.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Tag {
    /// XRP Ledger.
    Destination(u32),
    /// Stellar `MEMO_ID`.
    MemoId(u64),
    /// Stellar `MEMO_TEXT`: 1 to 28 bytes.
    MemoText(String),
    /// Stellar `MEMO_HASH`.
    MemoHash([u8; 32]),
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Destination(tag) => write!(f, "{tag}"),
            Self::MemoId(id) => write!(f, "{id}"),
            Self::MemoText(text) => f.write_str(text),
            Self::MemoHash(hash) => hash.iter().try_for_each(|byte| write!(f, "{byte:02x}")),
        }
    }
}

/// Why a text is not a tag or memo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagError {
    pub(crate) reason: Reason,
    pub(crate) suggestion: Option<Tag>,
}
